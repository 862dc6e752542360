package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
)

const maxTextHeading = 100 // bytes; a longer line is a sentence

// headingAt adds the heading that a group begins with and gives the number of
// lines it takes, 0 if there is none.
func (p *plainText) headingAt(g, next []document.Span, first bool) int {
	if n := p.underlined(g); n > 0 {
		line := g[n-2].Of(p.text)
		level := 2
		if strings.Contains(g[n-1].Of(p.text), "=") {
			level = 1
		}
		p.addHeading(document.Span{From: g[0].From, To: g[n-1].To}, line, level, first)
		return n
	}
	line := strings.TrimSpace(g[0].Of(p.text))
	switch {
	case !titleLike(line):
	case p.numberedHeading(line, g, next):
		n, _ := leadingNumber(line)
		level := 1 + strings.Count(strings.TrimRight(n, "."), ".")
		p.addHeading(g[0], line, min(level+p.under, 6), first)
		return 1
	case len(g) == 1 && capitals(line) && len(next) > 0:
		p.addHeading(g[0], line, 1+min(p.under, 1)*bit(!first), first)
		return 1
	}
	return 0
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *plainText) addHeading(span document.Span, line string, level int, first bool) {
	line = strings.Join(strings.Fields(line), " ")
	number, text := splitNumber(line)
	p.blocks = append(p.blocks, Block{Kind: Heading, Span: span, Level: level, Text: text, Number: number})
	if first && number == "" {
		p.under = level
	}
	if p.title == "" && level == 1 && number == "" {
		p.title = line
	}
}

// underlined is the number of lines of a heading between or above rulers.
func (p *plainText) underlined(g []document.Span) int {
	ruled := func(i int) bool { return i < len(g) && headingRuler(g[i].Of(p.text)) }
	long := func(title, rule int) bool { // the rule is drawn for the title
		t := utf8.RuneCountInString(strings.TrimSpace(g[title].Of(p.text)))
		return len(strings.TrimSpace(g[rule].Of(p.text)))*2 >= t
	}
	switch {
	case ruled(0) && len(g) > 2 && !ruled(1) && ruled(2) && g[1].Len() <= maxTextHeading && !strings.Contains(g[1].Of(p.text), "|"):
		return 3
	case len(g) > 1 && !ruled(0) && ruled(1) && g[0].Len() <= maxTextHeading && long(0, 1) &&
		!strings.Contains(g[0].Of(p.text), "|") && wordy(g[0].Of(p.text)) && !strings.Contains(strings.TrimSpace(g[0].Of(p.text)), "  "):
		return 2
	}
	return 0
}

func wordy(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// headingRuler is a line of = or - only.
func headingRuler(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && (strings.Trim(s, "=") == "" || strings.Trim(s, "-") == "")
}

// textRuler is a line that only divides.
func textRuler(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= 3 && strings.Trim(s, "-=_*~#+. ") == ""
}

// titleLike is a short line that is no sentence.
func titleLike(line string) bool {
	return line != "" && len(line) <= maxTextHeading && wordy(line) && !strings.ContainsAny(line[len(line)-1:], ".,;:!") &&
		!strings.Contains(line, "....") && !strings.Contains(line, "\t") && !strings.Contains(line, "  ")
}

// capitals is a line of several letters, none of them small.
func capitals(line string) bool {
	letters := 0
	for _, r := range line {
		switch {
		case unicode.IsLower(r) || strings.ContainsRune("|<>{}=$", r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters >= 4 && len(strings.Fields(line)) <= 12
}

// numberedHeading is a line "3.2 Termination" that something follows. Numbered
// lines that follow one another are a list or a table of contents.
func (p *plainText) numberedHeading(line string, g, next []document.Span) bool {
	number, rest := leadingNumber(line)
	if number == "" || number[0] == '(' || strings.HasSuffix(number, ")") || unitAfter.MatchString(rest) {
		return false
	}
	text := strings.TrimLeft(rest, " .:-–—")
	if text == "" && !numWord.MatchString(line) || text != "" && !begins(text, false) || len(strings.Fields(text)) > 12 {
		return false
	}
	follower := next
	if len(g) > 1 {
		// Text right below: only a clear number makes the line a heading.
		if !strings.Contains(number, ".") && !numWord.MatchString(number) || len(line) > 60 || len(g) > 1 && endsInSentence(text) {
			return false
		}
		follower = g[1:]
	}
	if len(follower) == 0 {
		return false
	}
	other, _ := leadingNumber(strings.TrimSpace(follower[0].Of(p.text)))
	return other == "" || depth(other) > depth(number) || len(g) == 1 && len(follower) > 1
}

func depth(number string) int {
	if strings.HasPrefix(number, "(") {
		return 99
	}
	return strings.Count(strings.TrimRight(number, "."), ".")
}

// endsInSentence is whether the words of a line run on into the next: a small
// word at the end is no end of a title.
func endsInSentence(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	switch last {
	case "the", "a", "an", "of", "to", "and", "or", "in", "is", "for", "by", "with", "at", "on", "shall", "der", "die", "das", "und":
		return true
	}
	return len(words) > 8
}
