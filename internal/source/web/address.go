package web

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAddress is how long an address may be that is followed: sites that make endless
// pages make endless addresses.
const maxAddress = 2048

// scope is the part of a site that a source is: the pages of one scheme, host and port
// whose path begins with the prefix.
type scope struct {
	start   *url.URL
	prefix  string // begins and ends with a slash
	sitemap bool   // start is a sitemap, and what it lists is the source
}

// scopeOf reads the address that a source was added by. A file at its end is where the
// crawl starts, in the folder that is the prefix.
func scopeOf(root string) (scope, error) {
	u, err := url.Parse(root)
	switch {
	case err != nil:
		return scope{}, fmt.Errorf("it is no address: give one such as https://example.org/docs/")
	case u.Scheme != "http" && u.Scheme != "https":
		return scope{}, errors.New("it begins with neither https:// nor http://")
	case u.Hostname() == "":
		return scope{}, errors.New("it names no host")
	case u.User != nil:
		return scope{}, errors.New("it holds a user or password, which would be stored and shown: sites that ask for one are not read")
	case len(root) > maxAddress:
		return scope{}, fmt.Errorf("it is longer than %d bytes", maxAddress)
	}
	u = canonical(u)
	s := scope{start: u, prefix: u.EscapedPath()}
	last := path.Base(s.prefix)
	switch {
	case strings.HasSuffix(s.prefix, "/"):
	case strings.Contains(last, "."):
		s.sitemap = strings.HasSuffix(last, ".xml") || strings.HasSuffix(last, ".xml.gz")
		s.prefix = strings.TrimSuffix(s.prefix, last)
	default:
		s.prefix += "/"
	}
	return s, nil
}

// holds reports whether an address, in canonical form, is in the scope. A step upwards
// that is hidden behind an escaped slash is one to some servers.
func (s scope) holds(u *url.URL) bool {
	p := u.EscapedPath()
	steps := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' })
	return !slices.Contains(steps, "..") && u.Scheme == s.start.Scheme && u.Host == s.start.Host && (strings.HasPrefix(p, s.prefix) || p+"/" == s.prefix)
}

// resolve gives the canonical address that a reference of a page means; nil for one
// that leads out of the web.
func resolve(base *url.URL, reference string) *url.URL {
	if len(reference) > maxAddress {
		return nil
	}
	r, err := url.Parse(strings.TrimSpace(reference))
	if err != nil {
		return nil
	}
	u := base.ResolveReference(r)
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return nil
	}
	if u = canonical(u); len(u.String()) > maxAddress {
		return nil
	}
	return u
}

// canonical gives one form to addresses of one page (RFC 3986, section 6.2): host and
// scheme in lower case, no default port, dots and doubled slashes resolved, escapes
// where they must be, parameters sorted and those that only count visits left out, no
// fragment.
func canonical(u *url.URL) *url.URL {
	c := &url.URL{Scheme: strings.ToLower(u.Scheme), Host: host(u), Path: cleanPath(u.Path)}
	if raw := cleanPath(u.EscapedPath()); strings.Contains(strings.ToUpper(raw), "%2F") {
		// An escaped slash is no separator, and Path cannot tell.
		if again, err := url.Parse(raw); err == nil {
			c.Path, c.RawPath = again.Path, again.RawPath
		}
	}
	c.RawQuery = canonicalQuery(u.RawQuery)
	return c
}

func host(u *url.URL) string {
	h := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if strings.Contains(h, ":") {
		h = "[" + h + "]"
	}
	port := u.Port()
	if port == "" || port == "80" && strings.EqualFold(u.Scheme, "http") || port == "443" && strings.EqualFold(u.Scheme, "https") {
		return h
	}
	return h + ":" + port
}

func cleanPath(p string) string {
	clean := path.Clean("/" + p)
	if clean != "/" && (strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")) {
		clean += "/"
	}
	return clean
}

func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return raw
	}
	for name := range values {
		if strings.HasPrefix(name, "utm_") || slices.Contains([]string{"gclid", "fbclid", "msclkid"}, name) {
			delete(values, name)
		}
	}
	return values.Encode()
}

// documentPath is the path within the source of the document at an address: the rest
// behind the prefix, as people write it, with the parameters.
func (s scope) documentPath(u *url.URL) string {
	rest, _ := strings.CutPrefix(u.EscapedPath(), strings.TrimSuffix(s.prefix, "/"))
	p := strings.Trim(rest, "/")
	if plain, err := url.PathUnescape(p); err == nil && readable(plain, p) {
		p = plain
	}
	if rest == "" || strings.HasSuffix(rest, "/") {
		p = path.Join(p, "index.html")
	}
	if u.RawQuery != "" {
		p += "?" + strings.ReplaceAll(u.RawQuery, "/", "%2F") // which is a part of no path
	}
	return p
}

// readable reports whether an unescaped path still means the same: no slash, dot segment
// or question mark was hidden in it, and nothing that is not seen.
func readable(plain, escaped string) bool {
	return utf8.ValidString(plain) && strings.Count(plain, "/") == strings.Count(escaped, "/") && path.Clean(plain) == plain &&
		!strings.HasPrefix(plain, "../") && plain != ".." &&
		strings.IndexFunc(plain, func(r rune) bool { return r == '?' || r == '%' || r == '\\' || !unicode.IsPrint(r) }) < 0
}
