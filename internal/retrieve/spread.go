package retrieve

import (
	"container/heap"

	"github.com/seed-d3156d19/quarry/document"
)

// sectionBytes is how long a section is of which one passage tells most: of a longer one
// the next passage has the more to add.
const sectionBytes = 3000

// spread lets sections have their say in turn: a passage's score is divided by 1 + weight
// for each passage of its section that stands before it, less where the section is longer
// than sectionBytes. What a question needs is seldom said by a section's third passage if not
// by its first two, and often by another section (maximal marginal relevance:
// Carbonell, Goldstein, SIGIR 1998, with a common section in place of likeness). What stands
// under no heading is not of one section: nothing there stands back.
func spread(candidates []Candidate, weight float64) {
	if weight == 0 {
		return
	}
	byScore(candidates)
	type place struct {
		document document.ID
		span     document.Span
	}
	at := map[place]int{}
	var sections sectionHeap
	for i, c := range candidates {
		p := place{c.Document, c.SectionSpan}
		n, known := at[p]
		if !known {
			n = len(sections)
			at[p] = n
			sections = append(sections, &saying{first: i, weight: weight * shareOf(c)})
		}
		sections[n].left = append(sections[n].left, i)
	}
	sections.value(candidates)
	heap.Init(&sections)
	out := make([]Candidate, 0, len(candidates))
	for len(sections) > 0 {
		s := sections[0]
		c := candidates[s.left[0]]
		c.Score = s.score
		out = append(out, c)
		s.said++
		if s.left = s.left[1:]; len(s.left) == 0 {
			heap.Pop(&sections)
			continue
		}
		s.value(candidates)
		heap.Fix(&sections, 0)
	}
	copy(candidates, out)
}

// shareOf is how much of a section one passage tells.
func shareOf(c Candidate) float64 {
	if len(c.Heading) == 0 {
		return 0
	}
	return min(1, sectionBytes/float64(max(1, c.SectionSpan.Len())))
}

// saying is a section with those of its candidates that have no place yet, best first.
type saying struct {
	left   []int
	first  int // its best candidate, which decides between equals
	said   int // how many have a place
	weight float64
	score  float64 // of the next one
}

func (s *saying) value(candidates []Candidate) {
	s.score = candidates[s.left[0]].Score / (1 + s.weight*float64(s.said))
}

// sectionHeap has the section on top whose next candidate is the best.
type sectionHeap []*saying

func (h sectionHeap) value(candidates []Candidate) {
	for _, s := range h {
		s.value(candidates)
	}
}

func (h sectionHeap) Len() int { return len(h) }
func (h sectionHeap) Less(i, j int) bool {
	return h[i].score > h[j].score || h[i].score == h[j].score && h[i].first < h[j].first
}
func (h sectionHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *sectionHeap) Push(any)     {} // no section comes later
func (h *sectionHeap) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	*h = (*h)[:last]
	return s
}
