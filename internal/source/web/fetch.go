package web

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// asksNot begins the reason of a page that is read for its links alone.
const asksNot = "it asks not to be indexed"

// endings are those of files with a type's content; "" goes by the address.
var endings = map[string]string{
	"text/html": ".html", "application/xhtml+xml": ".html",
	"text/markdown": ".md", "text/x-markdown": ".md",
	"text/plain": "", "application/octet-stream": "", "": "",
	"text/csv": ".csv", "text/tab-separated-values": ".tsv", "text/rtf": ".rtf", "application/rtf": ".rtf",
	"application/json": ".json", "text/xml": ".xml", "application/xml": ".xml",
	"application/pdf": ".pdf", "application/epub+zip": ".epub", "message/rfc822": ".eml",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   ".docx",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         ".xlsx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
	"application/vnd.oasis.opendocument.text":                                   ".odt",
	"application/vnd.oasis.opendocument.spreadsheet":                            ".ods",
	"application/vnd.oasis.opendocument.presentation":                           ".odp",
}

// assets are endings of what pages are made of, which are not asked for.
var assets = map[string]bool{
	".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".svg": true, ".webp": true, ".ico": true, ".avif": true,
	".css": true, ".js": true, ".mjs": true, ".map": true, ".woff": true, ".woff2": true, ".ttf": true, ".wasm": true,
	".mp3": true, ".mp4": true, ".webm": true, ".ogg": true, ".wav": true, ".mov": true,
	".exe": true, ".dmg": true, ".deb": true, ".rpm": true, ".iso": true, ".jar": true,
}

// endingOf gives the ending for a content type; ok is false for what is no document.
func endingOf(contentType string, u *url.URL) (ending, label string, ok bool) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, params = strings.ToLower(strings.TrimSpace(strings.Split(contentType, ";")[0])), nil
	}
	ending, ok = endings[kind]
	if ok && ending == "" {
		ending = strings.ToLower(path.Ext(u.Path))
		if kind == "text/plain" && (ending == "" || ending == ".html" || ending == ".htm") {
			ending = ".txt" // it is shown as it is, and not as the page that it may look like
		}
	}
	return ending, params["charset"], ok
}

// ask sends one request for a page, with what is kept of it as the condition.
func (c *crawl) ask(ctx context.Context, u *url.URL) (remote.Answer, error) {
	c.asked++
	h := http.Header{"Accept": {"text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.5"}}
	if e, ok := c.kept.Get(u.String()); ok && c.kept.Whole(e) {
		if e.Note.ETag != "" {
			h.Set("If-None-Match", e.Note.ETag)
		}
		if e.Note.Modified != "" {
			h.Set("If-Modified-Since", e.Note.Modified)
		}
	}
	return c.client.Get(ctx, remote.Request{URL: u.String(), Header: h, Limit: c.site.options.MaxBytes,
		Want: func(status int, h http.Header) bool {
			_, _, ok := endingOf(h.Get("Content-Type"), u)
			return status == http.StatusOK && ok
		}})
}

// take makes of an answer that is no redirect what it means for the source.
func (c *crawl) take(u *url.URL, a remote.Answer) error {
	p := c.site.scope.documentPath(u)
	old, known := c.kept.Get(u.String())
	switch {
	case a.Status == http.StatusNotModified && known:
		c.enqueue(old.Note.Links)
		c.offer(u, old)
		return nil
	case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
		c.skip(p, fmt.Sprintf("it answers %d", a.Status))
		c.fault(u, fmt.Errorf("it answers %d: %w", a.Status, source.ErrGone))
		return c.kept.Delete(u.String())
	case a.Status >= 500:
		c.unavailable(u, fmt.Sprintf("it answers %d", a.Status))
		return nil
	case a.Status != http.StatusOK && known:
		// Who may read it is not known any more.
		c.fault(u, fmt.Errorf("it answers %d: open it to everyone, or take it out of the site", a.Status))
		return nil
	case a.Status != http.StatusOK:
		c.skip(p, fmt.Sprintf("it answers %d", a.Status))
		return nil
	case a.Long:
		c.fault(u, fmt.Errorf("it has more than %d bytes: raise limits.document_bytes to index it: %w", c.site.options.MaxBytes, source.ErrTooLarge))
		return c.kept.Delete(u.String())
	}
	ending, label, ok := endingOf(a.Header.Get("Content-Type"), u)
	if !ok {
		c.skip(p, fmt.Sprintf("its type is %.100q", a.Header.Get("Content-Type")))
		return c.kept.Delete(u.String())
	}
	data := a.Body
	if label != "" {
		data = decoded(data, label)
	}
	n := note{ETag: a.Header.Get("ETag"), Modified: a.Header.Get("Last-Modified"), Ending: ending}
	if ending == ".html" {
		says := parsePage(u, data, a.Header.Get("X-Robots-Tag"))
		n.Links, n.NoIndex = says.links, says.noIndex
	}
	c.enqueue(n.Links)
	if err := c.kept.Put(u.String(), data, n); err != nil {
		return err
	}
	e, _ := c.kept.Get(u.String())
	c.offer(u, e)
	return nil
}

