package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestInterrupt ends an add half way, and goes on. Its last document is read by a server that
// does not answer before, so that there is a half way however fast the machine is.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: a signal cannot be sent to one process on Windows")
	}
	s := newSandbox(t)
	const documents = 600
	goOn := make(chan struct{})
	server := testkit.NewTika(t)
	server.Script(testkit.TikaAnswer{Status: 200, Body: testkit.TikaPage("Form", "<p>The form is long.</p>"), After: goOn})
	service := fmt.Sprintf("extract:\n  tika: %s\n", server.URL)
	s.write("quarry.yaml", service, "many/last.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 form")
	for i := range documents - 1 {
		s.write(fmt.Sprintf("many/d%04d.md", i), fmt.Sprintf("# Number %d\n\n%s", i, strings.Repeat(fmt.Sprintf("The value of item %d is written here.\n\n", i), 60)))
	}
	cmd := exec.CommandContext(t.Context(), binary, "add", "many")
	cmd.Dir, cmd.Env = s.dir, s.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// Once so much of the store is written there is something to interrupt.
	written := func() bool {
		info, err := os.Stat(filepath.Join(s.dir, "quarry.db-wal"))
		return err == nil && info.Size() > 1_500_000
	}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !written() {
		select {
		case <-tick.C:
		case err := <-ended:
			t.Fatalf("the add ended before it had written enough to be interrupted: %v, %s", err, errs.String())
		case <-late:
			t.Fatal("after a minute the add has not written enough to be interrupted")
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := <-ended; err == nil {
		t.Fatal("the add was done before it was interrupted, though a document was to be read")
	} else if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("interrupted: %v, %s", err, errs.String())
	}
	if want := "quarry: it was interrupted; what was done is kept, run the command again to go on\n"; errs.String() != want {
		t.Errorf("interrupted, it writes %q", errs.String())
	}
	close(goOn)
	s.write("quarry.yaml", service+"embedding:\n  model: none\n") // which documents are there needs no vectors
	report := s.object(0, "add", "many")
	added, unchanged := len(report["added"].([]any)), int(report["unchanged"].(float64))
	if added+unchanged != documents || added == 0 {
		t.Errorf("%d added and %d unchanged of %d", added, unchanged, documents)
	}
	t.Logf("%d documents were kept", unchanged)
}
