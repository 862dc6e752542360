package service

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// broken says what it means that there is no answer.
func (c *Client) broken(ctx context.Context, err error) error {
	f := &Failure{Kind: Transient, Host: c.endpoint.host}
	var certificate *tls.CertificateVerificationError
	var opened *net.OpError
	var name *net.DNSError
	var late Slowness
	switch {
	case errors.Is(err, errLarge):
		f.Kind, f.What = Faulty, "gave an answer larger than its "+c.use.Gives+" can be"
	case errors.As(context.Cause(ctx), &late):
		f.Kind, f.What = Slow, late.Error()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &certificate):
		f.Kind, f.What, f.Hint = Fatal, "shows a certificate that is not trusted", "check "+c.use.Keys+".url and the system's certificates"
	case errors.As(err, &name) && name.IsNotFound && !c.answered.Load():
		f.Kind, f.What, f.Hint = Fatal, "is a host that is not known", "check "+c.use.Keys+".url"
	case errors.As(err, &opened) && opened.Op == "dial" && !c.answered.Load():
		f.Kind, f.What, f.Hint = Unreachable, "cannot be reached ("+plain(err)+")", "start the service, or correct "+c.use.Keys+".url"
	default:
		f.What = "broke off the connection (" + plain(err) + ")"
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
	said := saidIn(body)
	f := c.use.ofStatus(status, h, clean(said.Message, key, texts))
	f.Host, f.After, f.Code, f.Param = c.endpoint.host, asked(h, c.clock.Now()), said.Code, said.Param
	if f.Kind == Busy && (said.Code == outOfMoney || strings.Contains(said.Message, outOfMoney)) {
		f.Kind, f.Hint = Fatal, "there is nothing left to pay with: raise the limit of the account"
	}
	return &f
}

// ErrCut says of an answer that it breaks off.
var ErrCut = errors.New("the answer breaks off")

// SaidError is an error that came with a good status.
type SaidError struct{ Body []byte }

func (SaidError) Error() string { return "gave an error" }

// misread says what an answer means that is not as agreed.
func (c *Client) misread(err error, key string, texts []string) error {
	var f *Failure
	if errors.As(err, &f) {
		f.Host = c.endpoint.host
		return f
	}
	f = &Failure{Kind: Faulty, Host: c.endpoint.host, What: err.Error(),
		Hint: fmt.Sprintf("the service is faulty, or %s.url is not one of %s", c.use.Keys, c.use.Gives)}
	var answer SaidError
	switch {
	case errors.Is(err, ErrCut):
		f.Kind, f.What, f.Hint = Transient, "gave an answer that breaks off", ""
	case errors.As(err, &answer):
		message := clean(saidIn(answer.Body).Message, key, texts)
		f.Kind, f.What, f.Hint, f.Long = Internal, "answered with an error ("+message+")", "", saysTooLong(message)
	}
	return f
}
