package generate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/trace"
)

// A model that verifies takes its tokens from the question's; with too few left it is not asked.
func TestVerifyWithinTokens(t *testing.T) {
	judge := &script{replies: []reply{says("[1]")}}
	o := within
	o.Model, o.Verifier, o.Tokens = &script{replies: []reply{says(good)}}, ByModel(judge), 1000
	tr := &trace.Trace{}
	d, err := Write(t.Context(), "When?", found, o, nil, tr)
	if failed := strings.Join(tr.Failed(), "; "); err != nil || len(d.Claims) != 1 || len(d.Scores) > 0 || len(judge.asked) > 0 || !strings.Contains(failed, "left of generate.tokens (1000)") {
		t.Errorf("%+v, %v; asked %d times, failed: %s", d, err, len(judge.asked), failed)
	}
	if last := tr.Records[len(tr.Records)-1]; last.Calls != 0 || last.Tokens != 0 {
		t.Errorf("a call that was not made is counted: %+v", last)
	}
}

// What a second witness says is recorded, and changes nothing of the answer.
func TestVerify(t *testing.T) {
	ranked := func(scores []float64, err error) Verifier {
		return ByRanking("ranker", func(_ context.Context, claim string, passages []string) ([]float64, error) {
			if !strings.Contains(claim, "30 days") || len(passages) != 1 || !strings.HasPrefix(passages[0], "A customer may") {
				t.Errorf("%q is verified by %q", claim, passages)
			}
			return scores, err
		})
	}
	judge := func(text string) Verifier { return ByModel(&script{replies: []reply{says(text)}}) }
	for _, c := range []struct {
		name     string
		verifier Verifier
		score    float64 // -1: none
		failed   string
	}{
		{"a cross-encoder", ranked([]float64{0.25}, nil), 0.25, ""},
		{"it fails", ranked(nil, errors.New("host answered 500")), -1, "ranker scored no support, and the answer stands as the rules left it: host answered 500"},
		{"no number", ranked([]float64{math.NaN()}, nil), -1, "a score is not a number"},
		{"no score", ranked(nil, nil), -1, "it gave no score"},
		{"a model", judge("The passage [1] says so.\n```json\n[0.9]\n```"), 0.9, ""},
		{"a score out of range", judge("[7]"), 1, ""},
		{"too many", judge("[1, 0]"), -1, "no list of as many numbers"},
		{"no list", judge("It is fine."), -1, "no list of as many numbers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := within
			o.Model, o.Verifier = &script{replies: []reply{says(good)}}, c.verifier
			tr := &trace.Trace{}
			d, err := Write(t.Context(), "When?", found, o, nil, tr)
			if err != nil || len(d.Claims) != 1 {
				t.Fatalf("%+v, %v", d, err)
			}
			failed := strings.Join(tr.Failed(), "; ")
			if !strings.Contains(failed, c.failed) || (failed == "") != (c.failed == "") {
				t.Errorf("failed: %q, want %q", failed, c.failed)
			}
			if (len(d.Scores) == 1) != (c.score >= 0) || len(d.Scores) == 1 && d.Scores[0] != (Scored{d.Claims[0].Claim.Text, c.score}) {
				t.Errorf("scores %+v, want %g", d.Scores, c.score)
			}
		})
	}
}
