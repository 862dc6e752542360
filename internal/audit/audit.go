// Package audit keeps a log of who asked what and which revisions were shown: JSON, a
// line for each call, a file for each day (UTC), appended by every process that opens
// the store. It holds no text of a document.
package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/seed-d3156d19/quarry"
)

// How questions and principals are kept.
const (
	Kept = "kept" // as they are
	Hash = "hash" // as a keyed hash, equal for equal ones
	None = "none" // not at all
)

// Options of a log.
type Options struct {
	// Dir is its folder; it is made where it is not there, for its owner alone.
	Dir string
	// Questions says how questions, quotes and names that were asked for are kept,
	// Principals how principals are: Kept, Hash or None.
	Questions, Principals string
	// Days after which a day's file is deleted. 0: never.
	Days int
	// Sync: each record is on the disk before the call gives its result.
	Sync bool
}

// Log implements quarry.Auditor.
type Log struct {
	o Options

	mu      sync.Mutex
	key     []byte // of the hashes; nil: not read yet
	cleaned string // the day on which old files were last deleted
}

// New is the log in a folder, which is made when something is recorded.
func New(o Options) *Log { return &Log{o: o} }

// Check makes the folder and the key, if one is used, and tries to write.
func (l *Log) Check() error {
	err := os.MkdirAll(l.o.Dir, 0o700)
	if err == nil && (l.o.Questions == Hash || l.o.Principals == Hash) {
		_, err = l.hash("")
	}
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(filepath.Join(l.o.Dir, lockName), os.O_RDWR|os.O_CREATE, 0o600); err == nil {
			err = f.Close()
		}
	}
	if err != nil {
		return l.failed(err)
	}
	return nil
}

func (l *Log) failed(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("the audit log in %s cannot be written: %w; make it writable or name another folder with audit.folder", l.o.Dir, err)
}

// Record implements quarry.Auditor.
func (l *Log) Record(ctx context.Context, r quarry.AuditRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := os.MkdirAll(l.o.Dir, 0o700)
	if err != nil {
		return l.failed(err)
	}
	line, err := l.line(r)
	if err == nil {
		err = l.append(ctx, r.At, line)
	}
	if err != nil {
		return l.failed(err)
	}
	return nil
}

// append writes one line to the day's file, for who holds mu. Processes take turns by a lock of the
// folder, so that lines stay whole and old files are deleted once.
func (l *Log) append(ctx context.Context, at time.Time, line []byte) (err error) {
	turn := flock.New(filepath.Join(l.o.Dir, lockName), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := turn.TryLockContext(ctx, time.Millisecond); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("another process has held it for %s", patience)
		}
		return err
	}
	defer turn.Close()
	day := at.UTC().Format(time.DateOnly)
	if err := l.clean(day); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(l.o.Dir, fileOf(day)), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	// A process that was killed while it wrote has left a part of a line: what follows
	// stands on its own all the same.
	begun, torn, err := state(f)
	if err != nil {
		return err
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := f.Write(line); err != nil || !l.o.Sync {
		return err
	}
	if err := f.Sync(); err != nil || begun {
		return err
	}
	return syncDir(l.o.Dir)
}

// syncDir puts the name of a new file on the disk. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// state is whether a file holds something, and whether it ends within a line.
func state(f *os.File) (begun, torn bool, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, false, err
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return true, last[0] != '\n', err
}

// patience is how long a record waits for its turn.
const patience = 10 * time.Second

const (
	prefix   = "audit-"
	suffix   = ".jsonl"
	lockName = ".lock"
	keyName  = ".key"
)

func fileOf(day string) string { return prefix + day + suffix }

// clean deletes the files of days that are older than is kept, once a day.
func (l *Log) clean(day string) error {
	if l.o.Days == 0 || l.cleaned == day {
		return nil
	}
	today, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return err
	}
	first := today.AddDate(0, 0, -l.o.Days).Format(time.DateOnly)
	entries, err := os.ReadDir(l.o.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), prefix)
		of, whole := strings.CutSuffix(name, suffix)
		if _, err := time.Parse(time.DateOnly, of); !ok || !whole || err != nil || of >= first {
			continue // of another's, or kept
		}
		if err := os.Remove(filepath.Join(l.o.Dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	l.cleaned = day
	return nil
}

// line is a record as it is kept.
func (l *Log) line(r quarry.AuditRecord) ([]byte, error) {
	e := entry{Time: r.At.UTC().Format(time.RFC3339Nano), Call: r.Call, Via: r.Via, Tenant: r.Scope.Tenant, Administrator: r.Scope.Administrator,
		Drafts: r.Scope.Drafts, Sources: r.Scope.Sources, AsOf: r.Scope.AsOf.String(), Where: r.Scope.Where, Failed: r.Failed, Shown: []shown{}}
	var err error
	one := func(how, text string) string {
		if text == "" || how == None || err != nil {
			return ""
		}
		if how == Hash {
			text, err = l.hash(text)
		} else if len(text) > maxText {
			text = strings.ToValidUTF8(text[:maxText], "") + "…"
		}
		return text
	}
	all := func(names []string) (out []string) {
		for _, name := range names[:min(len(names), maxPrincipals)] {
			if name = one(l.o.Principals, name); name != "" {
				out = append(out, name)
			}
		}
		return out
	}
	e.About, e.Expected, e.Quote = one(l.o.Questions, r.About), one(l.o.Questions, r.Expected), one(l.o.Questions, r.Quote)
	e.Principals, e.Reader = all(r.Given), all(r.Reader)
	if added := r.Scope.Principals[min(len(r.Given), len(r.Scope.Principals)):]; len(added) > 0 {
		e.Groups, e.MoreGroups = all(added), max(0, len(added)-maxPrincipals)
	}
	for i, s := range r.Shown {
		if i == maxShown {
			e.MoreShown = len(r.Shown) - maxShown
			break
		}
		e.Shown = append(e.Shown, shown{s.Document.Source, s.Document.Path, s.Revision, s.Cited})
	}
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(e)
	return append(data, '\n'), err
}

// Bounds of one line.
const (
	maxShown      = 10_000
	maxPrincipals = 1_000
	maxText       = 32 << 10 // bytes of a question, name or quote; no question that is answered is as long
)

// entry is a line. What is empty is left out.
type entry struct {
	Time          string              `json:"time"`
	Call          string              `json:"call"`
	Via           string              `json:"via,omitempty"`
	Tenant        string              `json:"tenant"`
	Principals    []string            `json:"principals,omitempty"`
	Groups        []string            `json:"groups,omitempty"` // that the file of groups adds
	MoreGroups    int                 `json:"more_groups,omitempty"`
	Administrator bool                `json:"administrator,omitempty"`
	AsOf          string              `json:"as_of,omitempty"`
	Where         map[string][]string `json:"where,omitempty"`
	Drafts        bool                `json:"drafts,omitempty"`
	Sources       []string            `json:"sources,omitempty"`
	About         string              `json:"about,omitempty"`
	Expected      string              `json:"expected,omitempty"`
	Quote         string              `json:"quote,omitempty"`
	Reader        []string            `json:"reader,omitempty"`
	Failed        bool                `json:"failed,omitempty"`
	Shown         []shown             `json:"shown"`
	MoreShown     int                 `json:"more_shown,omitempty"`
}

type shown struct {
	Source   string `json:"source"`
	Document string `json:"document"`
	Revision string `json:"revision,omitempty"`
	Cited    bool   `json:"cited,omitempty"`
}
