package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/seed-d3156d19/quarry/internal/retry"
)

// Call is one request and how its answer is read.
type Call struct {
	Body any // as JSON
	// Texts are what was sent of documents: no error repeats them.
	Texts []string
	// Limit bounds the answer, in bytes.
	Limit int64
	// Read takes the body of a good answer. An error that is a *Failure is taken as it
	// is; ErrCut and SaidError are known; others mean that the answer breaks the protocol.
	Read func(body []byte) error
	// Stream, where it is given, takes the body of a good answer as it comes, in place of
	// Read; its errors are as Read's, and a StopError ends the call.
	Stream func(body io.Reader) error
	// Begun, beside Stream, reports whether something of an answer was passed on: then the
	// call is not tried again.
	Begun func() bool
}

// StopError is an error of who listens to a stream; Send returns what it wraps.
type StopError struct{ Err error }

func (e StopError) Error() string { return e.Err.Error() }
func (e StopError) Unwrap() error { return e.Err }

// Send sends a call, trying again as long as that may help and until is not over. It waits
// and tries while waiting lasts, which ends when another request of the same caller
// found that nothing helps; a request on its way then still ends, as it is paid for.
// Errors are of ctx or waiting or of the key, or a *Failure.
func (c *Client) Send(ctx, waiting context.Context, call Call, until time.Time) error {
	for try := 1; ; try++ {
		if err := c.enter(waiting, until); err != nil {
			return err
		}
		err := c.once(ctx, call)
		<-c.running
		var f *Failure
		if err == nil || !errors.As(err, &f) {
			return err
		}
		f.Tries = try
		if try >= tries[f.Kind] || call.Begun != nil && call.Begun() {
			return f
		}
		wait := retry.Backoff(try)
		if f.After > 0 {
			wait = f.After
		}
		if c.clock.Now().Add(wait).After(until) {
			if f.After > 0 {
				f.Hint = fmt.Sprintf("it asks to wait %s", f.After.Round(time.Second))
			}
			return f
		}
		// What a service says of its load holds for all requests.
		if f.Kind == Busy || f.After > 0 {
			c.limit.close(wait)
			continue
		}
		if err := c.clock.Sleep(waiting, wait); err != nil {
			return err
		}
	}
}

// enter waits for a place among the requests that may run, with the limit open.
func (c *Client) enter(ctx context.Context, until time.Time) error {
	for {
		if d := c.limit.closed(); d > 0 {
			if c.clock.Now().Add(d).After(until) {
				return &Failure{Kind: Busy, Host: c.endpoint.host, What: "limits how often it may be asked", Hint: fmt.Sprintf("it asks to wait %s", d.Round(time.Second))}
			}
			if err := c.clock.Sleep(ctx, d); err != nil {
				return err
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		select {
		case c.running <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if c.limit.closed() <= 0 {
			return nil
		}
		<-c.running
	}
}

// once sends one request.
func (c *Client) once(ctx context.Context, call Call) error {
	key := ""
	if c.key != nil {
		var err error
		if key, err = c.key(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, Slowness(c.timeout))
	defer cancel()
	resp, err := c.post(ctx, key, call)
	if err != nil {
		return c.broken(ctx, err)
	}
	defer resp.Body.Close()
	header := resp.Header
	switch {
	case resp.StatusCode != http.StatusOK:
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // without it the status says enough
		return c.rejected(resp.StatusCode, header, body, key, call.Texts)
	case call.Stream != nil:
		err = c.stream(ctx, resp.Body, key, call)
	default:
		err = c.read(ctx, resp.Body, key, call)
	}
	if err != nil {
		return err
	}
	c.answered.Store(true)
	// A limit that is used up would be met by the next request; how long that
	// takes is a hint, so it is not followed for long.
	if d := usedUp(header); d > 0 {
		c.limit.close(min(d, retry.Longest))
	}
	return nil
}

var errLarge = errors.New("the answer is larger than it can be")

// Slowness is why a request was ended: it took so long.
type Slowness time.Duration

func (d Slowness) Error() string { return fmt.Sprintf("did not answer within %s", time.Duration(d)) }

func (c *Client) post(ctx context.Context, key string, call Call) (*http.Response, error) {
	data, err := json.Marshal(call.Body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if call.Stream != nil {
		req.Header.Set("Accept", "text/event-stream, application/json")
	}
	req.Header.Set("User-Agent", "quarry")
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	switch {
	case key == "":
	case c.keyHeader != "":
		req.Header.Set(c.keyHeader, key)
	case c.endpoint.azure:
		req.Header.Set("Api-Key", key)
	default:
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return c.http.Do(req)
}

// read takes a good answer whole.
func (c *Client) read(ctx context.Context, from io.Reader, key string, call Call) error {
	body, err := io.ReadAll(io.LimitReader(from, call.Limit+1))
	if err == nil && int64(len(body)) > call.Limit {
		err = errLarge
	}
	if err != nil {
		return c.broken(ctx, err)
	}
	if err := call.Read(body); err != nil {
		return c.misread(err, key, call.Texts)
	}
	return nil
}

// stream takes a good answer as it comes.
func (c *Client) stream(ctx context.Context, from io.Reader, key string, call Call) error {
	body := &watched{from: io.LimitReader(from, call.Limit)}
	err := call.Stream(body)
	var stop StopError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stop):
		return stop.Err
	case body.err != nil:
		return c.broken(ctx, body.err)
	}
	return c.misread(err, key, call.Texts)
}

// watched keeps why a body could not be read to its end.
type watched struct {
	from io.Reader
	err  error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}
