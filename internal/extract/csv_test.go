package extract

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
)

// TestCSV gives the table that a file becomes; ~ stands for a line feed.
func TestCSV(t *testing.T) {
	for _, tt := range []struct{ what, name, in, want string }{
		{"a header and rows", "a.csv", "Plan,Price\nTeam,10\nFirm,20\n", "| Plan | Price |~| --- | --- |~| Team | 10 |~| Firm | 20 |"},
		{"semicolons and decimal commas", "a.csv", "Plan;Price\nTeam;10,5\nFirm;20,0\n", "| Plan | Price |~| --- | --- |~| Team | 10,5 |~| Firm | 20,0 |"},
		{"tabs", "a.tsv", "Plan\tPrice\nTeam\t1,000\n", "| Plan | Price |~| --- | --- |~| Team | 1,000 |"},
		{"bars", "a.csv", "Plan|Price\nTeam|10\n", "| Plan | Price |~| --- | --- |~| Team | 10 |"},
		{"a named delimiter", "a.csv", "sep=;\nA,B;C\n1,2;3\n", "| A,B | C |~| --- | --- |~| 1,2 | 3 |"},
		{"quotes, breaks and bars within", "a.csv", "Plan,Note\nTeam,\"two\nlines, one \"\"cell\"\"\"\nFirm,a|b\n", "| Plan | Note |~| --- | --- |~| Team | two lines, one \"cell\" |~| Firm | a\\|b |"},
		{"no header", "a.csv", "Team,10\nFirm,20\n", "|  |  |~| --- | --- |~| Team | 10 |~| Firm | 20 |"},
		{"figures as names", "a.csv", "Plan,2024,2025\nTeam,yes,no\n", "| Plan | 2024 | 2025 |~| --- | --- | --- |~| Team | yes | no |"},
		{"years over figures cannot be told from a row", "a.csv", "2024,2025\n10,20\n", "|  |  |~| --- | --- |~| 2024 | 2025 |~| 10 | 20 |"},
		{"names of columns of words", "a.csv", "City,Country\nOslo,Norway\n", "| City | Country |~| --- | --- |~| Oslo | Norway |"},
		{"the same twice is no name", "a.csv", "yes,yes\nno,yes\n", "|  |  |~| --- | --- |~| yes | yes |~| no | yes |"},
		{"rows that are shorter and longer", "a.csv", "A,B\nx\ny,1,2\n", "| A | B |  |~| --- | --- | --- |~| x |~| y | 1 | 2 |"},
		{"a title above", "a.csv", "Prices 2026,,\nPlan,Seats,Price\nTeam,5,10\n", "Prices 2026~~| Plan | Seats | Price |~| --- | --- | --- |~| Team | 5 | 10 |"},
		{"one column", "a.csv", "Industry\nMining\nRetail\n", "| Industry |~| --- |~| Mining |~| Retail |"},
		{"empty rows", "a.csv", "A,B\n,\n\n1,2\n", "| A | B |~| --- | --- |~| 1 | 2 |"},
		{"a quote that nothing closes", "a.csv", "A,B\n\"x,1\ny,2\n", "| A | B |~| --- | --- |~| \"x | 1 |~| y | 2 |"},
		{"line ends of every system", "a.csv", "A,B\r\n1,2\r3,4\n", "| A | B |~| --- | --- |~| 1 | 2 |~| 3 | 4 |"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract(tt.name, []byte(tt.in))
			if got := strings.ReplaceAll(strings.TrimSuffix(x.Text, "\n"), "\n", "~"); err != nil || got != tt.want || x.Format != "csv" {
				t.Errorf("got\n%s %v\nwant\n%s", got, err, tt.want)
			}
			checkBlocks(t, x)
			if lost := uncovered(x, 0); len(lost) > 0 {
				t.Errorf("in no block: %q", lost)
			}
		})
	}
}

func TestCSVEncodings(t *testing.T) {
	for what, in := range map[string]string{
		"UTF-8 with a mark": "\xef\xbb\xbfStadt,Preis\nKöln,5\n",
		"UTF-16":            "\xff\xfeS\x00t\x00a\x00d\x00t\x00,\x00P\x00r\x00e\x00i\x00s\x00\n\x00K\x00\xf6\x00l\x00n\x00,\x005\x00\n\x00",
		"Windows-1252":      "Stadt,Preis\nK\xf6ln,5\n",
	} {
		x, err := Extract("a.csv", []byte(in))
		if want := "| Stadt | Preis |\n| --- | --- |\n| Köln | 5 |\n"; err != nil || x.Text != want {
			t.Errorf("%s: %q %v", what, x.Text, err)
		}
	}
}

// TestCSVOfNames: a table of names in kanji alone has none of the signs of Japanese but
// that no other encoding makes text of it.
func TestCSVOfNames(t *testing.T) {
	want := "| 名前 | 年齢 | 住所 |\n| --- | --- | --- |\n| 佐藤太郎 | 30 | 東京 |\n| 三木英子 | 25 | 大阪 |\n"
	in, err := japanese.ShiftJIS.NewEncoder().String("名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n")
	if err != nil {
		t.Fatal(err)
	}
	if x, err := Extract("a.csv", []byte(in)); err != nil || x.Text != want {
		t.Errorf("%q %v", x.Text, err)
	}
}

// TestCSVHeader: header and rows of the block are those of the table, whose parts
// repeat the one.
func TestCSVHeader(t *testing.T) {
	x, err := Extract("a.csv", []byte("Plan,Price\n"+strings.Repeat("Team,10\n", 200)))
	if err != nil || len(x.Blocks) != 1 {
		t.Fatalf("%d blocks, %v", len(x.Blocks), err)
	}
	b := x.Blocks[0]
	if len(b.Header) != 1 || b.Header[0].Of(x.Text) != "| Plan | Price |" || len(b.Rows) != 200 || b.Rows[199].Of(x.Text) != "| Team | 10 |" {
		t.Errorf("header %v and %d rows", b.Header, len(b.Rows))
	}
}

func TestCSVRefused(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"a row without end", "a,b\n" + strings.Repeat("x,", maxColumns+1), "more than 16384 columns"},
		{"rows without end", "a,b\n" + strings.Repeat("x\n", maxTableRows+60), "more than 2097152 rows"},
		{"nothing in the cells", ",,\n,,\n", ErrNoText.Error()},
		{"metadata", "---\nreaders: [group:hr]\n---\na,b\n", errHidden.Error()},
	} {
		if _, err := Extract("a.csv", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,\"x\ny\"\n", "sep=;\na;b\n\n1;2;3\n", "t\n\na|b\n\\|x|\n", "\"\n,\"a\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.csv", s) })
}
