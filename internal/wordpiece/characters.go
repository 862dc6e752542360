package wordpiece

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed characters.txt
var charactersText string

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

// characters holds the actions of all characters, in pages of 256. Most pages
// are alike (nothing to do, or all ideographs) and are kept once.
type characters struct {
	page  [(utf8.MaxRune + 1) >> 8]uint16
	pages [][256]action
	// texts are the replacements: a character count, a length, and the bytes.
	texts []byte
	// syllables says that Hangul syllables are decomposed.
	syllables bool
}

func (t *characters) action(r rune) action { return t.pages[t.page[r>>8]][r&0xff] }

// normal appends what r becomes under a and gives the number of characters
// appended.
func (t *characters) normal(b []byte, a action, r rune) ([]byte, int) {
	if at := a >> 2; at > 0 {
		n := action(t.texts[at+1])
		return append(b, t.texts[at+2:at+2+n]...), int(t.texts[at])
	}
	if r >= hangulBase && r < hangulBase+hangulCount && t.syllables {
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

// composed holds what compose made for each of the settings, by kind: two models
// seldom differ in them.
var composed = func() (all [16]func() (*characters, error)) {
	for kind := range all {
		s := Settings{Lowercase: kind&1 > 0, StripAccents: kind&2 > 0, Ideographs: kind&4 > 0, Clean: kind&8 > 0}
		all[kind] = sync.OnceValues(func() (*characters, error) { return compose(charactersText, s) })
	}
	return all
}()

// kind numbers the settings that say what becomes of a character.
func (s Settings) kind() (n int) {
	for i, on := range []bool{s.Lowercase, s.StripAccents, s.Ideographs, s.Clean} {
		if on {
			n |= 1 << i
		}
	}
	return n
}

// rule is a line of characters.txt.
type rule struct {
	property       string
	from, to, step rune
	put            []rune // what it says after "="
	shift          rune   // or after "+" or "-"
}

func (r rule) replacement(c rune) []rune {
	if r.put != nil {
		return r.put
	}
	return []rune{c + r.shift}
}

// compose makes the actions that follow from the settings out of what
// characters.txt says. It does for all characters what BertNormalizer does with one:
// clean, set ideographs apart, strip accents, lower; then punctuation and white
// space tell words apart.
func compose(text string, s Settings) (*characters, error) {
	rules, err := parseRules(text)
	if err != nil {
		return nil, fmt.Errorf("wordpiece: characters.txt: %w", err)
	}
	lower, punct := map[rune][]rune{}, map[rune]bool{}
	for _, r := range rules {
		for c := r.from; c <= r.to; c += r.step {
			switch r.property {
			case "lower":
				lower[c] = r.replacement(c)
			case "punct":
				punct[c] = true
			}
		}
	}
	t := &characters{texts: make([]byte, 1, 1<<13), pages: make([][256]action, 1, 160), syllables: s.StripAccents}
	kept := map[string]action{}
	replace := func(c rune, by []rune) {
		var put []rune
		isolated := 0
		for _, x := range by {
			if s.Lowercase {
				if l := lower[x]; l != nil {
					put = append(put, l...)
					continue
				}
				if x >= 'A' && x <= 'Z' {
					x += 'a' - 'A'
				}
			}
			put = append(put, x)
			if punct[x] || x < utf8.RuneSelf && asciiKind(byte(x)) == asciiIsolate {
				isolated++
			}
		}
		a := letter
		if isolated > 0 {
			if len(put) > 1 && err == nil {
				err = fmt.Errorf("wordpiece: characters.txt: %U becomes several characters with punctuation among them", c)
			}
			a = isolate
		}
		t.set(c, a|t.keep(kept, string(put))<<2)
	}
	for _, step := range []struct {
		property string
		on       bool
		do       func(c rune, r rule)
	}{
		{"punct", true, func(c rune, _ rule) { t.set(c, isolate) }},
		{"lower", s.Lowercase, func(c rune, r rule) { replace(c, []rune{c}) }},
		{"base", s.StripAccents, func(c rune, r rule) { replace(c, r.replacement(c)) }},
		{"mark", s.StripAccents, func(c rune, _ rule) { t.set(c, drop) }},
		{"ideograph", s.Ideographs, func(c rune, _ rule) { t.set(c, t.action(c)|isolate) }},
		{"white", true, func(c rune, _ rule) { t.set(c, space) }},
	} {
		if !step.on {
			continue
		}
		for _, r := range rules {
			if r.property != step.property {
				continue
			}
			for c := r.from; c <= r.to; c += r.step {
				step.do(c, r)
			}
		}
	}
	for _, r := range rules {
		if r.property == "control" && s.Clean {
			t.drop(r)
		}
	}
	t.share()
	return t, err
}

// drop sets the action of a range. Private use fills whole planes: their pages are
// one and the same, so nothing may be set after.
func (t *characters) drop(r rule) {
	whole := uint16(0)
	for c := r.from; c <= r.to; {
		if r.step > 1 || c&0xff != 0 || c+0xff > r.to {
			t.set(c, drop)
			c += r.step
			continue
		}
		if whole == 0 {
			t.page[c>>8] = 0
			for i := range rune(256) {
				t.set(c+i, drop)
			}
			whole = t.page[c>>8]
		}
		t.page[c>>8] = whole
		c += 256
	}
}

// keep gives where in texts a replacement stands, and puts it there first.
func (t *characters) keep(kept map[string]action, put string) action {
	at, ok := kept[put]
	if !ok {
		at = action(len(t.texts))
		t.texts = append(t.texts, byte(utf8.RuneCountInString(put)), byte(len(put)))
		t.texts = append(t.texts, put...)
		kept[put] = at
	}
	return at
}

func (t *characters) set(r rune, a action) {
	p := &t.page[r>>8]
	if *p == 0 {
		*p = uint16(len(t.pages))
		t.pages = append(t.pages, [256]action{})
	}
	t.pages[*p][r&0xff] = a
}

// share keeps one copy of equal pages.
func (t *characters) share() {
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

// parseRules reads characters.txt; its head says the format.
func parseRules(text string) ([]rule, error) {
	out := make([]rule, 0, len(text)/16)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		where, what, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("%q has no property", line)
		}
		r := rule{}
		err := r.parseRange(where)
		if err == nil {
			err = r.parseProperty(what)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func (r *rule) parseRange(s string) (err error) {
	s, every, stepped := strings.Cut(s, "/")
	a, b, ranged := strings.Cut(s, "-")
	if r.from, err = parseRune(a); err != nil {
		return err
	}
	r.to, r.step = r.from, 1
	if ranged {
		if r.to, err = parseRune(b); err != nil {
			return err
		}
	}
	if stepped {
		if r.step, err = parseRune(every); err == nil && r.step == 0 {
			err = fmt.Errorf("step 0")
		}
	}
	return err
}

func (r *rule) parseProperty(s string) error {
	switch s {
	case "control", "white", "ideograph", "punct", "mark":
		r.property = s
		return nil
	}
	at := strings.IndexAny(s, "=+-")
	if at < 0 || s[:at] != "base" && s[:at] != "lower" {
		return fmt.Errorf("unknown property")
	}
	r.property = s[:at]
	if s[at] != '=' {
		n, err := strconv.ParseInt(s[at:], 10, 32)
		r.shift = rune(n)
		return err
	}
	for h := range strings.SplitSeq(s[at+1:], ",") {
		x, err := parseRune(h)
		if err != nil {
			return err
		}
		r.put = append(r.put, x)
	}
	return nil
}

func parseRune(s string) (rune, error) {
	n, err := strconv.ParseUint(s, 16, 21)
	if err == nil && n > utf8.MaxRune {
		err = fmt.Errorf("%q is no character", s)
	}
	return rune(n), err
}
