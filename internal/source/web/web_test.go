package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCrawl walks over a site that has one of everything.
func TestCrawl(t *testing.T) {
	links := func(paths ...string) string {
		var b strings.Builder
		for _, p := range paths {
			fmt.Fprintf(&b, "<a href='%s'>x</a> ", p)
		}
		return b.String()
	}
	s := newSite(t, map[string]reply{
		"/robots.txt": {kind: "text/plain", text: "User-agent: *\nDisallow: /docs/secret\nCrawl-delay: 7\n"},
		"/docs/": {text: links("a", "a#part", "./b/../b.md", "/outside", "//elsewhere.example/docs/x", "mailto:me@example.org", "javascript:x()",
			"secret/page", "picture.png", "image", "loop1", "self", "out", "moved", "far", "hop1", "broken", "busy", "huge", "hidden", "closed",
			"page?b=2&a=1&utm_source=x", "page?a=1&b=2", "%61", "latin", "../docs/../outside", "%2e%2e/outside", "attach")},
		"/docs/a":            {text: "A " + links("/docs/deep/c/")},
		"/docs/b.md":         {kind: "text/markdown; charset=utf-8", text: "# B"},
		"/docs/deep/c/":      {text: "C"},
		"/docs/image":        {kind: "image/png", text: "PNG"},
		"/docs/loop1":        {location: "loop2"},
		"/docs/loop2":        {location: "loop1"},
		"/docs/self":         {location: "/docs/self"},
		"/docs/out":          {location: "http://127.0.0.2:9/docs/", status: 301},
		"/docs/moved":        {location: "moved-to", status: 301},
		"/docs/moved-to":     {text: "M"},
		"/docs/far":          {location: "/outside", status: 301},
		"/docs/hop1":         {location: "hop2"},
		"/docs/hop2":         {location: "hop3"},
		"/docs/hop3":         {location: "hop4"},
		"/docs/hop4":         {location: "hop5"},
		"/docs/hop5":         {location: "hop6"},
		"/docs/hop6":         {location: "hop7"},
		"/docs/hop7":         {text: "too far"},
		"/docs/broken":       {status: 500},
		"/docs/busy":         {text: "at last", fails: 2, header: "Retry-After: 120"},
		"/docs/huge":         {huge: true},
		"/docs/hidden":       {text: "<meta name=robots content='noindex'>" + links("found")},
		"/docs/found":        {text: "F"},
		"/docs/closed":       {status: 403},
		"/docs/page?a=1&b=2": {text: "P"},
		"/docs/latin":        {kind: "text/html; charset=iso-8859-1", text: "caf\xe9"},
		"/docs/attach":       {kind: "application/octet-stream", text: "bytes"},
		"/outside":           {text: "not of the source"},
		"/docs/secret/page":  {text: "not for crawlers"},
	})
	r := s.reader(t, "/docs/")
	began := r.clock.Now()
	have, listing := r.list()
	for path, text := range have {
		have[path] = strings.TrimPrefix(text, "\ufeff")
		if strings.Contains(text, "<a") {
			have[path] = "links"
		}
	}
	same(t, "the crawl", have, map[string]string{
		"index.html": "links", "a": "links", "b.md": "# B", "deep/c/index.html": "C", "moved-to": "M", "busy": "at last",
		"found": "F", "page?a=1&b=2": "P", "latin": "café", "attach": "bytes",
		"huge": "error: it has more than 1048576 bytes: raise limits.document_bytes to index it: too large",
	})
	for _, want := range []string{
		"secret/page: robots.txt does not allow it\n", "image: its type is \"image/png\"\n", "self: it redirects to itself\n",
		"loop1: it redirects to loop2\n", "loop2: it redirects to loop1\n", "out: it redirects out of the source, to http://127.0.0.2:9\n",
		"far: it redirects out of the source, to /outside\n", "moved: it redirects to moved-to\n", "hop6: it redirects more than 5 times\n",
		"broken: it answers 500 (tried 4 times)\n",
		"hidden: it asks not to be indexed\n", "closed: it answers 403\n",
	} {
		if !strings.Contains(reasons(listing), want) {
			t.Errorf("the report lacks %q:\n%s", want, reasons(listing))
		}
	}
	if listing.Complete {
		t.Error("it is called complete, though a page was never seen and may link to more")
	}
	asked := s.requests()
	for _, never := range []string{"/outside", "/docs/secret/page", "/docs/picture.png", "/docs/hop7"} {
		if slices.Contains(asked, never) {
			t.Errorf("%s was asked for", never)
		}
	}
	for _, once := range []string{"/docs/a", "/docs/b.md", "/docs/loop1", "/docs/loop2", "/docs/self", "/docs/page?a=1&b=2", "/docs/moved-to"} {
		if n := len(slices.DeleteFunc(slices.Clone(asked), func(a string) bool { return a != once })); n != 1 {
			t.Errorf("%s was asked for %d times", once, n)
		}
	}
	if took, least := r.clock.Now().Sub(began), 2*120*time.Second+time.Duration(len(asked)-1)*7*time.Second/2; took < least {
		t.Errorf("it took %s, not at least %s: the site asked to wait", took, least)
	}
}

