package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry"
)

// Parse reads the text of a file called name. Its errors begin with file and
// line.
func Parse(name string, data []byte) (Settings, error) {
	p := parser{file: name, lines: map[string]int{}}
	defaults := Defaults()
	p.settings.BM25, p.settings.Quarry.Retrieval.Weights = defaults.BM25, defaults.Quarry.Retrieval.Weights
	p.settings.Sources, p.settings.Audit = defaults.Sources, defaults.Audit
	p.settings.Quarry.Permissions = defaults.Quarry.Permissions
	p.settings.Service, p.settings.JudgeService = defaults.Service, defaults.JudgeService
	root, err := p.root(data)
	if err != nil {
		return Settings{}, err
	}
	if root != nil {
		if err := p.group("", root); err != nil {
			return Settings{}, err
		}
	}
	if p.settings.Quarry.Retrieval.Weights == (quarry.Weights{}) {
		return Settings{}, p.place(errors.New("retrieval.weights: give at least one above 0"))
	}
	if err := p.settings.Check(); err != nil {
		return Settings{}, p.place(err)
	}
	return p.settings, nil
}

type parser struct {
	file     string
	settings Settings       // a setting that stands alone is zero until it is given
	lines    map[string]int // of the keys that were given
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.file, line, fmt.Sprintf(format, args...))
}

// root gives the mapping that the file is, or nil for an empty file.
func (p *parser) root(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	err := decode(dec, &doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: it is not valid YAML; correct it", p.file, firstLine(strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	var more yaml.Node
	if err := decode(dec, &more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: it holds more than one YAML document: keep one", p.file)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || isNull(doc.Content[0]) {
		return nil, nil
	}
	return doc.Content[0], nil
}

// decode turns a panic of the parser into an error.
func decode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the parser failed on it")
		}
	}()
	return dec.Decode(n)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// group reads the keys of a mapping; prefix is its own name. Values are plain:
// anchors and aliases have no use in a page of settings.
func (p *parser) group(prefix string, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return p.errorf(n.Line, "%s must hold keys, each on its own line with its value: quarry config prints them all", orFile(prefix))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at, value := n.Content[i], n.Content[i+1]
		if at.Kind != yaml.ScalarNode {
			return p.errorf(at.Line, "a key must be a plain word")
		}
		name := join(prefix, at.Value)
		if strings.Contains(at.Value, ".") {
			return p.errorf(at.Line, "%q is written flat: write the key below its group, as quarry config prints it", at.Value)
		}
		if _, twice := p.lines[name]; twice {
			return p.errorf(at.Line, "%s is given twice: keep one", name)
		}
		p.lines[name] = at.Line
		if err := p.entry(name, at.Line, value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) entry(name string, line int, value *yaml.Node) error {
	if _, ok := groups[name]; ok {
		if isNull(value) {
			return nil
		}
		return p.group(name, value)
	}
	for _, k := range keys {
		if k.name != name {
			continue
		}
		if isNull(value) {
			return nil // the default
		}
		if !k.fits(value) || !k.set(&p.settings, value) {
			return p.errorf(line, "%s must be %s", name, k.want)
		}
		return p.refuseZero(name, line, value)
	}
	return p.errorf(line, "unknown key %s, the nearest known is %s", name, nearestKey(name))
}

// refuseZero keeps a 0 from being taken for "not said" where 0 is no value.
func (p *parser) refuseZero(name string, line int, value *yaml.Node) error {
	v, ok := float(value)
	if ok && v == 0 && (name == "answer.threshold" || name == "retrieval.rrf_k" || name == "sources.removals" || name == "generate.time") {
		return p.errorf(line, "%s must be above 0", name)
	}
	return nil
}

// place finds the line of the key that an error of Check begins with.
func (p *parser) place(err error) error {
	msg := err.Error()
	best := ""
	for name := range p.lines {
		if strings.HasPrefix(msg, name) && len(name) > len(best) {
			best = name
		}
	}
	if best == "" {
		return fmt.Errorf("%s: %w", p.file, err)
	}
	return p.errorf(p.lines[best], "%s", msg)
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

func orFile(prefix string) string {
	if prefix == "" {
		return "the file"
	}
	return prefix
}
