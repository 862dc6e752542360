package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
)

// guarded is a document of the access matrix. Its secret stands in its text alone,
// never in a question; asked is a question that it answers.
type guarded struct {
	path, front, text, asked, secret string
	seen                             []string // by which askers
	before                           string   // its content at an earlier add
	fails                            bool     // it yields no passage; its path is the secret
}

// asker is one who asks, with the flags that say so.
type asker struct {
	name  string
	flags []string
	// narrow is set where the scope leaves out what the asker may read: that
	// counts in the statistics all the same, so scores differ from those of a
	// store without it.
	narrow bool
}

var askers = []asker{
	{name: "anyone"},
	{name: "hr", flags: []string{"--as", "group:hr", "--as", "user:eve"}},
	{name: "denied", flags: []string{"--as", "group:hr", "--as", "user:bob"}},
	{name: "staff", flags: []string{"--as", "group:staff"}},
	{name: "acme", flags: []string{"--tenant", "acme"}},
	{name: "acme boss", flags: []string{"--tenant", "acme", "--as", "acme:boss"}},
	{name: "stranger", flags: []string{"--tenant", "nobody"}},
	{name: "drafter", flags: []string{"--drafts"}},
	{name: "past", flags: []string{"--as-of", "2020-06-30"}, narrow: true},
	{name: "future", flags: []string{"--as-of", "2101-01-01"}, narrow: true},
	{name: "emea", flags: []string{"--where", "region=emea"}, narrow: true},
}

// The askers of the default tenant today who need no principal.
var everyone = []string{"anyone", "hr", "denied", "staff", "drafter"}

var matrix = []guarded{
	{path: "a/public.md", text: "# Travel\n\n## 3.1 Hotels\n\nThe hotel limit of RULE-1 is EUR 140 per night.\n\n## 3.2 Trains\n\nStaff travel second class.",
		asked: "What is the hotel limit of RULE-1?", secret: "EUR 140", seen: append([]string{"future", "emea"}, everyone...)},
	{path: "a/canteen.txt", text: "Canteen\n\nThe canteen opens at 11:30, the budget office at 9:15.",
		asked: "When does the canteen open?", secret: "11:30", seen: append([]string{"future", "emea"}, everyone...)},
	{path: "a/bonus.md", front: "readers: [group:hr]", text: "# Bonus\n\nThe bonus budget of RULE-2 for the hotel staff is EUR 90001.",
		asked: "What is the bonus budget of RULE-2?", secret: "EUR 90001", seen: []string{"hr", "denied"}},
	{path: "a/review.md", front: "readers: [group:hr]\ndeny: [user:bob]", text: "# Review of Bob\n\nThe review grade of RULE-3 is 5517 points.",
		asked: "What is the review grade of RULE-3?", secret: "5517 points", seen: []string{"hr"}},
	{path: "a/open-but.md", front: "deny: [group:staff]", text: "# Strike\n\nThe strike reserve of RULE-4 is EUR 66602.",
		asked: "What is the strike reserve of RULE-4?", secret: "EUR 66602", seen: []string{"anyone", "hr", "denied", "drafter", "future", "emea"}},
	{path: "a/nobody.md", front: "readers: []", text: "# Vault\n\nThe vault code of RULE-5 is 33471.", asked: "What is the vault code of RULE-5?", secret: "is 33471"},
	{path: "a/acme.md", front: "tenant: acme", text: "# Acme\n\nThe hotel limit of RULE-1 at Acme is EUR 88803.",
		asked: "What is the hotel limit of RULE-1 at Acme?", secret: "EUR 88803", seen: []string{"acme", "acme boss"}},
	{path: "a/acme-pay.md", front: "tenant: acme\nreaders: [acme:boss]", text: "# Pay\n\nThe pay scale of RULE-6 begins at EUR 77704.",
		asked: "Where does the pay scale of RULE-6 begin?", secret: "EUR 77704", seen: []string{"acme boss"}},
	{path: "a/draft.md", front: "status: draft", text: "# Dogs\n\nThe dog fee of RULE-7 in the hotel is EUR 2205.",
		asked: "What is the dog fee of RULE-7?", secret: "EUR 2205", seen: []string{"drafter"}},
	{path: "a/closed-draft.md", front: "status: draft\nreaders: [group:board]", text: "# Merger\n\nThe merger price of RULE-8 is EUR 5506.",
		asked: "What is the merger price of RULE-8?", secret: "EUR 5506"},
	{path: "a/old.md", front: "status: superseded", text: "# Old travel\n\nThe hotel limit of RULE-1 is EUR 9507.", asked: "What was the hotel limit?", secret: "EUR 9507"},
	{path: "a/expired.md", front: "effective: {from: 2020-01-01, to: 2020-12-31}", text: "# Travel 2020\n\nThe hotel limit of RULE-1 is EUR 9508.",
		asked: "What is the hotel limit of RULE-1?", secret: "EUR 9508", seen: []string{"past"}},
	{path: "a/expired-hr.md", front: "effective: {from: 2020-01-01, to: 2020-12-31}\nreaders: [group:hr]", text: "# Bonus 2020\n\nThe bonus budget of RULE-2 is EUR 9509.",
		asked: "What is the bonus budget of RULE-2?", secret: "EUR 9509"},
	{path: "a/coming.md", front: "effective: {from: 2100-01-01}", text: "# Travel 2100\n\nThe shuttle fare of RULE-9 is EUR 9510.",
		asked: "What is the shuttle fare of RULE-9?", secret: "EUR 9510", seen: []string{"future"}},
	{path: "a/apac.md", front: "region: apac\nreaders: [group:hr]", text: "# APAC\n\nThe visa fee of RULE-10 is EUR 9511.",
		asked: "What is the visa fee of RULE-10?", secret: "EUR 9511", seen: []string{"hr", "denied"}},
	{path: "a/apac-open.md", front: "region: apac", text: "# Ports\n\nThe harbour fee of RULE-12 is EUR 9513.",
		asked: "What is the harbour fee of RULE-12?", secret: "EUR 9513", seen: append([]string{"future"}, everyone...)},
	{path: "a/turned.md", front: "readers: [group:hr]", text: "# Layoffs\n\nThe number of layoffs of RULE-11 is 1212.", before: "# Layoffs\n\nThe number of layoffs of RULE-11 is 1313.",
		asked: "What is the number of layoffs of RULE-11?", secret: "is 1212", seen: []string{"hr", "denied"}},
	{path: "a/empty-hr-4407.md", front: "readers: [group:hr]", secret: "empty-hr-4407", fails: true, seen: []string{"hr", "denied"}},
	{path: "a/broken-4408.md", front: "readers: {group: hr}", text: "# Broken\n\nThe broken number is 4408.", secret: "broken-4408", fails: true},
	// Another source holds a document of the same path, and nothing that all may see.
	{path: "b/public.md", front: "readers: [group:board]", text: "# Board\n\nThe hotel limit of RULE-1 for the board is EUR 9512.",
		asked: "What is the hotel limit for the board?", secret: "EUR 9512"},
}

