// Package series finds documents that are dated or numbered versions of one page, such as
// policy-v2.md and policy-v3.md, and on which days each of them holds. Nobody has said so:
// it is inferred of the names and shown by the texts, and it takes only what is shown.
//
// A series are documents of one folder whose names are the same but for a date or version
// number, with the same readers, tenant and attributes, where
//
//   - most neighbours, in the order of the marks, have the same title, dates and versions aside;
//   - neighbours share enough of their text, on average a third of the shorter one's;
//   - neither name nor title is that of a record (minutes, invoices, reports, mails), and
//     fewer than half of the texts are about their own date, as records are, or are, again
//     and again, about their own number, as the documentation of an interface is.
//
// Each holds from its date, or by number from when it was first seen, to the beginning of
// the next. What states something of its own validity is left as it is; it ends the one
// before it.
package series

import (
	"slices"

	"github.com/seed-d3156d19/quarry/document"
)

// Version is that of what is inferred; with another the next sync indexes again.
const Version = "1"

// FileNames is what validity is inferred from.
const FileNames = "file names"

// Member is a document whose name has a mark.
type Member struct {
	Path  string
	Title string
	Sketch
	// About is set where the text is about its own date or number (see About).
	About bool
	// Seen is the day on which its first revision was seen.
	Seen document.Day
	// Stated is set where its metadata says something of its validity; From is then the
	// day from which it holds, 0 where it is in force on no day that ends another.
	Stated bool
	From   document.Day
	// Unread is set where the document has no text, as it could not be read: it is no evidence,
	// and ends the one before it, which must not answer in its place.
	Unread bool
	// Group is equal for documents that one may replace: those of one tenant, with the same
	// readers and attributes.
	Group string
}

// NewMember is a member with what its text says.
func NewMember(file, title, text string) Member {
	_, m, _ := Name(file)
	return Member{Path: file, Title: title, Sketch: NewSketch(text), About: about(text, m)}
}

// How much of the evidence is asked for. Set on handbook_versions, 179 pages that were kept
// by hand for eight years, and on generated records (TestSeparation, TestRecords). The pages'
// mean shares are 0.35 to 1, of a tenth of them below 0.65; those of minutes, mails, journals
// and incidents from one template 0 to 0.14, of status reports up to 0.19. Invoices share
// 0.35 to 0.46: those are told by their names and what they are about.
const (
	leastShared = 1.0 / 3
	leastTitles = 0.5
	mostAbout   = 0.5
)

// maxMembers bounds a series: of more files than that in one folder nothing is inferred.
const maxMembers = 10_000

// Infer gives the days on which members hold that state nothing themselves; those that
// are of no series are absent. The members have one key (see Name).
func Infer(members []Member) map[string]document.Interval {
	out := map[string]document.Interval{}
	groups := map[string][]marked{}
	for _, m := range members {
		if _, mark, ok := Name(m.Path); ok {
			kind := "day"
			if mark.Day == 0 {
				kind = "number"
			}
			key := kind + "\x00" + m.Group
			groups[key] = append(groups[key], marked{m, mark})
		}
	}
	for _, g := range groups {
		slices.SortFunc(g, func(a, b marked) int {
			if c := a.mark.compare(b.mark); c != 0 {
				return c
			}
			if a.Path < b.Path {
				return -1
			}
			return 1
		})
		if isSeries(slices.DeleteFunc(slices.Clone(g), func(m marked) bool { return m.Unread })) {
			hold(g, out)
		}
	}
	return out
}

type marked struct {
	Member
	mark Mark
}

// isSeries weighs the evidence that members, in their order, are versions of one page.
func isSeries(g []marked) bool {
	if len(g) < 2 || len(g) > maxMembers || g[0].mark.compare(g[len(g)-1].mark) == 0 {
		return false
	}
	records, titles, aboutIt, shared, pairs := 0, 0, 0, 0.0, 0
	for i, m := range g {
		if isRecord(m.Path[:len(m.Path)-len(ending(m.Path))], m.mark) || isRecord(m.Title, m.mark) {
			records++
		}
		if m.About {
			aboutIt++
		}
		if i == 0 {
			continue
		}
		pairs++
		shared += Shared(g[i-1].Sketch, m.Sketch)
		if WithoutMarks(g[i-1].Title) == WithoutMarks(m.Title) {
			titles++
		}
	}
	return records == 0 && float64(aboutIt) < mostAbout*float64(len(g)) &&
		float64(titles) >= leastTitles*float64(pairs) && shared >= leastShared*float64(pairs)
}

// hold gives each member that states nothing the days from its beginning to that of the
// next with another mark. Where what is stated, or the days on which numbered ones were
// seen, would have one begin after the next, it holds never.
func hold(g []marked, out map[string]document.Interval) {
	var next document.Day // when what follows begins; 0: nothing does
	for end := len(g); end > 0; {
		begin := end - 1
		for begin > 0 && g[begin-1].mark.compare(g[end-1].mark) == 0 {
			begin--
		}
		first := document.Day(0) // of those with this mark
		for _, m := range g[begin:end] {
			from := m.mark.Day
			switch {
			case m.Stated:
				from = m.From
			case from == 0:
				from = m.Seen
			}
			if from == 0 {
				continue
			}
			if next != 0 {
				from = min(from, next)
			}
			if !m.Stated && !m.Unread {
				out[m.Path] = document.Interval{From: from, To: next}
			}
			if first == 0 || from < first {
				first = from
			}
		}
		if first != 0 {
			next = first
		}
		end = begin
	}
}
