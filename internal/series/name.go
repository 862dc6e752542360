package series

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// Mark is what a file's name says of the version that the file is: a day, or a number.
type Mark struct {
	Day    document.Day // the first of the month or year where the name says no more; 0: a number
	Number []int        // 3.1 is 3, 1
	// texts are ways to write the mark, by which a text that is about it is known.
	texts []string
}

// compare orders the marks of one series.
func (m Mark) compare(o Mark) int {
	return cmp.Or(cmp.Compare(m.Day, o.Day), slices.Compare(m.Number, o.Number))
}

// dated reports whether a mark is a day or a month, not a year or a number.
func (m Mark) dated() bool { return m.Day != 0 && len(m.texts[0]) > len("2006") }

// Where a mark may stand in a name without its ending: between marks that part words.
const (
	before = `(?i)(^|[-_. (\[,])`
	after  = `($|[-_. )\],])`
)

// marks of names, the first that is found counts. The second group is the mark.
var marks = []struct {
	pattern *lazyregexp.Regexp
	read    func(string) (Mark, bool)
}{
	{lazyregexp.New(before + `((?:19|20)\d\d([-_.]?)(?:0[1-9]|1[0-2])([-_.]?)(?:0[1-9]|[12]\d|3[01]))` + after), readDate},
	{lazyregexp.New(before + `((?:19|20)\d\d[-_.](?:0[1-9]|1[0-2]))` + after), readDate},
	{lazyregexp.New(before + `((?:v|ver|version|rev|revision)[-_. ]?\d{1,4}(?:[._]\d{1,4}){0,3})` + after), readNumber},
	{lazyregexp.New(before + `((?:19|20)\d\d)` + after), readDate},
}

// goesOn follows what is no whole date: "2024-13-45", "2024-Q3", "2024 week 7".
var goesOn = lazyregexp.New(`(?i)^[-_. ]?(?:\d|[qh][1-4]\b|(?:kw|w|week|woche)[-_. ]?\d)`)

// Name takes a slash path apart into its mark and what is left: paths of versions of one
// page have one key. ok is false for a name without a mark.
func Name(file string) (key string, m Mark, ok bool) {
	dir, base := path.Split(file)
	stem := strings.TrimSuffix(base, ending(base))
	for _, p := range marks {
		at := p.pattern.FindStringSubmatchIndex(stem)
		if at == nil {
			continue
		}
		if goesOn.MatchString(stem[at[5]:]) {
			continue
		}
		if m, ok = p.read(stem[at[4]:at[5]]); ok {
			return dir + plain(stem[:at[4]]) + "\x00" + plain(stem[at[5]:]), m, true
		}
	}
	return "", Mark{}, false
}

// plain is a part of a name as it is compared: without what parts words.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune("-_. ()[],", r) }), "-")
}

func readDate(s string) (Mark, bool) {
	digits := strings.NewReplacer("-", "", "_", "", ".", "").Replace(s)
	written := digits[:4]
	for i := 4; i+2 <= len(digits); i += 2 {
		written += "-" + digits[i:i+2]
	}
	day, err := document.ParseDay(written)
	if err != nil {
		return Mark{}, false
	}
	t := day.Time()
	m := Mark{Day: day, texts: []string{written}}
	month := t.Month().String()
	switch len(digits) {
	case 8:
		for _, layout := range []string{"January 2, 2006", "January 2 2006", "2 January 2006", "2. January 2006", "Jan 2, 2006", "2 Jan 2006",
			"01/02/2006", "1/2/2006", "02/01/2006", "02.01.2006", "2.1.2006", "2006/01/02"} {
			m.texts = append(m.texts, strings.ToLower(t.Format(layout)))
		}
		m.texts = append(m.texts, german(t.Day(), int(t.Month()), t.Year()))
	case 6:
		m.texts = append(m.texts, strings.ToLower(month)+" "+digits[:4], strings.ToLower(month[:3])+" "+digits[:4], months[t.Month()-1]+" "+digits[:4],
			t.Format("01/2006"), t.Format("2006/01"))
	}
	return m, true
}

// months in German, where English ones differ or not.
var months = [...]string{"januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"}

func german(day, month, year int) string {
	return strconv.Itoa(day) + ". " + months[month-1] + " " + strconv.Itoa(year)
}

func readNumber(s string) (Mark, bool) {
	digits := strings.TrimLeft(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz-_. ")
	var m Mark
	for _, part := range strings.FieldsFunc(digits, func(r rune) bool { return r == '.' || r == '_' }) {
		n, err := strconv.Atoi(part)
		if err != nil {
			return Mark{}, false
		}
		m.Number = append(m.Number, n)
	}
	dotted := strings.ReplaceAll(digits, "_", ".")
	m.texts = []string{"v" + dotted, "version " + dotted, "rev " + dotted, "revision " + dotted}
	return m, len(m.Number) > 0
}

// WithoutMarks is a title as titles of one series are compared: without dates, years and
// version numbers, in lower case.
func WithoutMarks(title string) string {
	return strings.Join(strings.FieldsFunc(dates.ReplaceAllString(strings.ToLower(title), " "), func(r rune) bool {
		return strings.ContainsRune("-_.,:;()[]\"'“”‘’ \t\n", r)
	}), " ")
}

// dates and versions as titles hold them.
var dates = lazyregexp.New(`(?i)\b(?:v|ver\.?|version|rev\.?|revision)\s?\d+(?:\.\d+)*\b` +
	`|\b(?:\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?)?(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:19|20)\d\d\b` +
	`|\b(?:19|20)\d\d[-/._]?(?:0[1-9]|1[0-2])(?:[-/._]?(?:0[1-9]|[12]\d|3[01]))?\b|\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b|\b(?:19|20)\d\d\b`)

// ending is the part of a path, with its dot, that says the format: "policy-v3.1" has none.
func ending(file string) string {
	e := path.Ext(file)
	if len(e) > 1 && strings.Trim(e[1:], "0123456789") == "" {
		return ""
	}
	return e
}
