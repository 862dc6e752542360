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
}

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
		if try >= tries[f.Kind] {
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
	status, header, body, err := c.post(ctx, key, call)
	if err != nil {
		return c.broken(ctx, err)
	}
	if status != http.StatusOK {
		return c.rejected(status, header, body, key, call.Texts)
	}
	if err := call.Read(body); err != nil {
		return c.misread(err, key, call.Texts)
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

func (c *Client) post(ctx context.Context, key string, call Call) (status int, h http.Header, body []byte, err error) {
	data, err := json.Marshal(call.Body)
	if err != nil {
		return 0, nil, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint.url, bytes.NewReader(data))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "quarry")
	switch {
	case key == "":
	case c.endpoint.azure:
		req.Header.Set("Api-Key", key)
	default:
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	limit := int64(64 << 10)
	if resp.StatusCode == http.StatusOK {
		limit = call.Limit
	}
	body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case resp.StatusCode != http.StatusOK:
		err = nil // the status says enough
	case err == nil && int64(len(body)) > limit:
		err = errLarge
	}
	return resp.StatusCode, resp.Header, body, err
}
