package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (s *sandbox) words() *sandbox {
	s.t.Helper()
	s.write("quarry.yaml", "embedding: {model: none}\n")
	return s
}

// flip changes a byte of the store where it holds a text.
func (s *sandbox) flip(text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, "quarry.db")
	data, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	at := bytes.Index(data, []byte(text))
	if at < 0 {
		s.t.Fatalf("the store does not hold %q", text)
	}
	data[at] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func TestDoctor(t *testing.T) {
	s := newSandbox(t).words()
	contains(t, s.want(1, "doctor").out, "configuration  ok", "models         ok      none", "store          failed  quarry.db: there is no store yet")
	s.write(office...)
	s.want(0, "add", "office")
	s.want(0, "backup", "backup.db")
	contains(t, s.want(0, "doctor").out, "store          ok  quarry.db is sound")
	contains(t, s.want(0, "doctor", "--repair").out, "is sound")

	s.flip("The canteen opens")
	r := s.want(1, "doctor")
	contains(t, r.out, "lost     document office:notes.txt: a text is not what was stored")
	contains(t, r.out, "quarry restore FILE", "quarry doctor --repair", "quarry add")
	contains(t, r.err, "see what stands above of store")
	if strings.Contains(r.err, "quarry restore") {
		t.Errorf("what is wrong is said twice: %s", r.err)
	}
	if strings.Count(r.out, "lost ") != 1 {
		t.Errorf("more is lost than one document:\n%s", r.out)
	}
	contains(t, s.want(1, "backup", "backup.db").err, "document office:notes.txt", "quarry doctor")

	contains(t, s.want(4, "doctor", "--repair").out, "add the sources again")
	contains(t, s.want(0, "add", "office").out, "1 added, 0 changed, 0 removed, 7 unchanged")
	contains(t, s.want(0, "ask", "When does the canteen open?").out, "11:30")
	s.want(0, "doctor")
}

func TestDoctorOfSettings(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.want(0, "add", "office")
	s.write("quarry.yaml", "chunk:\n  maks: 300\n")
	contains(t, s.want(1, "doctor").out, "configuration  failed  quarry.yaml:2: unknown key chunk.maks", "store          ok")
	s.write("quarry.yaml", "embedding: {model: folder, folder: none}\n")
	r := s.want(1, "doctor")
	contains(t, r.out, "configuration  ok", "models         failed", "store          ok")
	contains(t, r.out, "embedding.folder")
}

func TestBackupAndRestore(t *testing.T) {
	s := newSandbox(t).words()
	s.write(office...)
	contains(t, s.want(1, "backup", "backup.db").err, "there is no store yet")
	s.want(0, "add", "office")
	contains(t, s.want(0, "backup", "backup.db").out, "backed up quarry.db to backup.db: 8 documents, ")
	s.want(0, "remove", "office")
	contains(t, s.want(0, "restore", "backup.db").out, "restored quarry.db from backup.db: 8 documents, ")
	contains(t, s.want(0, "ask", "What is the hotel limit?").out, "EUR 140")
	contains(t, s.want(0, "add", "office").out, "0 added, 0 changed, 0 removed, 8 unchanged")
	contains(t, s.want(0, "ask", "What is the hotel limit?", "--store", "backup.db").out, "EUR 140")
	contains(t, s.want(1, "restore", "office/notes.txt").err, "the backup cannot be used", "not a Quarry store", "name another file")
	contains(t, s.want(1, "backup", "quarry.db").err, "this is the store itself")
	contains(t, s.want(1, "backup", "office/notes.txt").err, "delete it or name another file")
	contains(t, s.want(2, "backup", "").err, "needs the FILE")
	contains(t, s.want(2, "restore", "").err, "needs the FILE")
	contains(t, s.want(1, "restore", "nope.db").err, "nope.db", "there is no such file")
	contains(t, s.want(1, "backup", "no/such/b.db").err, "no/such does not exist: make it")
	s.want(0, "add", "office", "--store", "other.db")
	contains(t, s.want(1, "backup", "other.db").err, "--force")
	s.want(0, "backup", "other.db", "--force")
	s.want(0, "restore", "backup.db", "--store", "new.db")
	contains(t, s.want(0, "status", "--store", "new.db").out, "8 documents")
}

func TestCopy(t *testing.T) {
	s := newSandbox(t).words()
	s.write(office...)
	contains(t, s.want(1, "copy", "--from", "quarry.db", "--to", "copy.db").err, "there is no store yet")
	s.want(0, "add", "office")
	contains(t, s.want(0, "copy", "--from", "quarry.db", "--to", "copy.db").out, "8 documents copied, 0 replaced, 0 removed", "both hold 8 documents of 1 source")
	contains(t, s.want(0, "copy", "--from", "quarry.db", "--to", "copy.db").out, "0 documents copied")
	contains(t, s.want(0, "ask", "What is the hotel limit?", "--store", "copy.db").out, "EUR 140")
	contains(t, s.want(0, "add", "office", "--store", "copy.db").out, "0 added, 0 changed, 0 removed, 8 unchanged")
	s.want(0, "remove", "office:notes.txt")
	contains(t, s.want(1, "copy", "--from", "quarry.db", "--to", "copy.db").err, "copy.db holds what the store that is copied does not: ", "office:notes.txt", "--force")
	contains(t, s.want(0, "status", "--store", "copy.db").out, "8 documents")
	contains(t, s.want(0, "copy", "--from", "quarry.db", "--to", "copy.db", "--force").out, "1 removed")
	contains(t, s.want(1, "copy", "--from", "quarry.db", "--to", "./quarry.db").err, "would be copied to itself")
	contains(t, s.want(1, "copy", "--from", "quarry.db", "--to", "office").err, "office is a folder")
	contains(t, s.want(1, "copy", "--from", "quarry.db", "--to", "mysql://root:geheim@db/x").err, `a store of the kind "mysql" is not supported`, "postgres://")
}

// What a copy needs is there before it is made: models are not asked for, so one that is
// gone does not turn a backup that was made into a failure.
func TestBackupWithoutModels(t *testing.T) {
	s := newSandbox(t).words()
	s.write(office...)
	s.want(0, "add", "office")
	s.write("quarry.yaml", "embedding: {model: folder, folder: none}\n")
	contains(t, s.want(0, "backup", "backup.db").out, "8 documents")
	contains(t, s.want(0, "restore", "backup.db").out, "8 documents")
}
