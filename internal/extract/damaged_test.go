package extract

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// damagedCopies are made of the samples, by a fixed seed; damagedCopiesLong where
// QUARRY_LONG is set.
const damagedCopies, damagedCopiesLong = 200, 10_000

// TestDamagedSamples: a file that was cut, of which bits are others, or that goes on with
// a piece of another one, is read or refused, within 30 s, and never ends the
// program. All of them together take less than 1 GB of memory at any time.
func TestDamagedSamples(t *testing.T) {
	copies := damagedCopies
	if os.Getenv("QUARRY_LONG") != "" {
		copies = damagedCopiesLong
	}
	files := damageable(t)
	clearPeak()
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	slowest, name := time.Duration(0), ""
	for n := range copies {
		file := files[n%len(files)]
		data := damaged(r, file.data, files[r.IntN(len(files))].data)
		hangs := time.AfterFunc(2*time.Minute, func() { panic("copy " + strconv.Itoa(n) + ", of " + file.name + ", is not read to an end") })
		start := time.Now()
		x, err := Extract(file.name, data)
		took := time.Since(start)
		hangs.Stop()
		if took > slowest {
			slowest, name = took, file.name
		}
		if err != nil {
			refused++
			continue
		}
		checkBlocks(t, x)
	}
	peak := peakMemory()
	t.Logf("%d of %d damaged copies of %d files were refused; the slowest took %v (%s); at most %d MB were held", refused, copies, len(files), slowest, filepath.Base(name), peak>>20)
	if slowest > 30*time.Second {
		t.Errorf("a copy of %s took %v", name, slowest)
	}
	if peak > 1<<30 {
		t.Errorf("%d MB of memory were held", peak>>20)
	}
}

type sample struct {
	name string
	data []byte
}

// damageable are the samples of formats that are read, each format's one by one, so that
// a few copies have something of each.
func damageable(t *testing.T) []sample {
	t.Helper()
	byFormat := map[string][]sample{}
	var formats []string
	err := filepath.WalkDir(filepath.Join(publicSets, "parser_samples"), func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(p, "groundtruth") {
			return err
		}
		ext := extension(p)
		if formatOf[ext] == "" && !officeFormats[ext] {
			return nil
		}
		data, err := os.ReadFile(p)
		if len(data) > 0 {
			if byFormat[ext] == nil {
				formats = append(formats, ext)
			}
			byFormat[ext] = append(byFormat[ext], sample{p, data})
		}
		return err
	})
	if err != nil || len(formats) == 0 {
		t.Skip("SKIPPED: the samples are not beside the project")
	}
	var out []sample
	for i := 0; ; i++ {
		before := len(out)
		for _, f := range formats {
			if list := byFormat[f]; i < len(list) {
				out = append(out, list[i])
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// damaged is a copy with a fault, of an archive half the time in one of its files, whose
// checksum is then right.
func damaged(r *rand.Rand, data, other []byte) []byte {
	if r.IntN(2) == 0 {
		if b := damagedWithin(r, data, other); b != nil {
			return b
		}
	}
	b := slices.Clone(data)
	at := r.IntN(len(b))
	to := min(len(b), at+1+r.IntN(200))
	switch r.IntN(6) {
	case 0:
		return b[:at]
	case 1:
		return slices.Delete(b, at, to)
	case 2:
		return slices.Insert(b, at, data[at:to]...)
	case 3: // a piece of another file
		from := r.IntN(len(other))
		return slices.Insert(b, at, other[from:min(len(other), from+1+r.IntN(2000))]...)
	case 4:
		for range 1 + r.IntN(50) {
			b[r.IntN(len(b))] = byte(r.UintN(256))
		}
		return b
	}
	for range 1 + r.IntN(20) {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return b
}

// damagedWithin damages one file of an archive; nil for what is none.
func damagedWithin(r *rand.Rand, data, other []byte) []byte {
	from, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(from.File) == 0 {
		return nil
	}
	hit := r.IntN(len(from.File))
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for i, f := range from.File {
		in, err := f.Open()
		if err != nil {
			return nil
		}
		part, err := io.ReadAll(in)
		if err != nil {
			return nil
		}
		if i == hit && len(part) > 0 {
			part = damaged(r, part, other)
		}
		w, err := to.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method})
		if err != nil {
			return nil
		}
		w.Write(part) // into memory
	}
	to.Close()
	return b.Bytes()
}

// clearPeak and peakMemory are about the most memory that this process held at a time, in
// bytes, on Linux; 0 elsewhere.
func clearPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

func peakMemory() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return kb << 10
}
