package outline

import "strings"

// number is a visible numbering in its parts: "7.2(b)" is 7, 2, (b); "Appendix
// C" is C.
type number struct {
	parts []string
	// local says that it counts within the last full number: "(b)", "(iv)".
	local bool
}

func parseNumber(s string) number {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexAny(s, " \t\u00a0"); i >= 0 {
		s = s[i+1:] // "Appendix C", "Article 5"
	}
	s = strings.TrimLeft(s, "§")
	s = strings.Trim(s, ".")
	n := number{local: strings.HasPrefix(s, "(")}
	for s != "" {
		// A part ends at a stop or where a bracket opens.
		end := strings.IndexAny(s[1:], ".(")
		if end < 0 {
			n.parts = append(n.parts, s)
			break
		}
		end++
		n.parts = append(n.parts, s[:end])
		s = strings.TrimLeft(s[end:], ".")
	}
	return n
}

// holds reports whether m numbers a part of what n numbers.
func (n number) holds(m number) bool {
	if len(n.parts) == 0 || len(m.parts) == 0 {
		return false
	}
	if m.local && !n.local {
		return true
	}
	if m.local != n.local || len(n.parts) >= len(m.parts) {
		return false
	}
	for i, p := range n.parts {
		if m.parts[i] != p {
			return false
		}
	}
	return true
}
