package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// formatNumber fills the placeholders of a section for numbers.
func formatNumber(v float64, tokens []token) string {
	layout := layoutOf(tokens)
	if layout.placeholders == 0 { // text alone
		return literals(tokens)
	}
	if layout.exponent {
		return strings.TrimSpace(layout.prefix + strconv.FormatFloat(v, 'E', layout.decimals, 64) + layout.suffix)
	}
	v *= math.Pow(100, float64(layout.percents)) / math.Pow(1000, float64(layout.scale))
	digits := strconv.FormatFloat(math.Abs(round(v, layout.decimals)), 'f', layout.decimals, 64)
	whole, part, _ := strings.Cut(digits, ".")
	if layout.zeros == 0 && whole == "0" {
		whole = ""
	}
	for len(whole) < layout.zeros {
		whole = "0" + whole
	}
	if layout.grouped {
		whole = group(whole)
	} else if len(layout.between) > 0 {
		whole = insert(whole, layout.between)
	}
	for len(part) > layout.needed && strings.HasSuffix(part, "0") {
		part = part[:len(part)-1]
	}
	s := whole
	if part != "" {
		s += "." + part
	}
	if s == "" {
		s = "0"
	}
	sign := ""
	if v < 0 && strings.Trim(s, "0.,") != "" {
		sign = "-"
	}
	return strings.TrimSpace(sign + layout.prefix + s + layout.suffix)
}

// layout is what a section says of a number.
type layout struct {
	placeholders  int
	zeros         int // figures before the point at least
	decimals      int // figures after the point at most
	needed        int // and at least
	grouped       bool
	scale         int // divided by 1000 so many times
	percents      int
	exponent      bool
	prefix        string
	suffix        string
	between       map[int]string // literals before the n-th placeholder from the point
	seen, exponed bool
}

func layoutOf(tokens []token) layout {
	l := layout{between: map[int]string{}}
	last := -1
	for i, t := range tokens {
		if !t.literal && strings.Contains("0#?", t.text) {
			last = i
		}
	}
	before := 0 // placeholders before the point
	inner := map[int]string{}
	for i, t := range tokens {
		switch {
		case t.literal || t.text == "%":
			if t.text == "%" && !t.literal {
				l.percents++
			}
			switch {
			case l.placeholders == 0:
				l.prefix += t.text
			case i > last:
				l.suffix += t.text
			case !l.seen:
				inner[before] += t.text
			}
		case t.text == ".":
			l.seen = true
		case t.text == "E":
			l.exponent, l.exponed = true, true
		case t.text == ",":
			if l.placeholders > 0 && i > last {
				l.scale++
			} else if l.placeholders > 0 && !l.seen {
				l.grouped = true
			}
		case strings.Contains("0#?", t.text):
			l.placeholders++
			switch {
			case l.exponed:
			case l.seen:
				l.decimals++
				if t.text == "0" {
					l.needed = l.decimals
				}
			default:
				before++
				if t.text == "0" || l.zeros > 0 {
					l.zeros++
				}
			}
		}
	}
	l.decimals = min(l.decimals, 30)
	for at, text := range inner {
		l.between[before-at] = text
	}
	return l
}

func literals(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		if t.literal {
			b.WriteString(t.text)
		}
	}
	return strings.TrimSpace(b.String())
}

// round goes by the 15 figures that a sheet shows: 1.005 becomes 1.01.
func round(v float64, decimals int) float64 {
	f, err := strconv.ParseFloat(fmt.Sprintf("%.15g", v), 64)
	if err != nil || math.Abs(f) >= 1e15 {
		return v
	}
	scale := math.Pow(10, float64(decimals))
	scaled, err := strconv.ParseFloat(fmt.Sprintf("%.15g", f*scale), 64)
	if err != nil || math.Abs(scaled) >= 1e15 {
		return f
	}
	return math.Round(scaled) / scale
}

func group(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// insert puts literals between figures, counted from the right: 000-00-0000.
func insert(s string, between map[int]string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 {
			b.WriteString(between[len(s)-i])
		}
		b.WriteRune(c)
	}
	return b.String()
}
