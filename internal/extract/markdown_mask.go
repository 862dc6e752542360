package extract

import "strings"

// maxMarkerColumn bounds the nesting of quotes and lists: a marker that stands
// further right is text. The parser keeps every open block per line, so depth
// without bound costs the product of depth and lines.
const maxMarkerColumn = 80

const markerChars = " \t>*+-.)0123456789"

// masked is the text with the same length for the parser, its markers beyond
// maxMarkerColumn made letters.
func masked(text string) []byte {
	out := []byte(text)
	for at := 0; at < len(out); {
		end := lineEnd(text, at, len(text))
		if end-at > maxMarkerColumn {
			maskLine(out[at:end])
		}
		at = end + 1
	}
	return out
}

func maskLine(line []byte) {
	deep := false
	for i, c := range line {
		if strings.IndexByte(markerChars, c) < 0 {
			break
		}
		if i >= maxMarkerColumn && c != ' ' && c != '\t' {
			deep = true
			break
		}
	}
	if !deep || ruler(line) {
		return
	}
	for i := maxMarkerColumn; i < len(line) && strings.IndexByte(markerChars, line[i]) >= 0; i++ {
		if line[i] != ' ' && line[i] != '\t' {
			line[i] = 'x'
		}
	}
}

// ruler is whether a line is a thematic break or an underline of any length.
func ruler(line []byte) bool {
	var mark byte
	for _, c := range line {
		switch {
		case c == ' ' || c == '\t':
		case mark == 0 && (c == '-' || c == '*'):
			mark = c
		case c != mark:
			return false
		}
	}
	return mark != 0
}
