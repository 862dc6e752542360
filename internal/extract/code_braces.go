package extract

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// braces is a language whose declarations have their body in braces.
type braces struct {
	decl *lazyregexp.Regexp // a statement that declares, up to its body
	// restart is a line that begins a statement although nothing ended the one before.
	restart *lazyregexp.Regexp
	// within are blocks whose content counts as if it stood outside: namespaces.
	within       *lazyregexp.Regexp
	preprocessor bool // lines that begin with #
	backquotes   bool // strings of several lines, and slashes around patterns
	lifetimes    bool // a quote may begin no string: 'a
}

var (
	jsBraces = &braces{backquotes: true,
		decl: lazyregexp.New(`^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(?:async\s+)?function\b|(?:class|interface|enum|namespace|module|type)\s+[\w$]|` +
			`(?:const|let|var)\s+[\w$]+\s*(?::[^=]*)?=\s*(?:async\b|function\b|class\b|\(|[\w$]+\s*=>))`),
		restart: lazyregexp.New(`^(?:export|import|function|async function|class|interface|enum|const|let|var|type|abstract class|declare)\b`)}
	javaBraces = &braces{decl: lazyregexp.New(`(?:^|\s)(?:class|interface|enum|record|@interface)\s+\w`)}
	cBraces    = &braces{preprocessor: true,
		decl:   lazyregexp.New(`^(?:typedef|using)\b|(?:^|\s)(?:class|struct|union|enum|concept)\s+\w[^=()]*$|^[^=]*?[\w>*&~\])]\s*\(|\boperator\b`),
		within: lazyregexp.New(`^(?:inline\s+)?namespace\b[^;=]*$|^extern\s*"C(?:\+\+)?"\s*$`)}
	rustBraces = &braces{lifetimes: true,
		decl: lazyregexp.New(`^(?:#!?\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+|async\s+|unsafe\s+|const\s+|extern\s+"\w+"\s+)*(?:fn|struct|enum|trait|impl|mod|union|type|macro_rules!)[\s<]`)}
)

// symbols are the statements outside of all braces.
func (l *braces) symbols(text string) []symbol {
	s := &braceScanner{braces: l, text: text, start: -1, header: -1}
	for s.i < len(text) {
		s.next()
	}
	s.end(len(text))
	return s.out
}

type braceScanner struct {
	*braces
	text          string
	i             int
	depth, parens int
	start, header int // where the statement begins, and its body; -1 before
	last          byte
	fresh         bool // nothing stands before in this line
	out           []symbol
}

// next goes on by a character, a string or a comment.
func (s *braceScanner) next() {
	c, rest := s.text[s.i], s.text[s.i:]
	lineBegins := s.i == 0 || s.text[s.i-1] == '\n'
	s.fresh = s.fresh || lineBegins
	if lineBegins && s.depth == 0 && s.parens == 0 && s.start >= 0 && s.header < 0 && s.restart != nil &&
		s.restart.MatchString(rest[:min(len(rest), 64)]) {
		s.end(s.i)
	}
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v':
		s.i++
		return
	case strings.HasPrefix(rest, "//"), c == '#' && s.preprocessor && s.fresh:
		s.skipLine(c == '#')
		return
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			n = len(rest) - 4
		}
		s.i += n + 4
		return
	}
	s.fresh = false
	if s.start < 0 {
		s.start = s.i
	}
	switch {
	case s.literal(c, rest):
	case c == '(' || c == '[':
		s.parens++
	case c == ')' || c == ']':
		s.parens = max(s.parens-1, 0)
	case c == '{':
		s.open()
	case c == '}':
		s.close()
	case c == ';' && s.depth == 0 && s.parens == 0:
		s.end(s.i)
	}
	s.last = c
	s.i++
}

func (s *braceScanner) skipLine(goesOn bool) {
	for {
		end := lineEnd(s.text, s.i, len(s.text))
		more := goesOn && end > s.i && s.text[end-1] == '\\' && end < len(s.text)
		s.i = min(end+1, len(s.text))
		if !more {
			return
		}
	}
}

// literal passes over a string, a character or a pattern, and stands on its last
// character.
func (s *braceScanner) literal(c byte, rest string) bool {
	switch {
	case strings.HasPrefix(rest, `"""`):
		if n := strings.Index(rest[3:], `"""`); n >= 0 {
			s.i += n + 5
		} else {
			s.i = len(s.text) - 1
		}
	case c == '"' || c == '\'' && !s.lifetimes:
		s.i = min(closing(s.text, s.i, '\n'), len(s.text)-1)
	case c == '\'':
		if len(rest) > 2 && (rest[1] == '\\' || rest[2] == '\'') {
			s.i = min(closing(s.text, s.i, '\n'), len(s.text)-1)
		}
	case c == '`' && s.backquotes:
		s.i = min(closing(s.text, s.i, 0), len(s.text)-1)
	case c == '/' && s.backquotes && (s.last == 0 || strings.IndexByte("(,=:[!&|?{};+", s.last) >= 0):
		if at := closing(s.text, s.i, '\n'); at < len(s.text) && s.text[at] == '/' {
			s.i = at
		}
	default:
		return false
	}
	return true
}

func (s *braceScanner) open() {
	if s.depth == 0 && s.parens == 0 {
		if s.within != nil && s.within.MatchString(oneLine(s.text[s.start:s.i])) {
			s.end(s.i)
			return
		}
		if s.header < 0 {
			s.header = s.i
		}
	}
	s.depth++
}

func (s *braceScanner) close() {
	if s.depth > 0 {
		s.depth--
	}
	if s.depth == 0 && s.parens == 0 {
		s.end(s.i)
	}
}

// end takes the statement that ends at an offset.
func (s *braceScanner) end(at int) {
	if s.start < 0 || s.start >= len(s.text) {
		return
	}
	header := s.text[s.start:max(at, s.start)]
	if s.header >= 0 {
		header = s.text[s.start:s.header]
	}
	line := oneLine(header[:min(len(header), 4*maxSymbolName)])
	// A declaration without a body declares what stands elsewhere.
	declares := s.decl.MatchString(line) && (s.header >= 0 || strings.HasPrefix(line, "type") || strings.HasPrefix(line, "using") || s.backquotes)
	if line != "" && strings.Trim(line, "}); ") != "" {
		s.out = append(s.out, symbol{s.start, symbolName(line), declares})
	}
	s.start, s.header = -1, -1
}
