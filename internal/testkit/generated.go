package testkit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Generated checks that the assembly in the package under test is what a command of the
// module tools writes: command is its folder there, pkg the package that it writes for.
func Generated(t *testing.T, tools, command, pkg string) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: -short does not run the generator of the assembly")
	}
	if out, err := exec.Command("go", "-C", tools, "mod", "download").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the generator's modules (avo) could not be had, so it is not known whether the assembly is current: %v\n%s", err, out)
	}
	dir := t.TempDir()
	files := map[string]string{"-out": "simd_amd64.s", "-stubs": "simd_amd64.go", "-neon": "neon_arm64.s"}
	args := []string{"run", "-C", tools, command, "-pkg", pkg}
	for flag, file := range files {
		args = append(args, flag, filepath.Join(dir, file))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("the generator %s of %s: %v\n%s", command, tools, err, out)
	}
	for _, file := range files {
		want, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The first line holds the generator's arguments.
		if !bytes.Equal(rest(got), rest(want)) {
			t.Errorf("%s is not what the generator %s of %s writes: run go generate", file, command, tools)
		}
	}
}

func rest(b []byte) []byte { return b[bytes.IndexByte(b, '\n')+1:] }
