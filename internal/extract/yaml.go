package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

const (
	maxYAMLBytes = 1 << 20
	maxYAMLDepth = 32
	// maxYAMLNodes counts nodes with every alias resolved, so that a few lines
	// of aliases to aliases cannot become millions of values.
	maxYAMLNodes = 100_000
)

var errNotMapping = errors.New("it is not a mapping of keys to values")

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	line  int
	value *yaml.Node
}

// parseMapping reads one YAML document that is a mapping. nil is an empty one.
func parseMapping(data []byte) ([]entry, error) {
	if len(data) > maxYAMLBytes {
		return nil, fmt.Errorf("%d bytes are more than the %d that metadata may have", len(data), maxYAMLBytes)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := decodeNode(dec, &doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlError(err)
	}
	var next yaml.Node
	if err := decodeNode(dec, &next); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(err)
		}
		return nil, fmt.Errorf("line %d: a second YAML document begins: keep one", next.Line)
	}
	if doc.Kind == 0 || len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil
	}
	left := maxYAMLNodes
	if err := measure(doc.Content[0], 0, &left); err != nil {
		return nil, err
	}
	return mapping(doc.Content[0])
}

// decodeNode turns a panic of the parser, which it must not have but has had,
// into an error.
func decodeNode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("yaml: the parser failed on it")
		}
	}()
	return dec.Decode(n)
}

// measure walks a node with its aliases resolved and refuses what is too deep
// or too large.
func measure(n *yaml.Node, depth int, left *int) error {
	if *left--; *left < 0 {
		return fmt.Errorf("line %d: there are more than %d values, aliases included", n.Line, maxYAMLNodes)
	}
	if depth > maxYAMLDepth {
		return fmt.Errorf("line %d: it is nested deeper than %d levels", n.Line, maxYAMLDepth)
	}
	if n.Kind == yaml.AliasNode {
		return measure(n.Alias, depth+1, left)
	}
	for _, c := range n.Content {
		if err := measure(c, depth+1, left); err != nil {
			return err
		}
	}
	return nil
}

// mapping lists the entries of a mapping node, aliases of values resolved.
func mapping(n *yaml.Node) ([]entry, error) {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return nil, errNotMapping
	}
	seen := make(map[string]bool, len(n.Content)/2)
	out := make([]entry, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := resolve(n.Content[i])
		switch {
		case k.Kind != yaml.ScalarNode:
			return nil, fmt.Errorf("line %d: a key must be a plain word", k.Line)
		case k.ShortTag() == "!!merge":
			return nil, fmt.Errorf("line %d: the merge key << is not read: write the keys out", k.Line)
		case seen[k.Value]:
			return nil, fmt.Errorf("line %d: the key %q is given twice", k.Line, k.Value)
		}
		seen[k.Value] = true
		out = append(out, entry{key: k.Value, line: k.Line, value: resolve(n.Content[i+1])})
	}
	return out, nil
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

var yamlLine = lazyregexp.New(`\bline (\d+): `)

// yamlError keeps the parser's line and reason and says what to do. The
// parser's messages quote at most an anchor's name of the document.
func yamlError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if i := strings.IndexByte(msg, '\n'); i >= 0 {
		msg = msg[:i]
	}
	if !yamlLine.MatchString(msg) {
		msg = "line 1: " + msg
	}
	return fmt.Errorf("%s: it is not valid YAML; correct it, or put the value in quotes", msg)
}

// shiftLines moves the line numbers of an error to where the YAML stands.
func shiftLines(err error, by int) error {
	msg := yamlLine.ReplaceAllStringFunc(err.Error(), func(m string) string {
		n, convErr := strconv.Atoi(yamlLine.FindStringSubmatch(m)[1])
		if convErr != nil {
			return m
		}
		return fmt.Sprintf("line %d: ", n+by)
	})
	if msg == err.Error() {
		return err
	}
	return errors.New(msg)
}
