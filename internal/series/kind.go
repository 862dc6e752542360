package series

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// recordWords name documents that record something: each says what was so on one
// occasion, and the next does not replace it. They are those whose documents are filled
// into one template, so that they share much of their text; of others that says enough.
var recordWords = words(`minute minutes meeting meetings agenda agendas standup standups retro retros
	invoice invoices receipt receipts payslip payslips statement statements timesheet timesheets offer offers
	mail mails email emails chat chats transcript transcripts
	report reports newsletter newsletters announcement announcements changelog changelogs notes
	journal journals diary log logs postmortem postmortems survey surveys forecast forecasts budget budgets
	protokoll protokolle besprechung sitzung rechnung rechnungen beleg belege quittung angebot angebote lieferschein
	kontoauszug gehaltsabrechnung nachrichten bericht berichte rundbrief mitteilung tagebuch haushalt`)

// singleWords name documents of which a company has many at once, made by one template: a
// contract with one customer does not end that with another. In the plural they name a page
// about such ("Interviews"), and a version or a year makes an edition of one ("contract-v2").
var singleWords = words(`contract agreement nda order quote quotation proposal certificate permit decision resolution ruling
	complaint claim inspection audit interview application memo memorandum circular incident
	vertrag arbeitsvertrag kaufvertrag mietvertrag dienstvertrag auftrag bestellung bescheinigung zertifikat beschluss
	beschwerde reklamation vermerk aktennotiz rundschreiben`)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// isRecord reports whether a name or title says that a document records something, or, where
// its name has a day or month, that it is one of many: its last word does ("sales report", "meeting minutes"), or the word before a number or name
// ("Invoice INV-4471"). "Report templates" are no report.
func isRecord(name string, m Mark) bool {
	records := func(word string) bool { return recordWords[word] || m.dated() && singleWords[word] }
	parts := strings.FieldsFunc(WithoutMarks(name), func(r rune) bool { return strings.ContainsRune("/\x00#", r) })
	for _, part := range parts {
		list := strings.Fields(part)
		for len(list) > 1 && strings.ContainsAny(list[len(list)-1], "0123456789") {
			list = list[:len(list)-1]
		}
		if len(list) > 0 && (records(list[len(list)-1]) || len(list) <= 3 && records(list[0]) && numbered(part)) {
			return true
		}
	}
	return false
}

func numbered(s string) bool { return strings.ContainsAny(s, "0123456789") }

// standing are words beside which a date says since when a text holds, or which version it
// is, and not what it is about.
var standing = lazyregexp.New(`(?i)effective|valid|in force|version|revision|\brev\b|updat|modif|chang|edit|as of|since|supersed|replac|review|approv|adopt|stand\b|fassung|gültig|geändert|ersetzt`)

// about reports whether a text is about the day, month, year or number that its name
// says, as minutes are of their meeting's day: a line that is no heading holds it and does
// not say that the text holds since then or is that version.
func about(text string, m Mark) bool {
	lines := 0
	for line := range strings.Lines(strings.ToLower(text)) {
		if !mentions(line, m.texts) {
			continue
		}
		if m.Day == 0 {
			lines++ // "v2" in its text is a version of something else only where it comes again and again
		} else if !standing.MatchString(line) && !heading(line) {
			return true
		}
	}
	return lines > manyMentions
}

// manyMentions is from how many lines on a text that names its own version's number is
// about that version of something, such as an interface: whoever uses it needs its text
// beside the next one's.
const manyMentions = 2

func heading(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "title:")
}

// mentions reports whether a line holds one of the texts as words of their own.
func mentions(line string, texts []string) bool {
	for _, t := range texts {
		for rest := line; ; {
			at := strings.Index(rest, t)
			if at < 0 {
				break
			}
			end := at + len(t)
			if (at == 0 || !alphanumeric(rest[at-1])) && (end == len(rest) || !alphanumeric(rest[end])) {
				return true
			}
			rest = rest[end:]
		}
	}
	return false
}

func alphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || b >= 0x80
}
