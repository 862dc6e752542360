package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A file that was deleted or replaced stays open: what is written to it is lost
// when the process ends, and nobody else ever sees it. So every write asks before
// and after its commit whether the path still names the file that was opened.

// follow returns the file that a path stands for where it is a symbolic link, so that
// a file has one lock, one log and one place that a rename replaces, by whatever name it
// is opened. SQLite follows links in the same way. Of a link to nothing it is the file
// that would be made.
func follow(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // what is wrong with it is said by who opens it
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", filed(path, "following the link", err)
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", filed(path, "following the link", err)
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", filed(path, "", errors.New("the link leads to itself: name a file"))
}

const maxLinks = 40 // in a row, as Linux has it

// identify is what tells a file from every other; nil where there is none.
func identify(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// On Windows the identity is read when it is first asked for, by the path.
	os.SameFile(info, info)
	return info, nil
}

// inPlace is an error where the store's path, or that of its log, no longer names
// the file that this process has open.
func (s *Store) inPlace() error {
	if err := s.still(s.path, s.file); err != nil {
		return err
	}
	return s.still(s.path+walSuffix, s.log)
}

const walSuffix = "-wal"

func (s *Store) still(path string, opened os.FileInfo) error {
	if opened == nil {
		return nil
	}
	now, err := identify(path)
	switch {
	case err != nil:
		return s.wrap("looking at the store", err)
	case now == nil:
		return lost(path, "is gone: it was deleted or moved")
	case !os.SameFile(opened, now):
		return lost(path, "was replaced by another file")
	}
	return nil
}

func lost(path, how string) error {
	return &failure{sentence: fmt.Sprintf("%s %s while it was written, and what was written last may be lost with it; leave the store's files where they are and run the command again", path, how)}
}
