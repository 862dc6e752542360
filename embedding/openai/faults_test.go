package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

var nulls = []any{nil, 1, 1, 1, 1, 1, 1, 1}

// Whatever a service does wrong for a while, each text ends with its own vector, no
// text is embedded twice, and what a text is refused for is that text's alone.
func TestFaults(t *testing.T) {
	const n = 40 // in requests of 8, 2 at once
	long := strings.Repeat("lengthy ", 100)
	for _, c := range []struct {
		name    string
		script  []testkit.Fault
		rule    func(testkit.Request) testkit.Fault
		texts   []string // in place of some
		refused map[int]string
		windows map[int]int // vectors of a text, where not one
		timeout time.Duration
	}{
		{name: "429 with seconds", script: []testkit.Fault{testkit.Status(429, "slow down", "Retry-After", "7")}},
		{name: "429 with a date", script: []testkit.Fault{testkit.Status(429, "slow down", "Retry-After", "Mon, 15 Jun 2026 12:00:30 GMT", "Date", "Mon, 15 Jun 2026 12:00:00 GMT")}},
		{name: "429 that says nothing, again and again", script: slices.Repeat([]testkit.Fault{testkit.Status(429, "slow down")}, 12)},
		{name: "500", script: []testkit.Fault{testkit.Status(500, "oops"), testkit.Status(500, "oops")}},
		{name: "502, 503, 504", script: []testkit.Fault{testkit.Says(502, "<html>"), testkit.Says(503, ""), testkit.Status(504, "late")}},
		{name: "503 with seconds", script: []testkit.Fault{testkit.Status(503, "loading", "Retry-After", "20")}},
		{name: "the connection is cut in an answer", script: []testkit.Fault{testkit.Cut, nil, testkit.Cut}},
		{name: "the connection is cut before an answer", script: []testkit.Fault{nil, testkit.Drop, testkit.Drop}},
		{name: "the answer breaks off", script: []testkit.Fault{testkit.Says(200, `{"data":[{"index":0,"embed`)}},
		{name: "too slow", script: []testkit.Fault{testkit.Hang}, timeout: 50 * time.Millisecond},
		{name: "one vector too few", script: []testkit.Fault{testkit.TooFew}},
		{name: "one vector too few for several texts, always", rule: func(r testkit.Request) testkit.Fault {
			if len(r.Input) > 1 {
				return testkit.TooFew
			}
			return nil
		}},
		{name: "another length", script: []testkit.Fault{testkit.Length(dims + 1)}},
		{name: "unsorted", rule: testkit.Always(testkit.Unsorted)},
		{name: "an index twice", script: []testkit.Fault{testkit.Changed(func(a *testkit.Answer) { a.Data[0].Index = 1 })}},
		{name: "no number, once", script: []testkit.Fault{testkit.Spoil("number 0.", nulls)(testkit.Request{Input: texts(8)})}},
		{name: "no number for a text, always", rule: testkit.Spoil("number 11.", nulls),
			refused: map[int]string{11: "gave a vector that has no length or holds what is no number"}},
		{name: "zero for a text, always", rule: testkit.Spoil("number 39.", make([]float32, dims)),
			refused: map[int]string{39: "gave a vector that has no length"}},
		{name: "a text is refused", rule: testkit.Refuse("number 13.", testkit.Status(400, "this is not allowed")),
			refused: map[int]string{13: "answered 400 (this is not allowed)"}},
		{name: "several are", rule: testkit.Refuse("number 1", testkit.Status(422, "no ones")),
			refused: map[int]string{1: "422", 10: "422", 11: "422", 12: "422", 13: "422", 14: "422", 15: "422", 16: "422", 17: "422", 18: "422", 19: "422"}},
		{name: "a text makes it fail", rule: testkit.Refuse("number 20.", testkit.Status(500, "segmentation fault")),
			refused: map[int]string{20: "answered 500 (segmentation fault)"}},
		{name: "a text makes it write no JSON", rule: testkit.Refuse("number 20.", testkit.Says(200, `{"data":[{"index":0,"embedding":[NaN]}]}`)),
			refused: map[int]string{20: "not the JSON of embeddings"}},
		{name: "an error with a good status", rule: testkit.Refuse("number 20.", testkit.Says(200, `{"error":{"message":"provider failed"}}`)),
			refused: map[int]string{20: "answered with an error (provider failed)"}},
		{name: "more texts than it takes", rule: func(r testkit.Request) testkit.Fault {
			if len(r.Input) > 3 {
				return testkit.Says(413, `{"error":"batch size 8 > maximum allowed batch size 3","error_type":"Validation"}`)
			}
			return nil
		}},
		{name: "a text longer than it takes is cut", texts: []string{long}, rule: func(r testkit.Request) testkit.Fault {
			if slices.ContainsFunc(r.Input, func(s string) bool { return count(s) > 60 }) {
				return testkit.Status(400, "This model's maximum context length is 60 tokens.")
			}
			return nil
		}, windows: map[int]int{0: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewEmbeddings(t, dims)
			s.Script(c.script...)
			if c.rule != nil {
				s.Rule(c.rule)
			}
			in := texts(n)
			copy(in, c.texts)
			var out [][][]float32
			var err error
			timed(t, s, c.timeout, func(t *testing.T, within func(*Options)) {
				client := over(t, s, within, func(o *Options) { o.BatchItems, o.Requests = 8, 2 })
				out, err = client.Passages(t.Context(), in)
			})
			wantRefused(t, err, c.refused)
			embedded := s.Embedded()
			for i, text := range in {
				want := 1
				if w, ok := c.windows[i]; ok {
					if want = w; len(out[i]) < w {
						t.Errorf("text %d has %d vectors, want %d", i, len(out[i]), w)
					}
					continue
				}
				if _, ok := c.refused[i]; ok {
					want = 0
				} else if len(out[i]) == 1 {
					same(t, out[i][0], text)
				}
				if len(out[i]) != want || embedded[text] != want {
					t.Errorf("text %d has %d vectors and was embedded %d times, want %d", i, len(out[i]), embedded[text], want)
				}
			}
		})
	}
}

