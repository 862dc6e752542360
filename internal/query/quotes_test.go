package query

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/internal/analyze"
)

func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		question string
		want     []string
	}{
		{`What does "termination for convenience" mean?`, []string{"termination for convenience"}},
		{`What does “termination for convenience” mean?`, []string{"termination for convenience"}},
		{`What does 'termination for convenience' mean?`, []string{"termination for convenience"}},
		{`What does ‘the customer’s own risk’ mean?`, []string{"the customer’s own risk"}},
		{`Was heißt „ordentliche Kündigung“ und was „auf eigene Gefahr”?`, []string{"ordentliche Kündigung", "auf eigene Gefahr"}},
		{`Was heißt »ordentliche Kündigung« und was ‚in Textform‘?`, []string{"ordentliche Kündigung", "in Textform"}},
		{`Que veut dire « force majeure » ou «cas fortuit» ?`, []string{" force majeure ", "cas fortuit"}},
		{`Vad betyder ”ömsesidig uppsägning”?`, []string{"ömsesidig uppsägning"}},
		{`「自動更新の通知」とは`, []string{"自動更新の通知"}},
		{`请问"自动续约"的条款`, []string{"自动续约"}},
		{`合同“自动续约”条款`, []string{"自动续约"}},
		{`"a b" and "c d"`, []string{"a b", "c d"}},
		{`the "so-called 'force majeure' clause" of it`, []string{"so-called 'force majeure' clause"}},

		{`no quotes at all`, nil},
		{`it's the customer's, isn't it? The users' too`, nil},
		{`rock 'n' roll`, []string{"n"}},
		{`a 19" rack and a 24" rack`, nil},
		{`an open " stays a sign`, nil},
		{`an open “ stays a sign, "what follows" does not`, []string{"what follows"}},
		{`»»»»`, []string{"", ""}},
		{`"`, nil},
		{`""`, []string{""}},
		{`title:"foo bar" AND -"baz qux"`, []string{"foo bar", "baz qux"}},
	} {
		if got := quoted(c.question); strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("%s quotes %q, want %q", c.question, got, c.want)
		}
	}
}

func TestQuotes(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, c := range []struct {
		question string
		want     string // texts with how many words are looked for
	}{
		{`"termination for convenience"`, "termination for convenience/3"},
		{`"the of"`, "the of/2"},
		{`"refund" and "?!" and ""`, ""}, // one word has no order
		{`"a b" "a b" "b a"`, "a b/2 b a/2"},
		{`"a 1" "a 2" "a 3" "a 4" "a 5" "a 6"`, "a 1/2 a 2/2 a 3/2 a 4/2 a 5/2"},
		{`"` + long + `"`, long + "/64"},
	} {
		var got []string
		for _, q := range quotes(c.question, nil) {
			got = append(got, fmt.Sprintf("%s/%d", q.Text, len(q.Phrase)))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s quotes %s, want %s", c.question, s, c.want)
		}
	}
}

func FuzzQuoted(f *testing.F) {
	f.Add(`What „is" “this” and 'that’s' «one» "`)
	f.Add("「二」\xff\"a b\"")
	f.Add("\x8c '\x8c'")
	f.Fuzz(func(t *testing.T, question string) {
		at := 0
		for _, text := range quoted(question) {
			n := between(question[at:], text)
			if n < 0 {
				t.Fatalf("%q does not stand between marks in %q", text, question[at:])
			}
			at += n + len(text)
		}
		if utf8.ValidString(question) {
			if again := quoted(strings.Map(plain, question)); len(again) > 0 {
				t.Fatalf("without marks %q quotes %q", question, again)
			}
		}
		for _, q := range quotes(question, []analyze.Language{"de"}) {
			if len(q.Phrase) < 2 || len(q.Phrase) > maxQuotedWords {
				t.Fatalf("%q has %d words", q.Text, len(q.Phrase))
			}
		}
	})
}

// between finds a text between two marks of a kind; -1 where it does not stand so.
func between(s, text string) int {
	for i := 0; i+len(text) <= len(s); i++ {
		mark, _ := utf8.DecodeLastRuneInString(s[:i])
		end, _ := utf8.DecodeRuneInString(s[i+len(text):])
		if s[i:i+len(text)] == text && strings.ContainsRune(closing[mark], end) {
			return i
		}
	}
	return -1
}

// plain makes a space of a mark.
func plain(r rune) rune {
	if closing[r] != "" {
		return ' '
	}
	return r
}
