package evaluate

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteMarkdown writes a run for a summary of a CI job or a comment: the gate, the
// figures with what they were, by type, by stage, and the questions that changed or
// failed.
func (w Written) WriteMarkdown(out io.Writer) error {
	r := w.Report
	var b strings.Builder
	fmt.Fprintf(&b, "## Retrieval quality: %s, %s\n\n", inline(r.Set), plural(r.Questions, "question"))
	if w.Gate != nil {
		verdict := "**The gate passed.**"
		if !w.Gate.Passed {
			verdict = "**The gate failed.**"
		}
		fmt.Fprintf(&b, "%s\n\n| condition | | |\n| --- | --- | --- |\n", verdict)
		for _, c := range w.Gate.Checks {
			mark := "passed"
			if !c.Passed {
				mark = "**failed**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", inline(c.Condition), mark, inline(c.Reason))
		}
		b.WriteByte('\n')
	}
	w.figures(&b)
	if j := r.Judge; j != nil {
		fmt.Fprintf(&b, "answer_judged is the word of %s, prompt version %s: %d answers, %d failed, %d tokens.\n\n", inline(j.Model), inline(j.PromptVersion), j.Answers, j.Failed, j.Tokens)
	}
	w.byType(&b)
	if len(r.ByStage) > 0 {
		b.WriteString("| stage | recall after it | failed questions lost there |\n| --- | ---: | ---: |\n")
		for _, s := range r.ByStage {
			recall := "-"
			if s.Recall != nil {
				recall = fmt.Sprintf("%.3f", s.Recall.Value)
			}
			fmt.Fprintf(&b, "| %s | %s | %d |\n", inline(s.Stage), recall, s.Lost)
		}
		b.WriteByte('\n')
	}
	if a := r.Answers; a != nil {
		b.WriteString("| answers | right | retrieval's failures | generation's failures | n |\n| --- | ---: | ---: | ---: | ---: |\n")
		line := func(kind string, c AnswerCounts) {
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", inline(kind), c.Right, c.Retrieval, c.Generation, c.Questions)
		}
		line("all", a.AnswerCounts)
		for _, kind := range slices.Sorted(maps.Keys(a.ByType)) {
			line(kind, a.ByType[kind])
		}
		b.WriteByte('\n')
	}
	if c := r.ComparedWith; c != nil {
		fmt.Fprintf(&b, "Compared with %s: %d better, %d worse, %d fixed, %d broken.\n\n", inline(c.Baseline), len(c.Better), len(c.Worse), len(c.Fixed), len(c.Broken))
		for _, s := range c.Settings {
			fmt.Fprintf(&b, "- otherwise: %s\n", inline(s))
		}
		for _, list := range []struct {
			what    string
			changes []Change
		}{{"worse", c.Worse}, {"better", c.Better}} {
			for i, change := range list.changes {
				if i == maxChanges {
					fmt.Fprintf(&b, "- %s: and %d more\n", list.what, len(list.changes)-i)
					break
				}
				fmt.Fprintf(&b, "- %s: %s %s (%s)\n", list.what, inline(change.ID), inline(change.Question), inline(change.What()))
			}
		}
		b.WriteByte('\n')
	}
	w.failed(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

func (w Written) figures(b *strings.Builder) {
	r := w.Report
	b.WriteString("| metric | value | 95 % interval | n |")
	rule := "\n| --- | ---: | --- | ---: |"
	if r.ComparedWith != nil {
		b.WriteString(" before | difference | p |")
		rule += " ---: | ---: | ---: |"
	}
	b.WriteString(rule + "\n")
	for _, name := range slices.SortedFunc(maps.Keys(r.Metrics), byCut) {
		v := r.Metrics[name]
		fmt.Fprintf(b, "| %s | %.3f | %.3f to %.3f | %d |", inline(name), v.Value, v.Low, v.High, v.N)
		if r.ComparedWith != nil {
			if d, ok := r.ComparedWith.Metrics[name]; ok {
				fmt.Fprintf(b, " %.3f | %+.3f | %.4f |", d.Baseline, d.Difference, d.P)
			} else {
				b.WriteString(" - | - | - |")
			}
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func (w Written) byType(b *strings.Builder) {
	fmt.Fprintf(b, "| type | %s | n |\n| --- |%s ---: |\n", strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	for _, kind := range slices.Sorted(maps.Keys(w.Report.ByType)) {
		cells, n := cellsOf(w.Report.ByType[kind].Metrics)
		fmt.Fprintf(b, "| %s | %s | %d |\n", inline(kind), strings.Join(cells, " | "), n)
	}
	b.WriteByte('\n')
}

func (w Written) failed(b *strings.Builder) {
	r := w.Report
	fmt.Fprintf(b, "%s failed, %s.\n", plural(len(r.Failures), "question"), plural(len(r.Problems), "problem"))
	if len(r.Failures) > 0 {
		b.WriteString("\n<details><summary>failed questions</summary>\n\n")
		for i, f := range r.Failures {
			if i == maxListed {
				fmt.Fprintf(b, "- and %d more\n", len(r.Failures)-i)
				break
			}
			fmt.Fprintf(b, "- %s %s: %s\n", inline(f.ID), inline(f.Question), inline(f.Reason))
		}
		b.WriteString("\n</details>\n")
	}
	for i, p := range r.Problems {
		if i == 0 {
			b.WriteByte('\n')
		}
		if i == maxListed {
			fmt.Fprintf(b, "- and %d problems more\n", len(r.Problems)-i)
			break
		}
		fmt.Fprintf(b, "- %s\n", inline(p.String()))
	}
}

// maxListed is how many failures and problems Markdown lists: a comment has a limit.
const maxListed = 100

// inline makes a set's text a part of one line of Markdown that is only text: no
// markup, tag, link, mention or end of a table's cell.
func inline(s string) string {
	var b strings.Builder
	for _, r := range clean(oneLine(s)) {
		switch {
		case strings.ContainsRune("\\`*_{}[]#!|~^$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@': // a name behind it would be told
			b.WriteString("@<!-- -->")
		default:
			b.WriteRune(r)
		}
	}
	// A scheme that is followed by a place is made a link of where it stands, and so is www.
	return strings.NewReplacer("://", ":&#47;/", "www.", "www<!-- -->.").Replace(b.String())
}
