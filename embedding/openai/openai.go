// Package openai embeds text with a service that speaks the /embeddings protocol
// of OpenAI: OpenAI itself, Azure OpenAI, Ollama, llama.cpp, vLLM, Text
// Embeddings Inference and others.
//
// It is written with net/http and not with OpenAI's Go client. What takes care
// here is beside the protocol, which is one request: windows for long passages, a
// faulty passage found among good ones and left alone, one rate limit for all
// requests that run at once, what was paid for kept when the rest fails. The
// client (Apache-2.0, v3.99) retries whole calls only, and adds 18 MB and an SDK
// for Azure to a binary (24.5 MB against 5.9 MB for a program that does nothing
// but one request).
//
// Nothing is called before the first text is embedded. The key goes into one
// header of requests to the configured host, never into an error, a name or
// another host: redirects are not followed.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// Shorten says how vectors longer than Options.Dimensions become as long. Models
// trained for it (Kusupati et al., "Matryoshka Representation Learning", 2022) keep
// most of their meaning in the first components; others lose it.
type Shorten string

const (
	// Auto is ByService for the text-embedding-3 models and Never for all others.
	Auto Shorten = ""
	// ByService asks the service for vectors of Dimensions.
	ByService Shorten = "service"
	// ByClient cuts longer vectors here and scales them to unit length again, where
	// the service does not know the parameter or ignores it.
	ByClient Shorten = "client"
	// Never expects vectors of Dimensions as the model gives them.
	Never Shorten = "never"
)

// Options say which service and model are used and how. The zero value is
// text-embedding-3-large with 512 dimensions at OpenAI.
type Options struct {
	// URL is where the protocol's paths begin: requests go to URL/embeddings.
	// Default: https://api.openai.com/v1. Ollama: http://localhost:11434/v1.
	// Azure OpenAI: https://NAME.openai.azure.com/openai/v1, or
	// https://NAME.openai.azure.com/openai/deployments/DEPLOYMENT with APIVersion.
	URL string
	// APIVersion is the parameter api-version that Azure OpenAI asks for.
	APIVersion string
	// Model is what the service calls the model. Required where URL is given.
	Model string
	// Name stands for the model in the client's name, which vectors are kept
	// under. Default: Model. Two services that call one model differently share
	// its vectors under one Name. The URL is no part of it: the same model behind
	// another address is the same model.
	Name string
	// Dimensions of the vectors. Default: 512 for text-embedding-3-large and
	// -small, 1536 for text-embedding-ada-002; required for others. It is asked
	// for rather than found out by a call, as a store is opened with it also by
	// commands that embed nothing, and without network.
	Dimensions int
	// Shorten says how longer vectors become as long.
	Shorten Shorten
	// Key gives the key; see KeyFromEnv and KeyFromFile. It is called before the
	// first request and its result kept. nil: no key is sent. A key goes over
	// http as over https: use https beyond a network of your own.
	Key func() (string, error)
	// QuestionPrefix and PassagePrefix are put before every question and every
	// window of a passage, for models trained with them ("query: " and
	// "passage: " for e5, "search_query: " and "search_document: " for nomic).
	QuestionPrefix, PassagePrefix string

	// Window is the longest input in tokens, with prefix and special tokens. A
	// longer passage is cut into windows, each with its vector. Default: 8191 for
	// OpenAI's models, else 512. Tokens are estimated, with the built-in WordPiece:
	// what the service still finds too long is cut once more.
	Window int
	// Overlap is by how many tokens windows overlap. Default: an eighth of Window.
	Overlap int
	// BatchTokens and BatchItems bound one request. Default: 50000 and 32.
	BatchTokens, BatchItems int
	// Requests is how many run at once. Default: 4.
	Requests int

	// Timeout is for one try. Default: 2 minutes.
	Timeout time.Duration
	// Patience is how long it is tried to get vectors from a service that gives
	// none. Default: 5 minutes. A question is not tried for longer than 15 seconds.
	Patience time.Duration

	// Transport sends requests. Default: one of its own, which heeds HTTPS_PROXY.
	Transport http.RoundTripper
	// Clock is the time that back-off goes by; tests give one that does not
	// wait. Default: the real time.
	Clock Clock
}

// Clock tells the time and waits: Now() time.Time, and Sleep(ctx, d), which waits for d, or
// until ctx ends and then returns its error.
type Clock = service.Clock

// use is what messages say.
var use = service.Use{Noun: "embedding service", Keys: "embedding.service", Path: "embeddings", Gives: "embeddings"}

// KeyFromEnv reads a key from an environment variable.
func KeyFromEnv(name string) func() (string, error) { return use.KeyFromEnv(name) }

// KeyFromFile reads a key from a file that holds nothing else.
func KeyFromFile(name string) func() (string, error) { return use.KeyFromFile(name) }

// Client is a model behind a service. It is an embedding.Embedder; its methods
// may be called concurrently, and share one bound on requests and one rate limit.
type Client struct {
	options Options // complete
	name    string
	service *service.Client
	// worked is set once the service has given a good vector.
	worked atomic.Bool
	// items is how many texts a request holds: BatchItems, less for a service
	// that was too slow for so many.
	items atomic.Int64
}

var _ embedding.Embedder = (*Client)(nil)

// Open makes a client. It checks the options and calls nothing.
func Open(o Options) (*Client, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	c := &Client{options: o}
	c.service, err = service.Open(service.Options{Use: use, URL: o.URL, APIVersion: o.APIVersion, Key: o.Key, Requests: o.Requests,
		Timeout: o.Timeout, Transport: o.Transport, Clock: o.Clock})
	if err != nil {
		return nil, err
	}
	c.items.Store(int64(o.BatchItems))
	c.name = fmt.Sprintf("%s %d %d/%d", o.Name, o.Dimensions, o.Window, o.Overlap)
	if o.QuestionPrefix != "" || o.PassagePrefix != "" {
		c.name += fmt.Sprintf(" %q %q", o.QuestionPrefix, o.PassagePrefix)
	}
	return c, nil
}

// Name implements embedding.Embedder: model, dimensions, window/overlap, prefixes.
func (c *Client) Name() string { return c.name }

// Dims implements embedding.Embedder.
func (c *Client) Dims() int { return c.options.Dimensions }

// Question implements embedding.Embedder. A question longer than the window is cut
// at its end.
func (c *Client) Question(ctx context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the question is empty")
	}
	o := c.options
	input := o.QuestionPrefix + beginning(text, room(o.Window, o.QuestionPrefix))
	patience := min(questionPatience, o.Patience)
	ctx, cancel := context.WithTimeoutCause(ctx, patience, service.Slowness(patience))
	defer cancel()
	found, err := c.send(ctx, ctx, []string{input}, c.service.Now().Add(patience))
	if late := service.Slowness(0); err != nil && errors.As(context.Cause(ctx), &late) {
		return nil, &service.Failure{Kind: service.Slow, Host: c.service.Host(), What: late.Error()}
	}
	if err != nil {
		return nil, err
	}
	if found[0] == nil {
		return nil, fmt.Errorf("%s gave a vector for the question that %s", c.service.Host(), useless)
	}
	return found[0], nil
}

// questionPatience is how long somebody who asked waits for the vector lane, and
// the other lanes with them.
const questionPatience = 15 * time.Second
