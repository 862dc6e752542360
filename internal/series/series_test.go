package series

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
)

func TestName(t *testing.T) {
	for _, c := range []struct{ path, key, mark string }{
		{"policy-v2.md", "policy\x00", "2"},
		{"policy_V3.1.docx", "policy\x00", "3.1"},
		{"Travel Policy (v4).pdf", "travel-policy\x00", "4"},
		{"policy-version-12-final.md", "policy\x00final", "12"},
		{"policy rev 7.md", "policy\x00", "7"},
		{"chicago/2017-12-26.md", "chicago/\x00", "2017-12-26"},
		{"chicago/2017-12-26", "chicago/\x00", "2017-12-26"},
		{"a/policy-2024-01-31.md", "a/policy\x00", "2024-01-31"},
		{"a/20240131_policy.md", "a/\x00policy", "2024-01-31"},
		{"a/policy-2024-03.md", "a/policy\x00", "2024-03-01"},
		{"a/policy-2024.md", "a/policy\x00", "2024-01-01"},
		{"a/policy-v2-2024-01-31.md", "a/policy-v2\x00", "2024-01-31"},
		{"archive.zip!/in/policy-v2.md", "archive.zip!/in/policy\x00", "2"},

		{"policy.md", "", ""},
		{"limits-2.2.md", "", ""},        // of a product, or of whatever
		{"clause-7.md", "", ""},          // a number is no version
		{"inv-4471.md", "", ""},          //
		{"v2/policy.md", "", ""},         // a folder's version is often a product's
		{"2024-13-45.md", "", ""},        // no day
		{"policy-v20240131x.md", "", ""}, //
		{"tariff-2024-Q3.md", "", ""},
		{"rota-2024-w07.md", "", ""},
		{"year2024.md", "", ""},
		{".md", "", ""},
	} {
		key, m, ok := Name(c.path)
		mark := m.Day.String()
		if m.Day == 0 && ok {
			mark = strings.ReplaceAll(strings.Trim(fmt.Sprint(m.Number), "[]"), " ", ".")
		}
		if key != c.key || mark != c.mark || ok != (c.mark != "") {
			t.Errorf("%s: key %q, mark %s; want %q, %s", c.path, key, mark, c.key, c.mark)
		}
	}
}

// policy is a text of a page with some of its sentences in their newest wording.
func policy(changed ...int) string {
	sentences := []string{
		"Everyone may work from home on two days a week after the first three months in the company.",
		"The days are agreed with the team lead and entered into the calendar before the week begins.",
		"Equipment for the home office is paid up to four hundred euros in the first year of employment.",
		"Work from another country needs the consent of the personnel department at least two weeks before the journey.",
		"Who works from abroad for more than twenty days a year has to show that taxes are settled there.",
		"Visitors do not enter the home office while customer data is open on the screen.",
	}
	for _, i := range changed {
		sentences[i] = fmt.Sprintf("Sentence %d was written anew and says something else than what used to stand here in its place.", i)
	}
	return strings.Join(sentences, "\n")
}

func day(s string) document.Day {
	d, err := document.ParseDay(s)
	if err != nil {
		return 0
	}
	return d
}

