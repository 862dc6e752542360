package answer

import (
	"fmt"

	"github.com/seed-d3156d19/quarry/internal/evidence"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// said is the most that a piece of the evidence said of any requirement.
type said struct {
	support   float64
	authority int
	loudest   int // the greatest authority that had a say beside it
}

// note keeps what each piece said of a requirement, for the trace.
func (c *composer) note(units []scored) {
	loudest := 0
	for _, s := range units {
		if s.support >= hearing*c.options.Threshold {
			loudest = max(loudest, s.source.Authority)
		}
	}
	for _, s := range units {
		if have, ok := c.said[s.piece]; !ok || s.support > have.support {
			c.said[s.piece] = said{s.support, s.source.Authority, loudest}
		}
	}
}

// uncited lists the pieces that no citation is of, each with the reason.
func (c *composer) uncited(pieces []evidence.Piece) []trace.Drop {
	cited := map[int]bool{}
	for _, quoted := range c.quoted {
		for _, u := range quoted {
			cited[u.piece] = true
		}
	}
	var drops []trace.Drop
	for i, p := range pieces {
		if !cited[i] {
			drops = append(drops, trace.Drop{Passage: string(p.ID), Reason: c.reason(i)})
		}
	}
	return drops
}

func (c *composer) reason(piece int) string {
	switch c.answer.Status {
	case NotDocumentQuestion:
		return "the question asks for something that no passage can say"
	case NeedsInformation:
		return "the question does not say which case is meant"
	}
	if c.refrained {
		return fmt.Sprintf("the candidates promise %.2f of an answer, below answer.promise %.2f", c.promise, c.options.Promise)
	}
	s, ok := c.said[piece]
	switch {
	case !ok:
		return "no sentence of it says enough of the question itself"
	case s.support == 0:
		return "no sentence of it can be the answer by its form (an amount, a name, every number of the question)"
	case s.loudest > 0 && s.authority*secondVoice < s.loudest:
		return fmt.Sprintf("documents of authority %d have a say, and this one has %d", s.loudest, s.authority)
	case s.support < c.options.Threshold:
		return fmt.Sprintf("its best sentence has support %.2f, below answer.threshold %.2f", s.support, c.options.Threshold)
	}
	return fmt.Sprintf("its best sentence has support %.2f, and others answer better", s.support)
}
