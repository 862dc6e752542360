package git

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"unicode"
)

// Prefix begins the address of a repository: what follows is a URL as git takes it, and
// behind a # the ref.
const Prefix = "git+"

// address is where a repository is.
type address struct {
	url *url.URL
	ref string
}

// parse reads an address such as git+https://example.org/rules.git#main. git takes other
// forms as well, some of which run programs: only https, ssh and files are taken here.
func parse(root string) (address, error) {
	u, err := url.Parse(strings.TrimPrefix(root, Prefix))
	if err != nil || !strings.HasPrefix(root, Prefix) {
		return address{}, errors.New("it is no address of a repository: write it like git+https://example.org/rules.git#main")
	}
	a := address{url: u, ref: "HEAD"}
	if u.Fragment != "" {
		a.ref = u.Fragment
	}
	u.Fragment, u.RawFragment = "", ""
	_, password := u.User.Password()
	switch {
	case u.Scheme != "https" && u.Scheme != "ssh" && u.Scheme != "file":
		return address{}, fmt.Errorf("its kind is %q: give one of git+https://, git+ssh:// and git+file://", u.Scheme)
	case password || u.User != nil && u.Scheme != "ssh":
		return address{}, errors.New("it holds a user or password, which would be stored and shown: use ssh, with a key")
	case u.RawQuery != "":
		return address{}, errors.New("it holds parameters, which no repository has")
	case u.Scheme == "file" && (u.Host != "" || !filepath.IsAbs(filepath.FromSlash(u.Path))):
		return address{}, errors.New("it names no folder of this machine: write git+file:///path/to/repository")
	case u.Scheme != "file" && u.Hostname() == "":
		return address{}, errors.New("it names no host")
	case strings.HasPrefix(u.Hostname(), "-") || strings.HasPrefix(u.User.Username(), "-"):
		return address{}, errors.New("its host or user looks like an option")
	case !validRef(a.ref):
		return address{}, fmt.Errorf("%q is no ref: give a branch, a tag or a commit", a.ref)
	}
	return a, nil
}

// validRef follows git-check-ref-format(1), which keeps refs from being options,
// revision expressions or refspecs.
func validRef(ref string) bool {
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.HasPrefix(ref, "-") && !strings.HasSuffix(ref, ".") && !strings.Contains(ref, "..") && !strings.Contains(ref, "@{") && ref != "@" &&
		strings.IndexFunc(ref, func(r rune) bool {
			return r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) || !unicode.IsPrint(r)
		}) < 0
}

// String is the address in the form that it is stored in.
func (a address) String() string {
	s := Prefix + a.url.String()
	if a.ref != "HEAD" {
		s += "#" + a.ref
	}
	return s
}
