package extract

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"go.yaml.in/yaml/v3"
)

// text is a scalar as it is written: version 1.10 stays 1.10.
func text(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", errors.New("it must be a single value")
	}
	if isNull(n) {
		return "", nil
	}
	return strings.TrimSpace(n.Value), nil
}

// texts is a string or a list of strings.
func texts(n *yaml.Node) ([]string, error) {
	if isNull(n) {
		return nil, nil
	}
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	out := make([]string, 0, len(nodes))
	for _, c := range nodes {
		s, err := text(resolve(c))
		if err != nil {
			return nil, errors.New("it must be a string or a list of strings")
		}
		if s == "" {
			return nil, errors.New("it holds an empty value")
		}
		out = append(out, s)
	}
	return out, nil
}

// principals is a list of names. A truth value or a date among them is a slip,
// not a name.
func principals(n *yaml.Node) ([]string, error) {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, c := range nodes {
		c = resolve(c)
		if isNull(c) && c == n {
			continue
		}
		if tag := c.ShortTag(); c.Kind != yaml.ScalarNode || tag != "!!str" && tag != "!!int" {
			return nil, errors.New("it must be a principal or a list of principals, such as group:legal")
		}
	}
	return texts(n)
}

func integer(n *yaml.Node) (int, error) {
	if n.Kind == yaml.ScalarNode {
		if v, err := strconv.Atoi(n.Value); err == nil {
			return v, nil
		}
	}
	return 0, errors.New("it must be a whole number")
}

func status(n *yaml.Node) (document.Status, error) {
	s, err := text(n)
	if err != nil {
		return "", err
	}
	switch v := document.Status(strings.ToLower(s)); v {
	case "", document.Current, document.Draft, document.Superseded:
		return v, nil
	}
	return "", errors.New("it must be draft, current or superseded")
}

func day(n *yaml.Node) (document.Day, error) {
	s, err := text(n)
	if err != nil || s == "" {
		return 0, err
	}
	if d, err := document.ParseDay(s); err == nil {
		return d, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-1-2", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			if d := document.DayOf(t); d >= document.DayMin && d <= document.DayMax {
				return d, nil
			}
		}
	}
	return 0, errors.New("it must be a date: write YYYY-MM-DD")
}

// dayAfter is the first day after the last one that is meant: an end of 2028-05
// holds to the end of May. The last day that there is means no end.
func dayAfter(n *yaml.Node) (document.Day, error) {
	d, err := day(n)
	if err != nil || d == 0 {
		return 0, err
	}
	t := d.Time()
	switch s, _ := text(n); strings.Count(s, "-") {
	case 0:
		t = t.AddDate(1, 0, 0)
	case 1:
		t = t.AddDate(0, 1, 0)
	default:
		t = t.AddDate(0, 0, 1)
	}
	if after := document.DayOf(t); after <= document.DayMax {
		return after, nil
	}
	return 0, nil
}

// effectiveKeys collects the spellings of one file's validity: a mapping from/to,
// a single date from which it holds, or the two keys apart.
type effectiveKeys struct {
	given    bool
	from, to *yaml.Node
}

func (k *effectiveKeys) set(e entry) error {
	k.given = true
	put := func(at **yaml.Node, n *yaml.Node) error {
		if *at != nil {
			return errors.New("the same date is given in two ways: keep one")
		}
		*at = n
		return nil
	}
	switch {
	case e.key == "effective_from":
		return put(&k.from, e.value)
	case e.key == "effective_to":
		return put(&k.to, e.value)
	case e.value.Kind == yaml.ScalarNode:
		if isNull(e.value) {
			return nil
		}
		return put(&k.from, e.value)
	}
	entries, err := mapping(e.value)
	if err != nil {
		return errors.New("it must be a date, or a mapping of from and to")
	}
	for _, in := range entries {
		switch in.key {
		case "from":
			err = put(&k.from, in.value)
		case "to":
			err = put(&k.to, in.value)
		default:
			err = fmt.Errorf("it has the keys from and to, not %q", in.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// interval is the validity, half-open: the stated end is the last day it holds.
func (k *effectiveKeys) interval() (document.Interval, error) {
	var iv document.Interval
	var err error
	if k.from != nil {
		if iv.From, err = day(k.from); err != nil {
			return iv, fmt.Errorf("effective: from: %w", err)
		}
	}
	if k.to != nil {
		if iv.To, err = dayAfter(k.to); err != nil {
			return iv, fmt.Errorf("effective: to: %w", err)
		}
	}
	if iv.From != 0 && iv.To != 0 && iv.To <= iv.From {
		return iv, errors.New("effective: to lies before from")
	}
	return iv, nil
}

// attributeValues are a scalar's or a list's values, nil for null. What is
// neither becomes YAML on one line where loose, and is an error elsewhere.
func attributeValues(n *yaml.Node, loose bool) ([]string, error) {
	if isNull(n) {
		return nil, nil
	}
	if n.Kind == yaml.ScalarNode {
		return []string{strings.TrimSpace(n.Value)}, nil
	}
	if n.Kind == yaml.SequenceNode {
		out := make([]string, 0, len(n.Content))
		for _, c := range n.Content {
			c = resolve(c)
			switch {
			case c.Kind == yaml.ScalarNode && !isNull(c):
				out = append(out, strings.TrimSpace(c.Value))
			case c.Kind == yaml.ScalarNode:
			case loose:
				out = append(out, flow(c))
			default:
				return nil, errors.New("it must be a value or a list of values")
			}
		}
		return out, nil
	}
	if loose {
		return []string{flow(n)}, nil
	}
	return nil, errors.New("it must be a value or a list of values")
}

// flow writes a node on one line.
func flow(n *yaml.Node) string {
	n = resolve(n)
	var b strings.Builder
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(flow(n.Content[i]) + ": " + flow(n.Content[i+1]))
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(flow(c))
		}
		b.WriteByte(']')
	default:
		return n.Value
	}
	return b.String()
}
