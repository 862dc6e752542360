package claims

import (
	"fmt"
	"slices"
	"strings"
)

// cue is a word that turns round what follows it.
type cue struct {
	at    int      // its word
	scope []string // terms of what it turns round
}

var negations = words("not never no none nobody neither nor without cannot nt unless except cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt mustnt havent hasnt hadnt")

// lexical are words that say no by themselves: beside them a missing "not" tells nothing.
var lexical = words(`exempt exempted exemption exclude excluded excludes excluding exclusion prohibit prohibited prohibits forbid forbidden refuse refused refuses deny denied denies
	reject rejected rejects fail failed fails lack lacks lacked unable impossible invalid free ineligible absent prevent prevents prevented avoid avoids avoided cease ceases
	ceased void nonrefundable unavailable unpaid unlike instead rather hardly rarely seldom barely waive waived ban banned disallow disallowed zero nothing only few little neglect omit omitted`)

// scopeWords is how many content words after it a cue is taken to turn round.
const scopeWords = 3

// cues finds the negations of a text. "Not only", "no later than" and the like are none.
func (r *reading) cues() []cue {
	var out []cue
	for i, w := range r.words {
		if !negations[w.folded] || r.boundary(i) != "" {
			continue
		}
		next := ""
		if i+1 < len(r.words) {
			next = r.words[i+1].folded
		}
		switch {
		case next == "only" || next == "just" || next == "necessarily":
			continue
		case w.folded == "no" && (strings.HasPrefix(r.gap(i+1), ".") || next == "matter"):
			continue
		}
		c := cue{at: i}
		for at := i + 1; at < len(r.words) && len(c.scope) < scopeWords; at++ {
			if r.words[at].clause != w.clause && (len(c.scope) > 0 || at > i+4) {
				break
			}
			if r.words[at].content {
				c.scope = append(c.scope, r.words[at].term)
			}
		}
		if len(c.scope) < 2 { // "the fee is not refunded."
			for at := i - 1; at >= 0 && len(c.scope) < scopeWords && r.words[at].clause == w.clause; at-- {
				if r.words[at].content {
					c.scope = append(c.scope, r.words[at].term)
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// negationFaults compares what a claim negates with what the sentence does that it retells.
func negationFaults(r reading, aligned []part) []Fault {
	if len(aligned) == 0 || shareOf(r.contentTerms(), aligned[0].terms) < turnedShare {
		return nil
	}
	own, retold := r.cues(), aligned[0].cues()
	claims := termsOf(r)
	freeOwn, freeRetold := unpaired(own, retold)
	for _, c := range freeRetold {
		if !coversScope(c, claims) || hasNew(lexical, r, aligned[0].reading) {
			continue
		}
		if excused(aligned[1:], func(p part) bool { return coversScope(c, p.terms) && !meets(c, p.cues()) }) {
			continue
		}
		return []Fault{{Negation, fmt.Sprintf("what it cites denies this, with %q", strings.ToLower(aligned[0].words[c.at].raw))}}
	}
	for _, c := range freeOwn {
		if !coversScope(c, aligned[0].terms) || hasNew(lexical, aligned[0].reading, r) {
			continue
		}
		if excused(aligned[1:], func(p part) bool { return meets(c, p.cues()) }) {
			continue
		}
		return []Fault{{Negation, fmt.Sprintf("its %q does not stand in what it cites", r.words[c.at].raw)}}
	}
	return nil
}

// coversScope reports whether a text says most of what a cue turns round.
func coversScope(c cue, terms map[string]bool) bool {
	n := 0
	for _, t := range c.scope {
		if terms[t] {
			n++
		}
	}
	return len(c.scope) > 0 && 3*n >= 2*len(c.scope)
}

// unpaired pairs the cues of two texts that turn round the same, each with one, and gives
// those that are left.
func unpaired(a, b []cue) (leftA, leftB []cue) {
	taken := make([]bool, len(b))
	for _, c := range a {
		best, at := 0, -1
		for i, other := range b {
			if n := shared(c, other); !taken[i] && n > best {
				best, at = n, i
			}
		}
		if at < 0 {
			leftA = append(leftA, c)
			continue
		}
		taken[at] = true
	}
	for i, c := range b {
		if !taken[i] {
			leftB = append(leftB, c)
		}
	}
	return leftA, leftB
}

// shared counts the terms that two cues both turn round.
func shared(a, b cue) int {
	n := 0
	for _, t := range a.scope {
		if slices.Contains(b.scope, t) {
			n++
		}
	}
	return n
}

// meets reports whether one of the cues turns round something of what c does.
func meets(c cue, cues []cue) bool {
	return slices.ContainsFunc(cues, func(other cue) bool { return shared(c, other) > 0 })
}

// excused reports whether another sentence that comes near says it as the claim does.
func excused(others []part, says func(part) bool) bool { return slices.ContainsFunc(others, says) }

// hasNew reports whether a holds one of the words and b does not hold the same.
func hasNew(list map[string]bool, a, b reading) bool {
	have := map[string]bool{}
	for _, w := range b.words {
		have[w.folded] = true
	}
	for _, w := range a.words {
		if list[w.folded] && !have[w.folded] {
			return true
		}
	}
	return false
}
