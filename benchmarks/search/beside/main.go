// Command beside asks systems the same questions by turns, in one process, and prints how long hybrid
// search takes in each, and the ratio to the first: what else the machine does disturbs all alike. It is
// for the systems in Postgres, whose work the server does. From benchmarks/search:
//
//	QUARRY_BENCH_POSTGRES=postgres://... go run ./beside -size 20000,200000
//	go run ./beside -size 20000 -built      without building, where the indexes are from a run before
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/engine"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sizes := flag.String("size", "20000,200000", "numbers of passages, with commas between")
	systems := flag.String("systems", "pgvector-or,pgvector-and,postgres,quarry", "systems, the first of which is what ratios are to")
	questions := flag.Int("questions", 200, "questions to ask")
	limit := flag.Duration("cap", 2*time.Minute, "most time for the questions; what was asked until then is reported")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "quarry-search"), "folder for corpora and indexes; some GB")
	built := flag.Bool("built", false, "the indexes are there")
	flag.Parse()
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err == nil {
			err = compare(ctx, n, strings.Split(*systems, ","), *questions, *limit, *dir, *built)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "beside:", err)
			os.Exit(1)
		}
	}
}

// system is an opened one with what its questions took, by lane.
type system struct {
	name  string
	index engine.Index
	took  map[measure.Lane][]time.Duration
}

func compare(ctx context.Context, size int, names []string, questions int, limit time.Duration, dir string, built bool) error {
	parameters, err := corpus.Fitted()
	if err != nil {
		return err
	}
	folder, err := corpus.Folder(dir, parameters, corpus.Seed, size)
	if err != nil {
		return err
	}
	if err := corpus.Make(folder, parameters, corpus.Seed, size); err != nil {
		return err
	}
	files, err := corpus.Open(folder)
	if err != nil {
		return err
	}
	var systems []*system
	for _, name := range names {
		s, err := open(ctx, name, files, built)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer s.index.Close()
		systems = append(systems, s)
	}
	asked, err := ask(ctx, systems, files, questions, limit)
	if err != nil {
		return err
	}
	report(systems, size, asked)
	return nil
}

func open(ctx context.Context, name string, files corpus.Files, built bool) (*system, error) {
	i := slices.IndexFunc(engine.Go, func(e engine.Engine) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no such system")
	}
	e, dir := engine.Go[i], filepath.Join(files.Dir, "beside-"+name)
	if !built {
		fmt.Fprintln(os.Stderr, "building", name)
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if _, err := e.Build(ctx, files, dir); err != nil {
			return nil, err
		}
	}
	index, err := e.Open(ctx, dir)
	return &system{name, index, map[measure.Lane][]time.Duration{}}, err
}

var lanes = []measure.Lane{measure.Keyword, measure.Vector, measure.Hybrid}

// order is that in which a question is asked: by both first, before a system may keep something of it.
var order = []measure.Lane{measure.Hybrid, measure.Keyword, measure.Vector}

// warming is how many questions warm up.
const warming = 3

// ask puts each question to all systems before the next.
func ask(ctx context.Context, systems []*system, files corpus.Files, questions int, limit time.Duration) (asked int, err error) {
	all, err := files.Questions(questions)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	for i, q := range all {
		if time.Since(began) > limit {
			break
		}
		warm := i >= warming
		for _, s := range systems {
			for _, lane := range order {
				began := time.Now()
				if _, err := s.index.Search(ctx, lane, q, corpus.Filters[0].Name, measure.Depth[lane]); err != nil {
					return asked, fmt.Errorf("asking %s by %s: %w", s.name, lane, err)
				}
				if warm {
					s.took[lane] = append(s.took[lane], time.Since(began))
				}
			}
		}
		if warm {
			asked++
		}
	}
	return asked, nil
}

func report(systems []*system, size, asked int) {
	fmt.Printf("%d passages, %d questions by turns, times in ms; ratios are of the medians, to %s.\n\n", size, asked, systems[0].name)
	fmt.Println("| system | keyword p50 | p99 | vector p50 | p99 | hybrid p50 | p99 | hybrid, ratio |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	if asked == 0 {
		return
	}
	for _, s := range systems {
		cells := []string{s.name}
		for _, lane := range lanes {
			slices.Sort(s.took[lane])
			cells = append(cells, milliseconds(s.quantile(lane, 0.5)), milliseconds(s.quantile(lane, 0.99)))
		}
		ratio := float64(s.quantile(measure.Hybrid, 0.5)) / float64(systems[0].quantile(measure.Hybrid, 0.5))
		fmt.Printf("| %s | %.3g |\n", strings.Join(cells, " | "), ratio)
	}
	fmt.Println()
}

func (s *system) quantile(lane measure.Lane, q float64) time.Duration {
	return measure.Quantile(s.took[lane], q)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3g", d.Seconds()*1e3) }
