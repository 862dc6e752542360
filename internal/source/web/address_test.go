package web

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

func TestScope(t *testing.T) {
	for _, c := range []struct{ root, start, prefix, bad string }{
		{root: "https://Example.ORG", start: "https://example.org/", prefix: "/"},
		{root: "https://example.org:443/docs/", start: "https://example.org/docs/", prefix: "/docs/"},
		{root: "http://example.org:80/docs", start: "http://example.org/docs", prefix: "/docs/"},
		{root: "https://example.org/docs/index.html#top", start: "https://example.org/docs/index.html", prefix: "/docs/"},
		{root: "https://example.org/a/../docs//x/", start: "https://example.org/docs/x/", prefix: "/docs/x/"},
		{root: "ftp://example.org/", bad: "neither https:// nor http://"},
		{root: "https:///docs", bad: "names no host"},
		{root: "https://me:secret@example.org/", bad: "user or password"},
		{root: "https://exa mple.org/", bad: "no address"},
		{root: "https://example.org/" + strings.Repeat("x", 3000), bad: "longer than"},
	} {
		s, err := scopeOf(c.root)
		switch {
		case c.bad != "":
			if err == nil || !strings.Contains(err.Error(), c.bad) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v, not %q", c.root, err, c.bad)
			}
		case err != nil || s.start.String() != c.start || s.prefix != c.prefix:
			t.Errorf("%s: %v %s, %v", c.root, s.start, s.prefix, err)
		}
	}
}

// What a link on https://h.org/docs/page means, and what its document is called.
func TestAddresses(t *testing.T) {
	s, err := scopeOf("https://h.org/docs/")
	if err != nil {
		t.Fatal(err)
	}
	base, _ := url.Parse("https://h.org/docs/page")
	for _, c := range []struct {
		link string
		want string // "" leads out of the web, "out ..." out of the source
		path string
	}{
		{"a", "https://h.org/docs/a", "a"},
		{" a#b ", "https://h.org/docs/a", "a"},
		{"", "https://h.org/docs/page", "page"},
		{"./x/../b", "https://h.org/docs/b", "b"},
		{"b/", "https://h.org/docs/b/", "b/index.html"},
		{"/docs", "https://h.org/docs", "index.html"},
		{"/docs/", "https://h.org/docs/", "index.html"},
		{"HTTPS://H.ORG:443/docs/a", "https://h.org/docs/a", "a"},
		{"//h.org./docs/a", "https://h.org/docs/a", "a"},
		{"%61%2d", "https://h.org/docs/a-", "a-"},
		{"caf%c3%a9", "https://h.org/docs/caf%C3%A9", "café"},
		{"café", "https://h.org/docs/caf%C3%A9", "café"},
		{"a b", "https://h.org/docs/a%20b", "a b"},
		{"a%2Fb", "https://h.org/docs/a%2Fb", "a%2Fb"},
		{"a%3Fb", "https://h.org/docs/a%3Fb", "a%3Fb"},
		{"a%00b", "https://h.org/docs/a%00b", "a%00b"},
		{"%ff", "https://h.org/docs/%FF", "%FF"},
		{"a?z=1&b=2", "https://h.org/docs/a?b=2&z=1", "a?b=2&z=1"},
		{"a?utm_source=x&gclid=1", "https://h.org/docs/a", "a"},
		{"a?next=/x/../y", "https://h.org/docs/a?next=%2Fx%2F..%2Fy", "a?next=%2Fx%2F..%2Fy"},
		{"a?%zz/../b", "https://h.org/docs/a?%zz/../b", "a?%zz%2F..%2Fb"},
		{"?a=1", "https://h.org/docs/page?a=1", "page?a=1"},
		{"/docs/?a=1", "https://h.org/docs/?a=1", "index.html?a=1"},
		{"x//y", "https://h.org/docs/x/y", "x/y"},
		{"..", "out https://h.org/", ""},
		{"../x", "out https://h.org/x", ""},
		{"%2e%2e/x", "out https://h.org/x", ""},
		{"a/..%2f..%2fx", "out https://h.org/docs/a/..%2f..%2fx", ""},
		{"..%5cx", "out https://h.org/docs/..%5Cx", ""},
		{"/docsx", "out https://h.org/docsx", ""},
		{"http://h.org/docs/a", "out http://h.org/docs/a", ""},
		{"https://h.org:8443/docs/a", "out https://h.org:8443/docs/a", ""},
		{"https://h.org.evil.org/docs/a", "out https://h.org.evil.org/docs/a", ""},
		{"https://h.org@evil.org/docs/a", "", ""},
		{"mailto:a@h.org", "", ""},
		{"javascript:x()", "", ""},
		{"data:text/html,x", "", ""},
		{"file:///docs/a", "", ""},
		{"https://[::1/docs/", "", ""},
		{strings.Repeat("x", 3000), "", ""},
	} {
		u := resolve(base, c.link)
		have, p := "", ""
		if u != nil {
			have = u.String()
			if s.holds(u) {
				p = s.documentPath(u)
			} else {
				have = "out " + have
			}
		}
		if have != c.want || p != c.path {
			t.Errorf("%q is %q called %q, not %q called %q", c.link, have, p, c.want, c.path)
		}
	}
}

// Whatever a link is: its canonical form is its own, and in the source it names a
// document by a clean relative path and asks for nothing outside the prefix.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"a", "../x", "%2e%2e/%2e%2e/x", "a%2fb/../c", "?q=%2f..", "//h.org/docs/%5c..%5cx", "a//b/.", "%25%32%65/", "a;b=../c", "..%2f", "x?"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, link string) {
		s, _ := scopeOf("https://h.org/docs/")
		u := resolve(s.start, link)
		if u == nil {
			return
		}
		again := resolve(s.start, u.String())
		if again == nil || again.String() != u.String() {
			t.Fatalf("%q is %s, and that is %v", link, u, again)
		}
		if !s.holds(u) {
			return
		}
		p := s.documentPath(u)
		if p == "" || p == "." || path.IsAbs(p) || path.Clean(p) != p || strings.HasPrefix(p, "../") || p == ".." || strings.ContainsRune(p, 0) {
			t.Errorf("%q, which is %s, is called %q", link, u, p)
		}
		asked, err := url.Parse("https://h.org" + u.RequestURI())
		if err != nil || !strings.HasPrefix(path.Clean(asked.Path)+"/", "/docs/") || strings.Contains(asked.Path+"/", "/../") {
			t.Errorf("%q asks for %s, %v", link, u.RequestURI(), err)
		}
	})
}
