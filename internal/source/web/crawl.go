package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

const (
	maxRedirects = 5
	// maxFailures is after how many addresses in a row that fail for now the site is
	// taken to be down.
	maxFailures = 5
	// maxRemembered bounds the addresses that a crawl remembers, in bytes: the pages that
	// may be asked for can link to thousands of times as many.
	maxRemembered = 256 << 20
)

// crawl is one walk over a site.
type crawl struct {
	site   *Site
	client *remote.Client
	kept   *mirror.Mirror[note]
	robots robots

	todo     []*url.URL
	seen     map[string]bool   // addresses that are or were in todo, or that a redirect led to
	room     int               // for seen, in bytes; negative: some were left out
	paths    map[string]string // of documents, to the address
	asked    int               // for pages
	pages    int               // that there are, whether they were had now or not
	failures int

	items   []source.Item
	skipped []source.Skipped
	partial bool
}

func (c *crawl) all(ctx context.Context) error {
	if err := c.readRobots(ctx); err != nil {
		return err
	}
	if err := c.readSitemaps(ctx); err != nil {
		return err
	}
	if !c.site.scope.sitemap {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	for len(c.todo) > 0 {
		if c.asked >= c.site.options.MaxPages {
			c.stop(fmt.Sprintf("more than %d addresses: raise sources.site.pages to follow the rest", c.site.options.MaxPages))
			break
		}
		if c.failures >= maxFailures {
			c.stop(fmt.Sprintf("%d addresses in a row failed, so the rest was not asked for", c.failures))
			break
		}
		u := c.todo[0]
		c.todo = c.todo[1:]
		if err := c.visit(ctx, u); err != nil {
			return err
		}
	}
	return c.forget()
}

// begin asks for the page that the source was added by; where it is none, the address is
// wrong or the site is down, and to go on would remove what is indexed.
func (c *crawl) begin(ctx context.Context) error {
	u := c.site.scope.start
	c.seen[u.String()] = true
	if err := c.visit(ctx, u); err != nil {
		return err
	}
	if c.pages == 0 && len(c.todo) == 0 {
		return fmt.Errorf("%s: %w", c.skipped[len(c.skipped)-1].Reason, errNoStart)
	}
	return nil
}

func (c *crawl) stop(why string) {
	c.partial = true
	c.skip(".", why)
}

func (c *crawl) skip(path, reason string) {
	c.skipped = append(c.skipped, source.Skipped{Path: path, Reason: reason})
}

// enqueue takes addresses up that are of the source and new.
func (c *crawl) enqueue(addresses []string) {
	for _, a := range addresses {
		u := resolve(c.site.scope.start, a)
		if u == nil || !c.site.scope.holds(u) || c.seen[u.String()] || assets[strings.ToLower(path.Ext(u.Path))] {
			continue
		}
		if c.room < 0 {
			return
		}
		if c.room -= len(u.String()); c.room < 0 {
			c.stop(fmt.Sprintf("its addresses take more than %d MiB, so some are left out: add a part of the site", maxRemembered>>20))
			return
		}
		c.seen[u.String()] = true
		c.todo = append(c.todo, u)
	}
}

// visit asks for an address and follows redirects as far as they stay in the source.
func (c *crawl) visit(ctx context.Context, u *url.URL) error {
	path := c.site.scope.documentPath(u)
	for hops := 0; ; hops++ {
		if !c.robots.allowed(u.RequestURI()) {
			c.skip(path, "robots.txt does not allow it")
			return nil
		}
		a, err := c.ask(ctx, u)
		var failed *remote.Failure
		switch {
		case errors.As(err, &failed):
			c.failures++
			c.unavailable(u, failed.Error())
			return nil
		case errors.Is(err, remote.ErrPrivate):
			return err // it is the host of all pages
		case err != nil:
			return err
		}
		c.failures = 0
		if a.Status < 300 || a.Status >= 400 || a.Status == http.StatusNotModified {
			return c.take(u, a)
		}
		next := resolve(u, a.Header.Get("Location"))
		switch {
		case next == nil:
			c.skip(path, "it redirects to no address")
			return nil
		case !c.site.scope.holds(next):
			return c.leadsOut(u, next, a.Status)
		case hops == maxRedirects:
			c.skip(path, fmt.Sprintf("it redirects more than %d times", maxRedirects))
			return nil
		case next.String() == u.String():
			c.skip(path, "it redirects to itself")
			return nil
		case c.seen[next.String()]: // it comes, or came, in its turn; a circle ends here too
			c.skip(path, "it redirects to "+c.site.scope.documentPath(next))
			return nil
		}
		if err := c.kept.Delete(u.String()); err != nil {
			return err
		}
		c.skip(path, "it redirects to "+c.site.scope.documentPath(next))
		c.seen[next.String()] = true
		u, path = next, c.site.scope.documentPath(next)
	}
}

// leadsOut is a redirect to what is not of the source. One for now, as to a page that
// asks who one is, says nothing of what was there.
func (c *crawl) leadsOut(u, next *url.URL, status int) error {
	said := fmt.Sprintf("it redirects out of the source, to %s://%s", next.Scheme, next.Host)
	if next.Host == c.site.scope.start.Host {
		said = "it redirects out of the source, to " + next.EscapedPath()
	}
	if status == http.StatusMovedPermanently || status == http.StatusPermanentRedirect {
		c.skip(c.site.scope.documentPath(u), said)
		return c.kept.Delete(u.String())
	}
	c.unavailable(u, said)
	return nil
}

// unavailable is an address that gave nothing now. What is kept of it stays in force and
// its links are followed; where nothing is kept, what it may link to is not known.
func (c *crawl) unavailable(u *url.URL, why string) {
	path := c.site.scope.documentPath(u)
	e, ok := c.kept.Get(u.String())
	if !ok {
		c.partial = true
		c.skip(path, why)
		return
	}
	c.pages++
	c.enqueue(e.Note.Links)
	if !e.Note.NoIndex {
		c.fault(u, fmt.Errorf("%s: %w", why, source.ErrUnavailable))
	}
}

// fault adds a document that cannot be read, and why.
func (c *crawl) fault(u *url.URL, err error) {
	c.add(u, "", 0, func() ([]byte, error) { return nil, err })
}

// add adds a document, unless another address has given the same path.
func (c *crawl) add(u *url.URL, ending string, size int64, read func() ([]byte, error)) {
	p := c.site.scope.documentPath(u)
	if other, twice := c.paths[p]; twice {
		c.skip(p, "it is called like the page at "+other)
		return
	}
	c.paths[p] = u.String()
	c.items = append(c.items, source.NewItem(p, "page"+ending, size, func(ctx context.Context) (source.Original, error) {
		if err := ctx.Err(); err != nil {
			return source.Original{}, err
		}
		data, err := read()
		if err != nil {
			return source.Original{}, err
		}
		return source.Bare(data), nil
	}))
}

// forget takes away what is kept of addresses that the site has no more; what was not
// asked for because the crawl stopped stays.
func (c *crawl) forget() error {
	if c.partial {
		return nil
	}
	for _, key := range c.kept.Keys() {
		if !c.seen[key] {
			if err := c.kept.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *crawl) listing() source.Listing {
	slices.SortFunc(c.items, func(a, b source.Item) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(c.skipped, func(a, b source.Skipped) int { return cmp.Compare(a.Path, b.Path) })
	return source.Listing{Items: c.items, Skipped: c.skipped, Complete: !c.partial}
}
