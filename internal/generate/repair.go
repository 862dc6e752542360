package generate

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/claims"
)

// maxRepairs bounds the sentences that are asked for again; of an answer with more faults little
// is worth keeping.
const maxRepairs = 8

// repair asks once more, in one request, for the claims that do not hold. What then still does
// not hold is removed, and so is everything blamed where the request fails: the claims that
// held are not lost with it.
func (w *writer) repair(ctx context.Context) {
	var blamed []claims.Verdict
	at := map[int]int{} // place among blamed, from 1, to place among all
	for i, v := range w.verdicts {
		// What breaks off was never a sentence.
		if !v.OK() && !v.Claim.Broken && len(blamed) < maxRepairs {
			blamed = append(blamed, v)
			at[len(blamed)] = i
		}
	}
	instead := map[int][]claims.Verdict{}
	if len(blamed) > 0 {
		instead = w.again(ctx, blamed, at)
	}
	for i, v := range w.verdicts {
		switch new, repaired := instead[i]; {
		case v.OK():
			w.draft.Claims = append(w.draft.Claims, v)
		case repaired:
			var texts []string
			for _, n := range new {
				texts = append(texts, n.Claim.Text)
			}
			w.draft.Claims = append(w.draft.Claims, new...)
			w.draft.Repaired = append(w.draft.Repaired, Repair{v.Claim.Text, v.Reason(), strings.Join(texts, " ")})
		default:
			w.draft.Removed = append(w.draft.Removed, Removal{v.Claim.Text, v.Reason()})
		}
	}
}

// again asks for blamed claims and gives, by their place among all, what holds instead.
func (w *writer) again(ctx context.Context, blamed []claims.Verdict, at map[int]int) map[int][]claims.Verdict {
	instead := map[int][]claims.Verdict{}
	conversation := repairs(w.conversation, w.text, blamed)
	err := w.affords(conversation, w.options.Words)
	var reply strings.Builder
	if err == nil {
		_, err = w.ask(ctx, conversation, func(part string) error { reply.WriteString(part); return nil })
	}
	if err != nil {
		w.skipped = err.Error()
		return instead
	}
	sentences := numbered(reply.String())
	for n := 1; n <= len(blamed); n++ { // in the answer's order: citations are numbered as they are told
		i, sentence := at[n], sentences[n]
		if new := w.replacement(w.verdicts[i].Claim, sentence); len(new) > 0 {
			instead[i] = new
			for _, v := range new {
				if w.told(v) != nil {
					return instead
				}
			}
		}
	}
	return instead
}

// replacement gives the claims that take the place of one; none unless all of them hold.
func (w *writer) replacement(old claims.Claim, sentence string) []claims.Verdict {
	var out []claims.Verdict
	for i, c := range claims.Split(sentence) {
		c.Line, c.Bullet = old.Line && i == 0, ""
		if i == 0 {
			c.Bullet = old.Bullet
		}
		v := w.checker.Check(c)
		if !v.OK() {
			return nil
		}
		out = append(out, v)
	}
	return out
}

var numberedLine = regexp.MustCompile(`^\s*(\d{1,2})\s*[:.)]\s*(.+)$`)

// numbered reads "1: sentence" a line; DROP is no sentence. Of two lines with one number the
// first counts.
func numbered(reply string) map[int]string {
	out := map[int]string{}
	for line := range strings.SplitSeq(reply, "\n") {
		m := numberedLine.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(strings.TrimSpace(m[2]), "DROP") {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if _, twice := out[n]; !twice {
			out[n] = m[2]
		}
	}
	return out
}