func (g guarded) content() string {
	if g.front == "" {
		return g.text + "\n"
	}
	return "---\n" + g.front + "\n---\n" + g.text + "\n"
}

// indexed puts documents into a store of a fixed clock and takes their files away,
// so that nothing but the store can tell two sandboxes apart.
func indexed(t *testing.T, start time.Time, documents []guarded) *sandbox {
	t.Helper()
	s := newSandbox(t)
	if os.Getenv("QUARRY_LONG") == "" {
		s.words()
	}
	for day, earlier := range []bool{true, false} {
		sources := map[string]bool{}
		for _, d := range documents {
			switch {
			case !earlier:
				s.write(d.path, d.content())
			case d.before != "":
				s.write(d.path, d.before+"\n")
			default:
				continue
			}
			sources[d.path[:1]] = true
		}
		settings := config.Defaults()
		settings.Quarry.Clock = func() time.Time { return start.AddDate(0, 0, day) }
		corpus, err := standard.Open(t.Context(), s.path("quarry.db"), settings)
		s.must(err)
		for name := range sources {
			_, err := corpus.Sync(t.Context(), name, s.path(name), quarry.Progress{})
			s.must(err)
		}
		s.must(corpus.Close())
	}
	return s
}

// withoutTimes leaves out what two runs may differ in: the numbers after "ms": and, with the
// spaces before them, those before ms. Texts of megabytes go through it, hence no regular expression.
func withoutTimes(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "ms")
		number := strings.TrimRight(strings.TrimSuffix(before, " "), "0123456789.")
		switch {
		case !found:
			out.WriteString(text)
			return out.String()
		case strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `": `):
			out.WriteString(before + `ms": `)
			after = strings.TrimLeft(after[len(`": `):], "0123456789.e+-")
		case strings.HasSuffix(before, " ") && len(number) < len(before)-1:
			out.WriteString(strings.TrimRight(number, " "))
		default:
			out.WriteString(before + "ms")
		}
		text = after
	}
}

func TestWithoutTimes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		`{"ms": 1.5e-05, "ms": 2}`:             `{"ms": , "ms": }`,
		`{"ms": null, "items": 3, "ms":4}`:     `{"ms": null, "items": 3, "ms":4}`,
		"search    12.5 ms, 3 ms\nitems  7 ms": "search,\nitems",
		"12 terms, ms, forms 5  ms":            "12 terms, ms, forms 5  ms",
		"4 ms5 ms":                             "",
	} {
		if got := withoutTimes(text); got != want {
			t.Errorf("%q without times is %q, want %q", text, got, want)
		}
	}
}

// filtered is what a trace says of documents that the asker may read and the scope leaves
// out: they are told and not hidden. That it counts no others is for TestAccessOfTheLibrary.
var filtered = regexp.MustCompile(`,?\s*"left out: [^"]*"|,?\s*"filtered": \{[^}]*\}|; left out: [^\n]*`)

func (r result) timeless() string {
	plain := func(s string) string { return filtered.ReplaceAllString(withoutTimes(s), "") }
	return fmt.Sprintf("exit code %d\n%s\n%s", r.code, plain(r.out), plain(r.err))
}

