package lazyregexp

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// start is what a match of a pattern that begins with ^ can begin with. Half of the patterns
// do, most lines that are read match none of them, and package regexp makes the state of a
// matcher ready before it looks at the first letter.
type start struct {
	anchored bool // else the rest says nothing
	empty    bool // a match may hold no letter
	first    [256]bool
}

// startOf knows nothing of a pattern that is wrong, which regexp.MustCompile is left to say.
func startOf(pattern string) *start {
	s := &start{}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return s
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return s
	}
	if s.anchored = prog.StartCond()&syntax.EmptyBeginText != 0; s.anchored {
		s.walk(prog, uint32(prog.Start), make([]bool, len(prog.Inst)))
	}
	return s
}

// walk goes from an instruction to all that consume a letter first. What else an empty
// width asks for, such as \b, is not looked at.
func (s *start) walk(prog *syntax.Prog, at uint32, seen []bool) {
	if seen[at] {
		return
	}
	seen[at] = true
	switch i := &prog.Inst[at]; i.Op {
	case syntax.InstMatch:
		s.empty = true
	case syntax.InstAlt, syntax.InstAltMatch:
		s.walk(prog, i.Out, seen)
		s.walk(prog, i.Arg, seen)
	case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
		s.walk(prog, i.Out, seen)
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		for c := rune(0); c < utf8.RuneSelf; c++ {
			s.first[c] = s.first[c] || i.MatchRune(c)
		}
		s.beyondASCII(i)
	}
}

// beyondASCII admits all first bytes of letters beyond ASCII if the instruction matches one.
func (s *start) beyondASCII(i *syntax.Inst) {
	admits := i.Op == syntax.InstRuneAny || i.Op == syntax.InstRuneAnyNotNL
	for _, r := range i.Rune { // a letter, or pairs of a first and a last one
		admits = admits || r >= utf8.RuneSelf
		if len(i.Rune) == 1 && syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				admits = admits || f >= utf8.RuneSelf
			}
		}
	}
	for b := utf8.RuneSelf; admits && b < len(s.first); b++ {
		s.first[b] = true
	}
}

// rulesOut reports whether the first byte of a text says that it holds no match.
func (s *start) rulesOut(text string) bool {
	return s.anchored && !s.empty && (text == "" || !s.first[text[0]])
}
