// Package service sends requests to services of models, whatever is asked of them, in OpenAI's
// manner or one like it: one bound on requests and one rate limit for a client, retries that
// heed what the service says, and errors that say what to do and show neither the key
// nor a text.
//
// The key goes into one header of requests to the configured host, never into an error
// or to another host: redirects are not followed.
package service

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-d3156d19/quarry/internal/retry"
)

// Use is what a service is used for, as messages say it.
type Use struct {
	Noun  string // "embedding service"
	Keys  string // the group of configuration keys that describe it: "embedding.service"
	Path  string // of its requests, below the address: "embeddings"
	Gives string // what its answers hold: "embeddings"
}

// Options of a client. Key, APIVersion, Transport and Clock may be left out.
type Options struct {
	Use Use
	URL string
	// APIVersion is the parameter api-version that Azure OpenAI asks for.
	APIVersion string
	// Key gives the key. It is called before the first request and its result kept.
	// nil: no key is sent.
	Key func() (string, error)
	// KeyHeader is the header that holds the key. Default: Authorization, or what Azure asks for.
	KeyHeader string
	// Header goes with each request besides.
	Header   map[string]string
	Requests int           // at once
	Timeout  time.Duration // of one try
	// Transport sends requests. Default: one of its own, which heeds HTTPS_PROXY.
	Transport http.RoundTripper
	// Clock is the time that back-off goes by. Default: the real time.
	Clock Clock
}

// Clock tells the time and waits.
type Clock = retry.Clock

// Client sends requests of one kind to one service. Its methods may be called concurrently.
type Client struct {
	use      Use
	endpoint endpoint
	http     *http.Client
	timeout  time.Duration
	clock    Clock
	running  chan struct{} // one place for each request that may run
	limit    limit
	answered atomic.Bool // once, as agreed
	key      func() (string, error)

	keyHeader string
	header    map[string]string
}

// Open makes a client. It calls nothing.
func Open(o Options) (*Client, error) {
	at, err := endpointOf(o.Use, o.URL, o.APIVersion)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = retry.Real{}
	}
	if o.Transport == nil {
		o.Transport = transport(o.Requests)
	}
	c := &Client{use: o.Use, endpoint: at, timeout: o.Timeout, clock: o.Clock, running: make(chan struct{}, o.Requests), limit: limit{clock: o.Clock},
		keyHeader: o.KeyHeader, header: o.Header}
	c.http = &http.Client{Transport: o.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if o.Key != nil {
		c.key = sync.OnceValues(func() (string, error) { return o.Use.usable(o.Key()) })
	}
	return c, nil
}

// Host is where requests go, for errors.
func (c *Client) Host() string { return c.endpoint.host }

// Now is the time by which back-off goes.
func (c *Client) Now() time.Time { return c.clock.Now() }

func transport(requests int) http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = requests // else all but two connect anew each time
	return t
}
