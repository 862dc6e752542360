package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Plan says how much is measured.
type Plan struct {
	Questions int
	Cap       time.Duration // of one cell
	Warm      time.Duration // before each lane under a filter
}

// Serve opens the index of an engine and measures everything but its building. It is
// called first in a process, so that what the process spent so far belongs to it.
func (e Engine) Serve(ctx context.Context, files corpus.Files, dir string, plan Plan) (measure.Served, error) {
	var served measure.Served
	s, err := e.ready(ctx, files, dir, plan, &served)
	if err != nil {
		return served, err
	}
	index := s.index
	defer index.Close()
	for _, lane := range e.Lanes {
		for _, f := range corpus.Filters {
			answers, err := s.answers(ctx, lane, f.Name)
			if err != nil {
				return served, fmt.Errorf("answering by %s under the filter of %s %%: %w", lane, f.Name, err)
			}
			served.Answers = append(served.Answers, answers)
			for _, threads := range []int{1, 2} {
				cell, err := s.cell(ctx, lane, f.Name, threads)
				if err != nil {
					return served, fmt.Errorf("measuring %s under the filter of %s %%: %w", lane, f.Name, err)
				}
				served.Cells = append(served.Cells, cell)
			}
		}
	}
	if phraser, ok := index.(Phraser); ok {
		cells, err := phraseCells(ctx, phraser, files, plan)
		if err != nil {
			return served, err
		}
		served.Cells = append(served.Cells, cells...)
	}
	served.Memory = measure.ReadMemory()
	if changer, ok := index.(Changer); ok {
		if served.Changes, err = s.changes(ctx, changer, files); err != nil {
			return served, fmt.Errorf("changing a document: %w", err)
		}
	}
	return served, nil
}

// Opened opens the index of an engine and measures that alone, in a process of its own.
func (e Engine) Opened(ctx context.Context, files corpus.Files, dir string, plan Plan) (measure.Served, error) {
	var served measure.Served
	s, err := e.ready(ctx, files, dir, plan, &served)
	if err != nil {
		return served, err
	}
	return served, s.index.Close()
}

// ready opens the index and asks the first question by each lane.
func (e Engine) ready(ctx context.Context, files corpus.Files, dir string, plan Plan, served *measure.Served) (server, error) {
	began := time.Now()
	index, err := e.Open(ctx, dir)
	if err != nil {
		return server{}, err
	}
	s := server{index: index, plan: plan}
	if s.questions, err = files.Questions(plan.Questions); err != nil {
		return s, errors.Join(err, index.Close())
	}
	for _, lane := range e.Lanes {
		if _, err := s.ask(ctx, lane, corpus.Filters[0].Name, 0); err != nil {
			return s, errors.Join(fmt.Errorf("the first question by %s: %w", lane, err), index.Close())
		}
		served.Ready = append(served.Ready, measure.Ready{Lane: lane, CPU: measure.CPU(), Wall: time.Since(began)})
	}
	return s, nil
}

type server struct {
	index     Index
	questions []corpus.Question
	plan      Plan
}

func (s server) ask(ctx context.Context, lane measure.Lane, filter string, question int) ([]measure.Hit, error) {
	return s.index.Search(ctx, lane, s.questions[question%len(s.questions)], filter, measure.Depth[lane])
}

// answers keeps the hits of the first questions, fewer if the time does not do.
func (s server) answers(ctx context.Context, lane measure.Lane, filter string) (measure.Answers, error) {
	a := measure.Answers{Lane: lane, Filter: filter}
	began := time.Now()
	for i := range min(measure.Answered[lane], len(s.questions)) {
		if time.Since(began) > s.plan.Cap {
			break
		}
		hits, err := s.ask(ctx, lane, filter, i)
		if err != nil {
			return a, err
		}
		a.Hits = append(a.Hits, hits)
	}
	return a, nil
}

// cell measures with so many cores and threads, once it is warm.
func (s server) cell(ctx context.Context, lane measure.Lane, filter string, threads int) (measure.Cell, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	if _, err := s.run(ctx, lane, filter, threads, s.plan.Warm, false); err != nil {
		return measure.Cell{}, err
	}
	return s.run(ctx, lane, filter, threads, s.plan.Cap, true)
}

// run asks the questions in turn until the time is up; once only, or again and again.
func (s server) run(ctx context.Context, lane measure.Lane, filter string, threads int, limit time.Duration, once bool) (measure.Cell, error) {
	var next atomic.Int64
	latencies, failed := make([][]time.Duration, threads), make([]error, threads)
	began := time.Now()
	var all sync.WaitGroup
	for t := range threads {
		all.Go(func() {
			for time.Since(began) < limit && failed[t] == nil {
				question := int(next.Add(1)) - 1
				if once && question >= len(s.questions) {
					return
				}
				asked := time.Now()
				_, failed[t] = s.ask(ctx, lane, filter, question)
				latencies[t] = append(latencies[t], time.Since(asked))
			}
		})
	}
	all.Wait()
	cell := measure.Cell{Lane: lane, Filter: filter, Threads: threads, Wall: time.Since(began)}
	for t := range threads {
		if failed[t] != nil {
			return cell, failed[t]
		}
		cell.Latencies = append(cell.Latencies, latencies[t]...)
	}
	return cell, nil
}

// changedTerm stands in no made text; with a letter after it, it is new every time.
const changedTerm = "xqxq"

// changes measures, several times, from the change of one document until a question
// finds it.
func (s server) changes(ctx context.Context, changer Changer, files corpus.Files) ([]time.Duration, error) {
	d, err := files.Document(files.Passages / corpus.PassagesPerDocument / 2)
	if err != nil {
		return nil, err
	}
	text := d.Passages[0]
	var all []time.Duration
	for i := range 7 {
		term := changedTerm + string(rune('a'+i))
		d.Passages[0] = text + " " + term
		question := corpus.Question{Terms: []string{term}}
		began := time.Now()
		if err := changer.Change(ctx, d); err != nil {
			return nil, err
		}
		hits, err := s.index.Search(ctx, measure.Keyword, question, corpus.Filters[0].Name, 10)
		if err != nil {
			return nil, err
		}
		all = append(all, time.Since(began))
		if len(hits) != 1 || hits[0].Passage != passageNumber(d, 0) {
			return nil, fmt.Errorf("the changed passage is not what is found: %d hits", len(hits))
		}
	}
	return all, nil
}
