package claims

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// number is a number or amount in its normal form: 1,000, 1000 and "one thousand" are one,
// and so are "$5", "USD 5" and "5 dollars".
type number struct {
	values  []float64 // it can be read as; 1.234 is a thousand in some languages
	unit    string    // canonical, "" where none that is known stands beside it
	scale   float64   // "million": what a passage may say once for all its figures; else 1
	ordinal bool
	about   bool // "about", "nearly" stands before it
	from    int
	to      int
	unitTo  int // where its unit ends
}

// readNumbers finds the numbers in what no date, time or identifier took.
func (r *reading) readNumbers() {
	for i := 0; i < len(r.words); {
		if r.covered[i] {
			i++
			continue
		}
		n, end := r.numberAt(i)
		if end == i {
			i++
			continue
		}
		r.facts.numbers = append(r.facts.numbers, n)
		r.takeNumber(i, end, n)
		i = end
	}
}

// takeNumber takes the words of a number with those of its unit.
func (r *reading) takeNumber(i, end int, n number) {
	if i > 0 && isCurrency[units[r.words[i-1].folded]] && n.unit == units[r.words[i-1].folded] {
		i--
	}
	for end < len(r.words) && r.words[end].to <= n.unitTo {
		end++
	}
	r.take(i, end)
}

// numberAt reads the number that begins at a word; end is i where none does.
func (r *reading) numberAt(i int) (n number, end int) {
	w := r.words[i]
	n = number{scale: 1, from: w.from, to: w.to}
	var suffix string
	switch values, rest, ok := figures(w.raw); {
	case ok:
		n.values, suffix, end = values, rest, i+1
		if o := strings.ToLower(suffix); o == "st" || o == "nd" || o == "rd" || o == "th" {
			n.ordinal, suffix = true, ""
		}
	default:
		var value float64
		if value, n.ordinal, end = r.spelled(i); end == i {
			return n, i
		}
		n.values = []float64{value}
	}
	if value := scales[strings.ToLower(suffix)]; value > 0 {
		n.times(value)
		suffix = ""
	}
	for end < len(r.words) && !n.ordinal && isJoint(r.gap(end)) {
		value := scales[r.words[end].folded]
		if value == 0 {
			break
		}
		n.times(value)
		end++
	}
	n.to = r.words[end-1].to
	n.unit, n.unitTo = r.unitOf(i, end, suffix)
	if len(n.values) == 1 && n.values[0] == 1 && n.unit == "" && w.folded == "one" {
		return n, i // "one of them" counts nothing
	}
	n.about = i > 0 && hedges[r.words[i-1].folded] || i > 1 && hedges[r.words[i-2].folded]
	return n, max(end, i+1)
}

var hedges = words("about approximately around nearly almost roughly some approx circa over")

func (n *number) times(by float64) {
	for i := range n.values {
		n.values[i] *= by
	}
	n.scale *= by
}

// isJoint is what may stand between a number and what belongs to it.
func isJoint(gap string) bool {
	switch strings.TrimSpace(gap) {
	case "", "-", "‑", "–":
		return true
	}
	return false
}

var scales = map[string]float64{"hundred": 100, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "mio": 1e6, "mn": 1e6, "mm": 1e6,
	"billion": 1e9, "billions": 1e9, "bn": 1e9, "mrd": 1e9, "trillion": 1e12, "trillions": 1e12, "lakh": 1e5, "crore": 1e7}

// figures reads a number written in figures, with what is glued to it.
func figures(raw string) (values []float64, suffix string, ok bool) {
	if raw == "" || raw[0] < '0' || raw[0] > '9' {
		return nil, "", false
	}
	end := strings.IndexFunc(raw, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.' || r == ',') })
	if end < 0 {
		end = len(raw)
	}
	digits, suffix := raw[:end], raw[end:]
	if strings.ContainsFunc(suffix, unicode.IsDigit) {
		return nil, "", false
	}
	groups := strings.FieldsFunc(digits, func(r rune) bool { return r == '.' || r == ',' })
	points, commas := strings.Count(digits, "."), strings.Count(digits, ",")
	value := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	grouped := len(groups) > 1 && len(groups[0]) <= 3
	for _, g := range groups[1:] {
		grouped = grouped && len(g) == 3
	}
	switch {
	case points+commas == 0:
		return []float64{value(digits)}, suffix, true
	case grouped && (points == 0 || commas == 0):
		values = []float64{value(strings.Join(groups, ""))}
		if len(groups) == 2 {
			values = append(values, value(groups[0]+"."+groups[1]))
		}
		if points == 1 { // as English reads it
			values[0], values[1] = values[1], values[0]
		}
		return values, suffix, true
	case points+commas == 1:
		return []float64{value(groups[0] + "." + groups[1])}, suffix, true
	case points == 1 || commas == 1: // thousands and a fraction
		last := len(groups) - 1
		return []float64{value(strings.Join(groups[:last], "") + "." + groups[last])}, suffix, true
	}
	return nil, "", false
}

var small = func() map[string]float64 {
	m := map[string]float64{}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		m[w] = float64(i)
	}
	for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[w] = float64(10 * (i + 2))
	}
	m["dozen"] = 12
	return m
}()

