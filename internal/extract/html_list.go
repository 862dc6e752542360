package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// list renders a list. Items keep the number that a reader sees: start and value
// count, and letters and Roman figures, which Markdown lacks, are written out.
func (r *renderer) list(n *html.Node, depth int) []string {
	flat := depth >= maxNesting
	if flat {
		r.flattened = true
		return r.children(n, depth)
	}
	ordered := n.DataAtom == atom.Ol
	number := 1
	if v, err := strconv.Atoi(attr(n, "start")); err == nil {
		number = v
	}
	style := listStyle(n)
	var items []string
	tight := true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			if c.Type == html.TextNode && !blank(c.Data) { // text that is in no item
				items = append(items, "- "+escapeStart(strings.Join(strings.Fields(c.Data), " ")))
			}
			continue
		}
		var parts []string
		if c.DataAtom == atom.Li {
			if v, err := strconv.Atoi(attr(c, "value")); err == nil {
				number = v
			}
			parts = r.children(c, depth+1)
		} else {
			parts = r.element(c, depth+1)
		}
		if len(parts) == 0 {
			continue
		}
		bullet := "- "
		if ordered && c.DataAtom == atom.Li {
			if label := style(number); label != "" {
				parts[0] = label + " " + parts[0]
			} else if number >= 0 && number < 1e9 {
				bullet = strconv.Itoa(number) + ". "
			}
			number++
		}
		if nested := c.DataAtom != atom.Li && len(items) > 0; nested {
			// A list directly in a list belongs to the item before it.
			last := len(items) - 1
			pad := strings.Repeat(" ", strings.IndexByte(items[last], ' ')+1)
			items[last] += "\n" + indent(join(parts, &tight), pad, pad)
			continue
		}
		items = append(items, indent(join(parts, &tight), bullet, strings.Repeat(" ", len(bullet))))
	}
	if len(items) == 0 {
		return nil
	}
	sep := "\n"
	if !tight {
		sep = "\n\n"
	}
	return []string{strings.Join(items, sep)}
}

// join puts the blocks of an item together: a list follows its text directly,
// anything else after a blank line.
func join(parts []string, tight *bool) string {
	var b strings.Builder
	for i, p := range parts {
		switch {
		case i == 0:
		case strings.HasPrefix(p, "- ") || strings.HasPrefix(p, "1. "):
			b.WriteByte('\n')
		default:
			*tight = false
			b.WriteString("\n\n")
		}
		b.WriteString(p)
	}
	return b.String()
}

// definitions renders terms as list items with what they mean.
func (r *renderer) definitions(n *html.Node, depth int) []string {
	if depth >= maxNesting {
		r.flattened = true
		return r.children(n, depth)
	}
	var items []string
	term := ""
	tight := true
	flush := func(body []string) {
		head := ""
		if head = term; term != "" && !strings.Contains(term, "**") {
			head = "**" + term + "**"
		}
		switch {
		case len(body) > 0 && head != "" && !structural(body[0]):
			body[0] = head + ": " + body[0]
		case head != "":
			body = append([]string{head}, body...)
		}
		if len(body) > 0 {
			items = append(items, indent(join(body, &tight), "- ", "  "))
		}
		term = ""
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode:
			case c.DataAtom == atom.Dt:
				var w inlineWriter
				w.below(c)
				if s := w.line(); term != "" && s != "" {
					term += ", " + s
				} else if s != "" {
					term = s
				}
			case c.DataAtom == atom.Dd:
				flush(r.children(c, depth+1))
			default:
				walk(c)
			}
		}
	}
	walk(n)
	flush(nil)
	if len(items) == 0 {
		return r.children(n, depth)
	}
	sep := "\n"
	if !tight {
		sep = "\n\n"
	}
	return []string{strings.Join(items, sep)}
}

// structural is whether a block begins with a mark that must begin its line.
func structural(block string) bool {
	return strings.HasPrefix(block, "- ") || strings.HasPrefix(block, "> ") || strings.HasPrefix(block, "|") ||
		strings.HasPrefix(block, "```") || strings.HasPrefix(block, "#") || strings.HasPrefix(block, "1. ")
}

// listStyle gives the label of the n-th item where it is not a decimal number.
func listStyle(n *html.Node) func(int) string {
	kind := attr(n, "type")
	css := strings.ToLower(attr(n, "style"))
	for name, k := range map[string]string{"lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i", "upper-roman": "I"} {
		if strings.Contains(css, name) {
			kind = k
		}
	}
	switch kind {
	case "a":
		return func(i int) string { return letters(i) + "." }
	case "A":
		return func(i int) string { return strings.ToUpper(letters(i)) + "." }
	case "i":
		return func(i int) string { return strings.ToLower(roman(i)) + "." }
	case "I":
		return func(i int) string { return roman(i) + "." }
	}
	return func(int) string { return "" }
}

func letters(i int) string {
	if i < 1 {
		return strconv.Itoa(i)
	}
	s := ""
	for ; i > 0; i = (i - 1) / 26 {
		s = string(rune('a'+(i-1)%26)) + s
	}
	return s
}

func roman(i int) string {
	if i < 1 || i > 3999 {
		return strconv.Itoa(i)
	}
	var b strings.Builder
	for _, d := range []struct {
		v int
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; i >= d.v; i -= d.v {
			b.WriteString(d.s)
		}
	}
	return b.String()
}
