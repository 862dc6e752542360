package diagnose

import (
	"fmt"

	"github.com/seed-d3156d19/quarry/internal/retrieve"
)

// firstByQuotes is whether some candidate stands first for quoted text of the question.
func (d *diagnosis) firstByQuotes() bool {
	return len(d.Run.Candidates) > 0 && d.Run.Candidates[0].Quoted.Whole > 0
}

// holdsQuotes says how a candidate holds quoted text of the question, where that ranks.
func (d *diagnosis) holdsQuotes(c *retrieve.Candidate) string {
	switch q := c.Quoted; {
	case !d.firstByQuotes():
		return ""
	case q.Whole > 0:
		return fmt.Sprintf("; it holds quoted text as it stands, %d of %d", q.Whole, len(d.Run.Plan.Quotes))
	case q.Closeness > 0:
		return fmt.Sprintf("; it holds the words of quoted text, with a closeness of %.3f", q.Closeness)
	}
	return "; it does not hold quoted text"
}

// adviseQuotes says what to try where quoted text put others before a candidate.
func (d *diagnosis) adviseQuotes(c *retrieve.Candidate) {
	if d.firstByQuotes() && d.Run.Candidates[0].Quoted.Compare(c.Quoted) > 0 {
		d.advise(ranking, "ask without quotation marks: passages that hold quoted text go first")
	}
}
