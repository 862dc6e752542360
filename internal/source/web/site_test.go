package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// reply is what the test site says at an address.
type reply struct {
	status   int    // 0 is 200
	kind     string // "" is text/html
	text     string
	header   string // "Name: value"
	etag     string
	location string
	fails    int    // so many times it answers 429 first
	slow     bool   // it sends its first byte and then nothing until the client goes away
	huge     bool   // it never ends
	during   func() // is called once, and no answer comes
}

// site is a web site on loopback that a test writes.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	at    map[string]reply // by path and query
	asked []string         // in their order, "304 " before those that had not changed
	tried map[string]int
}

func newSite(t *testing.T, at map[string]reply) *site {
	s := &site{at: at, tried: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	key := r.URL.RequestURI()
	a, ok := s.at[key]
	s.tried[key]++
	try := s.tried[key]
	if !ok {
		a = reply{status: 404}
	}
	unchanged := a.etag != "" && r.Header.Get("If-None-Match") == a.etag && try > a.fails
	mark := ""
	if unchanged {
		mark = "304 "
	}
	s.asked = append(s.asked, mark+key)
	s.mu.Unlock()

	if a.kind == "" {
		a.kind = "text/html"
	}
	w.Header().Set("Content-Type", a.kind)
	if name, value, ok := strings.Cut(a.header, ": "); ok {
		w.Header().Set(name, value)
	}
	if a.etag != "" {
		w.Header().Set("ETag", a.etag)
	}
	if a.during != nil && try == 1 {
		a.during()
		<-r.Context().Done()
		return
	}
	switch {
	case try <= a.fails:
		w.WriteHeader(429)
		return
	case unchanged:
		w.WriteHeader(304)
		return
	case a.location != "":
		w.Header().Set("Location", strings.ReplaceAll(a.location, "SITE", s.URL))
		if a.status == 0 {
			a.status = 302
		}
	}
	w.WriteHeader(max(a.status, 200))
	fmt.Fprint(w, strings.ReplaceAll(a.text, "SITE", s.URL))
	switch {
	case a.slow:
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case a.huge:
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
}

// requests gives what was asked for since the last call, without robots.txt and the
// sitemap that is not there.
func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.DeleteFunc(s.asked, func(a string) bool { return a == "/robots.txt" || a == "/sitemap.xml" })
	s.asked = nil
	return out
}

// set changes the site.
func (s *site) set(path string, a reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[path] = a
	s.tried[path] = 0
}

type reader struct {
	t       *testing.T
	clock   *testkit.Clock
	root    string
	options Options
}

func (s *site) reader(t *testing.T, prefix string) *reader {
	r := &reader{t: t, clock: testkit.NewClock(), root: s.URL + prefix}
	r.options = Options{Dir: t.TempDir(), MaxBytes: 1 << 20, MaxPages: 1000,
		Options: remote.Options{Private: true, Delay: time.Second, Timeout: time.Minute, Patience: time.Hour, Clock: r.clock}}
	return r
}

// list crawls and says of every document what reading it gives: its text on one line, or
// the error.
func (r *reader) list() (documents map[string]string, listing source.Listing) {
	r.t.Helper()
	listing, err := r.crawl()
	if err != nil {
		r.t.Fatal(err)
	}
	documents = map[string]string{}
	for _, it := range listing.Items {
		o, err := it.Read(r.t.Context())
		switch text := strings.Join(strings.Fields(string(o.Bytes)), " "); {
		case errors.Is(err, source.ErrGone):
			documents[it.Path] = "gone"
		case errors.Is(err, source.ErrUnavailable):
			documents[it.Path] = "unavailable"
		case err != nil:
			documents[it.Path] = "error: " + err.Error()
		default:
			documents[it.Path] = text
		}
	}
	return documents, listing
}

func (r *reader) crawl() (source.Listing, error) {
	r.t.Helper()
	p, err := Open(r.root, r.options)
	if err != nil {
		return source.Listing{}, err
	}
	return p.List(r.t.Context())
}

func reasons(l source.Listing) string {
	var b strings.Builder
	for _, s := range l.Skipped {
		fmt.Fprintf(&b, "%s: %s\n", s.Path, s.Reason)
	}
	return b.String()
}

func same(t *testing.T, what string, have, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if have[path] != text {
			t.Errorf("%s: %s is %q, not %q", what, path, have[path], text)
		}
	}
	for path, text := range have {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is there, %q", what, path, text)
		}
	}
}
