package evaluate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// chart is a chart of horizontal bars from 0 to 1.
type chart struct {
	title string
	bars  []bar
}

// bar is a bar with its interval and, below it, that of the baseline.
type bar struct {
	label     string
	value     float64
	low, high float64
	before    float64
	had       bool // the baseline has it
	note      string
}

// text is what stands beside the bar.
func (b bar) text() string {
	s := fmt.Sprintf("%.3f", b.value)
	if b.note != "" {
		s += " " + b.note
	}
	if b.had {
		s += fmt.Sprintf(" (%+.3f)", b.value-b.before)
	}
	return s
}

// charts are those of the page: figures before and after, by type, by stage.
func (w page) charts() []chart {
	r := w.Report
	before := map[string]Value{}
	var beforeTypes map[string]Group
	var beforeStages []StageValue
	if w.Baseline != nil {
		before, beforeTypes, beforeStages = w.Baseline.Metrics, w.Baseline.ByType, w.Baseline.ByStage
	}
	of := func(label string, v Value, old Value, had bool) bar {
		return bar{label: label, value: v.Value, low: v.Low, high: v.High, before: old.Value, had: had}
	}
	figures := chart{title: "Figures, with 95 % intervals"}
	for _, name := range slices.SortedFunc(maps.Keys(r.Metrics), byCut) {
		old, had := before[name]
		figures.bars = append(figures.bars, of(name, r.Metrics[name], old, had))
	}
	list := []chart{figures}
	for _, name := range []string{"recall@5", "all_sources@10"} {
		types := chart{title: name + " by type"}
		for _, kind := range slices.Sorted(maps.Keys(r.ByType)) {
			v, ok := r.ByType[kind].Metrics[name]
			if !ok {
				continue
			}
			old, had := beforeTypes[kind].Metrics[name]
			b := of(kind, v, old, had)
			b.note = fmt.Sprintf("n=%d", v.N)
			types.bars = append(types.bars, b)
		}
		list = append(list, types)
	}
	stages := chart{title: "Recall after each stage"}
	for _, s := range r.ByStage {
		if s.Recall == nil {
			continue
		}
		b := of(s.Stage, *s.Recall, Value{}, false)
		b.note = fmt.Sprintf("%d lost", s.Lost)
		for _, old := range beforeStages {
			if old.Stage == s.Stage && old.Recall != nil {
				b.before, b.had = old.Recall.Value, true
			}
		}
		stages.bars = append(stages.bars, b)
	}
	list = append(list, stages)
	return slices.DeleteFunc(list, func(c chart) bool { return len(c.bars) == 0 })
}

// Sizes of charts, in user units.
const (
	chartWidth   = 760
	labelWidth   = 230
	valueWidth   = 160
	rowHeight    = 26
	barHeight    = 14
	beforeHeight = 5
)

// across is where a value from 0 to 1 lies.
func across(v float64) float64 {
	return math.Round(10*(labelWidth+(chartWidth-labelWidth-valueWidth)*min(1, max(0, v)))) / 10
}

// at is an attribute that holds a length.
func at(key string, length float64) part {
	return attribute{key, strconv.FormatFloat(length, 'f', -1, 64)}
}

// drawn is the chart as a drawing, with its figures as a text for those who do not see it.
func (c chart) drawn() part {
	axis := float64(len(c.bars)*rowHeight) + 8
	height := axis + 20
	said, compared := c.title+": ", false
	rows := parts{}
	for i, b := range c.bars {
		said += fmt.Sprintf("%s %s. ", b.label, b.text())
		compared = compared || b.had
		rows = append(rows, b.drawn(float64(i*rowHeight)+6))
	}
	under := nothing
	if compared {
		under = parts{el("br"), el("span", class("soft"), words("The thin bar is the baseline."))}
	}
	return block("figure", block("figcaption", words(c.title)),
		el("svg", attribute{"viewBox", fmt.Sprintf("0 0 %d %g", chartWidth, height)}, at("width", chartWidth), at("height", height), attribute{"role", "img"}, attribute{"aria-label", said},
			words("\n"),
			each([]float64{0, 0.25, 0.5, 0.75, 1}, func(v float64) part { return tick(v, axis) }),
			rows),
		under)
}

// tick is a line down to the axis and its value below.
func tick(v, axis float64) part {
	x := across(v)
	return parts{
		el("line", at("x1", x), at("y1", 0), at("x2", x), at("y2", axis), attribute{"stroke", "var(--line)"}),
		block("text", class("soft"), at("x", x), at("y", axis), at("dy", 14), attribute{"text-anchor", "middle"}, wordsf("%g", v)),
	}
}

// drawn is the bar with its label and figures, its interval and the baseline's bar.
func (b bar) drawn(y float64) part {
	middle := y + barHeight/2
	long := func(y, v, thick float64, colour string) part {
		return block("rect", at("x", across(0)), at("y", y), at("width", across(v)-across(0)), at("height", thick), attribute{"fill", colour})
	}
	before := nothing
	if b.had {
		before = parts{long(y+barHeight, b.before, beforeHeight, "var(--before)")}
	}
	return parts{
		el("text", at("x", labelWidth-8), at("y", middle), at("dy", 4), attribute{"text-anchor", "end"}, words(b.label)),
		long(y, b.value, barHeight, "var(--bar)"),
		before,
		block("line", at("x1", across(b.low)), at("y1", middle), at("x2", across(b.high)), at("y2", middle), attribute{"stroke", "var(--ink)"}),
		block("text", at("x", chartWidth-valueWidth+8), at("y", middle), at("dy", 4), words(b.text())),
	}
}
