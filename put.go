package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/source"
)

// Upload is a document that comes from no folder.
type Upload struct {
	Path string // within its source: relative, slash-separated, clean
	Data []byte // the original; not to be changed until Put returns
	// Format is a name of Formats; "" goes by the ending of Path. The content decides
	// all the same where it says what it is.
	Format string
	// Metadata counts like that of a sidecar: front matter in Data wins, key by
	// key. Its zero Access is readable by nobody: give document.Public() or readers.
	Metadata document.Metadata
}

// Put makes the corpus hold, under the source s, what uploads yields: as Sync
// does with a folder, new and changed documents are indexed, unchanged ones are
// not touched, and ones that are not among the uploads are removed; an archive is a
// folder, and what is attached to a message a document of its own. An error
// that uploads yields ends it with what came before indexed and nothing
// removed. uploads is ranged over in another goroutine, which has ended when
// Put returns.
func (c *Corpus) Put(ctx context.Context, s document.Source, uploads iter.Seq2[Upload, error], p Progress) (Report, error) {
	if err := c.opened(); err != nil {
		return Report{Source: s.Name}, err
	}
	in, err := c.intake(ctx, s, p)
	if err != nil {
		return in.report, err
	}
	seen := map[string]bool{}
	err = in.take(ctx, func(yield func(entry, error) bool) {
		for u, err := range uploads {
			list := []entry{{path: u.Path}} // which an error is told of
			if err == nil {
				list, err = c.upload(ctx, in, u)
			}
			if err == nil && seen[u.Path] {
				err = givenTwice(u.Path)
			}
			seen[u.Path] = true
			for _, e := range list {
				if err == nil && e.path != u.Path && seen[e.path] {
					err = givenTwice(e.path)
				}
				seen[e.path] = true
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	})
	for _, l := range in.leftOut { // noted while another goroutine wrote the report
		in.report.Skipped = append(in.report.Skipped, Problem{l.Path, l.Reason})
	}
	in.report.sort()
	if err != nil {
		_ = in.failed(ctx, err) // the error itself counts, whether or not it can be noted
	}
	if err == nil && in.done == 0 && len(in.states) == 0 {
		err = errors.New("there are no documents to index: give at least one")
	}
	return in.report, err
}

// Format is a format of documents that is read.
type Format = extract.Format

// Formats are all that are read. The slice is the caller's.
func Formats() []Format { return slices.Clone(extract.Formats) }

// Served are those that Options.PageReader is asked for.
func Served() Format { return extract.Served }

// nameOf is a file name that stands for a format.
func nameOf(format string) (string, error) {
	var names []string
	for _, f := range extract.Formats {
		if f.Name == format {
			return "upload" + f.Endings[0], nil
		}
		names = append(names, f.Name)
	}
	return "", fmt.Errorf("the format %q is not known: give one of %s", format, strings.Join(names, ", "))
}

// upload gives the documents of an upload: itself, or what an archive holds; of a
// message what is attached as well.
func (c *Corpus) upload(ctx context.Context, in *intake, u Upload) ([]entry, error) {
	if err := (document.ID{Source: in.source, Path: u.Path}).Validate(); err != nil {
		return failedUpload(u, err)
	}
	name := u.Path
	if u.Format != "" {
		var err error
		if name, err = nameOf(u.Format); err != nil {
			return failedUpload(u, fmt.Errorf("document %s: %w", u.Path, err))
		}
	}
	meta, err := sidecarOf(u.Metadata)
	if err != nil {
		return failedUpload(u, fmt.Errorf("metadata of document %s: %w", u.Path, err))
	}
	sidecars := []source.Sidecar{{Name: "metadata", Bytes: meta}}
	within, err := source.Within(ctx, u.Path, name, u.Data, sidecars, c.options.source())
	if err != nil {
		return failedUpload(u, err)
	}
	in.unread = append(in.unread, within.Unread...)
	in.leftOut = append(in.leftOut, within.Skipped...)
	var list []entry
	for _, item := range within.Items {
		e := entry{path: item.Path, name: item.Path, size: item.Size, read: item.Read}
		if item.Path == u.Path {
			e.name = name
			e.read = func(ctx context.Context) (source.Original, error) {
				o, err := item.Read(ctx)
				o.Hash = uploadHash(name, meta, u.Data)
				return o, err
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// failedUpload ends the uploads with an error.
func failedUpload(u Upload, err error) ([]entry, error) { return []entry{{path: u.Path}}, err }

func givenTwice(path string) error {
	return fmt.Errorf("document %s is given twice: give each path once", path)
}

// uploadHash covers the name that says the format as well.
func uploadHash(name string, meta, data []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(name), meta, data} {
		fmt.Fprintf(h, "%d ", len(part)) // framed, so that no two sets of parts are the same bytes
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sidecar is metadata as a file beside a document would say it, so that
// uploads and folders go through the same checks and the same inheritance.
type sidecar struct {
	Title      string              `yaml:"title,omitempty"`
	Category   string              `yaml:"category,omitempty"`
	Date       string              `yaml:"date,omitempty"`
	Version    string              `yaml:"version,omitempty"`
	Status     string              `yaml:"status,omitempty"`
	Supersedes []string            `yaml:"supersedes,omitempty"`
	From       string              `yaml:"effective_from,omitempty"`
	To         string              `yaml:"effective_to,omitempty"`
	Authority  int                 `yaml:"authority,omitempty"`
	Tenant     string              `yaml:"tenant,omitempty"`
	Readers    *[]string           `yaml:"readers,omitempty"`
	Deny       []string            `yaml:"deny,omitempty"`
	Attributes map[string][]string `yaml:"attributes,omitempty"`
	Language   string              `yaml:"language,omitempty"`
}

func sidecarOf(m document.Metadata) ([]byte, error) {
	s := sidecar{Title: m.Title, Category: m.Category, Date: m.Date.String(), Version: m.Version, Status: string(m.Status),
		Supersedes: m.Supersedes, From: m.Effective.From.String(), Authority: m.Authority, Tenant: m.Tenant,
		Deny: m.Access.Deny, Attributes: m.Attributes, Language: m.Language}
	if m.Effective.To != 0 && m.Effective.To <= document.DayMin {
		return nil, errors.New("Effective.To is the first day that there is, or before it, so it would never hold: give the day after the last one, or 0 for no end")
	}
	if m.Effective.To != 0 {
		s.To = (m.Effective.To - 1).String() // files say the last day
	}
	if !m.Access.Everyone {
		readers := slices.Clone(m.Access.Readers)
		s.Readers = &readers
	}
	return yaml.Marshal(s)
}
