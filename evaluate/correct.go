package evaluate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// correctness compares an answer's text with the reference answers, of which the
// best one counts, and gives answer_exact, answer_f1, answer_numbers and
// answer_correct. A text of "" is that of an answer that was not given.
func correctness(references []string, text string) map[string]float64 {
	v := map[string]float64{}
	put := func(name string, x float64) {
		if old, ok := v[name]; !ok || x > old {
			v[name] = x
		}
	}
	text = citationMark.ReplaceAllString(text, " ")
	said, facts := answerWords(text), factsOf(text)
	for _, r := range references {
		want := answerWords(r)
		if len(want) == 0 {
			continue
		}
		shared := overlapOf(want, said)
		recall := float64(shared) / float64(len(want))
		put("answer_exact", truth(slices.Equal(want, said)))
		put("answer_f1", f1(shared, len(want), len(said)))
		right := recall >= correctRecall
		if needed := factsOf(r); len(needed) > 0 {
			all := truth(subset(needed, facts))
			put("answer_numbers", all)
			right = right && all == 1
		}
		put("answer_correct", truth(right && len(said) > 0))
	}
	return v
}

// correctRecall is how much of a reference an answer must say to count as
// correct where no judge is configured. Quoted answers say it in the document's
// words and say more besides, so that neither equality nor F1 will do. It is a coarse
// rule: it misses what is said in other words and does not see a contradiction.
const correctRecall = 0.5

func f1(shared, want, said int) float64 {
	if shared == 0 {
		return 0
	}
	p, r := float64(shared)/float64(said), float64(shared)/float64(want)
	return 2 * p * r / (p + r)
}

// answerWords are the words that answers are compared by: lower case, no
// punctuation, no articles (the normalisation of SQuAD: Rajpurkar et al., EMNLP
// 2016), and of numbers the one form that factsOf gives them.
func answerWords(s string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(strings.ToLower(plain(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '.' && r != ','
	}) {
		w = strings.Trim(w, ".,")
		if n, ok := number(w); ok {
			w = n
		}
		switch w {
		case "", "a", "an", "the":
			continue
		}
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ',' }) { // "x,y" without a space
			words = append(words, part)
		}
	}
	return words
}

// overlapOf counts the words that two lists share, each as often as both have it.
func overlapOf(a, b []string) int {
	left := map[string]int{}
	for _, w := range b {
		left[w]++
	}
	n := 0
	for _, w := range a {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	return n
}

var (
	citationMark = regexp.MustCompile(`\[\d+\]`)
	isoDate      = regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`)
	dayFirst     = regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?` + monthNames + `\.?,?\s+(\d{4})\b`)
	monthFirst   = regexp.MustCompile(`(?i)\b` + monthNames + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b`)
	digits       = regexp.MustCompile(`\d[\d.,’']*(?:\s\d{3}\b)*`)
)

const monthNames = `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*`

// factsOf gives the dates and numbers of a text in one form, each once: a date as
// 2024-03-05, a number without separators and needless zeros. Numbers written as
// words are none.
func factsOf(s string) []string {
	var facts []string
	add := func(f string) {
		if !slices.Contains(facts, f) {
			facts = append(facts, f)
		}
	}
	date := func(re *regexp.Regexp, year, month, day int) {
		s = re.ReplaceAllStringFunc(s, func(m string) string {
			g := re.FindStringSubmatch(m)
			add(fmt.Sprintf("%s-%s-%02s", g[year], monthNumber(g[month]), g[day]))
			return " "
		})
	}
	date(isoDate, 1, 2, 3)
	date(dayFirst, 3, 2, 1)
	date(monthFirst, 3, 1, 2)
	for _, m := range digits.FindAllString(s, -1) {
		if n, ok := number(m); ok {
			add(n)
		}
	}
	return facts
}

func monthNumber(s string) string {
	if unicode.IsDigit(rune(s[0])) {
		return s
	}
	at := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(s[:3]))
	return fmt.Sprintf("%02d", at/3+1)
}

// number gives a number one form: "1,000", "1 000" and "1000.00" are 1000. A comma
// or point before exactly three digits separates thousands where the digits before
// and after it allow that; a single point is a decimal point.
func number(s string) (string, bool) {
	s = strings.TrimRight(strings.Map(func(r rune) rune {
		if r == '’' || r == '\'' || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s), ".,")
	if s == "" || strings.Trim(s, "0123456789.,") != "" || s[0] < '0' || s[0] > '9' {
		return "", false
	}
	if strings.Count(s, ",") > 0 {
		parts := strings.Split(s, ",")
		thousands := true
		for i, p := range parts[1:] {
			whole, _, _ := strings.Cut(p, ".")
			thousands = thousands && len(whole) == 3 && (i == len(parts)-2 || whole == p)
		}
		if thousands && len(parts[0]) <= 3 {
			s = strings.ReplaceAll(s, ",", "")
		} else if len(parts) == 2 && !strings.Contains(s, ".") {
			s = parts[0] + "." + parts[1] // a decimal comma
		}
	}
	if strings.Count(s, ".") == 1 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if t := strings.TrimLeft(s, "0"); t != "" && t[0] != '.' {
		s = t
	} else {
		s = "0" + t
	}
	return s, true
}

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}
