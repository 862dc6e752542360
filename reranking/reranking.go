// Package reranking asks services that read a question and passages together and score how well
// each passage answers: Cohere Rerank, and the /rerank of Jina, vLLM, llama.cpp and Text
// Embeddings Inference (TEI).
//
// Nothing is called before the first question. The key is read from the environment or a file;
// it goes into one header of requests to the configured host, never into an error or another
// host: redirects are not followed.
package reranking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/service"
)

// DefaultURL is Cohere's, which is used where no service is named.
const DefaultURL = "https://api.cohere.com/v2"

// Protocol is how a service is asked.
type Protocol string

// The protocols.
const (
	// Cohere sends model, query and documents, as Cohere, Jina, vLLM and llama.cpp take them.
	Cohere Protocol = "cohere"
	// TEI sends query and texts, as Text Embeddings Inference takes them.
	TEI Protocol = "tei"
)

// Options say which service and model are used and how.
type Options struct {
	// URL is where the protocol's paths begin: requests go to URL/rerank. Default: DefaultURL.
	// Jina: https://api.jina.ai/v1. vLLM and llama.cpp: http://localhost:8080/v1. TEI:
	// http://localhost:8080.
	URL string
	// Protocol is the service's. Default: Cohere.
	Protocol Protocol
	// Model is what the service calls the model. TEI has but one, and takes no name.
	Model string
	// KeyEnv names the environment variable, or KeyFile the file, that holds the key; at most
	// one is given. Default: COHERE_API_KEY where URL is Cohere's, else no key is sent.
	KeyEnv, KeyFile string

	// Requests is how many run at once. Default: 4.
	Requests int
	// Timeout is for one try. Default: 10 seconds: somebody waits for the answer.
	Timeout time.Duration
	// Patience is how long it is tried to rank the candidates of one question. Default: 15 seconds.
	Patience time.Duration

	// Transport sends requests. Default: one of its own, which heeds HTTPS_PROXY.
	Transport http.RoundTripper
	// Clock is the time that back-off goes by. Default: the real time.
	Clock service.Clock
}

// Client is a model behind a service. It is a quarry.Reranker: its methods may be called
// concurrently.
type Client struct {
	options Options // complete
	service *service.Client
}

const keys = "rerank.service"

// Open makes a client. It checks the options and calls nothing.
func Open(o Options) (*Client, error) {
	o.URL, o.Protocol, o.Requests = cmp.Or(o.URL, DefaultURL), cmp.Or(o.Protocol, Cohere), cmp.Or(o.Requests, 4)
	o.Timeout, o.Patience = cmp.Or(o.Timeout, 10*time.Second), cmp.Or(o.Patience, 15*time.Second)
	switch {
	case o.Protocol != Cohere && o.Protocol != TEI:
		return nil, fmt.Errorf("%s.protocol is %q: give %s or %s", keys, o.Protocol, Cohere, TEI)
	case o.Protocol == Cohere && o.Model == "":
		return nil, fmt.Errorf("%s.model: name the model as the service calls it", keys)
	case o.KeyEnv != "" && o.KeyFile != "":
		return nil, fmt.Errorf("%s.key_file and key_env are both given: keep one", keys)
	case o.Requests < 1 || o.Requests > 256:
		return nil, fmt.Errorf("%s.requests is %d: give 1 to 256", keys, o.Requests)
	case o.Timeout < 0 || o.Patience < 0:
		return nil, errors.New("the time-out and patience of the reranking service must be above 0")
	}
	if o.KeyEnv == "" && o.KeyFile == "" && strings.HasPrefix(o.URL+"/", DefaultURL+"/") { // this key goes to no other host unasked
		o.KeyEnv = "COHERE_API_KEY"
	}
	use := service.Use{Noun: "reranking service", Keys: keys, Path: "rerank", Gives: "scores"}
	s := service.Options{Use: use, URL: o.URL, Requests: o.Requests, Timeout: o.Timeout, Transport: o.Transport, Clock: o.Clock}
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

// Name implements quarry.Reranker.
func (c *Client) Name() string { return cmp.Or(c.options.Model, c.service.Host()) }

// teiBatch is how many texts TEI takes at once unless it is started otherwise.
const teiBatch = 32

// Rerank implements quarry.Reranker: one score for each passage, in their order, higher is
// better. Scores of one model can be compared across questions, those of two cannot.
func (c *Client) Rerank(ctx context.Context, question string, passages []string) ([]float64, error) {
	until := c.service.Now().Add(c.options.Patience)
	batch := max(1, len(passages))
	if c.options.Protocol == TEI {
		batch = teiBatch
	}
	scores := make([]float64, 0, len(passages))
	for from := 0; from < len(passages); from += batch {
		part := passages[from:min(from+batch, len(passages))]
		got, err := c.ask(ctx, question, part, until)
		if err != nil {
			return nil, err
		}
		scores = append(scores, got...)
	}
	return scores, nil
}

func (c *Client) ask(ctx context.Context, question string, passages []string, until time.Time) ([]float64, error) {
	var body any = struct {
		Model     string   `json:"model"`
		Query     string   `json:"query"`
		Documents []string `json:"documents"`
		TopN      int      `json:"top_n"`
	}{c.options.Model, question, passages, len(passages)}
	if c.options.Protocol == TEI {
		body = struct {
			Query    string   `json:"query"`
			Texts    []string `json:"texts"`
			Truncate bool     `json:"truncate"`
		}{question, passages, true}
	}
	var scores []float64
	call := service.Call{Body: body, Texts: append([]string{question}, passages...), Limit: 1<<20 + 1<<10*int64(len(passages)), Read: func(data []byte) (err error) {
		scores, err = decode(data, len(passages))
		return err
	}}
	return scores, c.service.Send(ctx, ctx, call, until)
}

// ranked is one passage of an answer: its place in the request and its score.
type ranked struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"` // as TEI says it
}

// decode reads an answer, a list or an object that holds one, into the order of the request.
func decode(data []byte, want int) ([]float64, error) {
	var list []ranked
	var err error
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		err = service.Decode(data, &list, "scores")
	} else {
		var object struct {
			Results []ranked `json:"results"`
		}
		err = service.Decode(data, &object, "scores")
		list = object.Results
	}
	if err != nil {
		return nil, err
	}
	scores, have := make([]float64, want), make([]bool, want)
	for _, r := range list {
		score := r.Relevance
		if score == nil {
			score = r.Score
		}
		if r.Index == nil || score == nil || *r.Index < 0 || *r.Index >= want || have[*r.Index] {
			return nil, errors.New("gave scores that do not fit the passages")
		}
		scores[*r.Index], have[*r.Index] = *score, true
	}
	if len(list) != want {
		return nil, fmt.Errorf("gave %d scores for %d passages", len(list), want)
	}
	return scores, nil
}
