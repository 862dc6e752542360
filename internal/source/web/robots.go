package web

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxRobots is how much of a robots.txt is read (RFC 9309, section 2.5, asks for 500 KiB).
const maxRobots = 500 << 10

// maxCrawlDelay bounds what a site may ask for: beyond it a crawl would take days.
const maxCrawlDelay = time.Minute

// robots are the rules of a site for one crawler (RFC 9309).
type robots struct {
	rules    []rule
	delay    time.Duration // Crawl-delay, which the RFC does not know and sites use
	sitemaps []string
}

type rule struct {
	pattern string
	allow   bool
}

// parseRobots reads the groups that name the agent, or else those for all. Lines that
// are not understood do not count.
func parseRobots(data []byte, agent string) robots {
	var named, all, out robots
	found, inAgents, mine, everyone := false, false, false, false
	for line := range bytes.SplitSeq(bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), []byte("\r"), []byte("\n")), []byte("\n")) {
		text, _, _ := strings.Cut(string(line), "#")
		key, value, ok := strings.Cut(text, ":")
		if !ok || !utf8.ValidString(text) {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if key == "sitemap" { // of no group
			out.sitemaps = append(out.sitemaps, value)
			continue
		}
		if key == "user-agent" {
			if !inAgents { // the first of a group
				mine, everyone = false, false
			}
			inAgents = true
			mine = mine || strings.EqualFold(product(value), agent)
			everyone = everyone || value == "*"
			found = found || mine
			continue
		}
		inAgents = false
		if mine {
			named.take(key, value)
		}
		if everyone {
			all.take(key, value)
		}
	}
	if !found {
		named = all
	}
	out.rules, out.delay = named.rules, named.delay
	return out
}

// product is the name in "name/version (comment)".
func product(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

func (r *robots) take(key, value string) {
	switch key {
	case "allow", "disallow":
		if value != "" { // an empty one says nothing
			r.rules = append(r.rules, rule{normal(value), key == "allow"})
		}
	case "crawl-delay":
		if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
			r.delay = maxCrawlDelay
			if s < maxCrawlDelay.Seconds() {
				r.delay = time.Duration(s * float64(time.Second))
			}
		}
	}
}

// allowed reports whether a path with its query may be asked for: the longest pattern
// that matches decides, and of equally long ones the one that allows.
func (r robots) allowed(target string) bool {
	target = normal(target)
	longest, allow := -1, true
	for _, rule := range r.rules {
		n := len(rule.pattern)
		if n < longest || n == longest && !rule.allow || !matches(rule.pattern, target) {
			continue
		}
		longest, allow = n, rule.allow
	}
	return allow
}

// matches a pattern that means a beginning, with * for anything and $ at its end for the
// end. It takes the first place for each part, so its time is the product of the lengths.
func matches(pattern, target string) bool {
	ended := strings.HasSuffix(pattern, "$")
	parts := strings.Split(strings.TrimSuffix(pattern, "$"), "*")
	if !strings.HasPrefix(target, parts[0]) {
		return false
	}
	rest := target[len(parts[0]):]
	for i, part := range parts[1:] {
		if ended && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !ended || rest == ""
}

// normal escapes what a pattern or path need not hold escaped in one way (section 2.2.2).
func normal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				if unreserved(byte(n)) {
					b.WriteByte(byte(n))
				} else {
					b.WriteString("%" + strings.ToUpper(s[i+1:i+3]))
				}
				i += 2
				continue
			}
		}
		if c <= ' ' || c >= 0x7f {
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
