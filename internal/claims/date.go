package claims

import (
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// date is a day, month or year, or a part of one; what is not said is 0.
type date struct {
	year, month, day int
	// swapped is the other reading of a date in figures: 3/4/2024.
	swapped  bool
	from, to int
}

var months = func() map[string]int {
	m := map[string]int{}
	for i, names := range []string{
		"january jan januar janvier enero gennaio janeiro januari", "february feb februar fevrier febrero febbraio fevereiro februari",
		"march mar marz mars marzo marco maart", "april apr avril abril aprile", "may mai mayo maggio maio mei", "june jun juni juin junio giugno junho",
		"july jul juli juillet julio luglio julho", "august aug aout agosto augustus", "september sep sept septembre septiembre settembre setembro",
		"october oct oktober okt octobre octubre ottobre outubro", "november nov novembre noviembre novembro", "december dec dezember dez decembre diciembre dicembre dezembro"} {
		for name := range strings.FieldsSeq(names) {
			m[name] = i + 1
		}
	}
	return m
}()

var (
	isoDate     = lazyregexp.New(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	dottedDate  = lazyregexp.New(`\b(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b`)
	slashedDate = lazyregexp.New(`\b(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b`)
)

// readDates finds dates in figures, then those with a month's name.
func (r *reading) readDates() {
	for _, form := range []struct {
		shape      *lazyregexp.Regexp
		y, m, d    int // which group is which
		swappedToo bool
	}{{isoDate, 1, 2, 3, false}, {dottedDate, 3, 2, 1, false}, {slashedDate, 3, 2, 1, true}} {
		for _, m := range form.shape.FindAllStringSubmatchIndex(r.text, -1) {
			part := func(n int) int { v, _ := strconv.Atoi(r.text[m[2*n]:m[2*n+1]]); return v }
			d := date{year: part(form.y), month: part(form.m), day: part(form.d), from: m[0], to: m[1]}
			if form.swappedToo && d.month > 12 {
				d.month, d.day = d.day, d.month
			} else {
				d.swapped = form.swappedToo && d.day <= 12
			}
			if d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 {
				continue
			}
			r.facts.dates = append(r.facts.dates, d)
			for i, w := range r.words {
				if w.from >= m[0] && w.to <= m[1] {
					r.covered[i] = true
				}
			}
		}
	}
	for i := range r.words {
		r.namedDate(i)
	}
}

// namedDate reads the date around a month's name: "31 March 2024", "March 31st, 2024",
// "March 2024", "31 March", "March".
func (r *reading) namedDate(i int) {
	w := r.words[i]
	month, ok := months[w.folded]
	if !ok || r.covered[i] || !startsUpper(w.raw) {
		return
	}
	d := date{month: month, from: w.from, to: w.to}
	first, end := i, i+1
	near := func(at int) bool { return strings.Trim(r.gap(at), " ,.\u00a0") == "" }
	if i > 0 && near(i) {
		before := i - 1
		if r.words[before].folded == "of" && i > 1 {
			before--
		}
		if day := dayOf(r.words[before].raw); day > 0 && !r.covered[before] {
			d.day, first, d.from = day, before, r.words[before].from
		}
	}
	if end < len(r.words) && near(end) && d.day == 0 && !r.covered[end] {
		if day := dayOf(r.words[end].raw); day > 0 {
			d.day = day
			end++
		}
	}
	if end < len(r.words) && near(end) && !r.covered[end] {
		if year := yearOf(r.words[end].raw); year > 0 {
			d.year = year
			end++
		}
	}
	// "may", "march" and short forms are other words as well.
	if d.day == 0 && d.year == 0 && (len(w.folded) < 5 || w.folded == "march" || w.folded == "august") {
		return
	}
	d.to = r.words[end-1].to
	r.take(first, end)
	r.facts.dates = append(r.facts.dates, d)
}

func dayOf(raw string) int {
	digits := strings.TrimRight(strings.ToLower(raw), "stndrh")
	day, err := strconv.Atoi(digits)
	if err != nil || day < 1 || day > 31 || len(digits) > 2 {
		return 0
	}
	return day
}

func yearOf(raw string) int {
	year, err := strconv.Atoi(raw)
	if err != nil || len(raw) != 4 || year < 1000 || year > 2999 {
		return 0
	}
	return year
}

// dateFaults lists the claim's dates that stand in none of the cited passages.
func dateFaults(r reading, cited []*source) []Fault {
	var missing []string
	for _, d := range r.facts.dates {
		found := false
		for _, s := range cited {
			found = found || s.hasDate(d)
		}
		if !found {
			missing = append(missing, r.text[d.from:d.to])
		}
	}
	out := notThere(Date, "date", missing)
	missing = nil
	for _, c := range r.facts.clocks {
		found := false
		for _, s := range cited {
			found = found || s.hasClock(c)
		}
		if !found {
			missing = append(missing, r.text[c.from:c.to])
		}
	}
	return append(out, notThere(Date, "time", missing)...)
}

// says reports whether a date of a passage says what one of a claim does. A part that the
// passage's date lacks must stand beside it: the year in a heading.
func (s *source) says(have, want date) bool {
	same := func(h, w int, beside func(int) bool) bool { return w == 0 || h == w || h == 0 && beside(w) }
	no := func(int) bool { return false }
	if !same(have.year, want.year, s.hasYear) {
		return false
	}
	if same(have.month, want.month, no) && same(have.day, want.day, no) {
		return true
	}
	return have.swapped && same(have.day, want.month, no) && same(have.month, want.day, no)
}

func (s *source) hasDate(d date) bool {
	swapped := d
	swapped.month, swapped.day = d.day, d.month
	for _, have := range s.facts.dates {
		if s.says(have, d) || d.swapped && s.says(have, swapped) {
			return true
		}
	}
	return false
}

func (s *source) hasYear(year int) bool {
	for _, d := range s.facts.dates {
		if d.year == year {
			return true
		}
	}
	return s.values[float64(year)]
}

// clock is a time of day in minutes from midnight.
type clock struct {
	minute   int
	half     bool // of a clock of twelve hours, which of the two is not said
	from, to int
}

var clockShape = lazyregexp.New(`(?i)\b(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.? ?m\b\.?|\b([01]?\d|2[0-4]):([0-5]\d)\b|\b(noon|midnight)\b`)

func (r *reading) readClocks() {
	for _, m := range clockShape.FindAllStringSubmatchIndex(r.text, -1) {
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return strings.ToLower(r.text[m[2*n]:m[2*n+1]])
		}
		number := func(s string) int { v, _ := strconv.Atoi(s); return v }
		c := clock{from: m[0], to: m[1]}
		switch {
		case group(3) != "":
			hour := number(group(1)) % 12
			if group(3) == "p" {
				hour += 12
			}
			c.minute = 60*hour + number(group(2))
		case group(6) == "noon":
			c.minute = 12 * 60
		case group(6) == "midnight":
		default:
			hour := number(group(4))
			c.minute, c.half = 60*(hour%24)+number(group(5)), hour >= 1 && hour <= 12
		}
		r.facts.clocks = append(r.facts.clocks, c)
		for i, w := range r.words {
			if w.from >= m[0] && w.to <= m[1] {
				r.covered[i] = true
			}
		}
	}
}

func (s *source) hasClock(c clock) bool {
	for _, have := range s.facts.clocks {
		if have.minute == c.minute || (have.half || c.half) && have.minute%720 == c.minute%720 {
			return true
		}
	}
	return false
}
