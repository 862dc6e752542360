package web

import (
	"bytes"
	"compress/gzip"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	at, _ := url.Parse("https://h.org/docs/page")
	for _, c := range []struct {
		what, text, tag string
		links           []string
		noIndex         bool
	}{
		{what: "links", text: `<a href=a>1</a><A HREF='b'>2</A><map><area href="c"></map><a href=a#x>again</a><a name=d>no</a>`, links: []string{"https://h.org/docs/a", "https://h.org/docs/b", "https://h.org/docs/c"}},
		{what: "a base, the first one", text: `<base href="/other/"><base href=/third/><a href=a>1</a>`, links: []string{"https://h.org/other/a"}},
		{what: "not followed", text: `<a rel="external nofollow" href=a>1</a><a href=b>2</a>`, links: []string{"https://h.org/docs/b"}},
		{what: "no link is followed", text: `<a href=a>1</a><meta name="ROBOTS" content="NoFollow, noarchive">`},
		{what: "not to be indexed", text: `<meta name=robots content=noindex><a href=a>1</a>`, links: []string{"https://h.org/docs/a"}, noIndex: true},
		{what: "none", text: `<meta name=robots content=none><a href=a>1</a>`, noIndex: true},
		{what: "by the header", text: `<a href=a>1</a>`, tag: "noindex, nofollow", noIndex: true},
		{what: "in a comment and a script", text: `<!-- <a href=a>1</a> --><script>"<a href=b>"</script><a href=c>`, links: []string{"https://h.org/docs/c"}},
		{what: "cut off", text: `<a href=a>1</a><a href="b`, links: []string{"https://h.org/docs/a"}},
	} {
		p := parsePage(at, []byte(c.text), c.tag)
		if !slices.Equal(p.links, c.links) || p.noIndex != c.noIndex {
			t.Errorf("%s: %+v", c.what, p)
		}
	}
	if p := parsePage(at, []byte(strings.Repeat("<a href=?x>", 10)+manyLinks(maxLinks+10)), ""); len(p.links) != maxLinks {
		t.Errorf("%d links of one page are followed", len(p.links))
	}
}

func manyLinks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<a href=p" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + "?" + strings.Repeat("1", i/200) + "&" + strings.Repeat("2", i%200) + ">")
	}
	return b.String()
}

func TestSitemapText(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("<urlset><url><loc>a</loc></url></urlset>"))
	z.Close()
	var bomb bytes.Buffer
	z = gzip.NewWriter(&bomb)
	z.Write([]byte("a\n"))
	z.Write(bytes.Repeat([]byte("x"), 2<<20))
	z.Close()
	for _, c := range []struct {
		what  string
		data  string
		pages string
		maps  string
		short bool
	}{
		{what: "pages", data: "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc> a\n</loc><lastmod>x</lastmod></url><url><loc>b&amp;c</loc></url></urlset>", pages: "a b&c"},
		{what: "an index", data: "<sitemapindex><sitemap><loc>s</loc></sitemap></sitemapindex>", maps: "s"},
		{what: "images in it", data: "<urlset><url><loc>a</loc><image:image><image:loc>i</image:loc></image:image></url></urlset>", pages: "a i"},
		{what: "text", data: "a\nb\r\n\n", pages: "a b"},
		{what: "compressed", data: zipped.String(), pages: "a"},
		{what: "cut off", data: "<urlset><url><loc>a</loc></url><url><loc>b", pages: "a", short: true},
		{what: "entities that grow", data: "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><urlset><url><loc>&b;</loc></url></urlset>", pages: "&b;"},
		{what: "a bomb", data: bomb.String(), pages: "a", short: true},
		{what: "nothing", data: ""},
	} {
		s := parseSitemap([]byte(c.data), 1<<20)
		if strings.Join(s.pages, " ") != c.pages || strings.Join(s.sitemaps, " ") != c.maps || s.short != c.short {
			t.Errorf("%s: %.200q %.200q, short %v", c.what, s.pages, s.sitemaps, s.short)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("<a href=a><base href=//x/><meta name=robots content=none>"))
	f.Add([]byte("<urlset><url><loc>a</loc></url>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		at, _ := url.Parse("https://h.org/docs/")
		for _, l := range parsePage(at, data, "").links {
			if u := resolve(at, l); u == nil || u.String() != l {
				t.Errorf("the link %q is not canonical", l)
			}
		}
		parseSitemap(data, 1<<20)
	})
}

// A crawl remembers so many addresses, and says that there were more, once.
func TestRemembered(t *testing.T) {
	s, err := Open("https://h.org/docs/", Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &crawl{site: s, seen: map[string]bool{}, room: 2 * len("https://h.org/docs/a")}
	for range 2 {
		c.enqueue([]string{"a", "b", "a", "c", "d"})
	}
	if len(c.todo) != 2 || len(c.seen) != 2 || len(c.skipped) != 1 || !c.partial {
		t.Errorf("it has %d to ask for, remembers %d and says %v", len(c.todo), len(c.seen), c.skipped)
	}
}
