package claims

import "fmt"

// mode is how binding a verb is.
type mode string

const (
	must   mode = "must"
	should mode = "should"
	may    mode = "may"
	will   mode = "will"
)

var modes = func() map[string]mode {
	m := map[string]mode{}
	for kind, list := range map[mode]string{
		must:   "must shall mustnt obliged obligated required mandatory compulsory",
		should: "should ought recommended advised shouldnt",
		may:    "may might can could cannot cant couldnt optional optionally possibly perhaps permitted allowed entitled",
		will:   "will would wont wouldnt",
	} {
		for w := range words(list) {
			m[w] = kind
		}
	}
	return m
}()

// bound is a verb with the mode that it has.
type bound struct {
	mode mode
	verb string // its term
	at   int
}

// bindings finds the modal words of a text with the verbs that they bind. "May" with a capital
// is a month, and "have to", "need to" bind as "must" does.
func (r *reading) bindings() []bound {
	var out []bound
	for i, w := range r.words {
		kind, ok := modes[w.folded]
		next := ""
		if i+1 < len(r.words) {
			next = r.words[i+1].folded
		}
		if (w.folded == "have" || w.folded == "has" || w.folded == "had" || w.folded == "need" || w.folded == "needs") && next == "to" {
			kind, ok = must, true
		}
		if !ok || r.covered[i] || i > 0 && w.raw == "May" {
			continue
		}
		for at := i + 1; at < len(r.words) && at <= i+5; at++ {
			v := r.words[at]
			if passed[v.folded] || v.folded != "be" && adverb(v.folded) {
				continue
			}
			if v.clause != w.clause {
				break
			}
			out = append(out, bound{kind, v.term, i})
			break
		}
	}
	return out
}

// passed are words between a modal word and its verb.
var passed = words("to not never also only then always be been have has had being nt in at of no case event circumstances the their its his her")

func adverb(folded string) bool { return len(folded) > 4 && folded[len(folded)-2:] == "ly" }

// modalityFaults compares the modes of verbs that a claim and the sentence it retells share.
func modalityFaults(r reading, aligned []part) []Fault {
	if len(aligned) == 0 {
		return nil
	}
	own, retold := r.bindings(), aligned[0].bindings()
	for _, b := range own {
		other, same := mode(""), false
		for _, p := range aligned {
			for _, o := range p.bindings() {
				if o.verb == b.verb {
					same = same || o.mode == b.mode || r.forbids(b.at) && p.forbids(o.at)
					other = o.mode
				}
			}
		}
		if other != "" && !same {
			return []Fault{{Modality, fmt.Sprintf("what it cites says %q where it says %q", other, r.words[b.at].raw)}}
		}
		// A duty where the sentence has the verb and no modal word at all.
		if other == "" && b.mode == may && len(retold) > 0 && len(own) >= len(retold) && modesOf(retold) != modesOf(own) && nearlyAll(r, aligned[0]) {
			return []Fault{{Modality, fmt.Sprintf("what it cites says %q where it says %q", retold[0].mode, r.words[b.at].raw)}}
		}
	}
	if len(own) == 0 && len(retold) > 0 && nearlyAll(r, aligned[0]) {
		for _, o := range retold {
			if (o.mode == may || o.mode == should) && termsOf(r)[o.verb] && len(aligned) == 1 && !aligned[0].forbids(o.at) {
				return []Fault{{Modality, fmt.Sprintf("what it cites says %q, and it leaves that out", o.mode)}}
			}
		}
	}
	return nil
}

func modesOf(list []bound) string {
	out := ""
	for _, b := range list {
		out += string(b.mode) + " "
	}
	return out
}

// forbids reports whether a modal word says "may not" or "must not", which both forbid.
func (r *reading) forbids(at int) bool {
	w := r.words[at].folded
	if w == "mustnt" {
		return true
	}
	return (w == "may" || w == "must" || w == "shall") && at+1 < len(r.words) && r.words[at+1].folded == "not"
}

// nearlyAll reports whether a claim is almost word for word the sentence it retells.
func nearlyAll(r reading, p part) bool { return shareOf(r.contentTerms(), p.terms) >= 0.85 }
