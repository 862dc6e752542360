package openai

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

func TestStream(t *testing.T) {
	good := chat.Response{Text: "Hello there.", Usage: chat.Usage{Input: 11, Output: 7}}
	fails := testkit.Fails
	for _, c := range []struct {
		name   string
		script []testkit.Reply
		told   string // parts, with bars between
		want   chat.Response
		err    string
		within time.Duration // the time-out
	}{
		{name: "in parts", script: []testkit.Reply{testkit.Streams("Hel", "lo ", "there.")}, told: "Hel|lo |there.", want: good},
		{name: "a service that does not stream", script: []testkit.Reply{testkit.Replies("Hello there.")}, told: "Hello there.", want: good},
		{name: "500, then in parts", script: []testkit.Reply{fails(testkit.Status(500, "oops")), testkit.Streams("Hello there.")}, told: "Hello there.", want: good},
		{name: "429 with Retry-After", script: []testkit.Reply{fails(testkit.Status(429, "slow", "Retry-After", "7")), testkit.Streams("Hello there.")}, told: "Hello there.", want: good},
		{name: "cut off before its first word", script: []testkit.Reply{testkit.StreamsAndBreaks().Cut, testkit.Streams("Hello there.")}, told: "Hello there.", want: good},
		{name: "stream_options refused", script: []testkit.Reply{fails(testkit.Says(400, `{"error":{"message":"unknown","param":"stream_options"}}`)), testkit.Streams("Hello there.")}, told: "Hello there.", want: good},
		{name: "cut off behind a word", script: []testkit.Reply{testkit.StreamsAndBreaks("Hel").Cut}, told: "Hel", want: chat.Response{Text: "Hel"}, err: "broke off the connection"},
		{name: "it ends without a reason", script: []testkit.Reply{testkit.StreamsAndBreaks("Hel").Ends}, told: "Hel", want: chat.Response{Text: "Hel"}, err: "breaks off"},
		{name: "an event that is no JSON", script: []testkit.Reply{testkit.StreamsAndBreaks("Hel").Garbles}, told: "Hel", want: chat.Response{Text: "Hel"}, err: "not the JSON of a completion"},
		{name: "it hangs behind a word", script: []testkit.Reply{testkit.StreamsAndBreaks("Hel").Hangs}, told: "Hel", want: chat.Response{Text: "Hel"}, err: "did not answer within",
			within: 30 * time.Millisecond},
		{name: "401", script: []testkit.Reply{fails(testkit.Status(401, "no"))}, err: "check the key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testkit.NewChats(t)
			s.Script(c.script...)
			var told []string
			var got chat.Response
			var err error
			timed(t, s, c.within, func(t *testing.T, within func(*Options)) {
				got, err = over(t, s, within).Stream(t.Context(), hello, func(part string) error { told = append(told, part); return nil })
			})
			if got != c.want || strings.Join(told, "|") != c.told {
				t.Errorf("told %q, got %+v, %v", told, got, err)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
			if n := len(s.Requests()); n != len(c.script) {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// Who listens can end it, and the caller can go.
func TestStreamEnds(t *testing.T) {
	s := testkit.NewChats(t)
	s.Script(testkit.Streams("a", "b"))
	enough := errors.New("enough")
	if _, err := over(t, s).Stream(t.Context(), hello, func(string) error { return enough }); !errors.Is(err, enough) || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
	s.Script(testkit.StreamsAndBreaks("a").Hangs)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := over(t, s).Stream(ctx, hello, func(string) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller has gone: %v", err)
	}
}
