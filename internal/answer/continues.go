package answer

import "strings"

// continuations are words that begin a sentence which qualifies the one before:
// quoting the first without the second may turn its meaning round.
var continuations = []string{
	"however", "unless", "except", "exceptions", "provided that", "this does not apply", "this applies only", "in that case", "in this case",
	"otherwise", "but", "only if", "only when", "there is one exception", "the exception", "the exceptions", "an exception", "if not", "if so", "not included",
	"these conditions", "all of these", "none of this", "the same applies", "this is not", "it does not",
}

func continues(text string) bool {
	t := strings.ToLower(strings.TrimLeft(text, " \t*_->"))
	for _, c := range continuations {
		// "If so" begins no "if someone".
		if rest, ok := strings.CutPrefix(t, c); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}

// announces reports whether a sentence does no more than announce the next,
// which then belongs to what it qualifies: "There is one exception."
func announces(text string) bool {
	return continues(text) && len(strings.Fields(text)) <= 6
}
