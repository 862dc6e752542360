package local

import (
	"fmt"
	"os"
	"path/filepath"
)

// A store in write-ahead mode is read with the help of a file beside it, -shm. A
// user who may not write the store's file or its folder cannot make one, or would
// leave one behind that the owner cannot write. Such a user reads the file as it
// stands, without locks (SQLite's immutable=1), as long as everything is in it: no
// other process has it open, which would keep a log and a -shm, and none left a log.
// Whether that has changed is asked at the begin of every view.

// surroundings is what decides how a store is opened.
type surroundings struct {
	fileWritable, folderWritable bool
	log                          int64 // bytes, 0 also where there is none
	shared                       bool  // there is a -shm
}

func around(path string) surroundings {
	a := surroundings{fileWritable: writable(path), folderWritable: writable(filepath.Dir(path))}
	if info, err := os.Stat(path + walSuffix); err == nil {
		a.log = info.Size()
	}
	_, err := os.Stat(path + "-shm")
	a.shared = err == nil
	return a
}

func (a surroundings) closed() bool { return !a.fileWritable || !a.folderWritable }

// frozen is whether the file is to be read as it stands.
func (a surroundings) frozen() bool { return a.closed() && a.log == 0 && !a.shared }

// unread is an error where a store can be read only by who may write it.
func (s *Store) unread(err error) error {
	if a := around(s.path); !a.closed() || a.log == 0 {
		return err
	}
	return &failure{sentence: fmt.Sprintf("%s: its latest changes are in %s%s, which this user cannot take over; have a user who may write the store run quarry status once, or give write access to the file and its folder", s.path, s.path, walSuffix), cause: err}
}

// thawed is an error where a file that is read as it stands has been written.
func (s *Store) thawed() error {
	if !s.frozen {
		return nil
	}
	now, err := identify(s.path)
	if err != nil {
		return s.wrap("looking at the store", err)
	}
	a := around(s.path)
	if now != nil && os.SameFile(now, s.file) && now.Size() == s.file.Size() && now.ModTime().Equal(s.file.ModTime()) && a.log == 0 {
		return nil
	}
	return &failure{sentence: fmt.Sprintf("%s: it was written by another process since it was opened, and this user may only read it as it was; run the command again", s.path)}
}

// unsettled is what reading failed with. A file that is read without locks and was
// written meanwhile seems damaged, and is not.
func (s *Store) unsettled(doing string, err error) error {
	if err == nil {
		return nil
	}
	if changed := s.thawed(); changed != nil {
		return changed
	}
	return s.wrap(doing, err)
}
