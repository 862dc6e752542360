package evaluate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// RunInfo says what was measured with what, so that two reports can be compared
// knowingly.
type RunInfo struct {
	Name     string            `json:"name,omitempty"`
	At       time.Time         `json:"at"`
	Set      string            `json:"set"`
	SetHash  string            `json:"set_hash"` // of the questions and their judgements
	Only     string            `json:"only,omitempty"`
	Version  string            `json:"version"` // of the code
	Settings map[string]string `json:"settings"`
	Models   map[string]string `json:"models"` // with their versions, by what they do
	Corpus   CorpusState       `json:"corpus"`
	// File is where the run is kept.
	File string `json:"file,omitempty"`
}

// CorpusState is the fingerprint of what was searched.
type CorpusState struct {
	Documents int    `json:"documents"`
	Hash      string `json:"hash"`
	Pipeline  string `json:"pipeline"` // the code and settings that made passages
}

// Kept is a run as it is kept: the report with every question's figures and
// ranks, and what it was made with.
type Kept struct {
	Run    RunInfo `json:"run"`
	Report Report  `json:"report"`
}

// Title is what a run is called.
func (k Kept) Title() string {
	at := k.Run.At.UTC().Format("2006-01-02 15:04")
	switch {
	case k.Run.At.IsZero():
		return cmp.Or(k.Run.Name, k.Report.Set)
	case k.Run.Name != "":
		return k.Run.Name + " (" + at + ")"
	}
	return "the run of " + at
}

// Differences are what the two runs were made with otherwise, as "key: before -> after".
func (k Kept) Differences(from Kept) []string {
	var list []string
	note := func(what, before, after string) {
		if before != after && before != "" && after != "" {
			list = append(list, fmt.Sprintf("%s: %s -> %s", what, before, after))
		}
	}
	a, b := from.Run, k.Run
	note("questions", a.SetHash, b.SetHash)
	note("documents", a.Corpus.Hash, b.Corpus.Hash)
	note("pipeline", a.Corpus.Pipeline, b.Corpus.Pipeline)
	note("version", a.Version, b.Version)
	if len(a.Settings) > 0 && len(b.Settings) > 0 {
		list = append(list, differing("", a.Settings, b.Settings)...)
	}
	if !a.At.IsZero() && !b.At.IsZero() {
		list = append(list, differing("model of ", a.Models, b.Models)...)
	}
	if x, y := from.Report.Judge, k.Report.Judge; x != nil && y != nil {
		note("model of the judge", x.Model, y.Model)
		note("prompt of the judge", "version "+x.PromptVersion, "version "+y.PromptVersion)
	}
	return list
}

func differing(prefix string, a, b map[string]string) []string {
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	var list []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if a[k] != b[k] {
			list = append(list, fmt.Sprintf("%s%s: %s -> %s", prefix, k, cmp.Or(a[k], "none"), cmp.Or(b[k], "none")))
		}
	}
	return list
}

