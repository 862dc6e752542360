package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var pythonDecl = lazyregexp.New(`^(?:async\s+def|def|class)\s+\w+`)

// pythonSymbols are the functions and classes at the left margin, and what else
// stands there; lines within strings and brackets do not count.
func pythonSymbols(text string) []symbol {
	var out []symbol
	p := &pythonScanner{text: text}
	decorated := -1
	for from := 0; from < len(text); {
		end := lineEnd(text, from, len(text))
		line := text[from:end]
		begins := p.quote == "" && p.depth == 0 && line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '#' && line[0] != ')' && !blank(line)
		p.line(from, end)
		switch {
		case !begins:
		case line[0] == '@':
			if decorated < 0 {
				decorated = from
			}
		case pythonDecl.MatchString(line):
			s := symbol{from, symbolName(header(text[from:])), true}
			if decorated >= 0 {
				s.from = decorated
			}
			out = append(out, s)
			decorated = -1
		default:
			out = append(out, symbol{from, symbolName(line), false})
			decorated = -1
		}
		from = end + 1
	}
	return out
}

// header is a definition up to the colon that ends it.
func header(s string) string {
	depth := 0
	for i := range min(len(s), 4*maxSymbolName) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth <= 0 {
				return s[:i]
			}
		}
	}
	return s[:lineEnd(s, 0, len(s))]
}

// pythonScanner knows whether a line begins within a string or brackets.
type pythonScanner struct {
	text  string
	quote string // that ends the string of several lines being read
	depth int
}

func (p *pythonScanner) line(from, end int) {
	for i := from; i < end; {
		c := p.text[i]
		switch {
		case p.quote != "" && c == '\\':
			i++
		case p.quote != "":
			if strings.HasPrefix(p.text[i:end], p.quote) {
				i += len(p.quote) - 1
				p.quote = ""
			}
		case c == '#':
			return
		case c == '"' || c == '\'':
			if triple := strings.Repeat(string(c), 3); strings.HasPrefix(p.text[i:end], triple) {
				p.quote = triple
				i += 2
			} else {
				i = min(closing(p.text, i, '\n'), end)
			}
		case c == '(' || c == '[' || c == '{':
			p.depth++
		case c == ')' || c == ']' || c == '}':
			p.depth = max(p.depth-1, 0)
		}
		i++
	}
}

// closing is where the string that begins at i ends: at its quote, or before with a
// character that ends it in any case.
func closing(text string, i int, always byte) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote, always:
			return i
		}
	}
	return len(text)
}
