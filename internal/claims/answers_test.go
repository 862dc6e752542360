package claims

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAnswers holds the answers of testdata/answers.txt against their evidence.
func TestAnswers(t *testing.T) {
	data, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var good, bad int
	for _, c := range parseCases(t, string(data)) {
		if c.good {
			good++
		} else {
			bad++
		}
		t.Run(c.name, func(t *testing.T) {
			checker := New(c.evidence)
			var got []string
			list := Split(c.answer)
			if len(list) == 0 {
				t.Fatal("no claim is seen")
			}
			for _, claim := range list {
				v := checker.Check(claim)
				if v.OK() && len(v.Support) == 0 {
					t.Errorf("%q passes, and nothing is cited for it", claim.Text)
				}
				for _, f := range v.Faults {
					got = append(got, string(f.Kind))
					t.Logf("%s: %s", claim.Text, f.Detail)
				}
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, c.faults) {
				t.Errorf("%s\ngot the faults %q, want %q", c.answer, got, c.faults)
			}
		})
	}
	if good < 40 || bad < 40 {
		t.Errorf("%d good and %d bad answers: want 40 of each", good, bad)
	}
}

type answerCase struct {
	good         bool
	name, answer string
	faults       []string
	evidence     []Passage
}

func parseCases(t *testing.T, text string) []answerCase {
	t.Helper()
	var out []answerCase
	var evidence []Passage
	for line := range strings.SplitSeq(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || word == "#":
		case word == "evidence":
			evidence = nil
		case strings.HasPrefix(word, "["):
			around, passage, ok := strings.Cut(rest, ": ")
			if !ok {
				t.Fatalf("no passage in %q", line)
			}
			evidence = append(slices.Clone(evidence), Passage{N: len(evidence) + 1, Around: around, Text: passage})
		case word == "good":
			out = append(out, answerCase{good: true, name: rest, evidence: evidence})
		case word == "bad":
			c := answerCase{name: rest, evidence: evidence}
			for more := true; more; {
				kind := ""
				for _, k := range kinds {
					if strings.HasPrefix(rest, string(k)) {
						kind = string(k)
					}
				}
				if kind == "" {
					t.Fatalf("no kind in %q", line)
				}
				c.faults = append(c.faults, kind)
				rest, more = strings.CutPrefix(strings.TrimPrefix(rest, kind), ", ")
			}
			slices.Sort(c.faults)
			out = append(out, c)
		case word == ">" && len(out) > 0:
			c := &out[len(out)-1]
			c.answer = strings.TrimPrefix(c.answer+"\n"+rest, "\n")
		default:
			t.Fatalf("line %q is no part of a case", line)
		}
	}
	return out
}

var kinds = []Kind{Broken, Uncited, NoPassage, Instructed, Number, Date, Identifier, Name, Negation, Modality, Comparison, Unsupported}
