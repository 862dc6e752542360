package evaluate

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// hostile is a text that acts on whatever shows it unescaped.
const hostile = "<script>alert(1)</script>\"'><img src=x onerror=y>| `x` [l](http://e.example/?q) ]]> & \u202e\x1b[31m\x00 @all"

// writtenRun is a run with a baseline, a gate and every part of a report, of a
// hostile set.
func writtenRun(t *testing.T) Written {
	t.Helper()
	set, search, ask := small()
	set.Name = "small " + hostile
	for i := range set.Questions {
		set.Questions[i].Text += " " + hostile
		set.Questions[i].ID += " " + hostile
		if set.Questions[i].Type == "lookup" {
			set.Questions[i].Type = "look up " + hostile
		}
	}
	set.Problems = append(set.Problems, Problem{File: hostile, Text: hostile})
	of := func(q Query) Query { q.Text = strings.TrimSuffix(q.Text, " "+hostile); return q }
	o := Options{Asker: askerFunc(func(q Query) (Answer, error) { return ask(of(q)) }),
		Stager: lostIn("rerank")}
	before, err := Run(t.Context(), set, searcherFunc(func(q Query) ([]Hit, error) { return hitsOf("leave.md#Sick leave", "x.md"), nil }), o)
	if err != nil {
		t.Fatal(err)
	}
	after, err := Run(t.Context(), set, searcherFunc(func(q Query) ([]Hit, error) { return search(of(q)) }), o)
	if err != nil {
		t.Fatal(err)
	}
	c := Compare(before, after, 0)
	c.Baseline, c.Settings = hostile, []string{"retrieval.fusion: a -> " + hostile}
	after.ComparedWith = &c
	g, err := ParseGate("recall@5>=0.9,worse<=2,ndcg@3>=0")
	if err != nil {
		t.Fatal(err)
	}
	result := g.Check(after)
	return Written{Report: after, Baseline: &before, Gate: &result,
		Run: RunInfo{Version: hostile, Settings: map[string]string{"store": hostile}, Models: map[string]string{"embedding": hostile}}}
}

func TestWriteJUnit(t *testing.T) {
	w := writtenRun(t)
	for _, gated := range []bool{true, false} {
		if !gated {
			w.Gate = nil
		}
		var b bytes.Buffer
		if err := w.WriteJUnit(&b); err != nil {
			t.Fatal(err)
		}
		var got junitSuites
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if strings.ContainsAny(b.String(), "\x00\x1b\u202e") {
			t.Error("a control character stands in it")
		}
		questions := got.Suites[len(got.Suites)-1]
		failed := len(w.Report.Failures)
		switch {
		case gated && (len(got.Suites) != 2 || got.Suites[0].Failures != 2 || got.Suites[0].Tests != 3 || questions.Skipped != failed || questions.Failures != 0):
			t.Errorf("with a gate: %+v", got)
		case !gated && (len(got.Suites) != 1 || questions.Failures != failed || questions.Skipped != 0):
			t.Errorf("without a gate: %+v", got)
		}
		if len(questions.Cases) != 6 || questions.Tests != 6 || !strings.Contains(questions.Cases[0].Name, "<script>") {
			t.Errorf("%d questions, the first %q", len(questions.Cases), questions.Cases[0].Name)
		}
	}
}

func TestWriteMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := writtenRun(t).WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, part := range []string{"**The gate failed.**", "| recall@5", "before | difference | p |", "Compared with", "- worse: ", "retrieval's failures", "failed questions"} {
		if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(text, `\`, ""), "&#64;", "@"), part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	for _, part := range []string{"<script", "<img", "[l](", "http://", "\x1b", "\u202e", "@all"} {
		if strings.Contains(text, part) {
			t.Errorf("%q stands in it", part)
		}
	}
	// A table keeps its columns whatever the set says.
	for line := range strings.SplitSeq(text, "\n") {
		if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "| look up") && cells != 7 && cells != 6 {
			t.Errorf("%d cells in %q", cells, line)
		}
	}
}

func TestWriteHTML(t *testing.T) {
	w := writtenRun(t)
	var b bytes.Buffer
	if err := w.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, part := range []string{"<!doctype html>", "default-src 'none'", "Gate: <span class=\"bad\">failed", "Figures, with 95 % intervals", "recall@5 by type", "The thin bar is the baseline", "whose doing", "worse</td>", "rerank", "&lt;script&gt;"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing", part)
		}
	}
	for _, part := range []string{"<script", "<img", "<link", "<iframe", "@import", "url(", "\x1b", "\u202e", "ZgotmplZ", "NaN", "Inf"} {
		if strings.Contains(text, part) {
			t.Errorf("%q stands in it", part)
		}
	}
	// No attribute loads or runs anything, whatever the texts say.
	harmless := map[string]bool{"lang": true, "charset": true, "http-equiv": true, "content": true, "name": true, "class": true, "role": true, "aria-label": true,
		"viewbox": true, "width": true, "height": true, "x": true, "y": true, "x1": true, "x2": true, "y1": true, "y2": true, "dy": true, "fill": true, "stroke": true, "text-anchor": true}
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		for _, a := range z.Token().Attr {
			if !harmless[a.Key] {
				t.Errorf("the attribute %s=%q stands in it", a.Key, a.Val)
			}
		}
	}
	// All drawings are well-formed.
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(text, -1) {
		dec := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, svg)
			}
		}
	}

	// Without a baseline, a gate, answers and judgements there is a page as well.
	b.Reset()
	if err := (Written{Report: Report{Set: "s"}}).WriteHTML(&b); err != nil || !strings.Contains(b.String(), "0 questions") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
