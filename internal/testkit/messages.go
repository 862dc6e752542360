package testkit

import (
	"io"
	"net/http"
	"testing"
	"time"
)

// Messages is a service that speaks the Messages protocol of Anthropic and answers as it is
// told to.
type Messages struct {
	scripted[MessagesRequest, Reply]
}

// MessagesRequest is one that came.
type MessagesRequest struct {
	Path     string
	Header   http.Header
	Model    string `json:"model"`
	System   string `json:"system"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	MaxTokens   int      `json:"max_tokens"`
	Temperature *float64 `json:"temperature"`
	Stream      bool     `json:"stream"`
	At          time.Time
}

// NewMessages starts a service that ends with the test.
func NewMessages(t testing.TB) *Messages {
	m := &Messages{}
	m.start(t, m)
	return m
}

// ServeHTTP answers one request.
func (m *Messages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := MessagesRequest{Path: r.URL.Path, Header: r.Header, At: m.Clock.Now()}
	if !decode(w, r, &request) {
		return
	}
	m.mu.Lock()
	reply, ok := m.take(request)
	m.mu.Unlock()
	if !ok {
		reply = Fails(Status(http.StatusNotFound, "no reply is scripted"))
	}
	reply(w, r)
}

// Message answers with a text that ended for a reason: end_turn, max_tokens or refusal. It took
// 11 tokens to ask for and 7 to say.
func Message(text, reason string) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"type": "message", "role": "assistant", "stop_reason": reason,
			"content": []any{map[string]any{"type": "thinking", "thinking": "not to be seen"}, map[string]any{"type": "text", "text": text}},
			"usage":   map[string]any{"input_tokens": 11, "output_tokens": 7}})
	}
}

// MessageStream answers with parts of a text, each an event of its own. It ends as it should, or
// after the parts with an error that the service says.
func MessageStream(failure string, parts ...string) Reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		named := func(name string, data map[string]any) {
			data["type"] = name
			_, _ = io.WriteString(w, "event: "+name+"\n")
			event(w, data)
		}
		named("message_start", map[string]any{"message": map[string]any{"usage": map[string]any{"input_tokens": 11, "output_tokens": 1}}})
		named("ping", map[string]any{})
		for _, part := range parts {
			named("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": part}})
		}
		if failure != "" {
			named("error", map[string]any{"error": map[string]any{"type": "overloaded_error", "message": failure}})
			return
		}
		named("message_delta", map[string]any{"delta": map[string]any{"stop_reason": "end_turn"}, "usage": map[string]any{"output_tokens": 7}})
		named("message_stop", map[string]any{})
	}
}
