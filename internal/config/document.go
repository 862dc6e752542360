package config

import (
	"fmt"
	"strings"
)

// Sample is a quarry.yaml with every key at its default, documented. Loading it
// gives the defaults.
func Sample() string {
	var b strings.Builder
	b.WriteString("# Settings of quarry. Every key may be left out; these are the defaults.\n")
	s := Defaults()
	s.Store = DefaultStore
	open := map[string]bool{}
	for _, k := range keys {
		depth := 0
		for i, c := range k.name {
			if c != '.' {
				continue
			}
			if group := k.name[:i]; !open[group] {
				open[group] = true
				if depth == 0 {
					b.WriteByte('\n')
				}
				comment(&b, depth, groups[group])
				fmt.Fprintf(&b, "%s%s:\n", indent(depth), last(group))
			}
			depth++
		}
		if depth == 0 {
			b.WriteByte('\n')
		}
		comment(&b, depth, k.doc)
		fmt.Fprintf(&b, "%s%s: %s\n", indent(depth), last(k.name), k.get(&s))
	}
	return b.String()
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// comment writes a text as comment lines of at most about 100 bytes.
func comment(b *strings.Builder, depth int, text string) {
	line := indent(depth) + "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 100 {
			b.WriteString(line + "\n")
			line = indent(depth) + "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// Page is docs/CONFIGURATION.md.
func Page() string {
	var b strings.Builder
	b.WriteString(`# Configuration

Quarry needs none. What it does with a file is written in ` + "`" + File + "`" + `, which it reads from the current folder, or from
where ` + "`--config FILE`" + ` says. A key that it does not know, or a value of the wrong type, is an error that names file and
line. A relative path counts from the folder of the file. ` + "`quarry config`" + ` prints the file below.

The store is, first that is given: the flag ` + "`--store`" + `, the variable ` + "`QUARRY_STORE`" + `, the key ` + "`store`" + `, ` + "`" + DefaultStore + "`" + ` in the current
folder.

This page is generated from the table of keys: ` + "`go test ./internal/config -update`" + ` writes it anew.

| key | default | meaning |
| --- | --- | --- |
`)
	s := Defaults()
	s.Store = DefaultStore
	for _, k := range keys {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", k.name, k.get(&s), k.doc)
	}
	b.WriteString("\n```yaml\n" + Sample() + "```\n")
	return b.String()
}
