package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/retrieve"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// laneOf is what a lane says of a candidate.
var laneOf = map[trace.Stage]func(*retrieve.Candidate) retrieve.LaneScore{
	trace.Keyword:    func(c *retrieve.Candidate) retrieve.LaneScore { return c.Keyword },
	trace.Vector:     func(c *retrieve.Candidate) retrieve.LaneScore { return c.Vector },
	trace.Identifier: func(c *retrieve.Candidate) retrieve.LaneScore { return c.Identifier },
}

var laneOrder = []trace.Stage{trace.Keyword, trace.Vector, trace.Identifier}

// longList is how far down a lane is followed to say where it stands.
const longList = 1000

// lanes says where it stands in each lane, and blames one where none gave it.
func (d *diagnosis) lanes() error {
	given := d.in(func(c *retrieve.Candidate) int { return max(c.Keyword.Place, c.Vector.Place, c.Identifier.Place) }, math.MaxInt)
	ask := !given
	for _, l := range laneOrder {
		_, place := d.best(func(c *retrieve.Candidate) int { return laneOf[l](c).Place })
		ask = ask || place == 0 && !d.Brief
	}
	if ask {
		k := longList
		if d.Brief {
			k = 1
		}
		d.said = d.Lanes(k, d.target.ids())
	}
	blamed := trace.Stage("")
	if !given {
		blamed = d.blame()
	}
	for _, l := range laneOrder {
		d.lane(l, blamed)
	}
	if !given && d.report.LostAt == "" { // the index lacks its vector
		d.loseIndex()
	}
	return nil
}

// lane is the step of one lane.
func (d *diagnosis) lane(l trace.Stage, blamed trace.Stage) {
	r := d.record(l)
	lane := laneOf[l]
	place := func(c *retrieve.Candidate) int { return lane(c).Place }
	c, at := d.best(place)
	outcome, detail := Missed, ""
	switch {
	case r.Error != "":
		outcome, detail = Failed, r.Error
	case d.off(l):
		outcome, detail = Off, strings.TrimPrefix(strings.Join(r.Notes, ", "), "off: ")
		if l == trace.Identifier {
			detail = "the question names no identifier"
		}
		if blamed != "" && l == trace.Vector {
			d.advise(results, "turn vectors on (embedding: {model: built-in} in quarry.yaml): they find what is said in other words")
		}
	case at > 0:
		outcome = Passed
		detail = fmt.Sprintf("rank %d of %d, score %.3f", at, r.In, lane(c).Score)
		if at > 1 {
			detail += d.before(at, place, func(c *retrieve.Candidate) float64 { return lane(c).Score })
		}
	default:
		detail = d.beyond(l) + d.before(0, place, func(c *retrieve.Candidate) float64 { return lane(c).Score })
	}
	if outcome == Passed || outcome == Missed { // else the notes are the detail, or nothing was searched
		for _, note := range r.Notes {
			detail += "; " + note
		}
	}
	if l != blamed {
		d.step(l, outcome, "%s", detail)
		return
	}
	if outcome == Off {
		detail = "off: " + detail + "; no other lane gave it"
	}
	d.lose(l, "%s", detail)
	switch {
	case outcome == Failed:
		d.advise(results, "the lane failed: see to its error first")
	case outcome == Missed && strings.Contains(detail, "retrieval.per_lane"):
		d.advise(candidates, "raise retrieval.per_lane")
		fallthrough
	case outcome == Missed:
		d.advise(results, "ask in the words of the document, or put the words that people ask by into it (title, headings)")
	}
}

// off reports whether a lane has nothing to do with the question.
func (d *diagnosis) off(l trace.Stage) bool {
	r := d.record(l)
	return r.Error == "" && r.In == 0 && r.Out == 0 && (l == trace.Vector && len(r.Notes) > 0 || l == trace.Identifier && len(d.Run.Plan.Identifiers) == 0)
}

// saidBy is what a lane says of the parts that were asked for.
func (d *diagnosis) saidBy(l trace.Stage) (s retrieve.Said, best float64, at document.PassageID, ok bool) {
	best = math.Inf(-1)
	for _, s = range d.said {
		if s.Lane != l || s.Off || s.Err != nil {
			continue
		}
		for i, score := range s.Scores {
			if !math.IsNaN(score) && score > best {
				best, at, ok = score, d.target.parts[i].ID, true
			}
		}
		return s, best, at, ok && (best != 0 || l == trace.Vector)
	}
	return retrieve.Said{}, 0, "", false
}

// beyond says where a passage stands that a lane did not give.
func (d *diagnosis) beyond(l trace.Stage) string {
	if d.Brief {
		return "it is not among what the lane gave"
	}
	s, score, at, ok := d.saidBy(l)
	switch {
	case !ok && l == trace.Keyword:
		return "no word of the question stands in it"
	case !ok && l == trace.Identifier:
		return "it holds none of the identifiers that the question names"
	case !ok:
		return "it has no vector of the model"
	}
	for i, h := range s.Hits.Hits {
		if h.Passage == at {
			return fmt.Sprintf("rank %d of %d, score %.3f; the lane gives %d (retrieval.per_lane)", i+1, s.Hits.Matched, score, d.PerLane)
		}
	}
	if len(s.Hits.Hits) < longList {
		return fmt.Sprintf("the lane does not give it, though its score is %.3f", score)
	}
	return fmt.Sprintf("behind rank %d of %d, score %.3f; the lane gives %d (retrieval.per_lane)", len(s.Hits.Hits), s.Hits.Matched, score, d.PerLane)
}

// blame chooses the lane that should have given what none gave: one that failed;
// the one whose identifier, or whose words, it holds; else the lane that finds
// what is said in other words. "" is none: its vector is missing.
func (d *diagnosis) blame() trace.Stage {
	for _, l := range laneOrder {
		if d.record(l).Error != "" {
			return l
		}
	}
	for _, l := range []trace.Stage{trace.Identifier, trace.Keyword} {
		if _, _, _, ok := d.saidBy(l); ok {
			return l
		}
	}
	if _, _, _, ok := d.saidBy(trace.Vector); !ok && !d.off(trace.Vector) {
		return ""
	}
	return trace.Vector
}

// loseIndex puts the loss where it belongs when only a vector could have found
// it, and the index has none of the model.
func (d *diagnosis) loseIndex() {
	for i := range d.report.Steps {
		if s := &d.report.Steps[i]; s.Stage == trace.Index {
			s.Outcome, s.Detail = Lost, "it has no vector of the model, and no word of the question stands in it"
		}
	}
	d.report.LostAt = trace.Index
	d.advise(results, "run quarry add again: it makes the vectors that are missing")
}
