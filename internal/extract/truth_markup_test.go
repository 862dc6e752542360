package extract

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/grid"
)

// markdown types its numbers and repeats what is merged.
func (d truth) markdown() []byte {
	var b strings.Builder
	b.WriteString("# " + truthTitle + "\n\n")
	notes := 0
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, "%s %s %s\n\n", strings.Repeat("#", p.level+1), p.number, p.text)
		case "clause":
			fmt.Fprintf(&b, "%s %s\n\n", p.number, p.text)
		case "text":
			b.WriteString(p.text)
			if p.note != "" {
				notes++
				fmt.Fprintf(&b, "[^%d]\n\n[^%[1]d]: %s", notes, p.note)
			}
			b.WriteString("\n\n")
		case "table":
			b.WriteString(p.text + "\n\n| Region | Plan | 2026 / Q1 | 2026 / Q2 |\n| --- | --- | ---: | ---: |\n")
			for _, r := range p.rows {
				b.WriteString("| " + strings.Join(r, " | ") + " |\n")
			}
			b.WriteString("\n")
		}
	}
	return []byte(b.String())
}

// asciidoc has its headings numbered. Its tables have one row of header.
func (d truth) asciidoc() []byte {
	var b strings.Builder
	b.WriteString("= " + truthTitle + "\n:sectnums:\n:sectnumlevels: 5\n\n")
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("=", p.level+1), p.text)
		case "clause":
			fmt.Fprintf(&b, "%s %s\n\n", p.number, p.text)
		case "text":
			b.WriteString(p.text)
			if p.note != "" {
				b.WriteString("footnote:[" + p.note + "]")
			}
			b.WriteString("\n\n")
		case "table":
			b.WriteString("." + p.text + "\n[%header,cols=4*]\n|===\n|Region |Plan |2026 / Q1 |2026 / Q2\n")
			for i, r := range p.rows {
				if i%4 == 0 {
					b.WriteString(".4+|" + r[0] + " ")
				}
				fmt.Fprintf(&b, "|%s |%s |%s\n", r[1], r[2], r[3])
			}
			b.WriteString("|===\n\n")
		}
	}
	return []byte(b.String())
}

var adocNote = regexp.MustCompile(`footnote:\[([^\]]*)\]`)

func plainAdocTruth(s string) string {
	return strings.TrimPrefix(adocNote.ReplaceAllString(s, "\n$1"), ".")
}

func adocTruthCells(row string) []string {
	cells := grid.Cells(strings.TrimPrefix(row, ".4+"))
	if len(cells) == 3 {
		cells = append([]string{""}, cells...)
	}
	return cells
}

// rst has its headings numbered, and a grid for its table.
func (d truth) rst() []byte {
	const marks = "-~^\"'"
	line := func(s, mark string) string { return s + "\n" + strings.Repeat(mark, len(s)) + "\n\n" }
	var b strings.Builder
	b.WriteString(line(truthTitle, "=") + ".. sectnum::\n   :depth: 5\n\n.. header:: " + truthFrame + "\n\n")
	notes := 0
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			b.WriteString(line(p.text, marks[p.level-1:p.level]))
		case "clause":
			fmt.Fprintf(&b, "%s %s\n", p.number, p.text)
			if p.number == "(c)" {
				b.WriteString("\n")
			}
		case "text":
			b.WriteString(p.text)
			if p.note != "" {
				notes++
				fmt.Fprintf(&b, " [%d]_\n\n.. [%[1]d] %s", notes, p.note)
			}
			b.WriteString("\n\n")
		case "table":
			b.WriteString(".. table:: " + p.text + "\n\n")
			cells := func(c ...string) { fmt.Fprintf(&b, "   | %-10s | %-8s | %-8s | %-8s |\n", c[0], c[1], c[2], c[3]) }
			rule := func(first, sign string) {
				b.WriteString("   " + first + strings.Repeat(sign, 10) + "+" + strings.Repeat(sign, 10) + "+" + strings.Repeat(sign, 10) + "+\n")
			}
			whole := "+" + strings.Repeat("-", 12) + "+"
			rule(whole, "-")
			b.WriteString("   | Region     | Plan     | 2026                |\n   |            |          +----------+----------+\n")
			cells("", "", "Q1", "Q2")
			rule(strings.ReplaceAll(whole, "-", "="), "=")
			for i, r := range p.rows {
				region := ""
				if i%4 == 0 {
					region = r[0]
				}
				cells(region, r[1], r[2], r[3])
				if i%4 == 3 {
					rule(whole, "-")
				} else {
					rule("|            +", "-")
				}
			}
			b.WriteString("\n")
		}
	}
	return []byte(b.String())
}

var rstNote = regexp.MustCompile(`^\.\. \[\d+\] | \[\d+\]_`)

func plainRSTTruth(s string) string {
	return strings.TrimPrefix(rstNote.ReplaceAllString(s, ""), ".. table:: ")
}

// latex has chapters, so that all five levels have a command, and every level numbered.
func (d truth) latex() []byte {
	commands := []string{"chapter", "section", "subsection", "subsubsection", "paragraph"}
	var b strings.Builder
	b.WriteString("\\documentclass[twocolumn]{report}\n\\usepackage{fancyhdr}\n\\fancyhead[C]{" + truthFrame + "}\n\\setcounter{secnumdepth}{4}\n\\title{" + truthTitle + "}\n\\begin{document}\n\\maketitle\n\n")
	for _, p := range d.parts {
		switch p.kind {
		case "heading":
			fmt.Fprintf(&b, "\\%s{%s}\n", commands[p.level-1], p.text)
		case "clause":
			fmt.Fprintf(&b, "%s %s\n\n", p.number, p.text)
		case "text":
			b.WriteString(p.text)
			if p.note != "" {
				b.WriteString("\\footnote{" + p.note + "}")
			}
			b.WriteString("\n\n")
		case "table":
			b.WriteString(p.text + "\n\n\\begin{longtable}{llrr}\n\\caption{" + p.text + "}\\\\\n\\hline\n\\multirow{2}{*}{Region} & \\multirow{2}{*}{Plan} & \\multicolumn{2}{c}{2026} \\\\\n & & Q1 & Q2 \\\\\n\\hline\n")
			for i, r := range p.rows {
				region := ""
				if i%4 == 0 {
					region = "\\multirow{4}{*}{" + r[0] + "}"
				}
				fmt.Fprintf(&b, "%s & %s & %s & %s \\\\\n", region, r[1], r[2], r[3])
			}
			b.WriteString("\\hline\n\\end{longtable}\n\n")
		}
	}
	return []byte(b.String() + "\\end{document}\n")
}

var (
	latexNote = regexp.MustCompile(`\\footnote\{([^}]*)\}`)
	latexSpan = regexp.MustCompile(`\\(multirow|multicolumn)\{(\d)\}\{[^}]*\}\{([^}]*)\}`)
)

func plainLaTeXTruth(s string) string { return latexNote.ReplaceAllString(s, "\n$1") }

func latexTruthCells(row string) []string {
	row = latexSpan.ReplaceAllStringFunc(row, func(s string) string {
		m := latexSpan.FindStringSubmatch(s)
		if m[1] == "multicolumn" {
			return m[3] + " &"
		}
		return m[3]
	})
	var out []string
	for _, c := range strings.Split(strings.TrimSuffix(strings.TrimSpace(row), `\\`), "&") {
		out = append(out, strings.TrimSpace(c))
	}
	return out
}
