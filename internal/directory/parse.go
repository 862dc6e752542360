package directory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// groups are a file's, by tenant; "" is the one without a name.
type groups struct{ tenants map[string]*tenant }

type tenant struct {
	memberOf       map[string][]string // the groups and roles that a principal is in directly
	administrators map[string]bool
}

// part is what a file says of one tenant.
type part struct {
	Groups         map[string]list `yaml:"groups"`
	Administrators list            `yaml:"administrators"`
}

type file struct {
	part    `yaml:",inline"`
	Tenants map[string]part `yaml:"tenants"`
}

// list is a list of principals, or one.
type list []string

// UnmarshalYAML implements yaml.Unmarshaler. A truth value or a date among principals is
// a slip, not a name.
func (l *list) UnmarshalYAML(n *yaml.Node) error {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	for _, c := range nodes {
		if c.Kind != yaml.ScalarNode || c.ShortTag() != "!!str" {
			return fmt.Errorf("line %d: a member must be a principal such as user:anna or group:legal", c.Line)
		}
		*l = append(*l, c.Value)
	}
	return nil
}

// parse reads a file of groups. Whatever is not understood is an error: a group that is
// read as less than it is would lift a denial.
func parse(data []byte) (g *groups, err error) {
	defer func() {
		if recover() != nil { // in the parser
			err = errors.New("it is not valid YAML; correct it")
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var f file
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		first, _, _ := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "yaml: ", ""), "unmarshal errors:\n  "), "\n")
		return nil, fmt.Errorf("%s; write groups, administrators and tenants as docs/ACCESS.md shows", first)
	}
	var more any
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("it holds more than one YAML document: keep one")
	}
	if _, ok := f.Tenants[""]; ok {
		return nil, errors.New("a tenant has no name: what is said of the one without a name stands at the top")
	}
	g = &groups{tenants: map[string]*tenant{}}
	left := maxMembers
	for name, p := range f.Tenants {
		if g.tenants[name], err = p.tenant(&left); err != nil {
			return nil, fmt.Errorf("tenant %s: %w", name, err)
		}
	}
	g.tenants[""], err = f.tenant(&left)
	return g, err
}

func (p part) tenant(left *int) (*tenant, error) {
	t := &tenant{memberOf: map[string][]string{}, administrators: map[string]bool{}}
	for group, members := range p.Groups {
		if !strings.HasPrefix(group, "group:") && !strings.HasPrefix(group, "role:") {
			return nil, fmt.Errorf("%q is not the name of a group: write it as documents do, such as group:legal or role:auditor", group)
		}
		if err := check(group); err != nil {
			return nil, err
		}
		for _, m := range members {
			if err := check(m); err != nil {
				return nil, fmt.Errorf("%s: %w", group, err)
			}
			if *left--; *left < 0 {
				return nil, fmt.Errorf("its groups have more than %d members together", maxMembers)
			}
			t.memberOf[m] = append(t.memberOf[m], group)
		}
	}
	for _, a := range p.Administrators {
		if err := check(a); err != nil {
			return nil, fmt.Errorf("administrators: %w", err)
		}
		t.administrators[a] = true
	}
	return t, nil
}

// check refuses a name that can be meant for no principal: names are compared whole, so
// a blank too many is another name.
func check(name string) error {
	kind, rest, ok := strings.Cut(name, ":")
	switch {
	case !ok || kind == "" || rest == "":
		return fmt.Errorf("%q is no principal: write its kind too, such as user:anna or group:legal", name)
	case strings.TrimSpace(name) != name || strings.TrimSpace(rest) != rest || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q holds blanks or signs at its edges that are not seen: write it anew", name)
	}
	return nil
}
