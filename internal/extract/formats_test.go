package extract

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/FORMATS.md")

// TestFormats: a name and an ending stand once, and each format has a reader.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range append(slices.Clone(Formats), Served) {
		for _, s := range append([]string{f.Name}, f.Endings...) {
			if seen[s] || s == "" || s != strings.ToLower(s) {
				t.Errorf("%s of %s stands twice, or is not in lower case", s, f.Name)
			}
			seen[s] = true
		}
		for _, e := range f.Endings {
			if extension("a"+e) != e {
				t.Errorf("%s is no ending", e)
			}
		}
		if f.What == "" || len(f.Endings) == 0 || !f.office && f.Name != formatText && f.Name != formatPDF && f.Name != formatImage && f.Name != Served.Name && readText[f.Name] == nil && readBytes[f.Name] == nil {
			t.Errorf("%s is not described, has no ending or no reader", f.Name)
		}
	}
}

// TestFormatsPage keeps docs/FORMATS.md what the table says.
func TestFormatsPage(t *testing.T) {
	const page = "../../docs/FORMATS.md"
	var b strings.Builder
	b.WriteString(`# Formats

What is read, by the ending of a file's name. The content decides where it says what it is: an office document, a book, a web page and a
mail are recognised under any name that text may have, and what is not what its name says fails and says so. What a format's reader
leaves out is said in the document's notes. The name in the first column is what ` + "`Upload.Format`" + ` of the library takes (not tika: its formats go by their endings).

| name | endings | what |
| --- | --- | --- |
`)
	for _, f := range Formats {
		b.WriteString("| " + f.Name + " | " + strings.Join(f.Endings, " ") + " | " + f.What + " |\n")
	}
	b.WriteString("| " + Served.Name + " | " + strings.Join(Served.Endings, " ") + " | " + Served.What + " |\n")
	b.WriteString(`
Archives (.zip, .tar, .tar.gz, .tgz) are folders: what they hold are documents of their own.
`)
	got, err := os.ReadFile(page)
	if *update {
		err = os.WriteFile(page, []byte(b.String()), 0o644)
		got = []byte(b.String())
	}
	if err != nil || string(got) != b.String() {
		t.Errorf("docs/FORMATS.md is not current (%v): run go test ./internal/extract -run FormatsPage -update", err)
	}
}
