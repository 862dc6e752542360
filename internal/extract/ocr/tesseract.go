package ocr

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxTime bounds one page: a dense one of 300 dpi takes some seconds.
	maxTime = time.Minute
	// askTime bounds how long the program says its version and languages.
	askTime = 20 * time.Second
	// maxOutput bounds what is said of one page, in bytes: a word takes 100.
	maxOutput = 16 << 20
	// outputDelay is how long the output of a program that was ended is waited for.
	outputDelay = 2 * time.Second
)

// Tesseract is the program with its languages. It may be used concurrently; each page is
// read by a process of its own, on one processor.
type Tesseract struct {
	program string
	asked   []string // languages
	found   func() (installed, error)
}

// installed is what the program says of itself. It is asked when it is needed first.
type installed struct {
	version   string
	languages string // that are read, as it takes them: "eng+deu"
	turns     bool   // it can tell how a page is turned
}

// language is how tesseract names one: "eng", "chi_sim", "script/Latin".
var language = regexp.MustCompile(`^[A-Za-z0-9_]+(?:/[A-Za-z0-9_]+)?$`)

// ErrNone is for a machine on which tesseract is not installed.
var ErrNone = errors.New("tesseract is not installed")

// Find looks for the program on the path. It is to read the given languages; without any
// English, or where that is not installed the first that is. ErrNone is for a machine
// without it, any other error for what is no name of a language.
func Find(languages []string) (*Tesseract, error) {
	for _, l := range languages {
		if !language.MatchString(l) {
			return nil, fmt.Errorf("%q is no language of tesseract: give names such as eng, deu or chi_sim", l)
		}
	}
	program, err := exec.LookPath("tesseract")
	if err != nil {
		return nil, ErrNone
	}
	t := &Tesseract{program: program, asked: languages}
	t.found = sync.OnceValues(t.ask)
	return t, nil
}

// ask has the program say its version and languages.
func (t *Tesseract) ask() (installed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	said, err := t.run(ctx, nil, "--version")
	if err != nil {
		return installed{}, fmt.Errorf("%w: tesseract does not say its version: %w", ErrMissing, err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	listed, err := t.run(ctx, nil, "--list-langs")
	if err != nil {
		return installed{}, fmt.Errorf("%w: tesseract does not list its languages: %w", ErrMissing, err)
	}
	_, after, _ := strings.Cut(string(listed), "\n") // the first line says where they are
	has := strings.Fields(after)
	out := installed{version: cmp.Or(strings.Join(strings.Fields(first), " "), "tesseract"), turns: slices.Contains(has, "osd")}
	has = slices.DeleteFunc(has, func(l string) bool { return l == "osd" || l == "equ" })
	read := t.asked
	switch {
	case len(read) > 0:
	case slices.Contains(has, "eng"):
		read = []string{"eng"}
	case len(has) > 0:
		read = has[:1]
	default:
		return out, fmt.Errorf("%w: tesseract has no language: install one (Debian: tesseract-ocr-eng)", ErrMissing)
	}
	out.languages = strings.Join(read, "+")
	for _, l := range read {
		if !slices.Contains(has, l) {
			return out, fmt.Errorf("%w: tesseract lacks the language %s of extract.ocr.languages, it has %s: install it (Debian: tesseract-ocr-%s)",
				ErrMissing, l, strings.Join(has, ", "), strings.ReplaceAll(l, "_", "-"))
		}
	}
	return out, nil
}

// Check is an error where the program cannot read anything now, which says what to do.
func (t *Tesseract) Check() error {
	_, err := t.found()
	return err
}

// Name implements Recogniser.
func (t *Tesseract) Name() string {
	has, _ := t.found()
	return strings.TrimSpace(has.version + " " + has.languages)
}

// Recognise implements Recogniser. A page that lies on its side is turned and read again.
func (t *Tesseract) Recognise(ctx context.Context, page *image.Gray, dpi int) (Page, error) {
	p, turn, err := t.read(ctx, page, dpi)
	if err != nil || turn == 0 {
		return p, err
	}
	p, _, err = t.read(ctx, turned(page, turn), dpi)
	return p, err
}

func (t *Tesseract) read(ctx context.Context, page *image.Gray, dpi int) (Page, int, error) {
	has, err := t.found()
	if err != nil {
		return Page{}, 0, err
	}
	within, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	segmentation := "3" // columns and lines are found
	if has.turns {
		segmentation = "1" // and how the page is turned
	}
	out, err := t.run(within, page, "stdin", "stdout", "-l", has.languages, "--psm", segmentation, "--dpi", strconv.Itoa(dpi), "-c", "tessedit_create_hocr=1")
	switch {
	case ctx.Err() != nil:
		return Page{}, 0, ctx.Err()
	case within.Err() != nil:
		return Page{}, 0, fmt.Errorf("%w: it took longer than %s", ErrPage, maxTime)
	case err != nil:
		return Page{}, 0, err
	}
	p, turn := readHOCR(out)
	p.Width, p.Height = page.Rect.Dx(), page.Rect.Dy()
	return p, turn, nil
}

// run starts the program with an environment of ours, and a page as its input. It and
// whatever it has started end with the context.
func (t *Tesseract) run(ctx context.Context, page *image.Gray, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.program, args...)
	cmd.Dir = os.TempDir()
	// One thread: documents are prepared beside each other already.
	cmd.Env = []string{"LC_ALL=C", "OMP_THREAD_LIMIT=1"}
	for _, name := range []string{"PATH", "TESSDATA_PREFIX", "TMPDIR", "TEMP", "SYSTEMROOT"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.WaitDelay = outputDelay
	out := &bounded{}
	cmd.Stdout = out // what it says of errors may hold text of the page, and is not kept
	if page != nil {
		cmd.Stdin = &pgm{page: page}
	}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	limit(cmd.Process.Pid)
	err := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.full:
		return nil, fmt.Errorf("%w: too much was said of it", ErrPage)
	case err != nil:
		return nil, fmt.Errorf("%w: tesseract ended with %w", ErrPage, err)
	}
	return out.kept.Bytes(), nil
}

// bounded keeps so much of an output as is wanted, and fails the program at more. It has
// no method of a buffer but Write, or what copies into it would go past the bound.
type bounded struct {
	kept bytes.Buffer
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.full = b.full || b.kept.Len()+len(p) > maxOutput; b.full {
		return 0, errors.New("too much output")
	}
	return b.kept.Write(p)
}
