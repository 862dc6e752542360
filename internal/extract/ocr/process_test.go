//go:build unix

package ocr

import (
	"context"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// pretend makes a script the tesseract of the test. It says its version and languages
// itself, and reads a page as body does.
func pretend(t *testing.T, body string) *Tesseract {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\ncase $1 in\n--version) echo tesseract 9.9 ;;\n--list-langs) printf 'List:\\nfra\\nosd\\n' ;;\n*) cd '" + dir + "'\n" + body + "\n;;\nesac\n"
	if err := os.WriteFile(filepath.Join(dir, "tesseract"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	p, err := Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var blank = image.NewGray(image.Rect(0, 0, 600, 200))

// TestProcess: the program has its input and arguments, and nothing of our environment
// but what it needs.
func TestProcess(t *testing.T) {
	t.Setenv("QUARRY_SECRET", "1")
	by := pretend(t, `env >env; echo "$@" >args; wc -c >size
echo "<span class='ocr_line' title='bbox 0 0 9 9'><span class='ocrx_word' title='bbox 0 0 5 5; x_wconf 90'>Oui</span></span>"`)
	p, err := by.Recognise(t.Context(), blank, 300)
	if err != nil || len(p.Lines) != 1 || p.Lines[0].Words[0].Text != "Oui" || by.Name() != "tesseract 9.9 fra" {
		t.Fatalf("%+v, %v, %s", p, err, by.Name())
	}
	dir := filepath.Dir(by.program)
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(b))
	}
	if got := read("args"); got != "stdin stdout -l fra --psm 1 --dpi 300 -c tessedit_create_hocr=1" {
		t.Errorf("arguments: %s", got)
	}
	if got := read("size"); got != "120015" {
		t.Errorf("%s bytes came", got)
	}
	known := []string{"LC_ALL", "OMP_THREAD_LIMIT", "PATH", "TMPDIR", "TEMP", "TESSDATA_PREFIX", "PWD", "OLDPWD", "SHLVL", "_"}
	for line := range strings.Lines(read("env")) {
		if name, _, _ := strings.Cut(line, "="); !slices.Contains(known, name) {
			t.Errorf("it sees %s", line)
		}
	}
}

// TestCancel: a program that hangs ends with whatever it has started.
func TestCancel(t *testing.T) {
	by := pretend(t, `(exec 3>pipe; cat /dev/zero >/dev/null) & wait`)
	pipe := filepath.Join(filepath.Dir(by.program), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := by.Recognise(ctx, blank, 300)
		ended <- err
	}()
	held, err := os.Open(pipe) // waits for the child of the program
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if _, err := io.ReadAll(held); err != nil { // ends when the child has
		t.Error(err)
	}
}

// TestMisbehaviour: what a program does wrong is the page's fault or the machine's, and
// nothing that it says gets into an error.
func TestMisbehaviour(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"it fails":          {"echo secret text >&2; exit 3", ErrPage},
		"it says too much":  {"yes '<span>'", ErrPage},
		"it reads nothing":  {"exit 0", nil},
		"it kills itself":   {"kill -9 $$", ErrPage},
		"it says something": {"echo secret text", nil},
	} {
		p, err := pretend(t, c.body).Recognise(t.Context(), blank, 300)
		if !errors.Is(err, c.want) || c.want == nil && (err != nil || len(p.Lines) > 0) || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	by := pretend(t, "exit 0")
	by.Name()
	os.Remove(by.program)
	if _, err := by.Recognise(t.Context(), blank, 300); !errors.Is(err, ErrMissing) {
		t.Errorf("a program that is gone: %v", err)
	}
}
