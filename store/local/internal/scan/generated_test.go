package scan

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated: the assembly is what tools/kernels/scan writes.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short does not run the generator of the assembly")
	}
	const tools = "../../../../tools/kernels"
	if out, err := exec.Command("go", "-C", tools, "mod", "download").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the generator's modules (avo) could not be had, so it is not known whether the assembly is current: %v\n%s", err, out)
	}
	dir := t.TempDir()
	files := map[string]string{"-out": "avx2_amd64.s", "-stubs": "avx2_amd64.go", "-neon": "neon_arm64.s"}
	args := []string{"run", "-C", tools, "./scan", "-pkg", "scan"}
	for flag, file := range files {
		args = append(args, flag, filepath.Join(dir, file))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("tools/kernels/scan: %v\n%s", err, out)
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
			t.Errorf("%s is not what tools/kernels/scan writes: run go generate", file)
		}
	}
}

func rest(b []byte) []byte { return b[bytes.IndexByte(b, '\n')+1:] }
