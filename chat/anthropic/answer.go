package anthropic

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// usage is what a request took, in tokens.
type usage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

// block is a part of a message; those that are no text, such as thoughts, are passed over.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// completion is the body of a good answer.
type completion struct {
	Type       string  `json:"type"`
	Content    []block `json:"content"`
	StopReason string  `json:"stop_reason"`
	Usage      usage   `json:"usage"`
}

func decode(body []byte) (chat.Response, error) {
	var c completion
	if err := service.Decode(body, &c, "a message"); err != nil {
		return chat.Response{}, err
	}
	if c.Type == "error" {
		return chat.Response{}, service.SaidError{Body: body}
	}
	var text strings.Builder
	for _, b := range c.Content {
		if b.Type == "text" {
			text.WriteString(b.Text)
		}
	}
	r := responseOf(text.String(), c.StopReason, c.Usage)
	return r, service.NoText(r.Text, c.StopReason == "refusal", r.Cut)
}

func responseOf(text, stopped string, u usage) chat.Response {
	return chat.Response{Text: strings.ToValidUTF8(text, "\uFFFD"), Cut: stopped == "max_tokens", Usage: chat.Usage{Input: max(0, u.Input), Output: max(0, u.Output)}}
}

// stream gathers one answer from the events in which it comes.
type stream struct {
	tell    func(string) error
	text    strings.Builder
	stopped string // the reason, once it is said
	ended   bool
	usage   usage
}

// event is one of a stream, of whatever type.
type event struct {
	Type    string `json:"type"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage *usage `json:"usage"`
}

func (s *stream) read(body io.Reader) error {
	s.stopped, s.ended, s.usage = "", false, usage{} // a try that gave nothing leaves nothing
	if err := service.Events(body, s.event); err != nil {
		return err
	}
	if !s.ended {
		return service.ErrCut
	}
	r := s.response()
	return service.NoText(r.Text, s.stopped == "refusal", r.Cut)
}

func (s *stream) event(data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return errors.New("gave a stream with an event that is not the JSON of a message")
	}
	switch e.Type {
	case "message_start":
		s.usage = e.Message.Usage
	case "content_block_delta":
		if e.Delta.Type != "text_delta" || e.Delta.Text == "" {
			return nil
		}
		part := strings.ToValidUTF8(e.Delta.Text, "\uFFFD")
		s.text.WriteString(part)
		if err := s.tell(part); err != nil {
			return service.StopError{Err: err}
		}
	case "message_delta":
		s.stopped = e.Delta.StopReason
		if e.Usage != nil {
			s.usage.Output = e.Usage.Output
		}
	case "message_stop":
		s.ended = true
	case "error":
		return service.SaidError{Body: append([]byte(nil), data...)}
	}
	return nil
}

func (s *stream) response() chat.Response { return responseOf(s.text.String(), s.stopped, s.usage) }
