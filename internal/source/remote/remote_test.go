package remote

import (
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestGet is what comes of a server that answers in a certain way first, and with 200 then.
func TestGet(t *testing.T) {
	for _, c := range []struct {
		what   string
		first  []int // statuses
		header string
		asked  int
		status int
		failed string
		waited [2]time.Duration // at least, at most
	}{
		{what: "an answer", asked: 1, status: 200},
		{what: "a redirect is not followed", first: []int{302}, header: "Location: /", asked: 1, status: 302},
		{what: "not found", first: []int{404}, asked: 1, status: 404},
		{what: "not implemented", first: []int{501}, asked: 1, status: 501},
		{what: "one fault", first: []int{500}, asked: 2, status: 200, waited: [2]time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{what: "every passing fault", first: []int{429, 503, 408}, asked: 4, status: 200, waited: [2]time.Duration{1750 * time.Millisecond, 3500 * time.Millisecond}},
		{what: "no end of faults", first: []int{500, 502, 504, 500, 500}, asked: 4, failed: "it answers 500 (tried 4 times)"},
		{what: "asked to wait", first: []int{503}, header: "Retry-After: 50", asked: 2, status: 200, waited: [2]time.Duration{50 * time.Second, 51 * time.Second}},
		{what: "asked to wait too long", first: []int{429}, header: "Retry-After: 3600", asked: 1, failed: "it answers 429 and asks to wait 1h0m0s"},
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				w.Header().Set(name, value)
			}
			if asked <= len(c.first) {
				w.WriteHeader(c.first[asked-1])
			}
		}))
		clock := testkit.NewClock()
		began := clock.Now()
		client := New(Options{Private: true, Timeout: time.Minute, Patience: time.Minute, Clock: clock})
		a, err := client.Get(t.Context(), Request{URL: server.URL, Limit: 10})
		server.Close()
		var failed *Failure
		if errors.As(err, &failed) != (c.failed != "") || failed != nil && failed.Error() != c.failed || failed == nil && (err != nil || a.Status != c.status) || asked != c.asked {
			t.Errorf("%s: %d, %v, asked %d times", c.what, a.Status, err, asked)
		}
		if took := clock.Now().Sub(began); c.waited[1] > 0 && (took < c.waited[0] || took > c.waited[1]) {
			t.Errorf("%s: waited %s", c.what, took)
		}
	}
}

func TestBounds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			fmt.Fprint(w, "x")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 64 {
				if _, err := z.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
			z.Close()
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		case "/cookie":
			http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
			fmt.Fprintf(w, "%q %q %q", r.Header.Get("Cookie"), r.Header.Get("Authorization"), r.UserAgent())
		case "/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "ten bytes.")
		}
	}))
	defer server.Close()
	client := New(Options{Private: true, Timeout: 200 * time.Millisecond, Patience: time.Hour, Clock: testkit.NewClock()})
	get := func(path string) (Answer, error) {
		return client.Get(t.Context(), Request{URL: server.URL + path, Limit: 1 << 20})
	}
	if _, err := get("/slow"); err == nil || err.Error() != "it takes longer than 200ms (tried 4 times)" {
		t.Errorf("slow bytes: %v", err)
	}
	client.options.Timeout = time.Minute
	if a, err := get("/bomb"); err != nil || !a.Long || len(a.Body) != 1<<20 {
		t.Errorf("a body that unpacks to much: %d bytes, %v", len(a.Body), err)
	}
	if _, err := get("/header"); err == nil {
		t.Error("a header without end is taken")
	}
	if _, err := get("/cut"); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("a body that breaks off: %v", err)
	}
	for range 2 {
		if a, err := get("/cookie"); err != nil || string(a.Body) != `"" "" "quarry"` {
			t.Errorf("it is told %s, %v", a.Body, err)
		}
	}
}

// The delay is kept between two requests to one host, tries among them.
func TestDelay(t *testing.T) {
	var at []time.Time
	clock := testkit.NewClock()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at = append(at, clock.Now()); len(at) == 2 {
			w.WriteHeader(500)
		}
	}))
	defer server.Close()
	client := New(Options{Private: true, Delay: 3 * time.Second, Timeout: time.Minute, Patience: time.Hour, Clock: clock})
	client.Slower(time.Second)
	for range 4 {
		if _, err := client.Get(t.Context(), Request{URL: server.URL}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range at[1:] {
		if d := at[i+1].Sub(at[i]); d < 3*time.Second {
			t.Errorf("request %d comes %s after the one before", i+1, d)
		}
	}
	if len(at) != 5 {
		t.Errorf("%d requests", len(at))
	}
}
