package claims

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
	"github.com/seed-d3156d19/quarry/internal/sentence"
)

// Claim is a sentence of an answer with the passages that it cites.
type Claim struct {
	Text  string // without its citation marks
	Cites []int  // in their order, each once
	// Broken says that a citation mark is none that can be read, or that the text breaks
	// off within one.
	Broken bool
	// Line says that a line of the answer begins with it.
	Line bool
	// Bullet begins the line where it is an item of a list: "- ", "2. ".
	Bullet string
}

// maxCites bounds the passages that one claim cites; who cites all of them cites none.
const maxCites = 16

var (
	// cite is a citation mark: [1], [1, 2], [1-3], [1][2], in square brackets of any width.
	cite = lazyregexp.New(`[\[［【]\s*(\d{1,4}(?:\s*(?:[,;]|[-–]|and|&)\s*\d{1,4})*)\s*[\]］】]`)
	// halfCite is what is left of a mark that breaks off, or one of another form.
	halfCite  = lazyregexp.New(`[\[［【]\s*(?:\d[^\[\]］】]{0,40}[\]］】]?|$)`)
	dash      = lazyregexp.New(`(\d+)\s*[-–]\s*(\d+)`)
	digits    = lazyregexp.New(`\d+`)
	bulletFor = lazyregexp.New(`^\s*(?:[-*+•–·]|\d{1,2}[.)])\s+`)
	emphasis  = lazyregexp.New(`\*\*|__|^#+\s+`)
)

// Split takes an answer apart. A mark belongs to the sentence before it, also where it stands
// behind the full stop; a line that only leads in a list has the citations of what it leads in.
func Split(answer string) []Claim {
	var out []Claim
	for line := range strings.SplitSeq(answer, "\n") {
		out = append(out, splitLine(line)...)
	}
	LeadIn(out)
	return out
}

// LeadIn gives lines that only lead in a list the citations of its items.
func LeadIn(out []Claim) {
	for i := len(out) - 2; i >= 0; i-- {
		if c := &out[i]; len(c.Cites) == 0 && !c.Broken && strings.HasSuffix(c.Text, ":") && out[i+1].Line && out[i+1].Bullet != "" {
			for at := i + 1; at < len(out) && (out[at].Bullet != "" || !out[at].Line); at++ {
				c.Cites = union(c.Cites, out[at].Cites)
			}
		}
	}
}

func splitLine(line string) []Claim {
	bullet := bulletFor.FindString(line)
	line = emphasis.ReplaceAllString(line[len(bullet):], "")
	var out []Claim
	for _, s := range sentences(line) {
		c := Claim{Line: len(out) == 0}
		if c.Line {
			c.Bullet = strings.TrimLeft(bullet, " \t")
		}
		for _, m := range cite.FindAllStringSubmatch(s, -1) {
			c.Cites = union(c.Cites, numbers(m[1]))
		}
		text := cite.ReplaceAllString(s, "")
		c.Broken = halfCite.MatchString(text) || len(c.Cites) > maxCites
		text = halfCite.ReplaceAllString(text, "")
		text = strings.Join(strings.Fields(text), " ")
		for _, stop := range []string{".", ",", ";", ":", "!", "?"} {
			text = strings.ReplaceAll(text, " "+stop, stop)
		}
		if c.Text = text; hasWord(text) {
			out = append(out, c)
		} else if n := len(out); n > 0 { // a mark alone belongs to the sentence before
			out[n-1].Cites, out[n-1].Broken = union(out[n-1].Cites, c.Cites), out[n-1].Broken || c.Broken
		}
	}
	return out
}

// sentences cuts a line into sentences, each with the marks behind its full stop.
func sentences(line string) []string {
	var out []string
	for _, s := range sentence.Split(line) {
		text := s.Of(line)
		// Marks that begin a sentence belong to the one before.
		for n := len(out); n > 0; {
			m := cite.FindStringIndex(text)
			if m == nil || strings.TrimSpace(text[:m[0]]) != "" {
				break
			}
			out[n-1] += " " + text[:m[1]]
			text = strings.TrimSpace(text[m[1]:])
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= '0' && r <= '9' || isLetter(r) })
}

// numbers reads what stands in a mark.
func numbers(inner string) []int {
	var out []int
	inner = dash.ReplaceAllStringFunc(inner, func(s string) string {
		m := dash.FindStringSubmatch(s)
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		if from > to || to-from > maxCites {
			return m[1] + "," + m[2]
		}
		var b strings.Builder
		for n := from; n <= to; n++ {
			b.WriteString(strconv.Itoa(n) + ",")
		}
		return b.String()
	})
	for _, d := range digits.FindAllString(inner, -1) {
		n, _ := strconv.Atoi(d)
		out = append(out, n)
	}
	return out
}

func union(a, b []int) []int {
	for _, n := range b {
		found := false
		for _, have := range a {
			found = found || have == n
		}
		if !found {
			a = append(a, n)
		}
	}
	return a
}
