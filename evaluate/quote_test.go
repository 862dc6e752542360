package evaluate

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		"The  fee\nis *forty* dollars.":              "thefeeisfortydollars",
		"see [the **guide**](/a/b_c#d \"x\") & more": "seetheguidemore",
		"![a chart](img/1.png)":                      "achart",
		"| a | `b_c` |\n> # quoted":                  "abcquoted",
		"30 S. Dearborn<br />Chicago":                "30sdearbornchicago",
		"AT&amp;T":                                   "att",
		"1,496.5 and 3.":                             "1,496.5and3",
		"world 's / world’s":                         "worldsworlds",
		"co\u00ADoperate":                            "cooperate",
		"— ... !":                                    "",
	} {
		if got := compact(in).text; got != want {
			t.Errorf("compact(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestQuoteIsHeld(t *testing.T) {
	const quote = "Travel is approved each day at half past two, so send the request before noon."
	for _, c := range []struct {
		about, quote string
		texts        []string
		want         bool
	}{
		{"whole, in other markup and white space", quote,
			[]string{"1. Travel is **approved** each day\nat half past two, so [send the request](/x) before noon. More."}, true},
		{"with its end cut off", quote, []string{"First. Travel is approved each day at half past two, so send"}, true},
		{"with its beginning cut off", quote, []string{"each day at half past two, so send the request before noon. Next."}, true},
		{"with both cut off", quote, []string{"approved each day at half past two, so send the request"}, true},
		{"with too much cut off", quote, []string{"First. Travel is approved each day"}, false},
		{"in two hits, neither with enough", quote,
			[]string{"First. Travel is approved each day", "at half past two, so send the request before"}, true},
		{"the same part twice is no more", quote,
			[]string{"First. Travel is approved each day", "Again: Travel is approved each day"}, false},
		{"another version of the sentence", quote,
			[]string{"Travel is approved each day at half past three, so send the request before noon."}, false},
		{"most of its words in another order", quote, []string{"before noon send the request so at half past two each day travel is approved"}, false},
		{"a short quote is whole words", "3100", []string{"room 13100", "room 31005"}, false},
		{"a short quote at a word's edges", "3100", []string{"room 13100, formerly 3100."}, true},
		{"a short quote is not cut", "sick leave", []string{"about sick"}, false},
		{"a decimal point is read", "3.5", []string{"35 days"}, false},
		{"characters are words where there are no spaces", "東京", []string{"東京都"}, true},
		{"a text without letters holds nothing", quote, []string{"", "---"}, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			h := holder{quote: compact(c.quote)}
			got := false
			for _, text := range c.texts {
				_, together := h.add("doc", compact(text))
				got = got || together
			}
			if got != c.want {
				t.Errorf("held: %v, want %v", got, c.want)
			}
		})
	}
}

func TestPartsOfOtherDocumentsDoNotAdd(t *testing.T) {
	h := holder{quote: compact("Travel is approved each day at half past two in the afternoon")}
	h.add("a", compact("Travel is approved each day"))
	if _, together := h.add("b", compact("at half past two in the afternoon")); together {
		t.Error("halves of two documents make a quote")
	}
}

func TestOverlapIsTheLongest(t *testing.T) {
	reference := func(a, b string) int {
		for n := min(len(a), len(b)); n > 0; n-- {
			if strings.HasSuffix(a, b[:n]) {
				return n
			}
		}
		return 0
	}
	rng := rand.New(rand.NewPCG(5, 6))
	random := func() string {
		b := make([]byte, rng.IntN(12))
		for i := range b {
			b[i] = "ab"[rng.IntN(2)]
		}
		return string(b)
	}
	for range 5000 {
		a, b := random(), random()
		if got, want := overlap(a, b), reference(a, b); got != want {
			t.Fatalf("overlap(%q, %q) is %d, want %d", a, b, got, want)
		}
	}
}

func BenchmarkCompact(b *testing.B) {
	text := strings.Repeat("The *quick* brown fox, 1,496.5 of them, jumps over the lazy dog. ", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		compact(text)
	}
}
