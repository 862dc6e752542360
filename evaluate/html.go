package evaluate

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
)

//go:embed html.tmpl
var page string

// bar is a bar of a chart with its interval and, before it, that of the baseline.
type bar struct {
	Label  string
	Value  float64
	Low    float64
	High   float64
	Range  bool // it has an interval
	Before float64
	Had    bool // the baseline has it
	Note   string
}

// chart is a chart of horizontal bars from 0 to 1, laid out in user units.
type chart struct {
	Title string
	Alt   string
	Rows  []chartRow
	Ticks []tick
	// Height of the drawing; its width is chartWidth.
	Height, Width, Axis float64
	LabelX, TextX       float64
	Two                 bool // with a baseline
}

type chartRow struct {
	Label, Text             string
	Y, Middle               float64
	X, Length               float64
	Line                    bool
	From, To                float64
	Before, BeforeY         float64
	HasBefore               bool
	Thickness, BeforeHeight float64
}

type tick struct {
	X     float64
	Label string
}

// Sizes of charts, in user units.
const (
	chartWidth = 760
	labelWidth = 230
	valueWidth = 160
	rowHeight  = 26
)

// layOut places bars. It is the whole of the arithmetic, so that the template
// holds none.
func layOut(title string, bars []bar) *chart {
	if len(bars) == 0 {
		return nil
	}
	c := &chart{Title: title, Width: chartWidth, LabelX: labelWidth - 8, TextX: chartWidth - valueWidth + 8}
	at := func(v float64) float64 {
		return math.Round(10*(labelWidth+(chartWidth-labelWidth-valueWidth)*min(1, max(0, v)))) / 10
	}
	for i, b := range bars {
		y := float64(i*rowHeight) + 6
		row := chartRow{Label: clean(b.Label), Y: y, X: at(0), Length: at(b.Value) - at(0), Thickness: 14, Middle: y + 7, Text: fmt.Sprintf("%.3f", b.Value)}
		if b.Note != "" {
			row.Text += " " + b.Note
		}
		if b.Range {
			row.Line, row.From, row.To = true, at(b.Low), at(b.High)
		}
		if b.Had {
			c.Two = true
			row.HasBefore, row.Before, row.BeforeY, row.BeforeHeight = true, at(b.Before)-at(0), y+14, 5
			row.Text += fmt.Sprintf(" (%+.3f)", b.Value-b.Before)
		}
		c.Rows = append(c.Rows, row)
		c.Alt += fmt.Sprintf("%s %s. ", row.Label, row.Text)
	}
	c.Axis = float64(len(bars)*rowHeight) + 8
	c.Height = c.Axis + 20
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		c.Ticks = append(c.Ticks, tick{at(v), fmt.Sprintf("%g", v)})
	}
	return c
}

// charts are those of the page: figures before and after, by type, by stage.
func (w Written) charts() []*chart {
	r := w.Report
	before := map[string]Value{}
	var beforeTypes map[string]Group
	var beforeStages []StageValue
	if w.Baseline != nil {
		before, beforeTypes, beforeStages = w.Baseline.Metrics, w.Baseline.ByType, w.Baseline.ByStage
	}
	of := func(label string, v Value, old Value, had bool) bar {
		return bar{Label: label, Value: v.Value, Low: v.Low, High: v.High, Range: true, Before: old.Value, Had: had}
	}
	var figures []bar
	for _, name := range slices.SortedFunc(maps.Keys(r.Metrics), byCut) {
		old, had := before[name]
		figures = append(figures, of(name, r.Metrics[name], old, had))
	}
	list := []*chart{layOut("Figures, with 95 % intervals", figures)}
	for _, name := range []string{"recall@5", "all_sources@10"} {
		var types []bar
		for _, kind := range slices.Sorted(maps.Keys(r.ByType)) {
			v, ok := r.ByType[kind].Metrics[name]
			if !ok {
				continue
			}
			old, had := beforeTypes[kind].Metrics[name]
			b := of(kind, v, old, had)
			b.Note = fmt.Sprintf("n=%d", v.N)
			types = append(types, b)
		}
		list = append(list, layOut(name+" by type", types))
	}
	var stages []bar
	for _, s := range r.ByStage {
		if s.Recall != nil {
			b := bar{Label: s.Stage, Value: s.Recall.Value, Low: s.Recall.Low, High: s.Recall.High, Range: true, Note: fmt.Sprintf("%d lost", s.Lost)}
			for _, old := range beforeStages {
				if old.Stage == s.Stage && old.Recall != nil {
					b.Before, b.Had = old.Recall.Value, true
				}
			}
			stages = append(stages, b)
		}
	}
	list = append(list, layOut("Recall after each stage", stages))
	return slices.DeleteFunc(list, func(c *chart) bool { return c == nil })
}

// WriteHTML writes a run as one file that needs nothing else: charts are drawn in
// it, no script runs and nothing is loaded, and every text of the set is escaped.
func (w Written) WriteHTML(out io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"clean": clean,
		"fixed": func(v float64) string { return fmt.Sprintf("%.3f", v) },
		"signed": func(v float64) string {
			return fmt.Sprintf("%+.3f", v)
		},
		"p": func(v float64) string { return fmt.Sprintf("%.4f", v) },
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("evaluate: the page's template: %w", err)
	}
	type figure struct {
		Name string
		Value
		Before Difference
		Had    bool
	}
	var figures []figure
	for _, name := range slices.SortedFunc(maps.Keys(w.Report.Metrics), byCut) {
		f := figure{Name: name, Value: w.Report.Metrics[name]}
		if c := w.Report.ComparedWith; c != nil {
			f.Before, f.Had = c.Metrics[name]
		}
		figures = append(figures, f)
	}
	return t.Execute(out, struct {
		Written
		Charts  []*chart
		Figures []figure
	}{w, w.charts(), figures})
}
