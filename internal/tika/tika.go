// Package tika asks an Apache Tika server for the text of documents in formats that
// Quarry does not read itself. Nothing is asked of any server unless one is configured.
package tika

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract"
)

const (
	key = "extract.tika" // of the configuration
	// timeout is for one document. A server that has OCR takes seconds a page.
	timeout = 2 * time.Minute
	// dialTimeout tells a server that is not there from one that is slow.
	dialTimeout = 10 * time.Second
	// rest is for how long a server that cannot be reached is not asked again: of a
	// folder with many documents each would wait for it anew.
	rest = 10 * time.Second
	// maxPage bounds the page that a server makes of a document, in bytes.
	maxPage = 64 << 20
)

// Client asks one server. It may be used concurrently.
type Client struct {
	url     string // of the document resource
	shown   string // without a password
	http    *http.Client
	timeout time.Duration

	mu    sync.Mutex
	asked time.Time // when it could not be reached
	down  error
}

// New looks at the server's address and asks nothing yet.
func New(address string) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is no address of a Tika server: give one such as http://localhost:9998", key)
	}
	u.Path = strings.TrimSuffix(u.Path, "/tika") + "/tika"
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: dialTimeout}).DialContext
	return &Client{url: u.String(), shown: u.Redacted(), timeout: timeout, http: &http.Client{
		Transport: transport,
		// A redirection would send the document to who knows where.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Page is the document as a web page (XHTML), in UTF-8. An error is one sentence without
// text of the document; one that says nothing of the document is
// extract.ErrUnavailable.
func (c *Client) Page(ctx context.Context, name string, data []byte) ([]byte, error) {
	if err := c.resting(); err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(within, http.MethodPut, c.url, bytes.NewReader(data))
	if err != nil {
		return nil, c.unavailable("cannot be asked", "check "+key)
	}
	req.Header.Set("Accept", "text/xml")
	req.Header.Set("Content-Type", "application/octet-stream") // it tells itself
	req.Header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
	res, err := c.http.Do(req)
	if err != nil {
		return nil, c.broken(ctx, within, err)
	}
	defer res.Body.Close()
	if err := c.status(res); err != nil {
		return nil, err
	}
	page, err := io.ReadAll(io.LimitReader(res.Body, maxPage+1))
	switch {
	case err != nil:
		return nil, c.broken(ctx, within, err)
	case len(page) > maxPage:
		return nil, fmt.Errorf("the Tika server makes more than %d MiB of it: divide the document", maxPage>>20)
	}
	return page, nil
}

// status is what an answer other than a page means.
func (c *Client) status(res *http.Response) error {
	switch code := res.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code == http.StatusNoContent:
		return extract.ErrNoText
	case code == http.StatusUnprocessableEntity, code == http.StatusUnsupportedMediaType:
		return errors.New("the Tika server cannot read it: it is encrypted, damaged or of a format that it does not know either")
	case code == http.StatusRequestEntityTooLarge:
		return errors.New("it is larger than the Tika server takes: divide it, or raise the server's limit")
	case code == http.StatusTooManyRequests, code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return c.unavailable(fmt.Sprintf("is busy or starting (status %d)", code), "run the command again")
	case code >= 500:
		return fmt.Errorf("the Tika server failed on it (status %d): look into the server's log", code)
	case code >= 300 && code < 400:
		return c.unavailable(fmt.Sprintf("redirects (status %d), which is not followed", code), "set "+key+" to where it is")
	}
	return c.unavailable(fmt.Sprintf("refuses (status %d)", res.StatusCode), "check "+key)
}

// broken is an exchange that came to no answer: given up by the caller, too slow for
// this document, or a server that cannot be reached.
func (c *Client) broken(caller, within context.Context, err error) error {
	var dial *net.OpError
	switch {
	case caller.Err() != nil:
		return caller.Err()
	case errors.As(err, &dial) && dial.Op == "dial" && within.Err() == nil:
		down := c.unavailable("cannot be reached", "start it, or correct "+key+", and run the command again")
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked, c.down = time.Now(), down
		return down
	case within.Err() != nil:
		return fmt.Errorf("the Tika server did not read it within %s: divide the document, or give the server more time and memory", c.timeout)
	}
	return c.unavailable("broke off", "run the command again")
}

func (c *Client) resting() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down != nil && time.Since(c.asked) < rest {
		return c.down
	}
	c.down = nil
	return nil
}

func (c *Client) unavailable(what, do string) error {
	return fmt.Errorf("%w: the Tika server at %s %s: %s", extract.ErrUnavailable, c.shown, what, do)
}
