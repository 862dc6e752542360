package source

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownerOf is the owner and the group of what was looked at.
func ownerOf(info fs.FileInfo) (owner, group uint32, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return stat.Uid, stat.Gid, true
}

// lists are the attributes in which file systems keep access lists: POSIX's, NFS's and
// those of Samba's file systems.
var lists = []string{"system.posix_acl_access", "system.nfs4_acl", "system.richacl", "system.cifs_acl"}

// hasList is whether a file has an access list beside its mode.
func hasList(name string) (bool, error) {
	for _, list := range lists {
		_, err := unix.Lgetxattr(name, list, nil)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.ENODATA), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EINVAL):
		default:
			return false, err
		}
	}
	return false, nil
}
