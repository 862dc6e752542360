// Package remote asks servers for what sources are made of. It connects to the public
// internet alone unless told otherwise, follows no redirect, sends no cookie, bounds how
// often a host is asked, how long an answer takes and how large it is, and tries again
// what failed for now.
//
// Servers, and whoever can write what they say, are not trusted.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/seed-d3156d19/quarry/internal/retry"
)

// Options of a client.
type Options struct {
	// Private allows addresses that are not of the public internet.
	Private bool
	// Delay is the time between two requests to a host.
	Delay time.Duration
	// Timeout is how long one try may take, with its body.
	Timeout time.Duration
	// Patience is how long one request is tried again.
	Patience time.Duration
	// Clock is the time that delay, back-off and patience go by. nil: the real time.
	Clock retry.Clock
	// Resolver finds the addresses of hosts. nil: the system's.
	Resolver *net.Resolver

	judge func(netip.Addr) string // of addresses, instead of Reserved; for tests
}

// Agent is what a client calls itself, and the name that a robots.txt has rules for.
const Agent = "quarry"

const (
	tries     = 4       // of a request, at most
	maxHeader = 1 << 18 // bytes
)

// Client sends requests, one at a time.
type Client struct {
	http    *http.Client
	options Options
	next    map[string]time.Time // when a host may be asked again
}

// New makes a client. It calls nothing.
func New(o Options) *Client {
	if o.Clock == nil {
		o.Clock = retry.Real{}
	}
	dialer := &net.Dialer{Timeout: o.Timeout, Resolver: o.Resolver}
	if o.judge == nil {
		o.judge = Reserved
	}
	if !o.Private {
		dialer.Control = refusing(o.judge)
	}
	return &Client{options: o, next: map[string]time.Time{}, http: &http.Client{
		// No proxy: it would connect in this program's place, to whatever address.
		Transport: &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: o.Timeout,
			MaxResponseHeaderBytes: maxHeader, IdleConnTimeout: 30 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Slower makes the delay between two requests at least d.
func (c *Client) Slower(d time.Duration) { c.options.Delay = max(c.options.Delay, d) }

// Request is what is asked for.
type Request struct {
	URL    string
	Header http.Header
	// Limit is how long a body may be, in bytes.
	Limit int64
	// Want says, from status and header, whether the body is read. nil: always.
	Want func(status int, h http.Header) bool
	// Sign is called with each try before it is sent. nil: nothing is signed.
	Sign func(r *http.Request, now time.Time)
}

// Answer is what a server says. A status that trying again may change is a Failure.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // nil where it was not wanted
	Long   bool   // the body is longer than the limit, and Body its beginning
}

// Failure is a request that gave nothing for now.
type Failure struct {
	What  string // the rest of a sentence that begins with what was asked for
	Tries int
}

func (f *Failure) Error() string {
	if f.Tries > 1 {
		return fmt.Sprintf("%s (tried %d times)", f.What, f.Tries)
	}
	return f.What
}

// Get sends a request, again where that may help and there is patience left. Errors
// are those of ctx, a *Failure, or wrap ErrPrivate.
func (c *Client) Get(ctx context.Context, r Request) (Answer, error) {
	until := c.options.Clock.Now().Add(c.options.Patience)
	for try := 1; ; try++ {
		if err := c.wait(ctx, r.URL); err != nil {
			return Answer{}, err
		}
		a, err := c.once(ctx, r)
		f := &Failure{Tries: try}
		var asked time.Duration
		switch {
		case ctx.Err() != nil:
			return Answer{}, ctx.Err()
		case errors.Is(err, ErrPrivate):
			return Answer{}, plain(err)
		case err != nil:
			f.What = said(err, c.options.Timeout)
		case !passing(a.Status):
			return a, nil
		default:
			f.What = fmt.Sprintf("it answers %d", a.Status)
			asked, _ = retry.After(a.Header, c.options.Clock.Now())
		}
		wait := max(asked, retry.Backoff(try))
		switch {
		case c.options.Clock.Now().Add(wait).After(until):
			if asked > 0 {
				f.What += fmt.Sprintf(" and asks to wait %s", asked.Round(time.Second))
			}
			return Answer{}, f
		case try == tries:
			return Answer{}, f
		}
		if err := c.options.Clock.Sleep(ctx, wait); err != nil {
			return Answer{}, err
		}
	}
}

// passing reports whether a status says something of the server's state and nothing of
// what was asked for.
func passing(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly ||
		status >= 500 && status != http.StatusNotImplemented && status != http.StatusHTTPVersionNotSupported
}

// wait keeps the delay between two requests to a host.
func (c *Client) wait(ctx context.Context, at string) error {
	u, err := url.Parse(at)
	if err != nil {
		return err
	}
	now := c.options.Clock.Now()
	if d := c.next[u.Host].Sub(now); d > 0 {
		if err := c.options.Clock.Sleep(ctx, d); err != nil {
			return err
		}
		now = now.Add(d)
	}
	c.next[u.Host] = now.Add(c.options.Delay)
	return ctx.Err()
}

func (c *Client) once(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return Answer{}, err
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", Agent)
	if r.Sign != nil {
		r.Sign(req, c.options.Clock.Now())
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	a := Answer{Status: res.StatusCode, Header: res.Header}
	if passing(a.Status) || r.Want != nil && !r.Want(a.Status, a.Header) {
		return a, nil
	}
	// A body that is compressed is counted as it unpacks.
	a.Body, err = io.ReadAll(io.LimitReader(res.Body, r.Limit+1))
	if err == nil && int64(len(a.Body)) > r.Limit {
		a.Body, a.Long = a.Body[:r.Limit], true
	}
	return a, err
}

// said is an error of net/http in a few words, without the address.
func said(err error, timeout time.Duration) string {
	var dns *net.DNSError
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("it takes longer than %s", timeout)
	}
	if errors.As(err, &dns) {
		return "its host is not found"
	}
	return "it cannot be read: " + plain(err).Error()
}

// plain takes the address out of an error of net/http, which who asked names.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var o *net.OpError
	if errors.As(err, &o) {
		err = o.Err
	}
	return err
}