// told writes what was inferred as one line a document.
func told(valid map[string]document.Interval) string {
	var out []string
	for path, v := range valid {
		out = append(out, fmt.Sprintf("%s [%s, %s)", path, v.From, v.To))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestInfer(t *testing.T) {
	member := func(path, title, text string, edits ...func(*Member)) Member {
		m := NewMember(path, title, text)
		m.Seen = day("2026-06-01")
		for _, edit := range edits {
			edit(&m)
		}
		return m
	}
	seen := func(s string) func(*Member) { return func(m *Member) { m.Seen = day(s) } }
	stated := func(from string) func(*Member) {
		return func(m *Member) { m.Stated, m.From = true, day(from) }
	}
	unread := func(m *Member) { m.Unread, m.Sketch = true, Sketch{} }
	group := func(g string) func(*Member) { return func(m *Member) { m.Group = g } }
	const title = "Working from home"
	for _, c := range []struct {
		name    string
		members []Member
		want    string
	}{
		{"each holds from its date to that of the next", []Member{
			member("p/2024-06-01.md", title, policy(1, 2)), member("p/2022-01-01.md", title, policy()), member("p/2023-01-01.md", title, policy(1)),
		}, "p/2022-01-01.md [2022-01-01, 2023-01-01)\np/2023-01-01.md [2023-01-01, 2024-06-01)\np/2024-06-01.md [2024-06-01, )"},
		{"a name with a date, a month or a year, in a title too", []Member{
			member("home-2022.md", "Working from home 2022", policy()), member("home-2023-03.md", "Working from home (March 2023)", policy(1)), member("home-2024-06-01.md", title, policy(1, 2)),
		}, "home-2022.md [2022-01-01, 2023-03-01)\nhome-2023-03.md [2023-03-01, 2024-06-01)\nhome-2024-06-01.md [2024-06-01, )"},
		{"by number from when each was first seen", []Member{
			member("home-v2.md", title, policy(1), seen("2026-03-01")), member("home-v10.md", title, policy(1, 2), seen("2026-06-01")), member("home-v1.md", title, policy(), seen("2026-01-01")),
		}, "home-v1.md [2026-01-01, 2026-03-01)\nhome-v10.md [2026-06-01, )\nhome-v2.md [2026-03-01, 2026-06-01)"},
		{"by number, all seen on one day: only the newest was ever in force here", []Member{
			member("home-v1.md", title, policy()), member("home-v2.md", title, policy(1)),
		}, "home-v1.md [2026-06-01, 2026-06-01)\nhome-v2.md [2026-06-01, )"},
		{"an older number that is added later never holds", []Member{
			member("home-v1.md", title, policy(), seen("2026-06-01")), member("home-v2.md", title, policy(1), seen("2026-01-01")),
		}, "home-v1.md [2026-01-01, 2026-01-01)\nhome-v2.md [2026-01-01, )"},
		{"one day in two formats", []Member{
			member("home-2022.md", title, policy()), member("home-2022.pdf", title, policy()), member("home-2023.pdf", title, policy(1)),
		}, "home-2022.md [2022-01-01, 2023-01-01)\nhome-2022.pdf [2022-01-01, 2023-01-01)\nhome-2023.pdf [2023-01-01, )"},
		{"what states its validity is left alone and ends the one before", []Member{
			member("home-v1.md", title, policy(), seen("2026-01-01")), member("home-v2.md", title, policy(1), stated("2026-04-01")), member("home-v3.md", title, policy(1, 2), seen("2026-06-01")),
		}, "home-v1.md [2026-01-01, 2026-04-01)\nhome-v3.md [2026-06-01, )"},
		{"a draft ends nothing", []Member{
			member("home-v1.md", title, policy(), seen("2026-01-01")), member("home-v2.md", title, policy(1), stated("")), member("home-v3.md", title, policy(1, 2), seen("2026-06-01")),
		}, "home-v1.md [2026-01-01, 2026-06-01)\nhome-v3.md [2026-06-01, )"},
		{"one that could not be read ends the one before", []Member{
			member("p/2022-01-01.md", title, policy()), member("p/2023-01-01.md", title, policy(1)), member("p/2024-01-01.md", "", "", unread),
		}, "p/2022-01-01.md [2022-01-01, 2023-01-01)\np/2023-01-01.md [2023-01-01, 2024-01-01)"},
		{"a rewrite among many versions breaks nothing", []Member{
			member("p/2021-01-01.md", title, policy()), member("p/2022-01-01.md", title, policy(1)), member("p/2023-01-01.md", title, policy(0, 1, 2, 3, 4, 5)), member("p/2024-01-01.md", title, policy(0, 1, 2, 3, 4, 5)),
		}, "p/2021-01-01.md [2021-01-01, 2022-01-01)\np/2022-01-01.md [2022-01-01, 2023-01-01)\np/2023-01-01.md [2023-01-01, 2024-01-01)\np/2024-01-01.md [2024-01-01, )"},
		{"a text that says since when it holds is about no day", []Member{
			member("p/2022-01-01.md", title, "Effective 1 January 2022.\n"+policy()), member("p/2023-01-01.md", title, "Valid from 2023-01-01, replaces 2022-01-01\n"+policy(1)),
		}, "p/2022-01-01.md [2022-01-01, 2023-01-01)\np/2023-01-01.md [2023-01-01, )"},

		{"one file", []Member{member("home-v1.md", title, policy())}, ""},
		{"other readers", []Member{member("home-v1.md", title, policy(), group("all")), member("home-v2.md", title, policy(1), group("board"))}, ""},
		{"a date and a number", []Member{member("home-v1.md", title, policy()), member("home-2024.md", title, policy(1))}, ""},
		{"other texts", []Member{member("p/2022-01-01.md", "Notice", policy()), member("p/2023-01-01.md", "Notice", policy(0, 1, 2, 3, 4, 5))}, ""},
		{"other titles", []Member{member("p/2022-01-01.md", "Oslo", policy()), member("p/2023-01-01.md", "Bergen", policy(1))}, ""},
		{"minutes with one template", []Member{
			member("minutes/2024-01-15.md", "Weekly meeting", policy()), member("minutes/2024-01-22.md", "Weekly meeting", policy(1)),
		}, ""},
		{"what is about its own day", []Member{
			member("w/2024-01-15.md", "Weekly", policy()+"\nOn 15 January 2024 nobody was there."), member("w/2024-01-22.md", "Weekly", policy(1)+"\nDate: 2024-01-22"),
		}, ""},
		{"what is about its own month", []Member{
			member("w/fees-2024-01.md", "Fees", policy()+"\nFees paid in January 2024: 3,000"), member("w/fees-2024-02.md", "Fees", policy(1)+"\nFees paid in February 2024: 3,000"),
		}, ""},
		{"the interfaces of two versions", []Member{
			member("api-v1.md", "API", policy()+"\nGET /v1/users\nGET /v1/orders\nPOST /v1/orders"), member("api-v2.md", "API", policy(1)+"\nGET /v2/users\nGET /v2/orders\nPOST /v2/orders"),
		}, ""},
		{"notes of releases", []Member{member("release-notes-v1.md", "Release notes", policy()), member("release-notes-v2.md", "Release notes", policy(1))}, ""},
		{"contracts with two customers, from one template", []Member{
			member("sales/contract-2024-03-01.md", "Service Agreement", policy()), member("sales/contract-2024-05-07.md", "Service Agreement", policy(1)),
		}, ""},
		{"agreements by their title, in a folder of days", []Member{
			member("c/2024-03-01.md", "Agreement SA-17", policy()), member("c/2024-05-07.md", "Agreement SA-18", policy(1)),
		}, ""},
		{"editions of one contract", []Member{
			member("contract-2023.md", "Contract", policy()), member("contract-2024.md", "Contract", policy(1)),
		}, "contract-2023.md [2023-01-01, 2024-01-01)\ncontract-2024.md [2024-01-01, )"},
		{"a page about such in the plural", []Member{
			member("interviews/2023-01-01.md", "Interviews", policy()), member("interviews/2024-01-01.md", "Interviews", policy(1)),
		}, "interviews/2023-01-01.md [2023-01-01, 2024-01-01)\ninterviews/2024-01-01.md [2024-01-01, )"},
		{"invoices", []Member{member("2024-01-31.md", "Invoice 4471", policy()), member("2024-02-29.md", "Invoice 4472", policy(1))}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(Infer(c.members)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			reversed := slices.Clone(c.members)
			slices.Reverse(reversed)
			if got := told(Infer(reversed)); got != c.want {
				t.Errorf("in another order:\n%s", got)
			}
		})
	}
}

// records are series of documents that record something, by kind: a template with the
// sentences of one occasion.
var records = map[string]struct {
	path, title, template string
	filled                int // sentences of each occasion
}{
	"minutes":       {"meetings/%s-weekly.md", "Customer weekly", "Present: the head of sales, two account managers\n%s\nNext meeting: in a week, same room", 6},
	"mails":         {"mails/%s-question.txt", "Question about travel", "From: ann@example.com\nTo: help@example.com\n%s\nKind regards, Ann", 4},
	"journal":       {"ops/%s.md", "On call", "Pager duty, handed over at eight o'clock in the morning\n%s", 5},
	"invoices":      {"invoices/%s.md", "Invoice", "Acme Limited, 12 Harbour Road, Bergen. Payable within thirty days to account 1234 5678\n%s\nThank you for your business with us this year.", 2},
	"status report": {"status-%s.md", "Status report", "Everything is on track and there are no risks to be told of at present\n%s", 5},
	"chat":          {"notes/%s-chat.txt", "chat", "%s", 6},
	"incidents":     {"incidents/%s.md", "Outage", "Severity, duration and who was told stand in the ticket system as always\n%s", 6},
	"readings":      {"plant/%s.md", "Readings", "The readings of the plant in the cellar, taken by the caretaker at noon\n%s", 8},
}

// TestRecords: what records something stays in force beside what follows it, whoever writes.
func TestRecords(t *testing.T) {
	words := strings.Fields("customer asked refund after renewal nobody knew price seat pilot storm delay login server restart invoice wrong address contract signed later call back team lead budget approved travel hotel taxi meeting moved monday friday report sent missing part ordered again tested fine closed open ticket number light water pressure temperature pump oil filter changed")
	random := rand.New(rand.NewPCG(5, 7))
	for kind, r := range records {
		for range 20 {
			var members []Member
			for i := range 2 + random.IntN(8) {
				var lines []string
				for range r.filled {
					var line []string
					for range 8 + random.IntN(10) {
						line = append(line, words[random.IntN(len(words))])
					}
					lines = append(lines, strings.Join(line, " ")+".")
				}
				date := (day("2024-01-01") + document.Day(7*i)).String()
				text := fmt.Sprintf(r.template, strings.Join(lines, "\n"))
				members = append(members, NewMember(fmt.Sprintf(r.path, date), r.title, text))
			}
			if got := Infer(members); len(got) > 0 {
				t.Errorf("%s: %s", kind, told(got))
				break
			}
		}
	}
}

// TestStatedIsLeftAlone: whatever stands beside it, nothing is inferred for a document that
// states its validity, and what is inferred is an interval of days in the order of the marks.
func TestStatedIsLeftAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var members []Member
		for i := range 1 + random.IntN(7) {
			m := NewMember(fmt.Sprintf("p/%s.md", (day("2020-01-01")+document.Day(random.IntN(400))).String()), "Working from home", policy(i%6))
			if random.IntN(4) == 0 {
				m = NewMember(fmt.Sprintf("p/home-v%d.md", random.IntN(9)), "Working from home", policy(i%6))
			}
			m.Seen = day("2026-01-01") + document.Day(random.IntN(100))
			if m.Stated = random.IntN(3) == 0; m.Stated && random.IntN(3) > 0 {
				m.From = day("2020-01-01") + document.Day(random.IntN(900))
			}
			m.Unread = random.IntN(8) == 0
			if !slices.ContainsFunc(members, func(have Member) bool { return have.Path == m.Path }) {
				members = append(members, m)
			}
		}
		valid := Infer(members)
		for _, m := range members {
			v, ok := valid[m.Path]
			if ok && (m.Stated || m.Unread) {
				t.Fatalf("%s is given %v", m.Path, v)
			}
			if ok && (v.From == 0 || v.To != 0 && v.To < v.From) {
				t.Fatalf("%s holds %v", m.Path, v)
			}
		}
		for _, a := range members { // no two of one series hold on one day, but with one mark
			for _, b := range members {
				va, oka := valid[a.Path]
				vb, okb := valid[b.Path]
				_, ma, _ := Name(a.Path)
				_, mb, _ := Name(b.Path)
				if oka && okb && (ma.Day == 0) == (mb.Day == 0) && ma.compare(mb) < 0 && (va.To == 0 || va.To > vb.From) {
					t.Fatalf("%s %v and %s %v hold together", a.Path, va, b.Path, vb)
				}
			}
		}
	}
}