// Hash identifies the questions of a set with their judgements.
func (s Set) Hash() string {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, q := range s.Questions {
		// Questions are plain values: encoding them fails for no input.
		_ = enc.Encode(q)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Runs is the folder that runs are kept in.
type Runs struct {
	Dir string
}

// Bounds of a folder of runs. Runs without a name make room for new ones; those with a
// name are somebody's baseline and stay until a run of the same name takes their place.
const (
	maxUnnamed = 30
	maxNamed   = 200
)

// Last is the baseline that is the newest run of the same questions.
const Last = "last"

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// unnamed begins the files of runs without a name.
const unnamed = "run-"

// CheckName reports whether a run can have a name.
func (d Runs) CheckName(name string) error {
	if !runName.MatchString(name) || name == Last || strings.HasPrefix(name, unnamed) || strings.HasSuffix(name, ".json") {
		return fmt.Errorf("evaluate: a run cannot be called %q: give 1 to 64 of the letters a to z, digits, '.', '-' and '_', neither %q nor beginning with %q", name, Last, unnamed)
	}
	names, err := d.names()
	if err != nil {
		return err
	}
	if len(names) >= maxNamed && !slices.Contains(names, name) {
		return fmt.Errorf("evaluate: %s holds %d named runs: remove those that are needed no longer", d.Dir, len(names))
	}
	return nil
}

// Save keeps a run under its name, or under its time, and removes the oldest of those
// without a name past the newest thirty. It gives the file.
func (d Runs) Save(k Kept) (string, error) {
	if err := os.MkdirAll(d.Dir, 0o700); err != nil {
		return "", fmt.Errorf("evaluate: keeping the run: %w", err)
	}
	name := k.Run.Name
	if name == "" {
		name = unnamed + k.Run.At.UTC().Format("20060102T150405.000000000")
	}
	file := filepath.Join(d.Dir, name+".json")
	k.Run.File = ""
	b, err := json.Marshal(k)
	if err == nil {
		err = writeWhole(file, append(b, '\n'))
	}
	if err != nil {
		return "", fmt.Errorf("evaluate: keeping the run: %w", err)
	}
	files, err := d.files()
	if err != nil {
		return file, err
	}
	old := slices.DeleteFunc(files, func(name string) bool { return !strings.HasPrefix(name, unnamed) })
	for _, name := range old[:max(0, len(old)-maxUnnamed)] {
		if err := os.Remove(filepath.Join(d.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file, fmt.Errorf("evaluate: removing old runs: %w", err)
		}
	}
	return file, nil
}

// files are the names of the files of runs, by name; those without a name of
// their own are then by age.
func (d Runs) files() ([]string, error) {
	entries, err := os.ReadDir(d.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evaluate: listing the kept runs: %w", err)
	}
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// writeWhole replaces a file by a whole one, never by a part.
func writeWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".run-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// ErrNoRun is returned by Find for Last where no run of the questions is kept.
var ErrNoRun = errors.New("no run of these questions is kept yet")

// Find gives a baseline: Last, the newest kept run of the same set and choice of
// questions; else the run of that name; else what a file holds, which is a kept
// run or what quarry eval --json wrote.
func (d Runs) Find(which, set, only string) (Kept, error) {
	if which == Last {
		return d.last(set, only)
	}
	if runName.MatchString(which) {
		k, err := ReadRun(filepath.Join(d.Dir, which+".json"))
		if !errors.Is(err, fs.ErrNotExist) {
			return k, err
		}
	}
	k, err := ReadRun(which)
	if errors.Is(err, fs.ErrNotExist) {
		names, _ := d.names()
		kept := "none has a name yet; --name gives one"
		if len(names) > 0 {
			kept = "there are " + strings.Join(names, ", ")
		}
		return k, fmt.Errorf("evaluate: there is no kept run and no file called %q (%s)", which, kept)
	}
	return k, err
}

func (d Runs) last(set, only string) (Kept, error) {
	files, err := d.files()
	if err != nil {
		return Kept{}, err
	}
	var newest Kept
	for _, f := range files {
		k, err := ReadRun(filepath.Join(d.Dir, f))
		if err != nil || k.Run.Set != set || choice(k.Run.Only) != choice(only) {
			continue // a file that cannot be read is no run; naming it says why
		}
		if k.Run.At.After(newest.Run.At) {
			newest = k
		}
	}
	if newest.Run.At.IsZero() {
		return Kept{}, ErrNoRun
	}
	return newest, nil
}

// choice makes "" and All one.
func choice(only string) string { return cmp.Or(only, All) }

// names are the named runs.
func (d Runs) names() ([]string, error) {
	files, err := d.files()
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(f, ".json"); !strings.HasPrefix(name, unnamed) {
			names = append(names, name)
		}
	}
	return names, err
}

// maxRunBytes bounds a file that is read as a run.
const maxRunBytes = 256 << 20

// ReadRun reads a kept run, or a report as quarry eval --json writes it.
func ReadRun(file string) (Kept, error) {
	info, err := os.Stat(file)
	if err == nil && (info.IsDir() || info.Size() > maxRunBytes) {
		return Kept{}, fmt.Errorf("evaluate: the baseline %s is no file of a run", file)
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(file)
	}
	if err != nil {
		return Kept{}, fmt.Errorf("evaluate: the baseline cannot be read: %w", err)
	}
	var k struct {
		Run    RunInfo `json:"run"`
		Report *Report `json:"report"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\uFEFF")), &k); err != nil {
		return Kept{}, fmt.Errorf("evaluate: the baseline %s is no run: %w; give a kept run, or what quarry eval --json wrote", file, err)
	}
	if k.Report == nil {
		k.Report = &Report{}
		if err := json.Unmarshal(bytes.TrimPrefix(b, []byte("\uFEFF")), k.Report); err != nil {
			return Kept{}, fmt.Errorf("evaluate: the baseline %s is no run: %w", file, err)
		}
	}
	if len(k.Report.ByQuestion) == 0 {
		return Kept{}, fmt.Errorf("evaluate: the baseline %s holds no questions: give a kept run, or what quarry eval --json wrote", file)
	}
	k.Run.File = file
	return Kept{Run: k.Run, Report: *k.Report}, nil
}
