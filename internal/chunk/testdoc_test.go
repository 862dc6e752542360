package chunk

import (
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/outline"
)

var (
	headingLine = regexp.MustCompile(`^(#{1,6}) (?:(\d+(?:\.\d+)*|\([a-z]\))\.? )?(.*)$`)
	clauseLine  = regexp.MustCompile(`^(\d+(?:\.\d+)*\.?|\([a-z]+\)) `)
	captionLine = regexp.MustCompile(`^Table \d+`)
)

// blocksOf reads the little Markdown that tests are written in: blocks apart by
// blank lines, a list's items at "- ", a table's rows at "|", code in fences.
func blocksOf(text string) []extract.Block {
	var out []extract.Block
	at := 0
	for at < len(text) {
		if text[at] == '\n' {
			at++
			continue
		}
		end := len(text)
		mark := "\n\n"
		if strings.HasPrefix(text[at:], "```") {
			mark = "\n```\n"
		}
		if n := strings.Index(text[at:], mark); n >= 0 {
			end = at + n + len(mark)
		}
		span := document.Span{From: at, To: at + len(strings.TrimRight(text[at:end], "\n"))}
		out = append(out, blockOf(text, span))
		at = end
	}
	for i := range out {
		if out[i].Kind == extract.Table && i > 0 && captionLine.MatchString(out[i-1].Span.Of(text)) {
			out[i].Caption = out[i-1].Span.Of(text)
		}
	}
	return out
}

func blockOf(text string, span document.Span) extract.Block {
	t := span.Of(text)
	b := extract.Block{Kind: extract.Paragraph, Span: span}
	switch {
	case strings.HasPrefix(t, "```"):
		b.Kind = extract.Code
	case strings.HasPrefix(t, "#"):
		if m := headingLine.FindStringSubmatch(t); m != nil {
			b.Kind, b.Level, b.Number, b.Text = extract.Heading, len(m[1]), m[2], m[3]
		}
	case strings.HasPrefix(t, "- "):
		b.Kind, b.Items = extract.List, linesWith(t, span.From, "- ")
	case strings.HasPrefix(t, "|"):
		rows := linesWith(t, span.From, "|")
		b.Kind, b.Header = extract.Table, rows[:1]
		b.Rows = rows[min(2, len(rows)):]
	default:
		if m := clauseLine.FindStringSubmatch(t); m != nil {
			b.Number = m[1]
		}
	}
	return b
}

// linesWith gives the runs of lines of t that each begin with mark.
func linesWith(t string, from int, mark string) []document.Span {
	var out []document.Span
	for line := range strings.Lines(t) {
		to := from + len(strings.TrimSuffix(line, "\n"))
		if strings.HasPrefix(line, mark) {
			out = append(out, document.Span{From: from, To: to})
		} else if len(out) > 0 {
			out[len(out)-1].To = to
		}
		from += len(line)
	}
	return out
}

func split(text string, o Options) []document.Passage {
	blocks := blocksOf(text)
	return Split(document.ID{Source: "s", Path: "d.md"}, "Manual", text, blocks, outline.Build("Manual", text, blocks), o)
}

// prose gives about n tokens of sentences.
func prose(r *rand.Rand, n int) string {
	words := strings.Fields("the supplier shall deliver every order within thirty days after notice was given and the customer pays what is due unless a defect was reported in writing before that date no later claim is accepted by either party limit value charge report station crew")
	var b strings.Builder
	for i := 0; i < n; i++ {
		w := words[r.IntN(len(words))]
		if i%12 == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
		if i%12 == 11 || i == n-1 {
			b.WriteString(".")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

// manual is a random document of about n blocks.
func manual(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := 0; i < n; i++ {
		switch r.IntN(14) {
		case 0:
			b.WriteString(strings.Repeat("#", 1+r.IntN(5)) + " " + prose(r, 3))
		case 1:
			b.WriteString("All of the following apply:\n")
		case 2, 3:
			for range 1 + r.IntN(30) {
				b.WriteString("- " + prose(r, 4+r.IntN(40)) + "\n")
			}
		case 4:
			b.WriteString("Table 3: Limits in MB\n\n")
			fallthrough
		case 5:
			b.WriteString("| plan | limit |\n|---|---|\n")
			for range r.IntN(80) {
				b.WriteString("| " + prose(r, 1+r.IntN(8)) + " | " + prose(r, 2) + " |\n")
			}
		case 6:
			b.WriteString("```\n")
			for range r.IntN(60) {
				b.WriteString("x := f(" + prose(r, r.IntN(6)) + ")\n" + strings.Repeat("\n", r.IntN(2)))
			}
			b.WriteString("```\n")
		case 7:
			b.WriteString("However, " + prose(r, 20))
		case 8:
			b.WriteString("3.2 " + prose(r, 60) + "\n\n(a) " + prose(r, 20) + "\n\n(b) " + prose(r, 30))
		case 9:
			b.WriteString(prose(r, 900))
		case 10:
			b.WriteString(strings.Repeat("word", 1+r.IntN(300)))
		default:
			b.WriteString(prose(r, 5+r.IntN(120)))
		}
		b.WriteString("\n\n")
	}
	return b.String()
}
