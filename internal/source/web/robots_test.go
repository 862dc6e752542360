package web

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestRobots(t *testing.T) {
	for _, c := range []struct {
		what, text string
		allowed    string // paths, by spaces
		refused    string
		delay      time.Duration
	}{
		{what: "empty", text: "", allowed: "/ /a"},
		{what: "all closed", text: "User-agent: *\nDisallow: /", refused: "/ /a /a?b"},
		{what: "an empty rule says nothing", text: "User-agent: *\nDisallow:", allowed: "/ /a"},
		{what: "the longest decides", text: "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c", allowed: "/ /a/b /a/b/d", refused: "/a /ab /a/c /a/b/c"},
		{what: "of equal ones the one that allows", text: "User-agent: *\nDisallow: /page\nAllow: /page", allowed: "/page"},
		{what: "wildcards", text: "User-agent: *\nDisallow: /*.php$\nDisallow: /p/*/x\nAllow: /*ok*.php$", allowed: "/a.php5 /a.php?b /p/x /ok.php", refused: "/a.php /p/a/x /p/a/b/xyz"},
		{what: "only the end", text: "User-agent: *\nDisallow: /a$", allowed: "/a/ /ab", refused: "/a"},
		{what: "escapes", text: "User-agent: *\nDisallow: /caf%c3%a9\nDisallow: /%7Euser\nDisallow: /ü", allowed: "/cafe", refused: "/caf%C3%A9 /café /~user /%C3%BC"},
		{what: "the own group instead of all's", text: "User-agent: *\nDisallow: /\n\nUser-agent: Quarry/2.0\nDisallow: /x\nCrawl-delay: 2.5", allowed: "/ /y", refused: "/x", delay: 2500 * time.Millisecond},
		{what: "several names, several groups", text: "User-agent: other\nUser-agent: quarry\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: QUARRY\nDisallow: /c", allowed: "/b", refused: "/a /c"},
		{what: "another's name", text: "User-agent: quarrybot\nDisallow: /\nUser-agent: *\nDisallow: /x", allowed: "/", refused: "/x"},
		{what: "comments, spaces, carriage returns, a mark", text: "\ufeffUser-Agent : * # all\r\n disallow:  /a  # not this\r\rnonsense\r\nAllow /b", allowed: "/b", refused: "/a"},
		{what: "a sitemap ends no group", text: "User-agent: quarry\nSitemap: https://h/s.xml\nDisallow: /a", refused: "/a"},
		{what: "a rule before any group", text: "Disallow: /\nUser-agent: *\nDisallow: /x", allowed: "/", refused: "/x"},
		{what: "a delay of days", text: "User-agent: *\nCrawl-delay: 1e9", delay: time.Minute, allowed: "/"},
		{what: "no delay", text: "User-agent: *\nCrawl-delay: NaN", allowed: "/"},
	} {
		r := parseRobots([]byte(c.text), "quarry")
		for _, p := range strings.Fields(c.allowed) {
			if !r.allowed(p) {
				t.Errorf("%s: %s is refused", c.what, p)
			}
		}
		for _, p := range strings.Fields(c.refused) {
			if r.allowed(p) {
				t.Errorf("%s: %s is allowed", c.what, p)
			}
		}
		if r.delay != c.delay {
			t.Errorf("%s: a delay of %s, not %s", c.what, r.delay, c.delay)
		}
	}
}

// reference is a pattern of robots.txt as a regular expression.
func reference(pattern string) *regexp.Regexp {
	end := ""
	if rest, ok := strings.CutSuffix(pattern, "$"); ok {
		pattern, end = rest, `\z`
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + end)
}

func FuzzMatches(f *testing.F) {
	for _, seed := range [][2]string{{"/a*b$", "/axbxb"}, {"/*", "/"}, {"/a**$", "/a"}, {"$", ""}, {"/a$b", "/a$bc"}, {"*$", "x"}, {"/*ab*ab$", "/abab"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, target string) {
		pattern, target = normal(pattern), normal(target)
		if len(pattern) > 200 {
			return
		}
		if have, want := matches(pattern, target), reference(pattern).MatchString(target); have != want {
			t.Errorf("%q matches %q: %v, not %v", pattern, target, have, want)
		}
		parseRobots([]byte("User-agent: *\nDisallow:"+pattern+"\n"+target), "quarry").allowed(target)
	})
}
