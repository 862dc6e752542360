package extract

import (
	"encoding/json"
	"strings"
	"testing"
)

// notebookOf writes cells of the form "kind: source", with outputs behind "->".
func notebookOf(t *testing.T, cells ...string) []byte {
	var list []any
	for _, c := range cells {
		kind, source, _ := strings.Cut(c, ": ")
		source, out, has := strings.Cut(source, "->")
		cell := map[string]any{"cell_type": kind, "source": strings.SplitAfter(source, "\n"), "outputs": []any{}}
		if has {
			cell["outputs"] = []any{map[string]any{"output_type": "stream", "text": []string{out}}}
		}
		list = append(list, cell)
	}
	b, err := json.Marshal(map[string]any{"nbformat": 4, "metadata": map[string]any{"kernelspec": map[string]any{"language": "R"}}, "cells": list})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestNotebook(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		cells      []string
	}{
		{"text, code and what it wrote", "# Churn\n\nBy plan.\n\n```R\nx <- 1\nprint(x)\n```\n\nOutput:\n\n```\n[1] 1\n```\n", []string{"markdown: # Churn\n\nBy plan.", "code: x <- 1\nprint(x)->[1] 1\n"}},
		{"a cell that leaves a fence open", "```\nopen\n\n# Next\n", []string{"markdown: ```\nopen", "markdown: # Next"}},
		{"fences in code", "````R\n```\n````\n", []string{"code: ```"}},
		{"no output", "```R\nx\n```\n", []string{"code: x-> \n"}},
		{"a raw cell", "```\n\\LaTeX\n```\n\n# A\n", []string{"raw: \\LaTeX", "markdown: # A"}},
		{"empty cells", "# A\n", []string{"markdown: ", "code: ", "markdown: # A"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			for _, name := range []string{"a.ipynb", "a.json"} {
				x, err := Extract(name, notebookOf(t, tt.cells...))
				if err != nil || x.Text != tt.want || x.Format != "notebook" {
					t.Errorf("got\n%s%v\nwant\n%s", x.Text, err, tt.want)
				}
				checkBlocks(t, x)
			}
		})
	}
	x, _ := Extract("a.ipynb", notebookOf(t, "markdown: ```\nopen", "markdown: # Next"))
	if len(x.Blocks) != 2 || x.Blocks[1].Kind != Heading || x.Title != "Next" {
		t.Errorf("%+v", x.Blocks)
	}
}

func TestNotebookOutputs(t *testing.T) {
	for _, tt := range []struct{ what, output, want, note string }{
		{"a frame as a table", `{"data":{"text/plain":["a b"],"text/html":["<table><tr><th>a<th>b<tr><td>1<td>2</table>"]}}`, "| a | b |\n| --- | --- |\n| 1 | 2 |\n", ""},
		{"an error", `{"ename":"KeyError","evalue":"'x'","traceback":["\u001b[31mlong"]}`, "```\nKeyError: 'x'\n```\n", ""},
		{"an image", `{"data":{"image/png":"QUJD"}}`, "", "no text were left out: 1"},
		{"a long one", `{"text":"` + strings.Repeat(`0123456789\n`, 1000) + `"}`, "0123456789\n…\n```\n", "cut: 1"},
	} {
		x, err := Extract("a.ipynb", []byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":"run()","outputs":[`+tt.output+`]}]}`))
		if err != nil || !strings.HasSuffix(x.Text, tt.want) || len(x.Text) > maxOutput+100 || !strings.Contains(strings.Join(x.Notes, ""), tt.note) {
			t.Errorf("%s: %q %q %v", tt.what, x.Text, x.Notes, err)
		}
	}
}

// TestNotebookMetadata: front matter in a cell, as other programs read it, is refused.
func TestNotebookMetadata(t *testing.T) {
	for _, kind := range []string{"raw", "markdown"} {
		if _, err := Extract("a.ipynb", notebookOf(t, kind+": ---\ntitle: Pay\nreaders: [group:hr]\n---\n", "markdown: # Pay")); !HidesMetadata(err) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add(`{"nbformat":4,"cells":[{"cell_type":"markdown","source":["# a\n","- x"]},{"cell_type":"code","source":"x","outputs":[{"text":"y"},{"data":{"text/html":"<table><tr><td>x"}}]}]}`)
	f.Add(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":"a"},{"cell_type":"code","input":"b"}]}]}`)
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.ipynb", s) })
}
