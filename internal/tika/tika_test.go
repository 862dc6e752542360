package tika

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/extract"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestPage: what each answer of a server means, in one sentence, and whether it says
// something of the document.
func TestPage(t *testing.T) {
	for _, tt := range []struct {
		what        string
		answer      testkit.TikaAnswer
		want        string // of the page or error
		unavailable bool
	}{
		{"a page", testkit.TikaAnswer{Status: 200, Body: testkit.TikaPage("Fees", "<p>The fee.</p>")}, "<p>The fee.</p>", false},
		{"no text", testkit.TikaAnswer{Status: 204}, extract.ErrNoText.Error(), false},
		{"what it does not know", testkit.TikaAnswer{Status: 415}, "the Tika server cannot read it", false},
		{"encrypted", testkit.TikaAnswer{Status: 422}, "it is encrypted, damaged or of a format", false},
		{"too large for it", testkit.TikaAnswer{Status: 413}, "larger than the Tika server takes", false},
		{"a failure", testkit.TikaAnswer{Status: 500, Body: "java.lang.NullPointerException\n\tat"}, "the Tika server failed on it (status 500)", false},
		{"restarting", testkit.TikaAnswer{Status: 503}, "is busy or starting (status 503): run the command again", true},
		{"too many", testkit.TikaAnswer{Status: 429}, "run the command again", true},
		{"another server", testkit.TikaAnswer{Status: 404}, "refuses (status 404): check extract.tika", true},
		{"a redirection", testkit.TikaAnswer{Status: 302, Header: map[string]string{"Location": "http://elsewhere.example/"}}, "redirects (status 302), which is not followed", true},
		{"a page that breaks off", testkit.TikaAnswer{Status: 200, Body: "<p>", Header: map[string]string{"Content-Length": "100"}}, "broke off", true},
		{"a page without end", testkit.TikaAnswer{Status: 200, Body: strings.Repeat("x", maxPage+1)}, "makes more than 64 MiB of it: divide", false},
	} {
		t.Run(tt.what, func(t *testing.T) {
			server := testkit.NewTika(t)
			server.Script(tt.answer)
			c, err := New(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			page, err := c.Page(t.Context(), "dir/Gebühren.doc", []byte("secret text"))
			got := string(page)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) || errors.Is(err, extract.ErrUnavailable) != tt.unavailable || err != nil && strings.ContainsAny(got, "\n\t") {
				t.Errorf("%.200q, want %q, unavailable %v", got, tt.want, tt.unavailable)
			}
			r := server.Requests()
			if len(r) != 1 || r[0].Path != "/tika" || r[0].Accept != "text/xml" || r[0].Body != "secret text" || !strings.Contains(r[0].Disposition, "Geb%C3%BChren.doc") {
				t.Errorf("it was asked %+v", r)
			}
		})
	}
}

// TestSlow: a document that takes too long has failed; a caller who gives up hears of
// that.
func TestSlow(t *testing.T) {
	slow := testkit.NewTika(t)
	slow.Script(testkit.TikaAnswer{Hang: true})
	c, err := New(slow.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.timeout = time.Millisecond
	if _, err := c.Page(t.Context(), "a.doc", nil); err == nil || errors.Is(err, extract.ErrUnavailable) || !strings.Contains(err.Error(), "did not read it within 1ms") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	asked := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer asked.Close()
	if c, err = New(asked.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Page(ctx, "a.doc", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestDown: a server that cannot be reached is not asked again for each document of a
// folder.
func TestDown(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	c, err := New(strings.Replace(server.URL, "http://", "http://user:hunter2@", 1))
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	_, first := c.Page(t.Context(), "a.doc", nil)
	if !errors.Is(first, extract.ErrUnavailable) || !strings.Contains(first.Error(), "cannot be reached: start it, or correct extract.tika") || strings.Contains(first.Error(), "hunter2") {
		t.Errorf("%v", first)
	}
	if _, second := c.Page(t.Context(), "a.doc", nil); second != first {
		t.Errorf("it was asked again: %v", second)
	}
	c.asked = c.asked.Add(-rest)
	if _, third := c.Page(t.Context(), "a.doc", nil); third == first || !errors.Is(third, extract.ErrUnavailable) {
		t.Errorf("it was not asked again: %v", third)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://localhost:9998": "http://localhost:9998/tika", "http://localhost:9998/": "http://localhost:9998/tika", "https://x.example/a/tika": "https://x.example/a/tika",
		"localhost:9998": "", "": "", "ftp://x": "", "http://": "", "http://x/?a=b": "", "http://x/#a": "",
	} {
		c, err := New(address)
		if (err == nil) != (want != "") || err == nil && c.url != want || err != nil && !strings.Contains(err.Error(), "extract.tika") {
			t.Errorf("%q: %+v, %v", address, c, err)
		}
	}
}
