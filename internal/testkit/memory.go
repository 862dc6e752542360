package testkit

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// InMemory serves a handler over connections in memory until the test ends, and gives the
// transport that leads there, whatever host is asked for. Within a bubble of
// testing/synctest nothing waits for a network then, so that the time-outs of a client pass
// at once where a service hangs, and never where it is at work, however busy the machine is.
func InMemory(t testing.TB, h http.Handler) http.RoundTripper {
	t.Helper()
	l := &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // ends with ErrServerClosed
	}()
	client := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	return client
}

// Timed runs do with the transport to a service for a client that has a time-out: in a bubble in which
// it passes where the service hangs and never while it is at work. Where timeout is 0, it runs do as it is, with
// no transport of its own.
func Timed(t *testing.T, service http.Handler, timeout time.Duration, do func(t *testing.T, transport http.RoundTripper)) {
	t.Helper()
	if timeout == 0 {
		do(t, nil)
		return
	}
	synctest.Test(t, func(t *testing.T) { do(t, InMemory(t, service)) })
}

// pipes is a listener whose connections are pipes.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.dialled <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialled:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "pipe"} }
