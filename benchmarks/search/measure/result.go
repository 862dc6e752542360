package measure

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Lane is a way of searching.
type Lane string

// The lanes, with the number of passages that are asked for.
const (
	Keyword Lane = "keyword"
	Phrase  Lane = "phrase" // quoted words; the kind of phrase stands for a filter
	Vector  Lane = "vector"
	Hybrid  Lane = "hybrid"
)

// Depth is the number of passages that are asked of a lane.
var Depth = map[Lane]int{Keyword: 10, Phrase: 10, Vector: 50, Hybrid: 100}

// Answered is for how many questions an engine's answers are kept to be compared with
// the exact ones.
var Answered = map[Lane]int{Keyword: 50, Vector: 100, Hybrid: 50}

// Hit is a passage by its number, and its score.
type Hit struct {
	Passage int
	Score   float64
}

// Built is what building an index took. Times are in nanoseconds.
type Built struct {
	Parts []Part
	Bytes int64 // of the index on disk
	Peak  int64 // most memory that the process had resident, in bytes
}

// Part is one part of building.
type Part struct {
	Name string
	CPU  time.Duration // of all cores
	Wall time.Duration
}

// Served is what answering from an index took, in a process of its own.
type Served struct {
	Ready   []Ready
	Answers []Answers
	Cells   []Cell
	Memory  Memory
	Changes []time.Duration // until one changed document was found
}

// Ready is when the first question of a lane was answered, from the start of the
// process; lanes are opened in the order of the list.
type Ready struct {
	Lane Lane
	CPU  time.Duration
	Wall time.Duration
}

// Sooner takes of each lane the less CPU time, and the less on the clock, of two processes.
func Sooner(a, b []Ready) []Ready {
	for i := range a {
		for _, o := range b {
			if o.Lane == a[i].Lane {
				a[i].CPU, a[i].Wall = min(a[i].CPU, o.CPU), min(a[i].Wall, o.Wall)
			}
		}
	}
	return a
}

// Answers are the hits of a lane under a filter for the first questions.
type Answers struct {
	Lane   Lane
	Filter string
	Hits   [][]Hit
}

// Cell is one measurement: questions of one lane under one filter, asked by as many
// threads as there are cores to run on.
type Cell struct {
	Lane      Lane
	Filter    string
	Threads   int
	Wall      time.Duration
	Latencies []time.Duration
}

// Memory of a process, in bytes. Live is what the engine holds in its heap after a
// collection; Anonymous and Mapped are resident: memory of its own, and pages of files.
type Memory struct {
	Live, Anonymous, Mapped, Peak int64
}

// Write keeps a result in a file.
func Write(file string, result any) error {
	b, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

// Read reads what Write kept.
func Read(file string, result any) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, result); err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}
