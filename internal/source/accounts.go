package source

import (
	"os/user"
	"strconv"
	"sync"
)

// principal is a name that documents' readers have. It is known where the system has a
// name for the account.
type principal struct {
	name  string
	known bool
}

// accounts are the names of users and groups of the system, each looked up once.
type accounts struct {
	mu     sync.Mutex
	names  map[string]principal
	lookup func(kind string, id uint32) (string, error)
}

func newAccounts() *accounts {
	return &accounts{names: map[string]principal{}, lookup: systemName}
}

// systemName asks the system; a binary without cgo reads /etc/passwd and /etc/group.
func systemName(kind string, id uint32) (string, error) {
	text := strconv.FormatUint(uint64(id), 10)
	if kind == "user" {
		u, err := user.LookupId(text)
		if err != nil {
			return "", err
		}
		return u.Username, nil
	}
	g, err := user.LookupGroupId(text)
	if err != nil {
		return "", err
	}
	return g.Name, nil
}

func (a *accounts) user(id uint32) principal  { return a.of("user", "uid", id) }
func (a *accounts) group(id uint32) principal { return a.of("group", "gid", id) }

// of is "user:anna", or "uid:1007" where the system has no name for the account.
func (a *accounts) of(kind, number string, id uint32) principal {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := number + ":" + strconv.FormatUint(uint64(id), 10)
	p, ok := a.names[key]
	if !ok {
		if name, err := a.lookup(kind, id); err == nil && name != "" {
			p = principal{kind + ":" + name, true}
		} else {
			p = principal{key, false}
		}
		a.names[key] = p
	}
	return p
}
