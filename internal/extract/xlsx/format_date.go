package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// formatDate fills the parts of a date or time. An m beside hours or seconds is
// minutes.
func formatDate(v float64, tokens []token, epoch1904 bool) string {
	if v < 0 || v > 2958465.99999 { // 9999-12-31, the last day that Excel knows
		return general(v, nil)
	}
	half, precision := false, time.Second
	for _, tok := range tokens {
		half = half || tok.text == "AM/PM" && !tok.literal
		if tok.text == "0" && !tok.literal {
			precision = time.Millisecond
		}
	}
	t := moment(v, epoch1904, precision)
	var b strings.Builder
	for i, tok := range tokens {
		if tok.literal {
			b.WriteString(tok.text)
			continue
		}
		switch tok.text {
		case "y", "yy":
			b.WriteString(t.Format("06"))
		case "yyy", "yyyy":
			b.WriteString(t.Format("2006"))
		case "m", "mm":
			n := int(t.Month())
			if isMinute(tokens, i) {
				n = t.Minute()
			}
			b.WriteString(pad(n, len(tok.text)))
		case "mmm":
			b.WriteString(t.Format("Jan"))
		case "mmmm":
			b.WriteString(t.Format("January"))
		case "mmmmm":
			b.WriteString(t.Format("Jan")[:1])
		case "d", "dd":
			b.WriteString(pad(t.Day(), len(tok.text)))
		case "ddd":
			b.WriteString(t.Format("Mon"))
		case "dddd":
			b.WriteString(t.Format("Monday"))
		case "h", "hh":
			n := t.Hour()
			if half {
				n = (n+11)%12 + 1
			}
			b.WriteString(pad(n, len(tok.text)))
		case "s", "ss":
			b.WriteString(pad(t.Second(), len(tok.text)))
		case "[h]":
			b.WriteString(strconv.Itoa(int(math.Floor(math.Round(v*86400) / 3600))))
		case "[m]":
			b.WriteString(strconv.Itoa(int(math.Floor(math.Round(v*86400) / 60))))
		case "[s]":
			b.WriteString(strconv.Itoa(int(math.Round(v * 86400))))
		case "AM/PM":
			b.WriteString(t.Format("PM"))
		case ".", ",":
			b.WriteString(tok.text)
		case "0":
			b.WriteString(strconv.Itoa(t.Nanosecond() / 1e8))
		}
	}
	return strings.TrimSpace(b.String())
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", min(width, 2), n) }

// isMinute is whether the date part before is hours, or the one after seconds.
func isMinute(tokens []token, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if t := tokens[j]; !t.literal && strings.Trim(t.text, "ymdhs[]") == "" {
			if strings.Trim(t.text, "h[]") == "" {
				return true
			}
			break
		}
	}
	for j := i + 1; j < len(tokens); j++ {
		if t := tokens[j]; !t.literal && strings.Trim(t.text, "ymdhs[]") == "" {
			return strings.Trim(t.text, "s[]") == ""
		}
	}
	return false
}
