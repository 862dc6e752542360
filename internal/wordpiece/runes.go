package wordpiece

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

//go:embed runes.txt
var runesText string

// An action says what becomes of a character outside ASCII: its kind in the two
// low bits, above them where its replacement stands (0: it stays as it is).
type action uint32

const (
	letter action = iota
	drop
	space
	isolate
	actionMask action = 3
)

// runeTable holds the actions of all characters, in pages of 256. Most pages
// are alike (nothing to do, or all ideographs) and are kept once.
type runeTable struct {
	page  [(utf8.MaxRune + 1) >> 8]uint16
	pages [][256]action
	// texts are the replacements: a character count, a length, and the bytes.
	texts []byte
}

func (t *runeTable) action(r rune) action { return t.pages[t.page[r>>8]][r&0xff] }

// normal appends what r becomes under a and gives the number of characters
// appended.
func (t *runeTable) normal(b []byte, a action, r rune) ([]byte, int) {
	if at := a >> 2; at > 0 {
		n := action(t.texts[at+1])
		return append(b, t.texts[at+2:at+2+n]...), int(t.texts[at])
	}
	if r >= hangulBase && r < hangulBase+hangulCount {
		return appendJamo(b, r-hangulBase)
	}
	return utf8.AppendRune(b, r), 1
}

// Canonical decomposition of Hangul syllables, The Unicode Standard, section 3.12.
const (
	hangulBase, hangulCount    = 0xac00, 11172
	leadBase, vowelBase        = 0x1100, 0x1161
	trailBase                  = 0x11a7
	vowelTrail, trailsPerVowel = 588, 28
)

func appendJamo(b []byte, s rune) ([]byte, int) {
	b = utf8.AppendRune(b, leadBase+s/vowelTrail)
	b = utf8.AppendRune(b, vowelBase+s%vowelTrail/trailsPerVowel)
	if s %= trailsPerVowel; s != 0 {
		return utf8.AppendRune(b, trailBase+s), 3
	}
	return b, 2
}

// parseRunes reads runes.txt; its head says the format.
func parseRunes(text string) (*runeTable, error) {
	t := &runeTable{texts: make([]byte, 1, 1<<13), pages: make([][256]action, 1, 160)}
	all := map[string]action{} // replacements already kept
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		where, what, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("wordpiece: runes.txt: %q has no action", line)
		}
		from, to, step, err := parseRange(where)
		if err != nil {
			return nil, fmt.Errorf("wordpiece: runes.txt: %q: %w", line, err)
		}
		for r := from; r <= to; r += step {
			a, put, err := parseAction(what, r)
			if err != nil {
				return nil, fmt.Errorf("wordpiece: runes.txt: %q: %w", line, err)
			}
			if put != "" {
				at, ok := all[put]
				if !ok {
					at = action(len(t.texts))
					t.texts = append(t.texts, byte(utf8.RuneCountInString(put)), byte(len(put)))
					t.texts = append(t.texts, put...)
					all[put] = at
				}
				a |= at << 2
			}
			t.set(r, a)
		}
	}
	t.share()
	return t, nil
}

func (t *runeTable) set(r rune, a action) {
	p := &t.page[r>>8]
	if *p == 0 {
		*p = uint16(len(t.pages))
		t.pages = append(t.pages, [256]action{})
	}
	t.pages[*p][r&0xff] = a
}

// share keeps one copy of equal pages.
func (t *runeTable) share() {
	seen := map[[256]action]uint16{}
	moved := make([]uint16, len(t.pages))
	var kept [][256]action
	for i, p := range t.pages {
		at, ok := seen[p]
		if !ok {
			at = uint16(len(kept))
			kept = append(kept, p)
			seen[p] = at
		}
		moved[i] = at
	}
	for i, p := range t.page {
		t.page[i] = moved[p]
	}
	t.pages = kept
}

func parseRange(s string) (from, to, step rune, err error) {
	s, every, stepped := strings.Cut(s, "/")
	a, b, ranged := strings.Cut(s, "-")
	if from, err = parseRune(a); err != nil {
		return 0, 0, 0, err
	}
	to, step = from, 1
	if ranged {
		if to, err = parseRune(b); err != nil {
			return 0, 0, 0, err
		}
	}
	if stepped {
		if step, err = parseRune(every); err == nil && step == 0 {
			err = fmt.Errorf("step 0")
		}
	}
	return from, to, step, err
}

func parseAction(s string, r rune) (a action, put string, err error) {
	switch {
	case s == "drop":
		return drop, "", nil
	case s == "space":
		return space, "", nil
	case s == "isolate":
		return isolate, "", nil
	case strings.HasPrefix(s, "word+"), strings.HasPrefix(s, "word-"):
		d, err := strconv.ParseInt(s[len("word"):], 10, 32)
		if err != nil {
			return 0, "", err
		}
		return letter, string(r + rune(d)), nil
	}
	kind, list, ok := strings.Cut(s, "=")
	if !ok || kind != "word" && kind != "isolate" {
		return 0, "", fmt.Errorf("unknown action")
	}
	for h := range strings.SplitSeq(list, ",") {
		x, err := parseRune(h)
		if err != nil {
			return 0, "", err
		}
		put += string(x)
	}
	if kind == "isolate" {
		return isolate, put, nil
	}
	return letter, put, nil
}

func parseRune(s string) (rune, error) {
	n, err := strconv.ParseUint(s, 16, 21)
	if err == nil && n > utf8.MaxRune {
		err = fmt.Errorf("%q is no character", s)
	}
	return rune(n), err
}