// TestSlowPage: a page that begins and never ends is given up, and what is beside it is kept. It has a
// site of its own, since with so short a time-out a busy machine is late with other pages as well.
func TestSlowPage(t *testing.T) {
	s := newSite(t, map[string]reply{"/docs/": {text: "<a href=slow>s</a>"}, "/docs/slow": {text: "<", slow: true}})
	r := s.reader(t, "/docs/")
	r.options.Timeout = 300 * time.Millisecond
	listing, err := r.crawl()
	if err != nil || len(listing.Items) != 1 || listing.Complete || !strings.Contains(reasons(listing), "slow: it takes longer than 300ms (tried 4 times)\n") {
		t.Errorf("%d pages, complete %v, %v:\n%s", len(listing.Items), listing.Complete, err, reasons(listing))
	}
}

// TestChange crawls again, after the site has changed in every way.
func TestChange(t *testing.T) {
	s := newSite(t, map[string]reply{
		"/docs/":        {etag: `"1"`, text: "<a href=kept>k</a><a href=changed>c</a><a href=gone>g</a><a href=broken>b</a><a href=closed>d</a><a href=login>l</a><a href=parted>p</a>"},
		"/docs/kept":    {etag: `"1"`, text: "kept"},
		"/docs/broken":  {etag: `"1"`, text: "broken <a href=behind>x</a>"},
		"/docs/behind":  {etag: `"1"`, text: "behind"},
		"/docs/gone":    {etag: `"1"`, text: "gone"},
		"/docs/closed":  {etag: `"1"`, text: "closed"},
		"/docs/login":   {etag: `"1"`, text: "login"},
		"/docs/parted":  {etag: `"1"`, text: "parted"},
		"/docs/changed": {etag: `"1"`, text: "changed"},
	})
	r := s.reader(t, "/docs/")
	first, listing := r.list()
	if len(first) != 9 || !listing.Complete {
		t.Fatalf("at first it holds %v, complete is %v", first, listing.Complete)
	}
	s.requests()

	if again, _ := r.list(); len(again) != 9 {
		t.Errorf("again it holds %v", again)
	}
	for _, a := range s.requests() {
		if !strings.HasPrefix(a, "304 ") {
			t.Errorf("unchanged, %s was fetched", a)
		}
	}

	s.set("/docs/changed", reply{etag: `"2"`, text: "new"})
	s.set("/docs/gone", reply{status: 410})
	s.set("/docs/broken", reply{status: 503})
	s.set("/docs/closed", reply{status: 401})
	s.set("/docs/login", reply{location: "https://login.example/"})
	s.set("/docs/parted", reply{location: "/docs/kept", status: 301})
	want := map[string]string{
		"index.html": first["index.html"], "kept": "kept", "changed": "new", "gone": "gone", "behind": "behind",
		"broken": "unavailable", "login": "unavailable",
		"closed": "error: it answers 401: open it to everyone, or take it out of the site",
	}
	for range 2 { // what is gone stays so, and what failed stays kept
		have, listing := r.list()
		same(t, "changed", have, want)
		if !listing.Complete {
			t.Errorf("all that is linked is known, and it is not called complete:\n%s", reasons(listing))
		}
	}

	// A page that nothing links to any more is not of the source.
	s.set("/docs/", reply{etag: `"2"`, text: "<a href=kept>k</a>"})
	have, listing := r.list()
	same(t, "unlinked", have, map[string]string{"index.html": "<a href=kept>k</a>", "kept": "kept"})
	if files, err := os.ReadDir(r.options.Dir + "/data"); err != nil || len(files) != 2 || !listing.Complete {
		t.Errorf("%d copies are kept, %v", len(files), err)
	}
}

// What ends a crawl before it has begun is an error: nothing is known of what is gone.
func TestNoStart(t *testing.T) {
	for _, c := range []struct {
		what string
		at   map[string]reply
		want string
	}{
		{"nothing there", nil, "it answers 404: nothing was changed"},
		{"a failing site", map[string]reply{"/docs/": {status: 502}}, "it answers 502 (tried 4 times): nothing was changed"},
		{"a failing robots.txt", map[string]reply{"/robots.txt": {status: 500}, "/docs/": {text: "x"}}, "robots.txt: it answers 500 (tried 4 times): nothing was changed"},
		{"closed to crawlers", map[string]reply{"/robots.txt": {text: "User-agent: quarry\nDisallow: /"}, "/docs/": {text: "x"}}, "robots.txt does not allow it: nothing"},
		{"moved to https", map[string]reply{"/docs/": {location: "https://127.0.0.1/docs/", status: 301}}, "it redirects out of the source, to https://127.0.0.1: nothing"},
		{"a page that is none", map[string]reply{"/docs/": {kind: "video/mp4"}}, `its type is "video/mp4": nothing`},
		{"busy for hours", map[string]reply{"/docs/": {status: 429, header: "Retry-After: 86400"}}, "it answers 429 and asks to wait 24h0m0s: nothing"},
	} {
		s := newSite(t, c.at)
		if _, err := s.reader(t, "/docs/").crawl(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.what, err, c.want)
		}
	}
}

