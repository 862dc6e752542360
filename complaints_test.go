package quarry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// What users report of other systems about documents, in inputs of several formats,
// from the file to what is found. (Readers of formats prove more in their own
// tests; so do pages of PDFs and what exceeds a model's input.)

// passagesOf indexes one file and gives its passages.
func passagesOf(t *testing.T, name, content string) document.Revision {
	t.Helper()
	c := over(t, quarry.Options{})
	dir, _ := folder(t, map[string]string{name: content})
	synced(t, c, dir)
	r, err := c.Document(t.Context(), document.ID{Source: "docs", Path: name}, document.Scope{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// A table that is cut keeps its header, caption and rows whole, in each part: which
// column a figure stands in, and in which unit, is answered from one passage.
func TestEachPartOfATableCanBeReadAlone(t *testing.T) {
	var md, page, csv, adoc, tex strings.Builder
	md.WriteString("# Motors\n\nTable 1: Torque in Nm\n\n| Motor | Idle | Peak |\n| --- | --- | --- |\n")
	page.WriteString("<h1>Motors</h1><table><caption>Table 1: Torque in Nm</caption><tr><th>Motor<th>Idle<th>Peak")
	csv.WriteString("Motor,Idle,Peak\n")
	adoc.WriteString("= Motors\n\n.Table 1: Torque in Nm\n[%header]\n|===\n|Motor |Idle |Peak\n")
	tex.WriteString("\\section{Motors}\n\\begin{longtable}{lrr}\n\\caption{Table 1: Torque in Nm}\\\\\n\\hline\nMotor & Idle & Peak \\\\\n\\hline\n")
	const rows = 400
	for i := range rows {
		fmt.Fprintf(&md, "| M-%d | %d | %d |\n", i, 10000+i, 20000+i)
		fmt.Fprintf(&page, "<tr><td>M-%d<td>%d<td>%d", i, 10000+i, 20000+i)
		fmt.Fprintf(&csv, "M-%d,%d,%d\n", i, 10000+i, 20000+i)
		fmt.Fprintf(&adoc, "|M-%d |%d |%d\n", i, 10000+i, 20000+i)
		fmt.Fprintf(&tex, "M-%d & %d & %d \\\\\n", i, 10000+i, 20000+i)
	}
	for name, content := range map[string]string{"a.md": md.String(), "a.html": page.String() + "</table>", "a.csv": csv.String(), "a.adoc": adoc.String() + "|===\n", "a.tex": tex.String() + "\\hline\n\\end{longtable}\n"} {
		parts, whole := 0, 0
		for _, p := range passagesOf(t, name, content).Passages {
			if !strings.Contains(p.Text, "M-") {
				continue
			}
			parts++
			for _, want := range []string{"Motor", "Idle", "Peak", "Torque in Nm"} {
				if !strings.Contains(p.Context+p.Text, want) && (want != "Torque in Nm" || name != "a.csv") { // a CSV has no caption
					t.Fatalf("%s: %q is missing from the part %.80q with the context %q", name, want, p.Text, p.Context)
				}
			}
			for _, line := range strings.Split(p.Text, "\n") {
				var i int
				if at := strings.Index(line, "M-"); at >= 0 {
					if _, err := fmt.Sscanf(line[at:], "M-%d", &i); err == nil && strings.Contains(line, fmt.Sprint(10000+i)) && strings.Contains(line, fmt.Sprint(20000+i)) {
						whole++
					}
				}
			}
		}
		if whole != rows || parts < 2 || parts > rows/4 {
			t.Errorf("%s: %d of %d rows are whole, in %d parts", name, whole, rows, parts)
		}
	}
}

// Clause numbers that a program makes are found as the reader sees them, and deep ones
// with all that stands above them.
func TestClausesAreFoundByNumber(t *testing.T) {
	var word strings.Builder
	word.WriteString(`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	clause := func(level int, text string) {
		fmt.Fprintf(&word, `<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>`, level, text)
	}
	for _, c := range []struct {
		level int
		text  string
	}{{0, "Scope"}, {0, "Fees"}, {0, "Term"}, {1, "The term is two years from the signature."}, {1, "Each side may end it by letter to the seat of the other."}, {2, "A mail is no letter."}, {1, "It ends by itself."}} {
		clause(c.level, c.text)
	}
	docx := testkit.ZIP(t, map[string]string{
		"[Content_Types].xml":          `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"_rels/.rels":                  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/_rels/document.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="x/numbering" Target="n.xml"/></Relationships>`,
		"word/document.xml":            word.String() + `</w:body></w:document>`,
		"word/n.xml": `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="1">` +
			`<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>` +
			`<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2.%3"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
	})
	// Chapters of every number, so that 5.9.2 is not the only one that may be meant.
	deep := func(heading func(level int, number, text string) string) string {
		var b strings.Builder
		for i := 1; i <= 6; i++ {
			b.WriteString(heading(1, fmt.Sprint(i), fmt.Sprintf("Part %c", 'A'+i-1)))
			for j := 1; j <= 10; j++ {
				b.WriteString(heading(2, fmt.Sprintf("%d.%d", i, j), "General"))
				for k := 1; k <= 3; k++ {
					b.WriteString(heading(3, fmt.Sprintf("%d.%d.%d", i, j, k), "Rule") + fmt.Sprintf("The limit here is %d%02d%d units.\n\n", i, j, k))
				}
			}
		}
		return b.String()
	}
	for name, tt := range map[string]struct{ content, question, want, path string }{
		"terms.docx": {docx, "What does clause 3.2 say?", "by letter to the seat", ""},
		"terms.md": {"# Terms\n\n" + deep(func(level int, number, text string) string {
			return strings.Repeat("#", level+1) + " " + number + " " + text + "\n\n"
		}), "What is the limit in clause 5.9.2?", "5092 units", "5 Part E › 5.9 General › 5.9.2 Rule"},
		"terms.html": {deep(func(level int, number, text string) string {
			return fmt.Sprintf("<h%d>%s %s</h%[1]d><p>", level, number, text)
		}), "What is the limit in clause 5.9.2?", "5092 units", "5 Part E › 5.9 General › 5.9.2 Rule"},
		"terms.adoc": {"= Terms\n:sectnums:\n\n" + deep(func(level int, _, text string) string {
			return strings.Repeat("=", level+1) + " " + text + "\n\n"
		}), "What is the limit in clause 5.9.2?", "5092 units", "5 Part E › 5.9 General › 5.9.2 Rule"},
		"terms.tex": {deep(func(level int, _, text string) string {
			return []string{"\\section", "\\subsection", "\\subsubsection"}[level-1] + "{" + text + "}\n"
		}), "What is the limit in clause 5.9.2?", "5092 units", "5 Part E › 5.9 General › 5.9.2 Rule"},
	} {
		t.Run(name, func(t *testing.T) {
			c := over(t, quarry.Options{})
			dir, _ := folder(t, map[string]string{name: tt.content, "other.md": "# Other\n\nSee clause 3.2 and clause 5.9.2 of the terms.\n"})
			synced(t, c, dir)
			// What only mentions the clause may stand before it, nothing else.
			paths, r := found(t, c, tt.question)
			at := slices.Index(paths, name)
			if at < 0 || at > 1 || !strings.Contains(r.Candidates[at].Text, tt.want) {
				for _, x := range r.Candidates[:min(3, len(r.Candidates))] {
					t.Errorf("%s › %s: %q, keyword %.2f, identifier %.2f", x.Document, strings.Join(x.Heading, " › "), x.Text, x.Keyword.Score, x.Identifier.Score)
				}
				t.FailNow()
			}
			if path := strings.Join(r.Candidates[at].Heading, " › "); !strings.HasSuffix(path, tt.path) {
				t.Errorf("its heading path is %s", path)
			}
		})
	}
}

// The last heading of one part does not reach into the next, where a file holds
// several documents one after the other.
func TestHeadingsEndWithTheirDocument(t *testing.T) {
	message := func(subject, body string) string {
		return "From a@example.com Thu Mar  5 10:12:00 2026\nFrom: a@example.com\nSubject: " + subject + "\n\n" + body + "\n\n"
	}
	for name, content := range map[string]string{
		"box.mbox":   message("First", "WARRANTY TERMS\n\nIt covers the motor.") + message("Second", "The canteen opens at noon."),
		"files.zip":  testkit.ZIP(t, map[string]string{"1.md": "# First\n\n## Warranty terms\n\nIt covers the motor.\n", "2.md": "The canteen opens at noon.\n"}),
		"notes.json": `[{"title": "Warranty terms", "text": "It covers the motor."}, {"text": "The canteen opens at noon."}]`,
	} {
		c := over(t, quarry.Options{})
		dir, _ := folder(t, map[string]string{name: content})
		synced(t, c, dir)
		_, r := found(t, c, "When does the canteen open?")
		if len(r.Candidates) == 0 || !strings.Contains(r.Candidates[0].Text, "noon") {
			t.Fatalf("%s: not found", name)
		}
		if h := strings.Join(r.Candidates[0].Heading, " › "); strings.Contains(strings.ToLower(h), "warranty") || strings.Contains(h, "First") {
			t.Errorf("%s: its heading is %s", name, h)
		}
	}
}

// A document that gives no passage, or is what a server answered instead of it, has
// failed, and is counted so.
func TestNothingIsShownAsReady(t *testing.T) {
	answer := "<!DOCTYPE html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>It was not found on this server.</p></body></html>"
	files := map[string]string{
		"empty.md": "", "space.txt": " \n\t\n", "comment.md": "<!-- nothing -->\n", "page.html": "<html><head><title></title></head><body><script>x()</script></body></html>",
		"empty.csv": "", "empty.json": "", "front.md": "---\ntitle: x\n---\n", "mail.eml": "Hello", "note.msg": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "pack.zip": "PK", "book.epub": "PK", "letter.docx": "PK",
		"answer.html": answer, "answer.md": answer, "answer.csv": answer, "answer.docx": answer, "answer.json": `{"error": "not found"}`,
	}
	c := over(t, quarry.Options{})
	dir, write := folder(t, files)
	write("good.md", "# Good\n\nThe lamp is red.\n")
	r := synced(t, c, dir)
	if len(r.Added) != 1 || len(r.Failed) != len(files) || len(r.Skipped) != 0 {
		t.Errorf("added %v, %d of %d failed, skipped %v", r.Added, len(r.Failed), len(files), r.Skipped)
	}
	status, err := c.Status(t.Context())
	if err != nil || len(status) != 1 || status[0].Documents != 1 || len(status[0].Failed) != len(files) {
		t.Errorf("%+v, %v", status, err)
	}
	if again := synced(t, c, dir); len(again.Failed) != len(files) || again.Unchanged != 1 {
		t.Errorf("at the next sync: %+v", again)
	}
	if paths, _ := found(t, c, "What was not found on this server?"); len(paths) > 1 {
		t.Errorf("found %v", paths)
	}
}
