package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/query"
)

// What settles a disagreement of two documents.
const (
	ByAuthority = "authority" // the higher authority prevails
	ByValidity  = "validity"  // of equal authority, the one in force since later, as both say
	ByScope     = "scope"     // what is for the region, product or customer asked for prevails over what is for none
)

// dispute is a unit of another document that says otherwise than the best one.
type dispute struct {
	scored
	by string // what settles it for the best; "" for nothing
}

// disputes finds, document by document, what says otherwise than the best unit of a
// requirement; units are all that say something of it, those that are not heard
// among them, as what is overruled is to be seen too.
func (c *composer) disputes(ctx context.Context, best scored, units []scored) ([]dispute, error) {
	units = slices.Clone(units)
	slices.SortStableFunc(units, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	said := map[document.ID]bool{best.source.Document: true}
	var out []dispute
	for _, s := range units {
		support := s.support
		if c.modifies(best, s) > 0 {
			support = s.rule
		}
		if said[s.source.Document] || support < c.options.Threshold || !c.contradict(best, s) {
			continue
		}
		order, by, err := c.precedence(ctx, best, s)
		if err != nil {
			return nil, err
		}
		if order < 0 {
			continue // prevailing has looked for it
		}
		said[s.source.Document] = true
		out = append(out, dispute{s, by})
	}
	return out, nil
}

// precedence is above 0 where what a says prevails over what b says, below where it is
// the other way, and by what. Front matter that names what a document supersedes needs no
// rule here: a superseded document is not in force and no evidence.
func (c *composer) precedence(ctx context.Context, a, b scored) (order int, by string, err error) {
	if order := c.modifies(a, b); order != 0 {
		return order, ByScope, nil
	}
	if order := cmp.Compare(a.source.Authority, b.source.Authority); order != 0 {
		return order, ByAuthority, nil
	}
	var since [2]document.Day
	for i, s := range []scored{a, b} {
		if since[i], err = c.effective(ctx, s.source.Document); err != nil || since[i] == 0 {
			return 0, "", err
		}
	}
	if order := cmp.Compare(since[0], since[1]); order != 0 {
		return order, ByValidity, nil
	}
	return 0, "", nil
}

// contradict reports whether two units state the same fact otherwise, for the same case or
// one of them for the case asked for and the other for all.
func (c *composer) contradict(a, b scored) bool {
	return statedOtherwise(a, b) && (sameAttributes(a.source.Attributes, b.source.Attributes) || c.modifies(a, b) != 0)
}

// modifies is 1 where a is for a case that was asked for and b for no case of that kind,
// of which a is the exception then, -1 where it is the other way, and else 0. What has
// less than half the authority modifies nothing.
func (c *composer) modifies(a, b scored) (order int) {
	for _, key := range document.ScopeAttributes() {
		mine, theirs := a.source.Attributes[key], b.source.Attributes[key]
		switch asked := c.asked[key]; {
		case slices.Equal(mine, theirs):
		case len(theirs) == 0 && shares(mine, asked) && order >= 0:
			order = 1
		case len(mine) == 0 && shares(theirs, asked) && order <= 0:
			order = -1
		default:
			return 0 // each is for a case of its own
		}
	}
	special, general := a, b
	if order < 0 {
		special, general = b, a
	}
	if special.source.Authority*secondVoice < general.source.Authority {
		return 0
	}
	return order
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
}

// effective is the day from which a document says that it is in force; 0 where it does
// not say. What was inferred, as of its file's name, it does not say.
func (c *composer) effective(ctx context.Context, id document.ID) (document.Day, error) {
	if day, ok := c.since[id]; ok {
		return day, nil
	}
	r, err := c.view.Document(ctx, id, false)
	if err != nil {
		return 0, fmt.Errorf("reading since when %s is in force: %w", id.Path, err)
	}
	if c.since == nil {
		c.since = map[document.ID]document.Day{}
	}
	c.since[id] = 0
	if r.Metadata.Inferred == "" {
		c.since[id] = r.Metadata.Effective.From
	}
	return c.since[id], nil
}

// settle notes what documents disagree on, and returns the citations of those that
// nothing settles.
func (c *composer) settle(r query.Requirement, best scored, disputes []dispute, units []unit) (open []int) {
	var overruled []dispute
	for _, d := range disputes {
		if d.by == "" {
			open = append(open, c.cite([]int{d.at}, units))
		} else {
			overruled = append(overruled, d)
		}
	}
	mine := c.cite([]int{best.at}, units)
	if len(open) > 0 {
		open = append([]int{mine}, open...)
		c.answer.Conflicts = append(c.answer.Conflicts, Conflict{Text: "Documents of equal authority disagree on: " + r.Text, Citations: open})
	}
	for _, by := range []string{ByScope, ByAuthority, ByValidity} {
		conflict := Conflict{SettledBy: by, Citations: []int{mine}}
		says := []string{saying(best.unit)}
		for _, d := range overruled {
			if d.by == by {
				says = append(says, saying(d.unit))
				conflict.Overruled = append(conflict.Overruled, citation([]unit{d.unit}))
			}
		}
		if len(conflict.Overruled) > 0 {
			conflict.Text = strings.Join(says, ", ")
			c.answer.Conflicts = append(c.answer.Conflicts, conflict)
		}
	}
	return open
}

// prevailing puts before the best what is stated otherwise with more authority, or in
// force since later, and answers as well: ranking weighs authority, but words may weigh more.
func (c *composer) prevailing(ctx context.Context, ranked []scored) ([]scored, error) {
	at := 0
	for i, s := range ranked {
		if i == 0 || s.support < c.options.Threshold || s.source.Document == ranked[at].source.Document || !c.contradict(ranked[at], s) {
			continue
		}
		order, _, err := c.precedence(ctx, ranked[at], s)
		if err != nil {
			return nil, err
		}
		if order < 0 {
			at = i
		}
	}
	if at == 0 {
		return ranked, nil
	}
	best := ranked[at]
	return slices.Insert(slices.Delete(slices.Clone(ranked), at, at+1), 0, best), nil
}

// longestSaying bounds what is repeated of a unit in a sentence about it, in characters.
const longestSaying = 160

func saying(u unit) string {
	text := []rune(plain(u))
	if len(text) > longestSaying {
		text = append(text[:longestSaying-1], '…')
	}
	return fmt.Sprintf("%s says “%s”", clean(u.source.Title), string(text))
}
