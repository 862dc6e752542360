package source

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/seed-d3156d19/quarry/document"
)

// permissions maps who may read a file by its mode, owner and group, and by those of
// every folder above it up to the root of the file system, to an access. What the
// access admits, the system admits: where the two cannot be the same, it admits less.
type permissions struct {
	root  string // of the source, absolute, symbolic links resolved
	names *accounts

	mu      sync.Mutex
	folders map[string]document.Access // by their path within the source, those above among it
}

// of is the access of a file, by its slash path within the source. A folder is looked at
// once for each listing, as its sidecar is, a file each time.
func (p *permissions) of(root *os.Root, file string) (document.Access, error) {
	folder, err := p.folder(root, path.Dir(file))
	if err != nil {
		return document.Access{}, err
	}
	return p.inside(root, file, folder)
}

// folder is who passes through a folder and all above it.
func (p *permissions) folder(root *os.Root, name string) (document.Access, error) {
	p.mu.Lock()
	access, ok := p.folders[name]
	p.mu.Unlock()
	if ok {
		return access, nil
	}
	var above document.Access
	var err error
	if name == "." {
		above, err = p.outside()
	} else {
		above, err = p.folder(root, path.Dir(name))
	}
	if err == nil {
		access, err = p.inside(root, name, above)
	}
	if err != nil {
		return document.Access{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.folders == nil {
		p.folders = map[string]document.Access{}
	}
	p.folders[name] = access
	return access, nil
}

// inside is what a file or folder of the source leaves of who gets to it.
func (p *permissions) inside(root *os.Root, name string, above document.Access) (document.Access, error) {
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return document.Access{}, opening(err)
	}
	level, err := p.level(info, filepath.Join(p.root, filepath.FromSlash(name)))
	if err != nil {
		return document.Access{}, err
	}
	return within(above, level), nil
}

// outside is the access of the folders above the source.
func (p *permissions) outside() (document.Access, error) {
	access := document.Public()
	for at := filepath.Dir(p.root); ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return document.Access{}, fmt.Errorf("the permissions of %s cannot be read: %w", at, plain(err))
		}
		level, err := p.level(info, at)
		if err != nil {
			return document.Access{}, err
		}
		access = within(access, level)
		if at == filepath.Dir(at) {
			return access, nil
		}
	}
}

// level is who may read a file, or pass through a folder.
func (p *permissions) level(info fs.FileInfo, name string) (document.Access, error) {
	owner, group, ok := ownerOf(info)
	if !ok {
		return document.Access{}, fmt.Errorf("the owner of %s cannot be read: set sources.permissions to off", name)
	}
	listed, err := hasList(name)
	if err != nil {
		return document.Access{}, fmt.Errorf("the access list of %s cannot be read: %w", name, err)
	}
	bit := fs.FileMode(4)
	if info.IsDir() {
		bit = 1
	}
	mode := info.Mode().Perm()
	return access(mode&(bit<<6) != 0, mode&(bit<<3) != 0, mode&bit != 0, listed, p.names.user(owner), p.names.group(group)), nil
}

// access is that of one file or folder which its owner, its group and others may read.
// Of a class the first that fits counts, as POSIX has it: an owner who may not read is
// not helped by a group that may. A file with a list of its own (listed) may deny anyone
// by name, and its group's permission is not what its mode shows, so it is its owner's.
func access(owner, group, others, listed bool, user, of principal) document.Access {
	var a document.Access
	if listed {
		group, others = false, false
	}
	switch {
	case others:
		a.Everyone = true
	default:
		if owner {
			a.Readers = append(a.Readers, user.name)
		}
		if group {
			a.Readers = append(a.Readers, of.name)
		}
	}
	deny := func(who principal) {
		a.Deny = append(a.Deny, who.name)
		if !who.known { // nobody asks by this name, so he cannot be kept out by it
			a = document.Access{}
		}
	}
	if !owner && (group || others) {
		deny(user)
	}
	if !group && others {
		deny(of)
	}
	return a
}

// within is who may read what lies below: who is admitted by both. Where both name
// readers those count that both name, so one who is admitted by another name on
// each is not.
func within(outer, inner document.Access) document.Access {
	out := document.Access{Everyone: outer.Everyone && inner.Everyone}
	switch {
	case outer.Everyone:
		out.Readers = slices.Clone(inner.Readers)
	case inner.Everyone:
		out.Readers = slices.Clone(outer.Readers)
	default:
		for _, r := range outer.Readers {
			if slices.Contains(inner.Readers, r) {
				out.Readers = append(out.Readers, r)
			}
		}
	}
	out.Deny = slices.Concat(outer.Deny, inner.Deny)
	slices.Sort(out.Readers)
	slices.Sort(out.Deny)
	out.Readers, out.Deny = slices.Compact(out.Readers), slices.Compact(out.Deny)
	return out
}

// Bound is who may read a document whose metadata says meta and whose file's permissions
// say p: no metadata opens what they close. Where both name readers and none in common,
// nobody could read it, which is said.
func (p *Permitted) Bound(meta document.Access) (document.Access, error) {
	if p == nil {
		return meta, nil
	}
	out := within(document.Access(*p), meta)
	if !out.Everyone && len(out.Readers) == 0 && len(p.Readers) > 0 && len(meta.Readers) > 0 {
		return document.Access{}, fmt.Errorf("its metadata admits %s and the permissions of its file and folders %s, which are not the same: name readers that both admit, or change the permissions",
			strings.Join(meta.Readers, ", "), strings.Join(p.Readers, ", "))
	}
	return out, nil
}

// Permitted is the access that the permissions of a file give.
type Permitted document.Access
