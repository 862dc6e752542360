package query

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// period is a stretch of days that a question names.
type period struct {
	first, last document.Day
}

func (p period) holds(d document.Day) bool { return p.first <= d && d <= p.last }

// Parts of the patterns of dates, in English and German.
const (
	monthNames = `jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|januar|februar`
	years      = `(?:19|20)\d\d`
	dayOfMonth = `[0-3]?\d(?:st|nd|rd|th|\.)?`
)

// periodText matches a period, periodPattern with groups the parts of one.
const periodText = `(?:(?:the )?(?:very )?(?:end|close|ende) (?:of |des jahres )?|(?:the )?(?:beginning|start|anfang) (?:of |des jahres )?)?(?:the )?(?:` +
	years + `-[01]\d-[0-3]\d|` +
	dayOfMonth + `(?: of)? (?:` + monthNames + `)\.?,? ` + years + `|` +
	`(?:` + monthNames + `)\.? [0-3]?\d(?:st|nd|rd|th)?,? ` + years + `|` +
	`(?:` + monthNames + `)\.?(?: of|,)? (?:` + years + `|(?:last|next|this) year)|` +
	`q[1-4](?: of|,)? ` + years + `|` +
	`(?:year |jahr |jahres )?` + years + `|` +
	`(?:last|next|this|letztes|letzten|nächstes|nächsten) (?:year|month|quarter|jahr|jahres|monat|monats)|` +
	`(?:a|one|two|three|four|five|\d{1,2}) (?:years?|months?|weeks?|days?) ago|yesterday)`

var (
	isoDay     = lazyregexp.New(`(?i)(` + years + `)-([01]\d)-([0-3]\d)`)
	dayMonth   = lazyregexp.New(`(?i)\b(` + dayOfMonth + `)(?: of)? (` + monthNames + `)\.?,? (` + years + `)`)
	monthDay   = lazyregexp.New(`(?i)\b(` + monthNames + `)\.? ([0-3]?\d)(?:st|nd|rd|th)?,? (` + years + `)`)
	monthYear  = lazyregexp.New(`(?i)\b(` + monthNames + `)\.?(?: of|,)? (?:(` + years + `)|(last|next|this) year)`)
	quarter    = lazyregexp.New(`(?i)\bq([1-4])(?: of|,)? (` + years + `)`)
	ago        = lazyregexp.New(`(?i)\b(a|one|two|three|four|five|\d{1,2}) (year|month|week|day)s? ago`)
	relative   = lazyregexp.New(`(?i)\b(last|next|this|letztes|letzten|nächstes|nächsten) (year|month|quarter|jahr|jahres|monat|monats)`)
	plainYear  = lazyregexp.New(`\b(` + years + `)\b`)
	atItsEnd   = lazyregexp.New(`(?i)\b(?:end|close|ende)\b`)
	atItsStart = lazyregexp.New(`(?i)\b(?:beginning|start|anfang)\b`)
)

// periodOf reads what periodText matched.
func periodOf(text string, today document.Day) (period, bool) {
	p, ok := wholePeriod(text, today)
	switch {
	case !ok:
		return p, false
	case atItsEnd.MatchString(text):
		p.first = p.last
	case atItsStart.MatchString(text):
		p.last = p.first
	}
	return p, p.first >= document.DayMin && p.last <= document.DayMax
}

func wholePeriod(text string, today document.Day) (period, bool) {
	now := today.Time()
	if m := isoDay.FindStringSubmatch(text); m != nil {
		return dayPeriod(m[1], m[2], m[3])
	}
	if m := dayMonth.FindStringSubmatch(text); m != nil {
		return dayPeriod(m[3], strconv.Itoa(month(m[2])), strings.TrimRight(m[1], "stndrh."))
	}
	if m := monthDay.FindStringSubmatch(text); m != nil {
		return dayPeriod(m[3], strconv.Itoa(month(m[1])), m[2])
	}
	if m := monthYear.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[2])
		if m[2] == "" {
			year = now.Year() + step(m[3])
		}
		return months(year, month(m[1]), 1), true
	}
	if m := quarter.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[2])
		q, _ := strconv.Atoi(m[1])
		return months(year, 3*q-2, 3), true
	}
	if m := ago.FindStringSubmatch(text); m != nil {
		n := count(m[1])
		var t time.Time
		switch strings.ToLower(m[2]) {
		case "year":
			t = now.AddDate(-n, 0, 0)
		case "month":
			t = now.AddDate(0, -n, 0)
		case "week":
			t = now.AddDate(0, 0, -7*n)
		default:
			t = now.AddDate(0, 0, -n)
		}
		d := document.DayOf(t)
		return period{d, d}, true
	}
	if strings.EqualFold(text, "yesterday") {
		return period{today - 1, today - 1}, true
	}
	if m := relative.FindStringSubmatch(text); m != nil {
		by := step(m[1])
		switch unit := strings.ToLower(m[2]); {
		case unit == "quarter":
			return months(now.Year(), int(now.Month()-1)/3*3+1+3*by, 3), true
		case strings.HasPrefix(unit, "mon"):
			return months(now.Year(), int(now.Month())+by, 1), true
		}
		return months(now.Year()+by, 1, 12), true
	}
	if m := plainYear.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		return months(year, 1, 12), true
	}
	return period{}, false
}

func dayPeriod(year, month, day string) (period, bool) {
	for len(month) < 2 {
		month = "0" + month
	}
	for len(day) < 2 {
		day = "0" + day
	}
	d, err := document.ParseDay(year + "-" + month + "-" + day)
	return period{d, d}, err == nil
}

// months is a period of n months; a month below 1 or above 12 is one of another year.
func months(year, month, n int) period {
	from := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return period{document.DayOf(from), document.DayOf(from.AddDate(0, n, 0)) - 1}
}

// month is the number of a month by its name's beginning.
func month(name string) int {
	for i, begins := range [...][]string{{"jan"}, {"feb"}, {"mar", "mär"}, {"apr"}, {"may", "mai"}, {"jun"}, {"jul"}, {"aug"}, {"sep"}, {"oct", "okt"}, {"nov"}, {"dec", "dez"}} {
		for _, b := range begins {
			if strings.HasPrefix(strings.ToLower(name), b) {
				return i + 1
			}
		}
	}
	return 0
}

func step(word string) int {
	switch strings.ToLower(word)[0] {
	case 'l':
		return -1
	case 'n':
		return 1
	}
	return 0
}

func count(word string) int {
	for i, w := range [...]string{"a", "one", "two", "three", "four", "five"} {
		if strings.EqualFold(word, w) {
			return max(1, i)
		}
	}
	n, _ := strconv.Atoi(word)
	return n
}
