package extract

import (
	"fmt"
	"strings"
)

// isNotebook recognises a Jupyter notebook, of format 4 or 3.
func isNotebook(v jsonValue) bool {
	return v.member("nbformat").kind == '0' && (v.member("cells").kind == '[' || v.member("worksheets").kind == '[')
}

const (
	maxOutput      = 4000 // bytes of one output that are kept
	maxTableOutput = 20 << 10
)

// readNotebook gives the cells in their order: Markdown as it is, code as code, with
// what it wrote below (nbformat's documentation, "The Notebook file format").
func readNotebook(root jsonValue) (Extracted, error) {
	w := &notebookWriter{language: "python"}
	meta := root.member("metadata")
	for _, v := range []jsonValue{meta.member("kernelspec").member("language"), meta.member("language_info").member("name")} {
		if v.text != "" && strings.Trim(strings.ToLower(v.text), "abcdefghijklmnopqrstuvwxyz0123456789+#-") == "" {
			w.language = v.text
		}
	}
	cells := root.member("cells").items
	for _, s := range root.member("worksheets").items {
		cells = append(cells, s.member("cells").items...)
	}
	for i, c := range cells {
		if i == 0 && hidesMetadata(joined(c.member("source"))) {
			return Extracted{}, errHidden // a raw cell, which other programs read as front matter
		}
		w.cell(c)
	}
	x := Extracted{Format: formatNotebook, Text: w.b.String(), Title: w.title, Blocks: w.blocks}
	if t := jsonLabel(meta, "title"); t != "" {
		x.Title = t
	}
	if w.cut > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("Outputs of more than %d bytes were cut: %d.", maxOutput, w.cut))
	}
	if w.shown > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("Outputs that are no text were left out: %d.", w.shown))
	}
	return x, nil
}

type notebookWriter struct {
	made
	language   string
	cut, shown int
}

// joined is a text that is written as one string or as its lines.
func joined(v jsonValue) string {
	if v.scalar() {
		return v.text
	}
	var b strings.Builder
	for _, l := range v.items {
		b.WriteString(l.text)
	}
	return b.String()
}

func (w *notebookWriter) cell(c jsonValue) {
	switch c.member("cell_type").text {
	case "markdown":
		w.markdown(joined(c.member("source")), 0)
	case "heading": // format 3
		level := len(c.member("level").text)
		if n := c.member("level").text; level == 1 && n >= "1" && n <= "6" {
			level = int(n[0] - '0')
		}
		w.heading(max(level, 1), oneLine(joined(c.member("source"))))
	case "raw":
		w.code(joined(c.member("source")), "")
	case "code":
		source := c.member("source")
		if source.empty() {
			source = c.member("input") // format 3
		}
		w.code(joined(source), w.language)
		for _, o := range c.member("outputs").items {
			w.output(o)
		}
	}
}

// output writes a table as a table, else the text that stands for the output.
func (w *notebookWriter) output(o jsonValue) {
	data := o.member("data")
	if page := joined(data.member("text/html")); strings.Contains(page, "<table") && len(page) <= 10*maxTableOutput {
		if x, err := extractHTML(page); err == nil && len(x.Text) <= maxTableOutput {
			w.markdown("Output:", 0)
			w.markdown(x.Text, 0)
			return
		}
	}
	text := ""
	for _, v := range []jsonValue{o.member("text"), data.member("text/plain"), data.member("text/markdown")} {
		if text == "" {
			text = joined(v)
		}
	}
	if name := o.member("ename").text; name != "" {
		text = name + ": " + joined(o.member("evalue"))
	}
	text = withoutControls(text)
	if blank(text) {
		if len(data.items) > 0 {
			w.shown++
		}
		return
	}
	if len(text) > maxOutput {
		end := lineStart(text, maxOutput)
		if end == 0 {
			end = maxOutput
		}
		text = strings.TrimRight(strings.ToValidUTF8(text[:end], ""), "\n") + "\n…"
		w.cut++
	}
	w.markdown("Output:", 0)
	w.code(text, "")
}
