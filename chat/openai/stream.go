package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// Stream implements chat.Streamer. A service that answers in one piece tells one part.
func (c *Client) Stream(ctx context.Context, r chat.Request, tell func(part string) error) (chat.Response, error) {
	if len(r.Messages) == 0 {
		return chat.Response{}, errNoMessage
	}
	until := c.service.Now().Add(c.options.Patience)
	for {
		body := c.body(r)
		body.Stream = true
		if !c.noStreamOptions.Load() {
			body.StreamOptions = &streamOptions{IncludeUsage: true}
		}
		s := stream{tell: tell}
		err := c.service.Send(ctx, ctx, service.Call{Body: body, Texts: textsOf(r), Limit: answerLimit, Stream: s.read, Begun: func() bool { return s.text.Len() > 0 }}, until)
		if err == nil {
			return s.response()
		}
		var f *service.Failure
		if s.text.Len() > 0 || !errors.As(err, &f) || !c.learn(f, body) {
			r, _ := s.response()
			return r, err
		}
	}
}

// stream gathers one answer from the parts in which it comes.
type stream struct {
	tell     func(string) error
	text     strings.Builder
	finished string // the reason, once it is said
	usage    chat.Usage
}

// chunk is one event of a stream.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content *string `json:"content"`
			Refusal string  `json:"refusal"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

func (s *stream) read(body io.Reader) error {
	// A try that gave nothing leaves nothing.
	s.finished, s.usage = "", chat.Usage{}
	buffered := bufio.NewReader(body)
	if first, err := buffered.Peek(1); err == nil && first[0] == '{' { // all at once, not as asked
		data, err := io.ReadAll(buffered)
		if err != nil {
			return err
		}
		r, err := decode(data)
		if err != nil {
			return err
		}
		s.usage, s.finished = r.Usage, "stop"
		if r.Cut {
			s.finished = "length"
		}
		return s.add(r.Text)
	}
	if err := service.Events(buffered, s.event); err != nil {
		return err
	}
	if s.finished == "" {
		return service.ErrCut
	}
	_, err := s.response()
	return err
}

func (s *stream) event(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		if s.finished == "" && s.text.Len() > 0 {
			s.finished = "stop" // some services give no reason
		}
		return nil
	}
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return errors.New("gave a stream with an event that is not the JSON of a completion")
	}
	if len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null")) {
		return service.SaidError{Body: bytes.Clone(data)}
	}
	if c.Usage != nil {
		s.usage = chat.Usage{Input: max(0, c.Usage.Prompt), Output: max(0, c.Usage.Completion)}
	}
	if len(c.Choices) == 0 {
		return nil
	}
	first := c.Choices[0]
	if first.FinishReason != "" {
		s.finished = first.FinishReason
	}
	if first.Delta.Refusal != "" {
		s.finished = "content_filter"
	}
	if first.Delta.Content == nil || *first.Delta.Content == "" {
		return nil
	}
	return s.add(strings.ToValidUTF8(*first.Delta.Content, "\uFFFD"))
}

func (s *stream) add(part string) error {
	s.text.WriteString(part)
	if err := s.tell(part); err != nil {
		return service.StopError{Err: err}
	}
	return nil
}

func (s *stream) response() (chat.Response, error) {
	r := chat.Response{Text: s.text.String(), Cut: s.finished == "length", Usage: s.usage}
	return r, service.NoText(r.Text, s.finished == "content_filter", r.Cut)
}