// timed is testkit.Timed for a client's options.
func timed(t *testing.T, s *testkit.Embeddings, timeout time.Duration, do func(t *testing.T, within func(*Options))) {
	t.Helper()
	testkit.Timed(t, s, timeout, func(t *testing.T, transport http.RoundTripper) {
		do(t, func(o *Options) { o.Timeout, o.Transport = timeout, transport })
	})
}

func wantRefused(t *testing.T, err error, want map[int]string) {
	t.Helper()
	var partial *embedding.PartialError
	if err != nil && (!errors.As(err, &partial) || partial.Err != nil) {
		t.Fatalf("error %v", err)
	}
	got := map[int]string{}
	if partial != nil {
		for _, r := range partial.Refused {
			got[r.Text] = r.Reason
		}
	}
	if len(got) != len(want) {
		t.Errorf("refused are %v, want %v", got, want)
	}
	for i, reason := range want {
		if !strings.Contains(got[i], reason) {
			t.Errorf("text %d is refused with %q, want %q", i, got[i], reason)
		}
	}
}

// Where nothing helps it ends soon, with a sentence, and gives what was embedded.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		name     string
		rule     func(testkit.Request) testkit.Fault
		script   []testkit.Fault
		change   func(*Options)
		timeout  time.Duration
		want     string
		requests int // at most
		some     bool
	}{
		{name: "no key", rule: testkit.Always(testkit.Status(401, "You didn't provide an API key.")), requests: 2,
			want: "answered 401 (You didn't provide an API key): check the key that embedding.service.key_env or key_file names"},
		{name: "no such model", rule: testkit.Always(testkit.Says(404, `{"error":"model \"m\" not found, try pulling it first"}`)), requests: 2,
			want: `answered 404 (model "m" not found, try pulling it first): check embedding.service.url and model`},
		{name: "every text is refused", rule: testkit.Always(testkit.Status(400, "unknown parameter: dimensions")), requests: 4,
			want: "answered 400 (unknown parameter: dimensions)"},
		{name: "nothing left to pay with", requests: 2,
			rule: testkit.Always(testkit.Says(429, `{"error":{"message":"You exceeded your current quota.","code":"insufficient_quota"}}`)),
			want: "nothing left to pay with"},
		{name: "down", rule: testkit.Always(testkit.Status(503, "down")), requests: 20, want: "answered 503 (down) (tried 8 times)"},
		{name: "always failing", rule: testkit.Always(testkit.Status(500, "no GPU")), requests: 40, want: "answered 500 (no GPU) (tried 4 times)"},
		{name: "one too few, always", rule: testkit.Always(testkit.TooFew), requests: 12, want: "gave 0 vectors for 1 texts"},
		{name: "another length, always", rule: testkit.Always(testkit.Length(dims + 4)), requests: 4,
			want: "gave vectors of 12 components where 8 are wanted (tried 2 times): set embedding.service.dimensions to 12, or embedding.service.shorten to client"},
		{name: "shorter, always", rule: testkit.Always(testkit.Length(dims - 4)), requests: 4, want: "set embedding.service.dimensions to 4"},
		{name: "a limit of an hour", rule: testkit.Always(testkit.Status(429, "daily limit", "Retry-After", "3600")), requests: 2,
			want: "answered 429 (daily limit): it asks to wait 1h0m0s"},
		{name: "limited without end", rule: testkit.Always(testkit.Status(429, "slow down", "Retry-After", "60")), requests: 20, want: "it asks to wait 1m0s"},
		{name: "a page", rule: testkit.Always(testkit.Says(200, "<html>Log in</html>")), requests: 12, want: "not the JSON of embeddings"},
		{name: "a huge answer", rule: testkit.Always(testkit.Says(200, strings.Repeat(" ", 5<<20))), requests: 12, want: "an answer larger than its embeddings can be"},
		{name: "never an answer", rule: testkit.Always(testkit.Hang), requests: 60, want: "did not answer within 10ms (tried 2 times)", timeout: 10 * time.Millisecond},
		{name: "down after a while", script: []testkit.Fault{nil, nil, nil}, rule: testkit.Always(testkit.Status(503, "down")), requests: 25,
			want: "answered 503 (down)", some: true},
		{name: "a key that cannot be read", requests: 0, want: "the environment variable QUARRY_TEST_NO_KEY, which the key of the embedding service is read from, is not set",
			change: func(o *Options) { o.Key = KeyFromEnv("QUARRY_TEST_NO_KEY") }},
		{name: "nobody there", requests: 0, want: "cannot be reached", change: func(o *Options) { o.URL = "http://127.0.0.1:1/v1" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewEmbeddings(t, dims)
			s.Script(c.script...)
			if c.rule != nil {
				s.Rule(c.rule)
			}
			in := texts(40)
			var out [][][]float32
			var err error
			timed(t, s, c.timeout, func(t *testing.T, within func(*Options)) {
				client := over(t, s, within, func(o *Options) {
					o.BatchItems, o.Requests = 8, 2
					if c.change != nil {
						c.change(o)
					}
				})
				out, err = client.Passages(t.Context(), in)
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if n := len(s.Requests()); n > c.requests {
				t.Errorf("%d requests were sent, at most %d are of use", n, c.requests)
			}
			if took := s.Clock.Now().Sub(testkit.NewClock().Now()); took > 30*time.Minute {
				t.Errorf("it took %s", took)
			}
			var partial *embedding.PartialError
			if errors.As(err, &partial) != c.some {
				t.Fatalf("the error is %T", err)
			}
			if !c.some {
				return
			}
			embedded := s.Embedded()
			if len(embedded) != 24 {
				t.Errorf("%d texts were embedded", len(embedded))
			}
			for i, text := range in {
				if (embedded[text] > 0) != (len(out[i]) > 0) {
					t.Errorf("%q was embedded %d times and %d vectors are given", text, embedded[text], len(out[i]))
				}
			}
		})
	}
}

// While a limit holds, none of the requests that run at once is sent.
func TestLimitHoldsForAll(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	start := s.Clock.Now()
	s.Script(testkit.Status(429, "slow down", "Retry-After", "7"))
	client := over(t, s, func(o *Options) { o.BatchItems, o.Requests = 1, 4 })
	if _, err := client.Passages(t.Context(), texts(30)); err != nil {
		t.Fatal(err)
	}
	early := 0
	for _, r := range s.Requests() {
		switch after := r.At.Sub(start); {
		case after == 0:
			early++ // before, or with, the one that was limited
		case after < 7*time.Second:
			t.Errorf("a request was sent %s after the limit began", after)
		}
	}
	if all := len(s.Requests()); all != 31 || early > 30 {
		t.Errorf("%d requests, %d before the limit", all, early)
	}

	// A limit that an answer says is used up is not run into.
	s = testkit.NewEmbeddings(t, dims)
	s.Rule(testkit.Always(func(w http.ResponseWriter, r *http.Request, good testkit.Answer) []int {
		w.Header().Set("X-Ratelimit-Remaining-Requests", "0")
		w.Header().Set("X-Ratelimit-Reset-Requests", "3s")
		return testkit.Unsorted(w, r, good)
	}))
	client = over(t, s, func(o *Options) { o.BatchItems, o.Requests = 1, 1 })
	if _, err := client.Passages(t.Context(), texts(5)); err != nil {
		t.Fatal(err)
	}
	if took := s.Clock.Now().Sub(start); took != 12*time.Second {
		t.Errorf("five requests, 3 s apart, took %s", took)
	}
}

// No more requests run at once than may.
func TestRequestsAreBounded(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	running := make(chan struct{}, 3)
	s.Rule(testkit.Always(func(w http.ResponseWriter, r *http.Request, good testkit.Answer) []int {
		select {
		case running <- struct{}{}:
		default:
			t.Error("a fourth request runs")
		}
		defer func() { <-running }()
		return testkit.Unsorted(w, r, good)
	}))
	client := over(t, s, func(o *Options) { o.BatchItems, o.Requests = 1, 3 })
	done := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := client.Passages(t.Context(), texts(20))
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A call that is ended gives what was embedded until then, at once.
func TestCancelled(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	ctx, cancel := context.WithCancel(t.Context())
	s.Script(nil, nil, func(w http.ResponseWriter, r *http.Request, good testkit.Answer) []int {
		cancel()
		return testkit.Hang(w, r, good)
	})
	client := over(t, s, func(o *Options) { o.BatchItems, o.Requests = 4, 1 })
	out, err := client.Passages(ctx, texts(40))
	var partial *embedding.PartialError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &partial) || len(partial.Refused) > 0 {
		t.Fatalf("error %v", err)
	}
	for i, v := range out {
		if (len(v) > 0) != (i < 8) {
			t.Errorf("text %d has %d vectors", i, len(v))
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests were sent", n)
	}
	if _, err := client.Passages(ctx, texts(4)); !errors.Is(err, context.Canceled) || len(s.Requests()) != 3 {
		t.Errorf("ended before it began: %v", err)
	}
	if _, err := client.Question(ctx, "Why?"); !errors.Is(err, context.Canceled) {
		t.Errorf("a question: %v", err)
	}
}

// Whoever asks a question does not wait for long.
func TestQuestionIsNotTriedForLong(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	s.Rule(testkit.Always(testkit.Status(503, "down", "Retry-After", "4")))
	start := s.Clock.Now()
	_, err := over(t, s).Question(t.Context(), "Why?")
	if took := s.Clock.Now().Sub(start); err == nil || !strings.Contains(err.Error(), "answered 503 (down)") || took > questionPatience {
		t.Errorf("after %s: %v", took, err)
	}
	s.Heal()
	s.Rule(testkit.Spoil("Why", nulls))
	if _, err := over(t, s).Question(t.Context(), "Why?"); err == nil || !strings.Contains(err.Error(), "no number") {
		t.Errorf("a vector of no use: %v", err)
	}
}

// The key is in no error and no name, though the service repeats it.
func TestKeyIsNotShown(t *testing.T) {
	const key = "sk-proj-hunter2hunter2"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, fault := range []testkit.Fault{
		testkit.Status(401, "Incorrect API key provided: "+key+"."),
		testkit.Status(401, "Incorrect API key provided: sk-proj-hu******er2."),
		testkit.Status(400, "bad header: Authorization: Bearer "+key),
		testkit.Says(500, key),
		testkit.Says(200, `{"error":"`+key+`"}`),
	} {
		s := testkit.NewEmbeddings(t, dims)
		s.Rule(testkit.Always(fault))
		c := over(t, s, func(o *Options) { o.Key = KeyFromFile(file) })
		_, err := c.Passages(t.Context(), texts(2))
		if err == nil || strings.Contains(err.Error(), "hu") || strings.Contains(fmt.Sprintf("%v %+v", c.Name(), err), "hunter2") {
			t.Errorf("error %v", err)
		}
		if got := s.Requests()[0].Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("the header is %q", got)
		}
	}
	for content, want := range map[string]string{"": "is empty", " \n": "is empty", "two words": "not one word of printable ASCII", "caf\u00e9": "not one word", strings.Repeat("x", 17<<10): "not one word"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s := testkit.NewEmbeddings(t, dims)
		_, err := over(t, s, func(o *Options) { o.Key = KeyFromFile(file) }).Question(t.Context(), "Why?")
		if err == nil || !strings.Contains(err.Error(), want) || content != "" && strings.Contains(err.Error(), content) && len(strings.TrimSpace(content)) > 0 || len(s.Requests()) > 0 {
			t.Errorf("a key file of %.20q: %v", content, err)
		}
	}
	if _, err := KeyFromFile(filepath.Join(t.TempDir(), "none"))(); err == nil || !strings.Contains(err.Error(), "embedding.service.key_file") {
		t.Errorf("no key file: %v", err)
	}
}

// Services like to repeat what they were sent; errors hold no text of a document.
func TestTextIsNotShown(t *testing.T) {
	const secret = "The merger with Northwind is signed on Friday."
	s := testkit.NewEmbeddings(t, dims)
	s.Rule(testkit.Refuse("merger", testkit.Status(400, "invalid input: "+secret)))
	_, err := over(t, s).Passages(t.Context(), []string{"a", secret, "b"})
	wantRefused(t, err, map[int]string{1: "answered 400 (with a message that repeats a text)"})
}
