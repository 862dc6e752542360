// Package report makes tables of what was measured.
package report

import (
	"time"

	"github.com/seed-d3156d19/quarry/benchmarks/search/measure"
)

// Run is everything that was measured on one corpus in one run.
type Run struct {
	Passages  int
	Machine   string // on which, and how busy it was
	Systems   []System
	Left      []string          // systems that were not measured, each with the reason
	Exact     []measure.Answers // what should be found, of both lanes
	Read      Read
	Plan      string // limits that were set, in words
	Questions Questions
}

// System is what was measured of one system.
type System struct {
	Name   string
	Built  measure.Built
	Served measure.Served
}

// Read is the time that reading all vectors once takes, as float32 in memory.
type Read struct {
	Bytes    int64
	One, Two time.Duration // by the number of threads
}

// Questions describes the questions that were asked.
type Questions struct {
	Words    float64 // on average
	Frequent float64 // share of the questions with a word that a tenth of the passages hold
}

func (s System) cell(lane measure.Lane, filter string, threads int) (measure.Summary, bool) {
	for _, c := range s.Served.Cells {
		if c.Lane == lane && c.Filter == filter && c.Threads == threads {
			return c.Summarise(), true
		}
	}
	return measure.Summary{}, false
}

func hits(all []measure.Answers, lane measure.Lane, filter string) [][]measure.Hit {
	for _, a := range all {
		if a.Lane == lane && a.Filter == filter {
			return a.Hits
		}
	}
	return nil
}

// recall is the mean recall of a lane under a filter over the questions for which both
// the answer and the exact one are known.
func (r Run) recall(s System, lane measure.Lane, filter string) (mean float64, questions int) {
	wanted, found := hits(r.Exact, lane, filter), hits(s.Served.Answers, lane, filter)
	var all []float64
	for i := range min(len(wanted), len(found)) {
		all = append(all, measure.Recall(found[i], wanted[i]))
	}
	return measure.Mean(all), len(all)
}
