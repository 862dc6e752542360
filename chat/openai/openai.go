// Package openai asks a chat model behind a service that speaks the /chat/completions
// protocol of OpenAI: OpenAI itself, Azure OpenAI, Ollama, llama.cpp, vLLM and others.
//
// Nothing is called before the first request. The key is read from the environment or
// a file; it goes into one header of requests to the configured host, never into an
// error, a name or another host: redirects are not followed.
package openai

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// Client is a model behind a service. It is a chat.Streamer.
type Client struct {
	options Options // complete
	service *service.Client
	// What the service was found not to take.
	noMaxTokens, noTemperature, noStreamOptions atomic.Bool
}

var _ chat.Streamer = (*Client)(nil)

// Open makes a client. It checks the options and calls nothing.
func Open(o Options) (*Client, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	use := service.Use{Noun: o.Noun, Keys: o.Keys, Path: "chat/completions", Gives: "completions"}
	s := service.Options{Use: use, URL: o.URL, APIVersion: o.APIVersion, Requests: o.Requests, Timeout: o.Timeout, Transport: o.Transport, Clock: o.Clock}
	switch {
	case o.KeyFile != "":
		s.Key = use.KeyFromFile(o.KeyFile)
	case o.KeyEnv != "":
		s.Key = use.KeyFromEnv(o.KeyEnv)
	}
	c := &Client{options: o}
	if c.service, err = service.Open(s); err != nil {
		return nil, err
	}
	return c, nil
}

// Name implements chat.Model.
func (c *Client) Name() string { return c.options.Model }

// Complete implements chat.Model.
func (c *Client) Complete(ctx context.Context, r chat.Request) (chat.Response, error) {
	if len(r.Messages) == 0 {
		return chat.Response{}, errNoMessage
	}
	until := c.service.Now().Add(c.options.Patience)
	for {
		body := c.body(r)
		var answer chat.Response
		err := c.service.Send(ctx, ctx, service.Call{Body: body, Texts: textsOf(r), Limit: answerLimit, Read: func(data []byte) (err error) {
			answer, err = decode(data)
			return err
		}}, until)
		if err == nil {
			return answer, nil
		}
		var f *service.Failure
		if !errors.As(err, &f) || !c.learn(f, body) {
			return chat.Response{}, err
		}
	}
}

var errNoMessage = errors.New("a request to a chat model needs a message")

// textsOf are what no error repeats.
func textsOf(r chat.Request) []string {
	texts := make([]string, len(r.Messages))
	for i, m := range r.Messages {
		texts[i] = m.Text
	}
	return texts
}

// request is the body of a request.
type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	// MaxCompletionTokens is the same bound under its newer name.
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Stream              bool           `json:"stream,omitempty"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
}

// streamOptions ask a stream to end with what it took.
type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role    chat.Role `json:"role"`
	Content string    `json:"content"`
}

func (c *Client) body(r chat.Request) request {
	body := request{Model: c.options.Model, MaxTokens: r.MaxTokens}
	for _, m := range r.Messages {
		body.Messages = append(body.Messages, message{m.Role, m.Text})
	}
	if c.noMaxTokens.Load() {
		body.MaxTokens, body.MaxCompletionTokens = 0, r.MaxTokens
	}
	if !c.noTemperature.Load() {
		body.Temperature = new(float64)
	}
	return body
}

// learn reports whether a request was refused for a parameter that can be said otherwise.
// OpenAI's reasoning models take max_completion_tokens alone and no temperature, most other
// services know max_tokens alone; the name of a model does not tell which it is.
func (c *Client) learn(f *service.Failure, sent request) bool {
	switch {
	case f.Kind != service.Refused:
		return false
	case f.Param == "max_tokens" && sent.MaxTokens > 0:
		c.noMaxTokens.Store(true)
		return true
	case f.Param == "temperature" && sent.Temperature != nil:
		c.noTemperature.Store(true)
		return true
	case sent.StreamOptions != nil && (f.Param == "stream_options" || strings.Contains(f.What, "stream_options")):
		c.noStreamOptions.Store(true)
		return true
	}
	return false
}