// offer adds what is kept of an address as a document, unless it asks not to be one.
func (c *crawl) offer(u *url.URL, e mirror.Entry[note]) {
	c.pages++
	if e.Note.NoIndex {
		c.skip(c.site.scope.documentPath(u), asksNot)
		return
	}
	read := c.kept.Reader(e)
	c.add(u, e.Note.Ending, e.Size, func() ([]byte, error) {
		data, err := read()
		if err != nil { // written by another process since, or damaged
			err = fmt.Errorf("what was fetched cannot be read (%w): %w", err, source.ErrUnavailable)
		}
		return data, err
	})
}

// readRobots reads the rules of the site. A site without them allows everything; one
// that fails to say them allows nothing (RFC 9309, section 2.3.1).
func (c *crawl) readRobots(ctx context.Context) error {
	at := c.site.scope.start.ResolveReference(&url.URL{Path: "/robots.txt"})
	for range maxRedirects + 1 {
		a, err := c.client.Get(ctx, remote.Request{URL: at.String(), Limit: maxRobots})
		if err != nil {
			return fmt.Errorf("robots.txt: %w: %w", err, errNoStart)
		}
		if next := resolve(at, a.Header.Get("Location")); a.Status >= 300 && a.Status < 400 && next != nil && next.Host == at.Host {
			at = next
			continue
		}
		if a.Status >= 500 {
			return fmt.Errorf("robots.txt answers %d: %w", a.Status, errNoStart)
		}
		if a.Status == http.StatusOK {
			c.robots = parseRobots(a.Body, remote.Agent)
			c.client.Slower(c.robots.delay)
		}
		return nil
	}
	return nil
}

// readSitemaps takes up the pages that the sitemaps of the site list.
func (c *crawl) readSitemaps(ctx context.Context) error {
	start := c.site.scope.start
	todo := append(c.robots.sitemaps, start.ResolveReference(&url.URL{Path: "/sitemap.xml"}).String())
	if c.site.scope.sitemap {
		todo = []string{start.String()}
	}
	seen := map[string]bool{}
	for i := 0; i < len(todo) && len(seen) < maxSitemaps; i++ {
		u := resolve(start, todo[i])
		if u == nil || u.Host != start.Host || u.Scheme != start.Scheme || seen[u.String()] || !c.robots.allowed(u.RequestURI()) {
			continue
		}
		seen[u.String()] = true
		a, err := c.client.Get(ctx, remote.Request{URL: u.String(), Limit: maxSitemap})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case c.site.scope.sitemap && i == 0 && (err != nil || a.Status != http.StatusOK || a.Long):
			if err == nil {
				err = fmt.Errorf("it answers %d", a.Status)
			}
			return fmt.Errorf("%w: %w", err, errNoStart)
		case err != nil || a.Status >= 500 || a.Long:
			c.stop("the sitemap " + u.EscapedPath() + " cannot be read")
			continue
		case a.Status != http.StatusOK:
			continue
		}
		s := parseSitemap(a.Body, maxSitemap)
		if s.short {
			c.stop("the sitemap " + u.EscapedPath() + " is not read to its end")
		}
		c.enqueue(s.pages)
		todo = append(todo, s.sitemaps...)
	}
	return nil
}
