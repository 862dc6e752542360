// Package anthropic asks a chat model behind a service that speaks the Messages protocol of
// Anthropic.
//
// Nothing is called before the first request. The key is read from the environment or a file;
// it goes into one header of requests to the configured host, never into an error, a name or
// another host: redirects are not followed.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/service"
)

const (
	// DefaultURL is the service that is used where none is named.
	DefaultURL = "https://api.anthropic.com/v1"
	// version is of the protocol, which the service asks each request for.
	version = "2023-06-01"
	// maxTokens bounds an answer where the request does not: the protocol asks for a bound.
	maxTokens = 4096
	// answerLimit bounds the bytes of an answer: more than models write at once.
	answerLimit = 4 << 20
)

// Options say which service and model are used and how. Model is required.
type Options struct {
	// URL is where the protocol's paths begin: requests go to URL/messages. Default: DefaultURL.
	URL string
	// Model is what the service calls the model.
	Model string
	// KeyEnv names the environment variable, or KeyFile the file, that holds the key; at most
	// one is given. Default: ANTHROPIC_API_KEY where URL is Anthropic's, else no key is sent.
	KeyEnv, KeyFile string

	// Requests is how many run at once. Default: 4.
	Requests int
	// Timeout is for one try. Default: 2 minutes.
	Timeout time.Duration
	// Patience is how long it is tried to get one answer. Default: 5 minutes.
	Patience time.Duration

	// Noun and Keys are what errors call the service and the configuration keys that these
	// options come from. Default: "chat model" and "chat".
	Noun, Keys string

	// Transport sends requests. Default: one of its own, which heeds HTTPS_PROXY.
	Transport http.RoundTripper
	// Clock is the time that back-off goes by. Default: the real time.
	Clock service.Clock
}

// Client is a model behind a service. It is a chat.Streamer.
type Client struct {
	options       Options // complete
	service       *service.Client
	noTemperature atomic.Bool // the service was found not to take one
}

var _ chat.Streamer = (*Client)(nil)

// Open makes a client. It checks the options and calls nothing.
func Open(o Options) (*Client, error) {
	o.Noun, o.Keys, o.URL = cmp.Or(o.Noun, "chat model"), cmp.Or(o.Keys, "chat"), cmp.Or(o.URL, DefaultURL)
	o.Requests, o.Timeout, o.Patience = cmp.Or(o.Requests, 4), cmp.Or(o.Timeout, 2*time.Minute), cmp.Or(o.Patience, 5*time.Minute)
	switch {
	case o.Model == "":
		return nil, fmt.Errorf("%s.model: name the model as the service calls it", o.Keys)
	case o.KeyEnv != "" && o.KeyFile != "":
		return nil, fmt.Errorf("%s.key_file and key_env are both given: keep one", o.Keys)
	case o.Requests < 1 || o.Requests > 256:
		return nil, fmt.Errorf("%s.requests is %d: give 1 to 256", o.Keys, o.Requests)
	case o.Timeout < 0 || o.Patience < 0:
		return nil, errors.New("the time-out and patience of the " + o.Noun + " must be above 0")
	}
	if o.KeyEnv == "" && o.KeyFile == "" && strings.HasPrefix(o.URL+"/", DefaultURL+"/") { // this key goes to no other host unasked
		o.KeyEnv = "ANTHROPIC_API_KEY"
	}
	use := service.Use{Noun: o.Noun, Keys: o.Keys, Path: "messages", Gives: "messages"}
	s := service.Options{Use: use, URL: o.URL, KeyHeader: "X-Api-Key", Header: map[string]string{"Anthropic-Version": version},
		Requests: o.Requests, Timeout: o.Timeout, Transport: o.Transport, Clock: o.Clock}
	switch {
	case o.KeyFile != "":
		s.Key = use.KeyFromFile(o.KeyFile)
	case o.KeyEnv != "":
		s.Key = use.KeyFromEnv(o.KeyEnv)
	}
	c := &Client{options: o}
	var err error
	if c.service, err = service.Open(s); err != nil {
		return nil, err
	}
	return c, nil
}

// Name implements chat.Model.
func (c *Client) Name() string { return c.options.Model }

// Complete implements chat.Model.
func (c *Client) Complete(ctx context.Context, r chat.Request) (chat.Response, error) {
	var got chat.Response
	err := c.send(ctx, r, false, func(call *service.Call) {
		call.Read = func(body []byte) (err error) {
			got, err = decode(body)
			return err
		}
	})
	if err != nil {
		return chat.Response{}, err
	}
	return got, nil
}

// Stream implements chat.Streamer.
func (c *Client) Stream(ctx context.Context, r chat.Request, tell func(part string) error) (chat.Response, error) {
	s := &stream{tell: tell}
	err := c.send(ctx, r, true, func(call *service.Call) {
		call.Stream, call.Begun = s.read, func() bool { return s.text.Len() > 0 }
	})
	got := s.response()
	if err == nil {
		err = service.NoText(got.Text, s.stopped == "refusal", got.Cut)
	}
	return got, err
}

// send sends a request, once more without what the service does not take.
func (c *Client) send(ctx context.Context, r chat.Request, streamed bool, listen func(*service.Call)) error {
	if len(r.Messages) == 0 {
		return errors.New("a request to a chat model needs a message")
	}
	until := c.service.Now().Add(c.options.Patience)
	for {
		body := c.body(r)
		body.Stream = streamed
		call := service.Call{Body: body, Limit: answerLimit}
		for _, m := range r.Messages {
			call.Texts = append(call.Texts, m.Text)
		}
		listen(&call)
		err := c.service.Send(ctx, ctx, call, until)
		var f *service.Failure
		if err == nil || !errors.As(err, &f) || f.Kind != service.Refused || body.Temperature == nil || !strings.Contains(f.What, "temperature") {
			return err
		}
		c.noTemperature.Store(true)
	}
}

// request is the body of a request.
type request struct {
	Model       string    `json:"model"`
	System      string    `json:"system,omitempty"`
	Messages    []message `json:"messages"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature *float64  `json:"temperature,omitempty"`
	Stream      bool      `json:"stream,omitempty"`
}

type message struct {
	Role    chat.Role `json:"role"`
	Content string    `json:"content"`
}

// body puts what the model is told to be apart, as the protocol has it.
func (c *Client) body(r chat.Request) request {
	body := request{Model: c.options.Model, MaxTokens: cmp.Or(r.MaxTokens, maxTokens)}
	for _, m := range r.Messages {
		if m.Role == chat.System {
			body.System = strings.TrimPrefix(body.System+"\n\n"+m.Text, "\n\n")
			continue
		}
		body.Messages = append(body.Messages, message{m.Role, m.Text})
	}
	if !c.noTemperature.Load() {
		body.Temperature = new(float64)
	}
	return body
}
