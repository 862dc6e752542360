package office

import (
	"strconv"
	"strings"
)

// MaxNumber bounds a counter, and with it the length of repeated letters.
const MaxNumber = 1 << 20

// FormatNumber writes a number as w:numFmt says (ECMA-376 part 1, 17.18.59). A
// format that is not known is written in decimal figures.
func FormatNumber(v int, format string) string {
	switch format {
	case "none", "bullet":
		return ""
	case "decimalZero":
		if v >= 0 && v < 10 {
			return "0" + strconv.Itoa(v)
		}
	case "lowerLetter":
		return letters(v)
	case "upperLetter":
		return strings.ToUpper(letters(v))
	case "lowerRoman":
		return strings.ToLower(roman(v))
	case "upperRoman":
		return roman(v)
	case "ordinal":
		return ordinal(v)
	case "decimalEnclosedCircle":
		if v >= 1 && v <= 20 {
			return string(rune('①' + v - 1))
		}
	case "chineseCounting", "chineseCountingThousand", "taiwaneseCounting", "taiwaneseCountingThousand", "japaneseCounting", "ideographDigital":
		return han(v)
	}
	return strconv.Itoa(v)
}

// letters repeat after z: aa, bb, not aa, ab.
func letters(v int) string {
	if v < 1 || v > 26*30 {
		return strconv.Itoa(v)
	}
	return strings.Repeat(string(rune('a'+(v-1)%26)), (v-1)/26+1)
}

func roman(v int) string {
	if v < 1 || v > 3999 {
		return strconv.Itoa(v)
	}
	ones := []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	scale := func(d int, one, five, ten string) string {
		return strings.NewReplacer("I", one, "V", five, "X", ten).Replace(ones[d])
	}
	return scale(v/1000, "M", "", "") + scale(v/100%10, "C", "D", "M") + scale(v/10%10, "X", "L", "C") + ones[v%10]
}

func ordinal(v int) string {
	end := "th"
	if v%100 < 11 || v%100 > 13 {
		switch v % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(v) + end
}

// han writes 1 to 99 as one counts in Chinese and Japanese: 十二, 二十.
func han(v int) string {
	if v < 1 || v > 99 {
		return strconv.Itoa(v)
	}
	figures := []rune("〇一二三四五六七八九")
	s := ""
	if v >= 20 {
		s = string(figures[v/10])
	}
	if v >= 10 {
		s += "十"
	}
	if v%10 > 0 {
		s += string(figures[v%10])
	}
	return s
}
