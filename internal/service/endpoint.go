package service

import (
	"fmt"
	"net/url"
	"strings"
)

// DefaultURL is where OpenAI's paths begin.
const DefaultURL = "https://api.openai.com/v1"

// endpoint is where requests go, and how the key is said there.
type endpoint struct {
	url   string
	host  string // for errors
	azure bool   // the key goes into the header api-key
}

func endpointOf(use Use, base, version string) (endpoint, error) {
	bad := func(why string) (endpoint, error) { // without the address, which may hold a password
		return endpoint{}, fmt.Errorf("%s.url %s: give an address such as %s", use.Keys, why, DefaultURL)
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return bad("is no address")
	case u.Scheme != "https" && u.Scheme != "http":
		return bad("does not begin with https:// or http://")
	case u.Hostname() == "":
		return bad("names no host")
	case u.User != nil:
		return bad(fmt.Sprintf("holds a user or password, which belong in %s.key_env or key_file", use.Keys))
	case u.RawQuery != "" || u.Fragment != "":
		return bad(fmt.Sprintf("holds more than host and path (the parameter api-version is %s.api_version)", use.Keys))
	}
	if !strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/"+use.Path) {
		u = u.JoinPath(use.Path)
	}
	host := strings.ToLower(u.Hostname())
	e := endpoint{host: u.Host, azure: version != "" || strings.HasSuffix(host, ".azure.com")}
	if version != "" {
		u.RawQuery = url.Values{"api-version": {version}}.Encode()
	}
	e.url = u.String()
	return e, nil
}

// URL is where requests go.
func (c *Client) URL() string { return c.endpoint.url }