// sight is all that an asker can do with a store, as command lines, in one of
// the forms that a verb has.
func (a asker) sight() [][]string {
	var lines [][]string
	add := func(form int, forms [][]string, line ...string) {
		lines = append(lines, slices.Concat(line, a.flags, forms[form%len(forms)]))
	}
	answers := [][]string{{"--json", "-v"}, nil}
	shows := [][]string{nil, {"--json"}, {"--text"}, {"--passages"}}
	add(0, answers, "docs")
	add(1, answers, "docs")
	add(0, answers, "search", "the of hotel limit budget fee EUR", "-k", "100")
	add(0, answers, "ask", "What is the hotel limit, and who says what the bonus budget is?")
	for i, d := range matrix {
		if testing.Short() && i%4 != 1 {
			continue
		}
		if d.asked != "" {
			add(i, answers, "ask", d.asked)
			add(i+1, answers, "search", d.asked)
		}
		name := d.path[2:]
		if i%2 == 0 {
			name = strings.Replace(d.path, "/", ":", 1)
		}
		if !a.leftOut(d) {
			add(i/2, shows, "show", name)
		}
		if line := a.why(i, d, name); line != nil {
			add(i+len(a.name), answers, line...)
		}
	}
	return lines
}

// why is a diagnosis of what the asker sees, or may not read; what the scope
// leaves out and the asker may read, as a draft, is told and not hidden.
func (a asker) why(i int, d guarded, name string) []string {
	if a.leftOut(d) {
		return nil
	}
	question := d.asked
	if question == "" {
		question = "What is the number of the broken file?"
	}
	_, text, _ := strings.Cut(d.text, "\n\n")
	forms := [][]string{{"--expect", name}, {"--expect", name + "#3.1 Hotels"}, {"--quote", text}, {"--expect", name, "--quote", text}}
	form := forms[(i+len(a.flags)+len(a.name))%len(forms)]
	if text == "" {
		form = forms[0]
	}
	return append([]string{"why", question}, form...)
}

// leftOut reports whether an asker may read a document and the scope leaves it out.
func (a asker) leftOut(d guarded) bool { return a.mayRead(d) && !slices.Contains(d.seen, a.name) }

// mayRead reports whether tenant, readers and denials admit the asker, as the
// front matter says it.
func (a asker) mayRead(d guarded) bool {
	tenant, principals := "", []string{}
	for i := 0; i+1 < len(a.flags); i += 2 {
		switch a.flags[i] {
		case "--tenant":
			tenant = a.flags[i+1]
		case "--as":
			principals = append(principals, a.flags[i+1])
		}
	}
	of, everyone := "", true
	var readers, denied []string
	for line := range strings.Lines(d.front) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		names := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[], ", r) })
		switch {
		case key == "tenant":
			of = value
		case key == "readers":
			everyone, readers = false, names
		case key == "deny":
			denied = names
		}
	}
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return slices.Contains(principals, p) })
	}
	return of == tenant && !in(denied) && (everyone || in(readers))
}

// TestAccess: whoever asks, and however, gets of the documents that may not be
// seen nothing, and nothing that would be otherwise if they were not there.
func TestAccess(t *testing.T) {
	start := time.Now().AddDate(0, 0, -30)
	with := indexed(t, start, matrix)
	for i, a := range askers {
		if testing.Short() && i%4 != 2 {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			var there []guarded
			for _, d := range matrix {
				if slices.Contains(d.seen, a.name) || a.narrow && slices.Contains(d.seen, "anyone") {
					there = append(there, d)
				}
			}
			without := indexed(t, start, there)
			mine, its := *with, *without
			mine.t, its.t = t, t
			found := map[string]bool{}
			for _, line := range a.sight() {
				have := a.compare(t, &mine, &its, line)
				for _, d := range matrix {
					if d.secret == "" || !strings.Contains(have.out+have.err, d.secret) || strings.Contains(strings.Join(line, " "), d.secret) {
						continue
					}
					found[d.path] = true
					if !slices.Contains(d.seen, a.name) {
						t.Errorf("quarry %q shows %s:\n%s%s", line, d.path, have.out, have.err)
					}
				}
			}
			for _, d := range there {
				if !testing.Short() && slices.Contains(d.seen, a.name) && !found[d.path] {
					t.Errorf("%s may be seen and is found by nothing", d.path)
				}
			}
		})
	}
}

// compare runs one line on both stores.
func (a asker) compare(t *testing.T, with, without *sandbox, line []string) result {
	t.Helper()
	for {
		day := time.Now().UTC().Day()
		have, want := with.run(line...), without.run(line...)
		if day != time.Now().UTC().Day() {
			continue // a trace names the day
		}
		if have.timeless() != want.timeless() {
			t.Errorf("quarry %q tells a store with hidden documents from one without them:\n%s\n---\n%s", line, have.timeless(), want.timeless())
		}
		if slices.Contains(line, "--json") && have.code == 0 && !json.Valid(bytes.TrimSpace([]byte(have.out))) {
			t.Errorf("quarry %q: no JSON: %s", line, have.out)
		}
		return have
	}
}