// TestShared: the estimate of what long texts share is near to the truth.
func TestShared(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	text := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("word%d", random.IntN(100_000))
		}
		return out
	}
	a := text(20_000)
	for _, share := range []float64{0, 0.1, 0.35, 0.8, 1} {
		b := append(slices.Clone(a[:int(share*20_000)]), text(20_000-int(share*20_000))...)
		if got := Shared(NewSketch(strings.Join(a, " ")), NewSketch(strings.Join(b, " "))); got < share-0.06 || got > share+0.06 {
			t.Errorf("%.2f of the text is shared, and %.2f is told", share, got)
		}
	}
	if got := Shared(NewSketch(policy()), NewSketch(policy()+"\n"+strings.Join(text(500), " "))); got != 1 {
		t.Errorf("what is added to a text takes %f from it", 1-got)
	}
	if got := Shared(NewSketch(""), NewSketch(policy())); got != 0 {
		t.Errorf("nothing shares %f", got)
	}
}

// FuzzName: a name's key and mark do not depend on its ending, and a mark can be compared.
func FuzzName(f *testing.F) {
	for _, s := range []string{"a/policy-v2.md", "2017-12-26.md", "x-20240131-y.pdf", "v1.2.3.4.txt", "\xff-2024.md", "rev_9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		key, m, ok := Name(name)
		if !ok {
			return
		}
		if m.Day == 0 && len(m.Number) == 0 || key == "" || m.compare(m) != 0 {
			t.Fatalf("%q: %q %v", name, key, m)
		}
		about(name, m)
	})
}
