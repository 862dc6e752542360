package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// builtin are the number formats that a file need not spell out (ECMA-376 part 1,
// 18.8.30). Excel writes dates of 14 and 22 as the reader's own region does; they
// are written in the one form that nobody reads otherwise.
var builtin = map[int]string{
	1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
	22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0",
}

// token is a piece of a number format: a placeholder or a literal.
type token struct {
	text    string
	literal bool
}

// Format writes a number as a number format shows it (18.8.31). Fractions are
// written as decimals.
func Format(v float64, code string, epoch1904 bool) string {
	section, value := choose(v, code)
	tokens, elapsed := tokenize(section)
	switch {
	case len(tokens) == 0 && strings.TrimSpace(section) == "" && code != "":
		return "" // a section that hides the value
	case code == "" || isGeneral(tokens) || math.IsNaN(v) || math.IsInf(v, 0):
		return general(value, tokens)
	case isDate(tokens) || elapsed:
		return formatDate(v, tokens, epoch1904)
	}
	return formatNumber(value, tokens)
}

// choose takes the section for a value: positive, negative, zero, or by its own
// condition. A section for negative values shows the sign itself.
func choose(v float64, code string) (string, float64) {
	s := sections(code)
	for i, sec := range s {
		if op, limit, ok := condition(sec); ok && holds(v, op, limit) {
			if i > 0 {
				v = math.Abs(v)
			}
			return sec, v
		}
	}
	switch {
	case len(s) >= 2 && v < 0:
		return s[1], -v
	case len(s) >= 3 && v == 0:
		return s[2], v
	}
	return s[0], v
}

func sections(code string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
		case c == ';' && !quoted:
			out = append(out, code[start:i])
			start = i + 1
		}
	}
	return append(out, code[start:])
}

// condition is what stands in [>=100].
func condition(section string) (op string, limit float64, ok bool) {
	for rest := section; ; {
		_, after, found := strings.Cut(rest, "[")
		inner, next, closed := strings.Cut(after, "]")
		if !found || !closed {
			return "", 0, false
		}
		op = strings.TrimRight(inner, "0123456789.-+eE ")
		if f, err := strconv.ParseFloat(strings.TrimSpace(inner[len(op):]), 64); err == nil && strings.Trim(op, "<>=") == "" && op != "" {
			return op, f, true
		}
		rest = next
	}
}

func holds(v float64, op string, limit float64) bool {
	switch op {
	case "<":
		return v < limit
	case "<=":
		return v <= limit
	case ">":
		return v > limit
	case ">=":
		return v >= limit
	case "=":
		return v == limit
	case "<>":
		return v != limit
	}
	return false
}

// tokenize splits a section; elapsed is whether it counts hours beyond a day.
// Colours, fills and widths leave no token.
func tokenize(s string) (tokens []token, elapsed bool) {
	add := func(text string, literal bool) {
		if n := len(tokens); literal && n > 0 && tokens[n-1].literal {
			tokens[n-1].text += text
			return
		}
		tokens = append(tokens, token{text, literal})
	}
	for s != "" {
		switch c := s[0]; {
		case c == '"':
			text, rest, _ := strings.Cut(s[1:], `"`)
			add(text, true)
			s = rest
		case c == '\\' || c == '_' || c == '*':
			_, n := utf8.DecodeRuneInString(s[1:])
			if c == '\\' {
				add(s[1:1+n], true)
			}
			s = s[1+n:]
		case c == '[':
			inner, rest, _ := strings.Cut(s[1:], "]")
			s = rest
			if money, ok := strings.CutPrefix(inner, "$"); ok {
				sign, _, _ := strings.Cut(money, "-")
				add(sign, true)
			} else if low := strings.ToLower(inner); low != "" && (strings.Trim(low, "h") == "" || strings.Trim(low, "m") == "" || strings.Trim(low, "s") == "") {
				elapsed = true
				add("["+low[:1]+"]", false)
			}
		case len(s) >= 5 && strings.EqualFold(s[:5], "am/pm"):
			add("AM/PM", false)
			s = s[5:]
		case len(s) >= 7 && strings.EqualFold(s[:7], "general"):
			add("General", false)
			s = s[7:]
		case strings.IndexByte("ymdhsYMDHS", c) >= 0:
			n := 1
			for n < len(s) && s[n]|0x20 == c|0x20 {
				n++
			}
			add(strings.ToLower(s[:n]), false)
			s = s[n:]
		case strings.IndexByte("0#?.,%@", c) >= 0:
			add(s[:1], false)
			s = s[1:]
		case (c == 'E' || c == 'e') && len(s) > 1 && (s[1] == '+' || s[1] == '-'):
			add("E", false)
			s = s[2:]
		default:
			_, n := utf8.DecodeRuneInString(s)
			add(s[:n], true)
			s = s[n:]
		}
	}
	return tokens, elapsed
}

func isGeneral(tokens []token) bool {
	for _, t := range tokens {
		if !t.literal && (t.text == "General" || t.text == "@") {
			return true
		}
	}
	return len(tokens) == 0
}

func isDate(tokens []token) bool {
	for _, t := range tokens {
		if !t.literal && strings.Trim(t.text, "ymdhs") == "" {
			return true
		}
	}
	return false
}

// general shows 15 significant figures, which a number of a sheet has.
func general(v float64, tokens []token) string {
	s := strconv.FormatFloat(v, 'g', 15, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil && (f == 0 || math.Abs(f) >= 1e-9 && math.Abs(f) < 1e15) {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	var b strings.Builder
	done := false
	for _, t := range tokens {
		switch {
		case t.literal:
			b.WriteString(t.text)
		case !done:
			b.WriteString(s)
			done = true
		}
	}
	if !done {
		b.WriteString(s)
	}
	return b.String()
}

// moment is the time that a number stands for: days since the end of 1899, or of
// 1903. Excel counts a 29 February 1900 that never was, so that days
// before it are one off.
func moment(v float64, epoch1904 bool, precision time.Duration) time.Time {
	base := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case epoch1904:
		base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 60:
		base = base.AddDate(0, 0, 1)
	}
	days, part := math.Modf(v)
	return base.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(part*864e5)) * time.Millisecond).Round(precision)
}
