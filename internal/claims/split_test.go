package claims

import (
	"reflect"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   []Claim
	}{
		{"", nil},
		{"[1]", nil},
		{"Alpha ends. [1] Beta goes [2]. Gamma", []Claim{{Text: "Alpha ends.", Cites: []int{1}, Line: true}, {Text: "Beta goes.", Cites: []int{2}}, {Text: "Gamma"}}},
		{"It is 5. [1][3]", []Claim{{Text: "It is 5.", Cites: []int{1, 3}, Line: true}}},
		{"It is 5 [1-3, 7].", []Claim{{Text: "It is 5.", Cites: []int{1, 2, 3, 7}, Line: true}}},
		{"It is 5【2】。", []Claim{{Text: "It is 5。", Cites: []int{2}, Line: true}}},
		{"It is 5 [1", []Claim{{Text: "It is 5", Broken: true, Line: true}}},
		{"It is 5 [1-400].", []Claim{{Text: "It is 5.", Cites: []int{1, 400}, Line: true}}},
		{"Use a[i] and **b**. [1]", []Claim{{Text: "Use a[i] and b.", Cites: []int{1}, Line: true}}},
		{"These hold:\n- one [1]\n- two [2]", []Claim{
			{Text: "These hold:", Cites: []int{1, 2}, Line: true}, {Text: "one", Cites: []int{1}, Line: true, Bullet: "- "}, {Text: "two", Cites: []int{2}, Line: true, Bullet: "- "}}},
		{"Dr. Ada Holt signed it. [1]", []Claim{{Text: "Dr. Ada Holt signed it.", Cites: []int{1}, Line: true}}},
	} {
		if got := Split(c.answer); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q\ngot  %+v\nwant %+v", c.answer, got, c.want)
		}
	}
}

// Whatever a model writes, it is taken apart, and a claim that is not blamed cites passages that
// there are, with a place in each that it is said to be held by.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"A fee of 5 % is due on 31 March 2024. [1]", "Not [2] [", "[1-9999999999]", "one hundred and", "€ 5k 3.4.5.6 [1][2]", "\x00\xff[1]"} {
		f.Add(seed, "The fee is 5 % and due on 31.3.2024, unless [3] says otherwise.\n\n| a | b |\n|---|---|\n| 1 | 2 |")
	}
	f.Fuzz(func(t *testing.T, answer, passage string) {
		checker := New([]Passage{{N: 1, Text: passage, Around: "Title"}, {N: 2, Text: answer}})
		for _, c := range Split(answer) {
			v := checker.Check(c)
			if !v.OK() {
				if strings.TrimSpace(v.Reason()) == "" {
					t.Errorf("%+v is blamed for nothing", v)
				}
				continue
			}
			for _, n := range c.Cites {
				if n != 1 && n != 2 {
					t.Errorf("%+v passes and cites passage %d", c, n)
				}
			}
			for _, s := range v.Support {
				text := passage
				if s.N == 2 {
					text = answer
				}
				if s.Span.From < 0 || s.Span.From >= s.Span.To || s.Span.To > len(text) {
					t.Errorf("%+v is outside of %d bytes", s, len(text))
				}
			}
		}
	})
}