var ordinals = func() map[string]float64 {
	m := map[string]float64{}
	for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth") {
		m[w] = float64(i + 1)
	}
	return m
}()

// spelled reads a number in words: "twenty-one", "two hundred and fifty thousand".
func (r *reading) spelled(i int) (value float64, ordinal bool, end int) {
	if v, ok := ordinals[r.words[i].folded]; ok {
		return v, true, i + 1
	}
	total, group := 0.0, 0.0
	end = i
	last := 0.0 // the value of the word before
	for at := i; at < len(r.words) && !r.covered[at]; at++ {
		w := r.words[at].folded
		if at > i && !isJoint(r.gap(at)) {
			break
		}
		if w == "and" && at > i && last >= 100 && at+1 < len(r.words) && small[r.words[at+1].folded] > 0 {
			continue
		}
		v, isSmall := small[w]
		s := scales[w]
		if len(w) < 4 && !isSmall {
			s = 0 // "mm", "k" belong to figures
		}
		switch {
		case isSmall && (at == i || last >= 100 || last >= 20 && last <= 90 && v < 10 && v > 0):
			group += v
			last = v
		case s == 100 && group > 0:
			group *= 100
			last = 100
		case s >= 1e3 && group > 0:
			total, group = total+group*s, 0
			last = s
		default:
			if o, ok := ordinals[w]; ok && at > i && last >= 20 {
				return total + group + o, true, at + 1
			}
			return total + group, false, end
		}
		end = at + 1
	}
	return total + group, false, end
}

// numberFaults lists the claim's numbers that stand in none of the cited passages.
func numberFaults(r reading, cited []*source) []Fault {
	var missing []string
	for _, n := range r.facts.numbers {
		if n.ordinal && n.from == 0 { // "First, ..." counts the sentences of an answer
			continue
		}
		found := false
		for _, s := range cited {
			found = found || s.hasNumber(n)
		}
		if !found {
			missing = append(missing, strings.TrimSpace(r.text[n.from:max(n.to, n.unitTo)]))
		}
	}
	return notThere(Number, "number", missing)
}

func (s *source) hasNumber(want number) bool {
	for _, have := range s.facts.numbers {
		if s.sameUnit(have, want) && s.sameValue(have, want) {
			return true
		}
	}
	if want.unit == "" && !want.ordinal { // a day or year by itself
		for _, d := range s.facts.dates {
			for _, v := range want.values {
				if v == float64(d.year) || v == float64(d.day) {
					return true
				}
			}
		}
	}
	return false
}

// sameValue compares values. A passage may say once, in a header, what scale its figures
// have; a claim may round what it calls about so much.
func (s *source) sameValue(have, want number) bool {
	for _, h := range have.values {
		if s.isValue(h, want) {
			return true
		}
		if have.scale != 1 || have.unit == "percent" || have.ordinal {
			continue
		}
		for scale := range s.scales {
			if s.isValue(h*scale, want) {
				return true
			}
		}
	}
	return false
}

func (s *source) isValue(h float64, want number) bool {
	for _, w := range want.values {
		if equal(h, w) || want.about && rounds(h, w) {
			return true
		}
	}
	return false
}

func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// rounds reports whether w is h rounded to two digits or more, or down to them.
func rounds(h, w float64) bool {
	if h == 0 || w == 0 {
		return false
	}
	for digits := 2.0; digits <= 4; digits++ {
		unit := math.Pow(10, math.Floor(math.Log10(math.Abs(h)))-digits+1)
		if equal(math.Round(h/unit)*unit, w) || equal(math.Floor(h/unit)*unit, w) {
			return true
		}
	}
	return false
}

// sameUnit compares units. Where the passage's figure has none beside it, its unit must
// stand somewhere in the passage: over the column, in the caption.
func (s *source) sameUnit(have, want number) bool {
	switch {
	case want.unit == have.unit:
		return true
	case want.unit == "":
		return true // a claim need not repeat it
	case have.unit == "":
		return s.units[want.unit]
	}
	return false
}
