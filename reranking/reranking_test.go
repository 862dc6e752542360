package reranking

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

func over(t *testing.T, s *testkit.Rankings, o Options) *Client {
	t.Helper()
	o.URL, o.Clock = s.URL, s.Clock
	if o.Protocol == "" {
		o.Model = "m"
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each protocol is spoken as its services take it, and scores come in the order of the passages.
func TestRerank(t *testing.T) {
	passages := make([]string, 50)
	for i := range passages {
		passages[i] = fmt.Sprintf("A passage about matter %d.", i)
	}
	passages[37] = "The refund is due in 30 days."
	for _, p := range []Protocol{Cohere, TEI} {
		t.Run(string(p), func(t *testing.T) {
			s := testkit.NewRankings(t)
			s.TEI = p == TEI
			scores, err := over(t, s, Options{Protocol: p, Model: "m"}).Rerank(t.Context(), "When is the refund due?", passages)
			if err != nil || len(scores) != 50 || slices.Index(scores, slices.Max(scores)) != 37 {
				t.Fatalf("%v, %v", scores, err)
			}
			requests := s.Requests()
			first := requests[0]
			switch {
			case first.Path != "/v1/rerank" || first.Query != "When is the refund due?":
				t.Errorf("the request is %+v", first)
			case p == Cohere && (len(requests) != 1 || first.Model != "m" || len(first.Documents) != 50 || first.TopN != 50):
				t.Errorf("%d requests, the first %+v", len(requests), first)
			case p == TEI && (len(requests) != 2 || len(first.Texts) != teiBatch || !first.Truncate || len(first.Documents) > 0):
				t.Errorf("%d requests, the first %+v", len(requests), first)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	fails, says := testkit.Fails, func(body string) testkit.Reply { return testkit.Fails(testkit.Says(200, body)) }
	for _, c := range []struct {
		name   string
		script []testkit.Reply
		want   string // in the error; "" where the scores come
	}{
		{"429 with Retry-After", []testkit.Reply{fails(testkit.Status(429, "slow", "Retry-After", "3"))}, ""},
		{"429 for longer than anybody waits", []testkit.Reply{fails(testkit.Status(429, "slow", "Retry-After", "300"))}, "asks to wait 5m0s"},
		{"500 once", []testkit.Reply{fails(testkit.Status(500, "oops"))}, ""},
		{"no JSON", []testkit.Reply{says("hello"), says("hello")}, "not the JSON of scores"},
		{"too few", []testkit.Reply{says(`{"results":[{"index":0,"relevance_score":1}]}`), says(`[]`)}, "gave 0 scores for 2 passages"},
		{"one twice", slices.Repeat([]testkit.Reply{says(`[{"index":0,"score":1},{"index":0,"score":2}]`)}, 2), "do not fit the passages"},
		{"one out of range", slices.Repeat([]testkit.Reply{says(`[{"index":0,"score":1},{"index":7,"score":2}]`)}, 2), "do not fit the passages"},
		{"no score", slices.Repeat([]testkit.Reply{says(`[{"index":0},{"index":1}]`)}, 2), "do not fit the passages"},
		{"it hangs", slices.Repeat([]testkit.Reply{fails(testkit.Hang)}, 2), "did not answer within"},
		{"it repeats a text", []testkit.Reply{fails(testkit.Status(400, "cannot rank: a passage about the secret merger with Northwind"))}, "a message that repeats a text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewRankings(t)
			s.Script(c.script...)
			var err error
			synctest.Test(t, func(t *testing.T) { // the time-out passes where the service hangs, and never while it is at work
				client := over(t, s, Options{Timeout: 40 * time.Millisecond, Transport: testkit.InMemory(t, s)})
				_, err = client.Rerank(t.Context(), "q", []string{"a passage about the secret merger with Northwind", "b"})
			})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	s := testkit.NewRankings(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := over(t, s, Options{}).Rerank(ctx, "q", []string{"a"}); err != context.Canceled || len(s.Requests()) != 0 {
		t.Errorf("the caller has gone: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"rerank.service.model":    {},
		"rerank.service.protocol": {Protocol: "grpc", Model: "m"},
		"both given":              {Model: "m", KeyEnv: "A", KeyFile: "b"},
		"give 1 to 256":           {Model: "m", Requests: -1},
		"must be above 0":         {Model: "m", Patience: -1},
	} {
		if _, err := Open(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	t.Setenv("COHERE_API_KEY", "")
	c, err := Open(Options{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Rerank(t.Context(), "q", []string{"a"}); err == nil || !strings.Contains(err.Error(), "COHERE_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
}
