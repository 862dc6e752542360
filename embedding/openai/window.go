package openai

import (
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// span is a token's bytes.
type span struct{ from, to int }

// opaque is how many bytes of what WordPiece does not know count as a token. It
// makes one token of a word of any length (a hash, base64); the tokenizers that
// services use make one of some three bytes of these.
const opaque = 3

// estimate gives about the tokens that a service will see in a text.
func estimate(text string) []span {
	found := wordpiece.Encode(text)
	out := make([]span, 0, len(found))
	for _, t := range found {
		if t.ID != wordpiece.Unk {
			out = append(out, span{t.From, t.To})
			continue
		}
		for from := t.From; from < t.To; {
			to := from
			for to < t.To && to-from < opaque {
				_, size := utf8.DecodeRuneInString(text[to:t.To])
				to += size
			}
			out = append(out, span{from, to})
			from = to
		}
	}
	return out
}

func count(text string) int {
	if text == "" {
		return 0 // without loading the vocabulary
	}
	return len(estimate(text))
}

// special is how many tokens a model puts around a text.
const special = 2

// room is how many tokens of a text fit beside a prefix.
func room(window int, prefix string) int { return window - special - count(prefix) }

// windows gives a text as it is where it fits, and else the fewest parts that overlap
// by at least overlap tokens and are about as long as each other.
func windows(text string, room, overlap int) []string {
	tokens := estimate(text)
	n := len(tokens)
	if n <= room {
		return []string{text}
	}
	count := (n - overlap + room - overlap - 1) / (room - overlap)
	size := (n + (count-1)*overlap + count - 1) / count
	out := make([]string, count)
	for i := range out {
		from := i * (n - size) / (count - 1)
		out[i] = text[tokens[from].from:tokens[from+size-1].to]
	}
	return out
}

// beginning gives a text's first tokens, at most room of them.
func beginning(text string, room int) string {
	if tokens := estimate(text); len(tokens) > room {
		return text[:tokens[room-1].to]
	}
	return text
}

// least is how many tokens a text has that is not cut further when a service finds
// it too long.
const least = 32

// halves cuts a window in two that overlap by an eighth; nil where it is too short.
func halves(text string) []string {
	n := count(text)
	if n < least {
		return nil
	}
	overlap := n / 8
	return windows(text, (n+overlap+1)/2, overlap)
}
