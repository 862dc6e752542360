//go:build unix

package extract

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// BenchmarkPDF reads samples and a made document and compares the processor time with
// that of pdftotext in the same run, where it is installed.
//
//	go test -bench PDF -benchtime 5x ./internal/extract
func BenchmarkPDF(b *testing.B) {
	made := filepath.Join(b.TempDir(), "terms.pdf")
	if err := os.WriteFile(made, newTruth().pdf(), 0o644); err != nil {
		b.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(publicSets, "parser_samples/*/sources/*.pdf"))
	for _, file := range append(files, made) {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(file), func(b *testing.B) {
			x, err := Extract(file, data) // once, so that nothing is compiled below
			if err != nil || len(x.Pages) == 0 {
				b.Fatal(err)
			}
			pages := float64(x.Pages[len(x.Pages)-1].Page)
			ours, other := 0.0, 0.0
			for b.Loop() {
				before := processor(b)
				if _, err := Extract(file, data); err != nil {
					b.Fatal(err)
				}
				ours += processor(b) - before
				other += pdftotext(file)
			}
			b.ReportMetric(pages*float64(b.N)/ours, "pages/s")
			if other > 0 {
				b.ReportMetric(other/ours, "of-pdftotext")
			}
		})
	}
}

// processor is the processor time of this process in seconds.
func processor(b *testing.B) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// pdftotext is the processor time of the other program, 0 without it.
func pdftotext(file string) float64 {
	cmd := exec.Command("pdftotext", "-layout", file, os.DevNull)
	if err := cmd.Run(); err != nil {
		return 0
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}
