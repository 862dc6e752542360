package testkit

import (
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
	At                  time.Time
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
