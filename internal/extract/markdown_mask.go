package extract

import "strings"

// maxMarkerColumn bounds the nesting of quotes and lists: a marker that stands
// further right is text. The parser keeps every open block per line, so depth
// without bound costs the product of depth and lines.
const maxMarkerColumn = 80

const markerChars = " \t>*+-.)0123456789"

// masked is the text as the parser is given it, of the same length: markers
// beyond maxMarkerColumn are letters, a line of spaces of any alphabet is one of
// plain spaces, so that the parser sees a blank line where everything else here
// does, and several blank lines are one long one, which means the same and
// spares the parser to ask every open block for each.
func masked(text string) []byte {
	out := []byte(text)
	wasBlank := false
	for at := 0; at < len(out); {
		end := lineEnd(text, at, len(text))
		isBlank := blank(text[at:end])
		if isBlank && strings.Trim(text[at:end], " \t") != "" {
			copy(out[at:end], strings.Repeat(" ", end-at))
		}
		switch {
		case isBlank && wasBlank:
			out[at-1] = ' '
		case end-at > maxMarkerColumn:
			maskLine(out[at:end])
		}
		at, wasBlank = end+1, isBlank
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
