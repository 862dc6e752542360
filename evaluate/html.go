package evaluate

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/net/html"
)

// start is how every page starts, up to its title. It loads nothing, and no script runs.
const start = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; --ink: #1c2733; --paper: #ffffff; --line: #cbd4dc; --bar: #1f6f8b; --before: #d98e04; --soft: #5d6b78; --bad: #b3261e; --good: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --paper: #14191f; --line: #3a4550; --bar: #58b0cf; --before: #e9b44c; --soft: #9fb0bf; --bad: #f2867f; --good: #82c785; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } .bad { color: var(--bad); font-weight: 600; } .good { color: var(--good); } .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
.charts { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; } figure { margin: 0; flex: 1 1 28rem; } figcaption { font-weight: 600; }
</style>
`

// WriteHTML writes a run as one file that needs nothing else: charts are drawn in
// it, no script runs and nothing is loaded, and every text of the set is escaped.
func (w Written) WriteHTML(out io.Writer) error {
	var b bytes.Buffer
	for _, next := range []struct {
		before string
		element
	}{{start, element{"title", parts{page(w).title()}}}, {"\n</head>\n", element{"body", page(w).body()}}} {
		b.WriteString(next.before)
		if err := html.Render(&b, next.node()); err != nil {
			return fmt.Errorf("evaluate: the page: %w", err)
		}
	}
	b.WriteString("\n</html>\n")
	_, err := out.Write(b.Bytes())
	return err
}

// page is a run as a page shows it.
type page Written

func (w page) body() parts {
	return parts{
		words("\n"),
		block("h1", w.title()),
		w.summary(),
		w.gate(),
		block("div", class("charts"), each(w.charts(), chart.drawn)),
		w.figures(),
		w.stages(),
		w.answers(),
		w.comparison(),
		w.failures(),
		w.problems(),
		w.madeWith(),
	}
}

func (w page) title() part { return words("Retrieval quality: " + w.Report.Set) }

// summary says how much was asked, who judged and what it cost.
func (w page) summary() part {
	r := w.Report
	counts := fmt.Sprintf("%d questions, %d failed, %d problems", r.Questions, len(r.Failures), len(r.Problems))
	if r.Unreviewed > 0 {
		counts += fmt.Sprintf(", %d not reviewed", r.Unreviewed)
	}
	if r.Outgrown > 0 {
		counts += fmt.Sprintf(", %d outgrown by the corpus", r.Outgrown)
	}
	p := parts{words(counts + ".")}
	if j := r.Judge; j != nil {
		p = append(p, words("\n"), el("span", class("soft"), wordsf("answer_judged is the word of %s, prompt version %s: %d answers, %d failed, %d tokens.", j.Model, j.PromptVersion, j.Answers, j.Failed, j.Tokens)))
	}
	if c := r.Cost; c != nil {
		p = append(p, words("\n"), el("span", class("soft"), wordsf("%.3f s a question, %.0f tokens of evidence a question, %d calls to models.", c.Mean, c.Tokens, c.Calls)))
	}
	return block("p", p)
}

func (w page) gate() part {
	g := w.Gate
	if g == nil {
		return nothing
	}
	return parts{
		h2("Gate: ", passed(g.Passed)),
		table("condition", "", "")(each(g.Checks, func(c Check) part {
			return tr(td(words(c.Condition)), td(passed(c.Passed)), td(words(c.Reason)))
		})),
	}
}

func passed(is bool) part {
	if is {
		return el("span", class("good"), words("passed"))
	}
	return el("span", class("bad"), words("failed"))
}

// figures are the metrics and, where there is a baseline, how they differ from it.
func (w page) figures() part {
	compared := w.Report.ComparedWith
	heads := []string{"metric", "#value", "95 % interval", "#n"}
	if compared != nil {
		heads = append(heads, "#before", "#difference", "#p")
	}
	return parts{
		h2("Figures"),
		table(heads...)(each(slices.SortedFunc(maps.Keys(w.Report.Metrics), byCut), func(name string) part {
			v := w.Report.Metrics[name]
			cells := parts{td(words(name)), numeric("%.3f", v.Value), td(wordsf("%.3f to %.3f", v.Low, v.High)), numeric("%d", v.N)}
			if compared == nil {
				return tr(cells)
			}
			if d, had := compared.Metrics[name]; had {
				return tr(cells, numeric("%.3f", d.Baseline), numeric("%+.3f", d.Difference), numeric("%.4f", d.P))
			}
			return tr(cells, numeric("-"), numeric("-"), numeric("-"))
		})),
	}
}

func (w page) stages() part {
	if len(w.Report.ByStage) == 0 {
		return nothing
	}
	return parts{
		h2("By stage"),
		table("stage", "#recall after it", "#failed questions lost there")(each(w.Report.ByStage, func(s StageValue) part {
			recall := numeric("-")
			if s.Recall != nil {
				recall = numeric("%.3f", s.Recall.Value)
			}
			return tr(td(words(s.Stage)), recall, numeric("%d", s.Lost))
		})),
	}
}

func (w page) answers() part {
	a := w.Report.Answers
	if a == nil {
		return nothing
	}
	counts := func(of string, c AnswerCounts) part {
		return tr(td(words(of)), numeric("%d", c.Right), numeric("%d", c.Retrieval), numeric("%d", c.Generation), numeric("%d", c.Questions))
	}
	return parts{
		h2("Answers: whose doing"),
		table("", "#right", "#retrieval: not in the evidence", "#generation: in the evidence", "#n")(
			counts("all", a.AnswerCounts),
			each(slices.Sorted(maps.Keys(a.ByType)), func(kind string) part { return counts(kind, a.ByType[kind]) })),
	}
}

func (w page) comparison() part {
	c := w.Report.ComparedWith
	if c == nil {
		return nothing
	}
	var settings part = nothing
	if len(c.Settings) > 0 {
		settings = block("ul", each(c.Settings, func(s string) part { return el("li", words("otherwise: "+s)) }))
	}
	changed := func(how, look string) func(Change) part {
		return func(c Change) part {
			return tr(el("td", class(look), words(how)), td(words(c.ID)), td(words(c.Question)), td(words(c.What())))
		}
	}
	return parts{
		h2("Compared with " + c.Baseline),
		block("p", wordsf("%d better, %d worse, %d fixed, %d broken, %d in one report only.", len(c.Better), len(c.Worse), len(c.Fixed), len(c.Broken), c.Unpaired)),
		settings,
		table("", "question", "", "what changed")(each(c.Worse, changed("worse", "bad")), each(c.Better, changed("better", "good"))),
	}
}

func (w page) failures() part {
	return parts{
		h2("Failed questions"),
		table("question", "", "type", "why", "lost at", "whose doing", "missing")(each(w.Report.Failures, func(f Failure) part {
			missing := each(f.Missing, func(u Unit) part {
				return parts{words(u.Document + " " + u.Heading + " " + u.Quote), el("br")}
			})
			return tr(td(words(f.ID)), td(words(f.Question)), td(words(f.Type)), td(words(f.Reason)), td(words(f.LostAt)), td(words(f.Blame)), td(missing))
		})),
	}
}

func (w page) problems() part {
	if len(w.Report.Problems) == 0 {
		return nothing
	}
	return parts{
		h2("Problems"),
		block("ul", each(w.Report.Problems, func(p Problem) part { return el("li", words(p.String())) })),
	}
}

func (w page) madeWith() part {
	of := func(what, is string) part { return tr(td(words(what)), td(words(is))) }
	named := func(values map[string]string) part {
		return each(slices.Sorted(maps.Keys(values)), func(name string) part { return of(name, values[name]) })
	}
	corpus := w.Run.Corpus
	rows := parts{
		of("version", w.Run.Version),
		of("corpus", strconv.Itoa(corpus.Documents)+" documents, "+corpus.Hash+"; "+corpus.Pipeline),
		named(w.Run.Models),
		named(w.Run.Settings),
	}
	if j := w.Report.Judge; j != nil {
		rows = append(rows, of("judge", j.Model+", prompt version "+j.PromptVersion))
	}
	return parts{h2("Made with"), table()(rows)}
}
