package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// send gets the vectors of texts, nil for one whose vector is of no use, trying again
// as long as that may help. It waits and tries while waiting lasts, which ends
// when another request of the same call found that nothing helps; a request on its
// way then still ends, as it is paid for. Errors are of ctx or waiting, or a
// *failure.
func (c *Client) send(ctx, waiting context.Context, texts []string, until time.Time) ([][]float32, error) {
	clock := c.options.Clock
	for try := 1; ; try++ {
		if err := c.enter(waiting, until); err != nil {
			return nil, err
		}
		vectors, err := c.once(ctx, texts)
		<-c.running
		if err == nil {
			return vectors, nil
		}
		var f *failure
		if !errors.As(err, &f) {
			return nil, err
		}
		f.tries = try
		if try >= tries[f.kind] {
			return nil, f
		}
		wait := backoff(try)
		if f.after > 0 {
			wait = f.after
		}
		if clock.Now().Add(wait).After(until) {
			if f.after > 0 {
				f.hint = fmt.Sprintf("it asks to wait %s", f.after.Round(time.Second))
			}
			return nil, f
		}
		// What a service says of its load holds for all requests.
		if f.kind == busy || f.after > 0 {
			c.limit.close(wait)
			continue
		}
		if err := clock.Sleep(waiting, wait); err != nil {
			return nil, err
		}
	}
}

// enter waits for a place among the requests that may run, with the limit open.
func (c *Client) enter(ctx context.Context, until time.Time) error {
	for {
		if d := c.limit.closed(); d > 0 {
			if c.options.Clock.Now().Add(d).After(until) {
				return &failure{kind: busy, host: c.endpoint.host, what: "limits how often it may be asked", hint: fmt.Sprintf("it asks to wait %s", d.Round(time.Second))}
			}
			if err := c.options.Clock.Sleep(ctx, d); err != nil {
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
func (c *Client) once(ctx context.Context, texts []string) ([][]float32, error) {
	key := ""
	if c.key != nil {
		var err error
		if key, err = c.key(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.options.Timeout, slowness(c.options.Timeout))
	defer cancel()
	status, header, body, err := c.post(ctx, key, texts)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	if status != http.StatusOK {
		return nil, c.rejected(status, header, body, key, texts)
	}
	vectors, err := decode(body, len(texts), c.options.Dimensions, c.options.Shorten == ByClient)
	if err != nil {
		return nil, c.misread(err, key, texts)
	}
	// A limit that is used up would be met by the next request; how long that
	// takes is a hint, so it is not followed for long.
	if d := usedUp(header); d > 0 {
		c.limit.close(min(d, longestWait))
	}
	for _, v := range vectors {
		if v != nil {
			c.worked.Store(true)
		}
	}
	return vectors, nil
}

var errLarge = errors.New("the answer is larger than the vectors can be")

// slowness is why a request was ended: it took so long.
type slowness time.Duration

func (d slowness) Error() string { return fmt.Sprintf("did not answer within %s", time.Duration(d)) }

func (c *Client) post(ctx context.Context, key string, texts []string) (status int, h http.Header, body []byte, err error) {
	question := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{Model: c.options.Model, Input: texts}
	if c.options.Shorten == ByService {
		question.Dimensions = c.options.Dimensions
	}
	data, err := json.Marshal(question)
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
		limit = answerLimit(len(texts))
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

// broken says what it means that there is no answer.
func (c *Client) broken(ctx context.Context, err error) error {
	f := &failure{kind: transient, host: c.endpoint.host}
	var certificate *tls.CertificateVerificationError
	var opened *net.OpError
	var name *net.DNSError
	var late slowness
	switch {
	case errors.Is(err, errLarge):
		f.kind, f.what = faulty, "gave an answer larger than its vectors can be"
	case errors.As(context.Cause(ctx), &late):
		f.kind, f.what = slow, late.Error()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &certificate):
		f.kind, f.what, f.hint = fatal, "shows a certificate that is not trusted", "check embedding.service.url and the system's certificates"
	case errors.As(err, &name) && name.IsNotFound && !c.worked.Load():
		f.kind, f.what, f.hint = fatal, "is a host that is not known", "check embedding.service.url"
	case errors.As(err, &opened) && opened.Op == "dial" && !c.worked.Load():
		f.kind, f.what, f.hint = unreachable, "cannot be reached ("+plain(err)+")", "start the service, or correct embedding.service.url"
	default:
		f.what = "broke off the connection (" + plain(err) + ")"
	}
	return f
}

// plain is an error of net/http without the address, which the host stands for.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var o *net.OpError
	if errors.As(err, &o) {
		err = o.Err
	}
	return clean(err.Error(), "", nil)
}

func (c *Client) rejected(status int, h http.Header, body []byte, key string, texts []string) error {
	message, code := saidIn(body)
	f := ofStatus(status, h, clean(message, key, texts))
	f.host, f.after = c.endpoint.host, asked(h, c.options.Clock.Now())
	if f.kind == busy && (code == outOfMoney || strings.Contains(message, outOfMoney)) {
		f.kind, f.hint = fatal, "there is nothing left to pay with: raise the limit of the account"
	}
	return &f
}

// misread says what an answer means that is not as agreed.
func (c *Client) misread(err error, key string, texts []string) error {
	f := &failure{kind: faulty, host: c.endpoint.host, what: err.Error(), hint: "the service is faulty, or embedding.service.url is not one of embeddings"}
	var length lengthError
	var said serviceError
	switch {
	case errors.Is(err, errCut):
		f.kind, f.what, f.hint = transient, "gave an answer that breaks off", ""
	case errors.As(err, &said):
		message, _ := saidIn(said.body)
		message = clean(message, key, texts)
		f.kind, f.what, f.hint, f.long = internal, "answered with an error ("+message+")", "", saysTooLong(message)
	case errors.As(err, &length):
		f.kind, f.hint = mismatch, fmt.Sprintf("set embedding.service.dimensions to %d", length.got)
		if length.got > length.want {
			f.hint += ", or embedding.service.shorten to client for a model trained to be cut"
		}
	}
	return f
}
