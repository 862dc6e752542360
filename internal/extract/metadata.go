package extract

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/source"
	"go.yaml.in/yaml/v3"
)

// layer is one file's metadata on its way into the whole.
type layer struct {
	file  string
	shift int // lines before the YAML in that file
	meta  *document.Metadata
}

// Metadata joins what the sidecars, given from the outermost in, and the front
// matter say. For each key the nearest wins; attributes are joined key by key. A
// wrong type is an error that names file and key: a document is not indexed
// with an access that was guessed. Neither readers nor deny means public; deny
// alone leaves everyone else; readers, even empty, closes to all others.
func Metadata(sidecars []source.Sidecar, frontMatter []byte) (document.Metadata, error) {
	meta := document.Metadata{Access: document.Public()}
	l := &layer{meta: &meta}
	for _, s := range sidecars {
		l.file, l.shift = s.Name, 0
		if err := l.apply(s.Bytes); err != nil {
			return document.Metadata{}, err
		}
	}
	l.file, l.shift = "front matter", 1
	if err := l.apply(frontMatter); err != nil {
		return document.Metadata{}, err
	}
	return meta, nil
}

// AttachedMetadata is Metadata for what is attached to a message: that of the message,
// in its sidecars, holds. Of the front matter, which the sender may have written, only
// what describes the text counts; where it says who may read it, it is refused, as
// that is neither to be believed nor to be ignored. The title is apart.
func AttachedMetadata(sidecars []source.Sidecar, frontMatter []byte) (meta document.Metadata, title string, err error) {
	own, err := Metadata(nil, frontMatter)
	if err != nil {
		return document.Metadata{}, "", err
	}
	if !own.Access.Everyone || len(own.Access.Deny) > 0 || own.Tenant != "" {
		return document.Metadata{}, "", errors.New("front matter: it says who may read what is attached to a message, which the message's own metadata says: take it out")
	}
	if meta, err = Metadata(sidecars, nil); err != nil {
		return document.Metadata{}, "", err
	}
	meta.Category, meta.Version, meta.Language = cmp.Or(own.Category, meta.Category), cmp.Or(own.Version, meta.Version), cmp.Or(own.Language, meta.Language)
	meta.Date = cmp.Or(own.Date, meta.Date)
	return meta, own.Title, nil
}

func (l *layer) apply(data []byte) error {
	entries, err := parseMapping(data)
	if err != nil {
		return fmt.Errorf("%s: %w", l.file, shiftLines(err, l.shift))
	}
	attributes := map[string][]string{}
	var effective effectiveKeys
	for _, e := range entries {
		if err := l.set(e, attributes, &effective); err != nil {
			return fmt.Errorf("%s: line %d: %s: %w", l.file, e.line+l.shift, e.key, err)
		}
	}
	if effective.given {
		iv, err := effective.interval()
		if err != nil {
			return fmt.Errorf("%s: %w", l.file, err)
		}
		l.meta.Effective = iv
	}
	for k, v := range attributes {
		if l.meta.Attributes == nil {
			l.meta.Attributes = map[string][]string{}
		}
		if v == nil {
			delete(l.meta.Attributes, k) // null takes back what a folder said
			continue
		}
		l.meta.Attributes[k] = v
	}
	if len(l.meta.Attributes) == 0 {
		l.meta.Attributes = nil
	}
	return nil
}

// set takes one key over.
func (l *layer) set(e entry, attributes map[string][]string, effective *effectiveKeys) error {
	var err error
	m := l.meta
	switch e.key {
	case "title":
		m.Title, err = text(e.value)
	case "category":
		m.Category, err = text(e.value)
	case "version":
		m.Version, err = text(e.value)
	case "language":
		m.Language, err = text(e.value)
	case "tenant":
		switch m.Tenant, err = text(e.value); {
		case err != nil:
		case m.Tenant == "":
			err = fmt.Errorf("it must name a tenant; leave it out for the default one")
		case len(m.Tenant) > document.MaxTenant:
			err = fmt.Errorf("it has a name of %d bytes and may have one of %d", len(m.Tenant), document.MaxTenant)
		}
	case "date":
		m.Date, err = day(e.value)
	case "status":
		m.Status, err = status(e.value)
	case "supersedes":
		if m.Supersedes, err = texts(e.value); err == nil {
			for i, p := range m.Supersedes {
				m.Supersedes[i] = path.Clean(strings.TrimPrefix(p, "/"))
			}
		}
	case "authority":
		m.Authority, err = integer(e.value)
	case "readers":
		m.Access.Everyone = false
		m.Access.Readers, err = principals(e.value)
	case "deny":
		m.Access.Deny, err = principals(e.value)
	case "effective", "effective_from", "effective_to":
		err = effective.set(e)
	case "attributes":
		err = joinAttributes(attributes, e.value)
	default:
		if err := checkKey(e.key); err != nil {
			return err
		}
		if _, ok := attributes[e.key]; !ok {
			attributes[e.key], err = attributeValues(e.value, true)
		}
	}
	return err
}

func joinAttributes(into map[string][]string, n *yaml.Node) error {
	if isNull(n) {
		return nil
	}
	entries, err := mapping(n)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := checkAttribute(e.key); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
		if into[e.key], err = attributeValues(e.value, false); err != nil {
			return fmt.Errorf("%s: %w", e.key, err)
		}
	}
	return nil
}
