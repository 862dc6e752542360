package extract

import (
	"regexp"
	"strings"
	"testing"
)

// TestJSON gives the Markdown that JSON becomes.
var blankRuns = regexp.MustCompile(`\n{3,}`)

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ what, name, in, want string }{
		{"keys as a path of headings", "a.json", `{"service":{"name":"Billing","limits":{"seats":40,"open":true,"none":null}}}`,
			"# service\n\n- **name**: Billing\n\n## limits\n\n- **seats**: 40\n- **open**: true"},
		{"short values before sections", "a.json", `{"a":{"b":1},"c":2}`, "- **c**: 2\n\n# a\n\n- **b**: 1"},
		{"like objects as a table", "a.json", `{"plans":[{"plan":"Team","price":10},{"plan":"Firm","price":20,"note":"a|b"}]}`,
			"# plans\n\n| plan | price | note |\n| --- | --- | --- |\n| Team | 10 |  |\n| Firm | 20 | a\\|b |"},
		{"unlike objects one by one", "a.json", `[{"name":"A","x":{"y":1}},{"b":2,"x":{"y":2}}]`,
			"# A\n\n- **name**: A\n\n## x\n\n- **y**: 1\n\n# Record 2\n\n- **b**: 2\n\n## x\n\n- **y**: 2"},
		{"lists of values", "a.json", `{"tags":["red","blue"],"steps":["one\ntwo","three"]}`,
			"- **tags**: red, blue\n\n# steps\n\none\ntwo\n\n- three"},
		{"text with paragraphs", "a.json", `{"body":"First.\r\n\r\n- not a list\u0000"}`, "# body\n\nFirst.\n\n\\- not a list"},
		{"lines of like objects", "a.jsonl", "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"},
		{"lines of records", "a.ndjson", "{\"id\":\"K-1\",\"text\":\"Long\\ntext\"}\n{\"id\":\"K-2\",\"text\":\"More\\ntext\"}\n",
			"# K-1\n\n- **id**: K-1\n\n## text\n\nLong\ntext\n\n# K-2\n\n- **id**: K-2\n\n## text\n\nMore\ntext"},
		{"lines under the other name", "a.json", "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"},
		{"deeper than headings go", "a.json", `{"1":{"2":{"3":{"4":{"5":{"6":{"seven":{"eight":{"x":1}}}}}}}}}`,
			"# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6\n\n- **seven.eight.x**: 1"},
		{"numbers as they are written", "a.json", `{"n":12345678901234567890.10}`, "- **n**: 12345678901234567890.10"},
		{"no JSON", "a.json", "{\n  // a comment\n  \"a\": 1\n}", "{\n  // a comment\n  \"a\": 1\n}"},
		{"told by its content", "export", `{"a":1}`, "- **a**: 1"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			x, err := Extract(tt.name, []byte(tt.in))
			got := blankRuns.ReplaceAllString(strings.TrimSpace(x.Text), "\n\n")
			if err != nil || got != tt.want {
				t.Errorf("got\n%s %v\nwant\n%s", got, err, tt.want)
			}
			checkBlocks(t, x)
		})
	}
}

func TestJSONTitleAndNotes(t *testing.T) {
	x, err := Extract("a.json", []byte(`{"title":"Price list","image":"`+strings.Repeat("QUJD", 300)+`"}`))
	if err != nil || x.Title != "Price list" || len(x.Notes) != 1 || strings.Contains(x.Text, "QUJD") {
		t.Errorf("%q %q %v", x.Title, x.Notes, err)
	}
}

func TestJSONRefused(t *testing.T) {
	for _, tt := range []struct{ what, in, want string }{
		{"brackets without end", strings.Repeat("[", 1_000_000), "nests deeper than 200 levels"},
		{"objects without end", strings.Repeat(`{"a":`, 1_000_000), "nests deeper than 200 levels"},
		{"values without end", "[" + strings.Repeat("1,", maxJSONValues) + "1]", "more than 4194304 values"},
		{"nothing", `{"a":null,"b":[{}]}`, ErrNoText.Error()},
		{"metadata", "---\nreaders: [group:hr]\n---\n{\"a\":1}", errHidden.Error()},
	} {
		if _, err := Extract("a.json", []byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.what, err, tt.want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[{"b":1,"c":"x\n- y"},{"b":2,"c":null}],"d":{"e":{}}}`, "{\"a\":1}\n[2,\"\\r\"]\n", `{"# a\n":["|","*"]}`, "{\"a\":\n//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { fuzzed(t, "a.json", s) })
}