// A site that goes down while it is crawled, or has no end, is read in part.
func TestStopped(t *testing.T) {
	s := newSite(t, map[string]reply{"/": {text: "<a href=p1>1</a><a href=p2>2</a><a href=p3>3</a><a href=p4>4</a><a href=p5>5</a><a href=p6>6</a><a href=p7>7</a>"}})
	for i := range 8 {
		s.at[fmt.Sprintf("/p%d", i)] = reply{status: 500}
	}
	r := s.reader(t, "/")
	have, listing := r.list()
	if len(have) != 1 || listing.Complete || !strings.Contains(reasons(listing), "5 addresses in a row failed") || slices.Contains(s.requests(), "/p7") {
		t.Errorf("down: %v, %+v", have, listing)
	}

	endless := &site{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" && r.URL.Path != "/sitemap.xml" {
			fmt.Fprintf(w, "<!doctype html><a href='?n=%sx'>next</a>", r.URL.Query().Get("n"))
		}
	}))}
	defer endless.Close()
	r = endless.reader(t, "/")
	r.options.MaxPages = 20
	if have, listing := r.list(); len(have) != 20 || listing.Complete || !strings.Contains(reasons(listing), "more than 20 addresses: raise sources.site.pages") {
		t.Errorf("endless: %d, %s", len(have), reasons(listing))
	}
}

func TestSitemaps(t *testing.T) {
	at := map[string]reply{
		"/robots.txt":     {text: "Sitemap: SITE/maps/index.xml\nSitemap: https://elsewhere.example/sitemap.xml\n"},
		"/maps/index.xml": {kind: "text/xml", text: "<sitemapindex><sitemap><loc>SITE/maps/one.xml</loc></sitemap><sitemap><loc> SITE/maps/index.xml </loc></sitemap></sitemapindex>"},
		"/maps/one.xml":   {kind: "text/xml", text: "<urlset><url><loc>SITE/docs/alone</loc></url><url><loc>SITE/other</loc></url><url><loc>file:///etc/passwd</loc></url></urlset>"},
		"/docs/":          {text: "start"},
		"/docs/alone":     {text: "alone <a href=linked>x</a>"},
		"/docs/linked":    {text: "linked"},
		"/other":          {text: "other"},
	}
	have, listing := newSite(t, at).reader(t, "/docs/").list()
	if !listing.Complete || len(have) != 3 || have["linked"] != "linked" {
		t.Errorf("a prefix with sitemaps gives %v, %s", have, reasons(listing))
	}
	at["/docs/sitemap.xml"] = reply{kind: "text/xml", text: "<urlset><url><loc>SITE/docs/linked</loc></url></urlset>"}
	if have, listing := newSite(t, at).reader(t, "/docs/sitemap.xml").list(); !listing.Complete || len(have) != 1 || have["linked"] != "linked" {
		t.Errorf("a sitemap as the source gives %v, %s", have, reasons(listing))
	}
	at["/maps/one.xml"] = reply{status: 500}
	if _, listing := newSite(t, at).reader(t, "/docs/").list(); listing.Complete {
		t.Error("with a sitemap that cannot be read it is called complete")
	}
	at["/maps/one.xml"] = reply{kind: "text/xml", text: "<urlset><url><loc>SITE/docs/alone</loc></url><url><lo"}
	if have, listing := newSite(t, at).reader(t, "/docs/").list(); listing.Complete || have["linked"] != "linked" {
		t.Errorf("a sitemap that breaks off gives %v, complete %v", have, listing.Complete)
	}
}

// An interrupted crawl goes on where it stopped.
func TestResume(t *testing.T) {
	at := map[string]reply{"/": {etag: `"0"`, text: "<a href=p1>x</a>"}}
	for i := 1; i < 20; i++ {
		at[fmt.Sprintf("/p%d", i)] = reply{etag: `"1"`, text: fmt.Sprintf("<a href=p%d>x</a>", i+1)}
	}
	at["/p20"] = reply{etag: `"1"`, text: "end"}
	s := newSite(t, at)
	r := s.reader(t, "/")
	ctx, interrupt := context.WithCancel(t.Context())
	s.set("/p11", reply{etag: `"1"`, text: at["/p11"].text, during: interrupt})
	p, err := Open(r.root, r.options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.List(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	s.requests()
	have, listing := r.list()
	fetched := slices.DeleteFunc(s.requests(), func(a string) bool { return strings.HasPrefix(a, "304 ") })
	if len(have) != 21 || !listing.Complete || len(fetched) != 10 {
		t.Errorf("%d documents, of which %d were fetched now", len(have), len(fetched))
	}
}
