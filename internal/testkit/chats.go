package testkit

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"
)

// Chats is a service that speaks the /chat/completions protocol and answers as it is
// told to.
type Chats struct {
	scripted[ChatRequest, Reply]
	rule func(ChatRequest) Reply
}

// ChatRequest is one that came.
type ChatRequest struct {
	Path, Query string
	Header      http.Header
	Model       string `json:"model"`
	Messages    []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Temperature         *float64 `json:"temperature"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Stream              bool     `json:"stream"`
	StreamOptions       *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	At time.Time
}

// Last is the text of the request's last message.
func (r ChatRequest) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// Reply answers a request.
type Reply func(w http.ResponseWriter, r *http.Request)

// NewChats starts a service that ends with the test.
func NewChats(t testing.TB) *Chats {
	c := &Chats{}
	c.start(t, c)
	return c
}

// Rule says how requests are answered where the script is at its end.
func (c *Chats) Rule(rule func(ChatRequest) Reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rule = rule
}

func (c *Chats) next(r ChatRequest) Reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reply, ok := c.take(r); ok {
		return reply
	}
	if c.rule != nil {
		return c.rule(r)
	}
	return Fails(Status(http.StatusNotFound, "no reply is scripted"))
}

// ServeHTTP answers one request.
func (c *Chats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := ChatRequest{Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header, At: c.Clock.Now()}
	if !decode(w, r, &request) {
		return
	}
	c.next(request)(w, r)
}

// Replies answers with a text, which took 11 tokens to ask for and 7 to say.
func Replies(text string) Reply { return Finishes(text, "stop") }

// Finishes answers with a text that ended for a reason: stop, length or content_filter.
func Finishes(text, reason string) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{
			"object":  "chat.completion",
			"choices": []any{map[string]any{"index": 0, "finish_reason": reason, "message": map[string]any{"role": "assistant", "content": text}}},
			"usage":   map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
		})
	}
}

// Streams answers with parts of a text, each an event of its own, and ends as it should; it took as
// much as Replies.
func Streams(parts ...string) Reply {
	return func(w http.ResponseWriter, r *http.Request) {
		StreamsAndBreaks(parts...).open(w, r)
		event(w, map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "delta": map[string]any{}}}})
		event(w, map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 11, "completion_tokens": 7}})
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}
}

// Broken is a stream that does not end as it should.
type Broken []string

// StreamsAndBreaks sends parts of a text, and then one of Cut, Hangs or Ends may follow.
func StreamsAndBreaks(parts ...string) Broken { return parts }

// Cut breaks off the connection behind the parts.
func (b Broken) Cut(w http.ResponseWriter, r *http.Request) {
	b.open(w, r)
	breakOff(w)
}

// Ends ends the stream behind the parts without a reason.
func (b Broken) Ends(w http.ResponseWriter, r *http.Request) { b.open(w, r) }

// Hangs says nothing more behind the parts.
func (b Broken) Hangs(w http.ResponseWriter, r *http.Request) {
	b.open(w, r)
	<-r.Context().Done()
}

// Garbles sends an event that is no JSON behind the parts.
func (b Broken) Garbles(w http.ResponseWriter, r *http.Request) {
	b.open(w, r)
	_, _ = io.WriteString(w, "data: {\"choices\": [{\n\n")
}

func (b Broken) open(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ": a comment keeps the line open\n\n")
	for _, part := range b {
		event(w, map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": nil, "delta": map[string]any{"content": part}}}})
	}
}

// event sends one event of a stream.
func event(w http.ResponseWriter, data any) {
	body, _ := json.Marshal(data)
	_, _ = io.WriteString(w, "data: "+string(body)+"\n\n")
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// Fails answers with a fault that is the same whatever is asked for.
func Fails(f Fault) Reply {
	return func(w http.ResponseWriter, r *http.Request) { f(w, r, Answer{}) }
}

// Slowly answers byte after byte and never ends.
func Slowly(w http.ResponseWriter, r *http.Request, _ Answer) []int {
	for tick := time.NewTicker(time.Millisecond); ; {
		select {
		case <-r.Context().Done():
			tick.Stop()
			return nil
		case <-tick.C:
			_, _ = io.WriteString(w, " ")
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
	}
}
