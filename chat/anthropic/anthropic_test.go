package anthropic

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

const key = "sk-ant-nobody-may-see-this"

func over(t *testing.T, s *testkit.Messages, change ...func(*Options)) *Client {
	t.Helper()
	t.Setenv("QUARRY_TEST_KEY", key)
	o := Options{URL: s.URL, Model: "m", KeyEnv: "QUARRY_TEST_KEY", Clock: s.Clock}
	for _, f := range change {
		f(&o)
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var hello = chat.Request{MaxTokens: 50, Messages: []chat.Message{{Role: chat.System, Text: "Be brief."}, {Role: chat.User, Text: "Say hello to the merger with Northwind."}}}

// The request is the protocol's, and the answer what the service says.
func TestComplete(t *testing.T) {
	s := testkit.NewMessages(t)
	s.Script(testkit.Message("Hello.", "end_turn"), testkit.Message("Hel", "max_tokens"))
	c := over(t, s)
	if got, err := c.Complete(t.Context(), hello); err != nil || got != (chat.Response{Text: "Hello.", Usage: chat.Usage{Input: 11, Output: 7}}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := c.Complete(t.Context(), chat.Request{Messages: hello.Messages}); err != nil || got.Text != "Hel" || !got.Cut {
		t.Errorf("%+v, %v", got, err)
	}
	r := s.Requests()
	first := r[0]
	if first.Path != "/v1/messages" || first.Model != "m" || first.System != "Be brief." || len(first.Messages) != 1 || first.Messages[0].Role != "user" ||
		first.MaxTokens != 50 || first.Temperature == nil || first.Header.Get("X-Api-Key") != key || first.Header.Get("Anthropic-Version") == "" || first.Header.Get("Authorization") != "" {
		t.Errorf("the request is %+v", first)
	}
	if r[1].MaxTokens == 0 {
		t.Error("the protocol asks for a bound, and none is sent")
	}
	if _, err := c.Complete(t.Context(), chat.Request{}); err == nil {
		t.Error("no message, no error")
	}
}

func TestFaults(t *testing.T) {
	fails := testkit.Fails
	for _, c := range []struct {
		name   string
		script []testkit.Reply
		want   string        // in the error
		within time.Duration // the time-out
	}{
		{name: "429 with Retry-After", script: []testkit.Reply{fails(testkit.Status(429, "slow down", "Retry-After", "7"))}},
		{name: "529, overloaded", script: []testkit.Reply{fails(testkit.Says(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))}},
		{name: "an error with a good status", script: []testkit.Reply{fails(testkit.Says(200, `{"type":"error","error":{"message":"oops"}}`))}},
		{name: "JSON that breaks off", script: []testkit.Reply{fails(testkit.Says(200, `{"content":[{"ty`))}},
		{name: "no temperature", script: []testkit.Reply{fails(testkit.Says(400, `{"type":"error","error":{"message":"temperature: is not supported"}}`))}},
		{name: "it hangs", script: []testkit.Reply{fails(testkit.Hang), fails(testkit.Hang)}, want: "did not answer within", within: 20 * time.Millisecond},
		{name: "401", script: []testkit.Reply{fails(testkit.Status(401, "invalid x-api-key "+key))}, want: "check the key that chat.key_env or key_file names"},
		{name: "refused", script: []testkit.Reply{testkit.Message("", "refusal")}, want: "refuses to answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, streamed := range []bool{false, true} {
				s := testkit.NewMessages(t)
				s.Script(c.script...)
				if streamed {
					s.Script(testkit.MessageStream("", "Hel", "lo."))
				} else {
					s.Script(testkit.Message("Hello.", "end_turn"))
				}
				var got chat.Response
				var err error
				told := ""
				timed(t, s, c.within, func(t *testing.T, within func(*Options)) {
					if client := over(t, s, within); streamed {
						got, err = client.Stream(t.Context(), hello, func(part string) error { told += part; return nil })
					} else {
						got, err = client.Complete(t.Context(), hello)
					}
				})
				if streamed && (c.name == "an error with a good status" || c.name == "JSON that breaks off" || c.name == "refused") {
					continue // are no events
				}
				if c.want == "" && (err != nil || got.Text != "Hello." || streamed && told != "Hello.") {
					t.Errorf("streamed %t: %+v, %v", streamed, got, err)
				}
				if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key)) {
					t.Errorf("streamed %t: the error is %v, want %q", streamed, err, c.want)
				}
			}
		})
	}
}

// timed is testkit.Timed for a client's options.
func timed(t *testing.T, s *testkit.Messages, timeout time.Duration, do func(t *testing.T, within func(*Options))) {
	t.Helper()
	testkit.Timed(t, s, timeout, func(t *testing.T, transport http.RoundTripper) {
		do(t, func(o *Options) { o.Timeout, o.Transport = timeout, transport })
	})
}

// A stream that the service breaks off behind a word is not asked for again.
func TestStreamBreaks(t *testing.T) {
	s := testkit.NewMessages(t)
	s.Script(testkit.MessageStream("Overloaded", "Hel"))
	got, err := over(t, s).Stream(t.Context(), hello, func(string) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "Overloaded") || got.Text != "Hel" || len(s.Requests()) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testkit.NewMessages(t)
	s.Script(testkit.Message("Hello.", "end_turn"))
	if _, err := over(t, s, func(o *Options) { o.KeyEnv, o.KeyFile = "", file }).Complete(t.Context(), hello); err != nil || s.Requests()[0].Header.Get("X-Api-Key") != key {
		t.Errorf("a key from a file: %v", err)
	}
	for want, o := range map[string]Options{
		"chat.model":        {},
		"both given":        {Model: "m", KeyEnv: "A", KeyFile: "b"},
		"must be above 0":   {Model: "m", Timeout: -1},
		"give 1 to 256":     {Model: "m", Requests: 999},
		"give an address":   {Model: "m", URL: "ftp://x"},
		"ANTHROPIC_API_KEY": {Model: "m", Transport: nil},
	} {
		t.Setenv("ANTHROPIC_API_KEY", "")
		c, err := Open(o)
		if want == "ANTHROPIC_API_KEY" && err == nil {
			_, err = c.Complete(t.Context(), hello) // asks for the key before anything is sent
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
}
