package openai

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// over opens a client of a fake service whose clock nobody waits for.
func over(t *testing.T, s *testkit.Chats, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{URL: s.URL, Model: "m", Clock: s.Clock}
	for _, f := range change {
		f(&o)
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var hello = chat.Request{Messages: []chat.Message{{Role: chat.System, Text: "Be brief."}, {Role: chat.User, Text: "Say hello to the merger with Northwind."}}, MaxTokens: 50}

// The request is the protocol's, and the answer what the service says.
func TestComplete(t *testing.T) {
	s := testkit.NewChats(t)
	s.Script(testkit.Replies("Hello."), testkit.Finishes("Hel", "length"))
	c := over(t, s)
	got, err := c.Complete(t.Context(), hello)
	if want := (chat.Response{Text: "Hello.", Usage: chat.Usage{Input: 11, Output: 7}}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err := c.Complete(t.Context(), chat.Request{Messages: hello.Messages}); err != nil || got.Text != "Hel" || !got.Cut {
		t.Errorf("%+v, %v", got, err)
	}
	r := s.Requests()
	first := r[0]
	if first.Path != "/v1/chat/completions" || first.Model != "m" || first.MaxTokens != 50 || first.MaxCompletionTokens != 0 || first.Temperature == nil || *first.Temperature != 0 ||
		len(first.Messages) != 2 || first.Messages[0].Role != "system" || first.Messages[1].Role != "user" || first.Last() != hello.Messages[1].Text {
		t.Errorf("the request is %+v", first)
	}
	if r[1].MaxTokens != 0 {
		t.Errorf("without a bound it asks for %d tokens", r[1].MaxTokens)
	}
	if c.Name() != "m" {
		t.Errorf("it is called %s", c.Name())
	}
	if _, err := c.Complete(t.Context(), chat.Request{}); err == nil || len(s.Requests()) != 2 {
		t.Errorf("no message: %v", err)
	}
}

// Whatever a service does wrong for a while, the answer comes.
func TestFaults(t *testing.T) {
	fails := testkit.Fails
	for _, c := range []struct {
		name   string
		script []testkit.Reply
		waited time.Duration // at least
		within time.Duration // the time-out
	}{
		{name: "429 with seconds", script: []testkit.Reply{fails(testkit.Status(429, "slow down", "Retry-After", "7"))}, waited: 7 * time.Second},
		{name: "429 again and again", script: slices.Repeat([]testkit.Reply{fails(testkit.Status(429, "slow down"))}, 8)},
		{name: "500", script: []testkit.Reply{fails(testkit.Status(500, "oops")), fails(testkit.Status(500, "oops"))}},
		{name: "503, a page", script: []testkit.Reply{fails(testkit.Says(503, "<html>"))}},
		{name: "no JSON", script: []testkit.Reply{fails(testkit.Says(200, "Hello."))}},
		{name: "JSON that breaks off", script: []testkit.Reply{fails(testkit.Says(200, `{"choices":[{"mess`))}},
		{name: "no choice", script: []testkit.Reply{fails(testkit.Says(200, `{"choices":[]}`))}},
		{name: "no text", script: []testkit.Reply{testkit.Replies(" \n")}},
		{name: "an error with a good status", script: []testkit.Reply{fails(testkit.Says(200, `{"error":{"message":"provider failed"}}`))}},
		{name: "the connection is cut in the answer", script: []testkit.Reply{fails(testkit.Cut), fails(testkit.Cut)}},
		{name: "the connection is cut before an answer", script: []testkit.Reply{fails(testkit.Drop)}},
		{name: "byte after byte", script: []testkit.Reply{fails(testkit.Slowly)}, within: 50 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewChats(t)
			s.Script(c.script...)
			s.Script(testkit.Replies("Hello."))
			start := s.Clock.Now()
			var got chat.Response
			var err error
			timed(t, s, c.within, func(t *testing.T, within func(*Options)) { got, err = over(t, s, within).Complete(t.Context(), hello) })
			if err != nil || got.Text != "Hello." || len(s.Requests()) != len(c.script)+1 {
				t.Errorf("%+v, %v after %d requests", got, err, len(s.Requests()))
			}
			if waited := s.Clock.Now().Sub(start); waited < c.waited {
				t.Errorf("it waited %s, not %s", waited, c.waited)
			}
		})
	}
}

// timed is testkit.Timed for a client's options.
func timed(t *testing.T, s *testkit.Chats, timeout time.Duration, do func(t *testing.T, within func(*Options))) {
	t.Helper()
	testkit.Timed(t, s, timeout, func(t *testing.T, transport http.RoundTripper) {
		do(t, func(o *Options) { o.Timeout, o.Transport = timeout, transport })
	})
}

// Where nothing helps it ends soon, with a sentence that shows nothing of what was sent.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		name     string
		reply    testkit.Reply
		want     string
		requests int // at most
		change   func(*Options)
		within   time.Duration // the time-out
	}{
		{name: "no key", reply: testkit.Fails(testkit.Status(401, "You didn't provide an API key.")), requests: 1,
			want: "answered 401 (You didn't provide an API key): check the key that judge.service.key_env or key_file names"},
		{name: "no such model", reply: testkit.Fails(testkit.Says(404, `{"error":"model \"m\" not found"}`)), requests: 1,
			want: `answered 404 (model "m" not found): check judge.service.url and model`},
		{name: "the text is repeated", reply: testkit.Fails(testkit.Status(400, "bad: Say hello to the merger with Northwind.")), requests: 1,
			want: "answered 400 (with a message that repeats a text)"},
		{name: "nothing left to pay with", reply: testkit.Fails(testkit.Says(429, `{"error":{"message":"quota","code":"insufficient_quota"}}`)), requests: 1, want: "nothing left to pay with"},
		{name: "a limit of an hour", reply: testkit.Fails(testkit.Status(429, "daily limit", "Retry-After", "3600")), requests: 1, want: "it asks to wait 1h0m0s"},
		{name: "down", reply: testkit.Fails(testkit.Status(503, "down")), requests: 8, want: "answered 503 (down) (tried 8 times)"},
		{name: "always failing", reply: testkit.Fails(testkit.Status(500, "no GPU")), requests: 4, want: "answered 500 (no GPU) (tried 4 times)"},
		{name: "never JSON", reply: testkit.Fails(testkit.Says(200, "<html>Log in</html>")), requests: 2,
			want: "not the JSON of a completion (tried 2 times): the service is faulty, or judge.service.url is not one of completions"},
		{name: "never text", reply: testkit.Replies(""), requests: 2, want: "gave an answer without text"},
		{name: "filtered", reply: testkit.Finishes("", "content_filter"), requests: 1, want: "refuses to answer this request"},
		{name: "too few tokens to reason", reply: testkit.Finishes("", "length"), requests: 1, want: "allow it more tokens"},
		{name: "huge", reply: testkit.Fails(testkit.Says(200, strings.Repeat(" ", answerLimit+1))), requests: 2, want: "an answer larger than its completions can be"},
		{name: "never an end", reply: testkit.Fails(testkit.Slowly), requests: 2, want: "did not answer within 10ms (tried 2 times)", within: 10 * time.Millisecond},
		{name: "a key that is not there", requests: 0, change: func(o *Options) { o.KeyEnv = "QUARRY_TEST_NO_KEY" },
			want: "the environment variable QUARRY_TEST_NO_KEY, which the key of the judge is read from, is not set: set it, or name another with judge.service.key_env"},
		{name: "nobody there", requests: 0, want: "cannot be reached", change: func(o *Options) { o.URL = "http://127.0.0.1:1/v1" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewChats(t)
			s.Rule(func(testkit.ChatRequest) testkit.Reply { return c.reply })
			var err error
			timed(t, s, c.within, func(t *testing.T, within func(*Options)) {
				client := over(t, s, within, func(o *Options) {
					o.Noun, o.Keys = "judge", "judge.service"
					if c.change != nil {
						c.change(o)
					}
				})
				_, err = client.Complete(t.Context(), hello)
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "Northwind") {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if n := len(s.Requests()); n > c.requests {
				t.Errorf("%d requests were sent, at most %d are of use", n, c.requests)
			}
		})
	}
}

// What a model does not take is said otherwise, and then at once.
func TestParameters(t *testing.T) {
	s := testkit.NewChats(t)
	s.Rule(func(r testkit.ChatRequest) testkit.Reply {
		switch {
		case r.MaxTokens > 0:
			return testkit.Fails(testkit.Says(400, `{"error":{"message":"Unsupported parameter.","param":"max_tokens","code":"unsupported_parameter"}}`))
		case r.Temperature != nil:
			return testkit.Fails(testkit.Says(400, `{"error":{"message":"Unsupported value.","param":"temperature","code":"unsupported_value"}}`))
		case r.MaxCompletionTokens != 50:
			return testkit.Fails(testkit.Status(400, "no bound"))
		}
		return testkit.Replies("Hello.")
	})
	c := over(t, s)
	for range 2 {
		if got, err := c.Complete(t.Context(), hello); err != nil || got.Text != "Hello." {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests, want 3 to learn and 1", n)
	}
	// A refusal that goes on is an error and no loop.
	s.Rule(func(testkit.ChatRequest) testkit.Reply {
		return testkit.Fails(testkit.Says(400, `{"error":{"message":"No.","param":"max_tokens"}}`))
	})
	if _, err := over(t, s).Complete(t.Context(), hello); err == nil || !strings.Contains(err.Error(), "answered 400 (No)") {
		t.Errorf("error %v", err)
	}
}

// The key goes into the header alone, though the service repeats it.
func TestKeyIsNotShown(t *testing.T) {
	const key = "sk-proj-hunter2hunter2"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.NewChats(t)
	s.Rule(func(testkit.ChatRequest) testkit.Reply {
		return testkit.Fails(testkit.Status(401, "Incorrect API key provided: "+key+"."))
	})
	for _, change := range []func(*Options){
		func(o *Options) { o.KeyFile = file },
		func(o *Options) { t.Setenv("QUARRY_TEST_KEY", key); o.KeyEnv = "QUARRY_TEST_KEY" },
	} {
		_, err := over(t, s, change).Complete(t.Context(), hello)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("error %v", err)
		}
		all := s.Requests()
		if got := all[len(all)-1].Header.Get("Authorization"); got != "Bearer "+key {
			t.Errorf("the header is %q", got)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want string // the error, or "" where it can be used
		key  string // the environment variable of the key
	}{
		{"OpenAI", Options{Model: "m"}, "", "OPENAI_API_KEY"},
		{"OpenAI, said", Options{Model: "m", URL: DefaultURL + "/"}, "", "OPENAI_API_KEY"},
		{"another host", Options{Model: "m", URL: "http://localhost:11434/v1"}, "", ""},
		{"a host that begins alike", Options{Model: "m", URL: DefaultURL + ".example.org/v1"}, "", ""},
		{"a key of its own", Options{Model: "m", KeyEnv: "MINE"}, "", "MINE"},
		{"no model", Options{}, "chat.model: name the model", ""},
		{"no model of a judge", Options{Keys: "judge.service"}, "judge.service.model: name the model", ""},
		{"two keys", Options{Model: "m", KeyEnv: "A", KeyFile: "b"}, "chat.key_file and key_env are both given", ""},
		{"no address", Options{Model: "m", URL: "localhost"}, "chat.url", ""},
		{"too many at once", Options{Model: "m", Requests: 1000}, "chat.requests is 1000", ""},
		{"no time", Options{Model: "m", Timeout: -1}, "must be above 0", ""},
	} {
		client, err := Open(c.o)
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, not %q", c.name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && client.options.KeyEnv != c.key:
			t.Errorf("%s: the key is from %q, want %q", c.name, client.options.KeyEnv, c.key)
		}
	}
}

func TestCancelled(t *testing.T) {
	s := testkit.NewChats(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Rule(func(testkit.ChatRequest) testkit.Reply { cancel(); return testkit.Fails(testkit.Hang) })
	if _, err := over(t, s).Complete(ctx, hello); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// An answer gives text or an error, never an empty text.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":-2}}`))
	f.Add([]byte(`{"choices":[{"message":{"content":null,"refusal":"no"}}]}`))
	f.Add([]byte(`{"error":"loading"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := decode(body)
		if err == nil && strings.TrimSpace(r.Text) == "" || r.Usage.Input < 0 || r.Usage.Output < 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
