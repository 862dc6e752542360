package diagnose

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/analyze"
	"github.com/seed-d3156d19/quarry/internal/trace"
)

// extract looks for the heading and the quote in the canonical text.
func (d *diagnosis) extract() error {
	if d.failed != "" {
		d.step(trace.Extract, Lost, "%s", d.failed)
		d.advise(source, "correct the original and run quarry add again")
		return nil
	}
	if len(d.docs) == 1 && len(d.docs[0].Sections) == 0 { // see unhide
		d.step(trace.Extract, Passed, "its text was not looked at")
		return nil
	}
	lacks := d.lacks(d.docs[0].Text, d.docs[0].Sections)
	d.lacking = lacks != ""
	switch {
	case lacks == "":
		d.step(trace.Extract, Passed, "%s", d.size())
	case d.newer():
		d.step(trace.Extract, Passed, "the revision that is indexed lacks the %s; the original holds it now", lacks)
	default:
		d.step(trace.Extract, Lost, "the extracted text lacks the %s%s", lacks, d.nearest(lacks))
		d.advise(source, "compare with the original: quarry show --text shows what was extracted; text that a page hides, that a script makes or that stands in a picture is not read")
	}
	return nil
}

func (d *diagnosis) size() string {
	bytes := 0
	for _, r := range d.docs {
		bytes += len(r.Text)
	}
	return fmt.Sprintf("%d bytes of text from %s", bytes, d.docs[0].Format)
}

// lacks is what a text has not got: "heading", "quote" or nothing.
func (d *diagnosis) lacks(text string, sections []document.Section) string {
	if h := d.Expected.Heading; h != "" && !slices.ContainsFunc(sections, func(s document.Section) bool { return s.Level > 0 && evaluate.SameHeading(h, headingOf(s)) }) {
		return "heading"
	}
	if q := d.Expected.Quote; q != "" && !evaluate.NewQuote(q).In(text) {
		return "quote"
	}
	return ""
}

// headingOf is a section's heading as hits show it, numbering and all; "" is the
// document itself.
func headingOf(s document.Section) string {
	if len(s.Path) == 0 {
		return ""
	}
	return s.Path[len(s.Path)-1]
}

// newer reports whether the original was changed since it was indexed, and holds
// what is expected now; the one who is told must be able to read that.
func (d *diagnosis) newer() bool {
	o := d.Original(d.docs[0].Document)
	changed := o.Known && !o.Gone && o.Hash != "" && o.Hash != d.docs[0].Hash
	admitted := o.Tenant == d.Scope.Tenant && (d.Scope.Admits(o.Access) || len(d.Expected.Reader) > 0 && o.Access.Allows(d.Expected.Reader))
	if !changed || !admitted {
		return false
	}
	return evaluate.NewQuote(d.Expected.Quote+" "+d.Expected.Heading).Len() > 0 &&
		(d.Expected.Quote == "" || evaluate.NewQuote(d.Expected.Quote).In(o.Text)) &&
		(d.Expected.Heading == "" || evaluate.NewQuote(d.Expected.Heading).In(o.Text))
}

// nearest is the text or heading that is most like what is lacking.
func (d *diagnosis) nearest(lacking string) string {
	var best nearest
	r := d.docs[0]
	if lacking == "heading" {
		look := newLook(d.Expected.Heading)
		for _, s := range r.Sections {
			if n := look.in(r.Document, headingOf(s)); n.share > best.share {
				best = n
			}
		}
	} else {
		look := newLook(d.Expected.Quote)
		for _, p := range r.Passages[:min(len(r.Passages), maxLooked)] {
			if n := look.in(r.Document, p.Text); n.share > best.share {
				best = n
			}
		}
	}
	if best.share == 0 {
		return "; nothing like it stands there"
	}
	return "; the nearest: " + best.String()
}

// maxLooked bounds the passages that are compared with a quote, or asked of the index.
const maxLooked = 5000

// nearest is a text with the share of the words looked for that it holds.
type nearest struct {
	doc      document.ID
	revision string // its hash, where that is not one of the expected documents
	share    float64
	text     string
}

func (n nearest) String() string {
	return fmt.Sprintf("%q in %s, with %.0f %% of its words", clip(n.text), n.doc.Path, 100*n.share)
}

// look is what is looked for by its words.
type look struct {
	want  map[string]int
	words int
}

func newLook(text string) look {
	l := look{want: map[string]int{}}
	for _, w := range analyze.Words(text) {
		l.want[w.Term]++
		l.words++
	}
	return l
}

// in gives the stretch of a text, as many words long as what is looked for, that
// shares most words with it, in one pass.
func (l look) in(doc document.ID, text string) nearest {
	best := nearest{doc: doc}
	words := analyze.Words(text)
	have := map[string]int{}
	shared, from := 0, 0
	for to, w := range words {
		if have[w.Term]++; have[w.Term] <= l.want[w.Term] {
			shared++
		}
		if to-from >= l.words {
			if first := words[from].Term; have[first] <= l.want[first] {
				shared--
			}
			have[words[from].Term]--
			from++
		}
		if share := float64(shared) / float64(max(1, l.words)); share > best.share {
			best.share, best.text = share, text[words[from].From:w.To]
		}
	}
	return best
}

// clip shortens a text for a line.
func clip(text string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	for i := most; ; i-- {
		if utf8.RuneStart(text[i]) {
			return text[:i] + " …"
		}
	}
}

// chunk finds the passages that hold what is expected.
func (d *diagnosis) chunk() error {
	quote := evaluate.NewQuote(d.Expected.Quote)
	d.target.need = quote.Enough
	var stretches []part
	total := 0
	for _, r := range d.docs {
		for _, p := range r.Passages {
			if h := d.Expected.Heading; h != "" && !slices.ContainsFunc(r.Sections[p.Section].Path, func(have string) bool { return evaluate.SameHeading(h, have) }) {
				continue
			}
			total++
			at := part{Passage: p, doc: r.Document}
			if d.Expected.Quote == "" {
				d.target.parts = append(d.target.parts, at)
				continue
			}
			if at.from, at.to = quote.Part(p.Text); quote.Enough(at.to - at.from) {
				d.target.parts = append(d.target.parts, at)
			} else if at.to > at.from {
				stretches = append(stretches, at)
			}
		}
	}
	switch {
	case len(d.docs[0].Sections) == 0 || d.lacking: // see extract
		d.step(trace.Chunk, Passed, "not looked at")
	case len(d.target.parts) > 0 && d.Expected.Quote != "":
		d.step(trace.Chunk, Passed, "%s", among(len(d.target.parts), total, "holds it"))
	case len(d.target.parts) > 0:
		d.step(trace.Chunk, Passed, "%s", count(total, "passage"))
	default:
		d.cutAcross(stretches, total)
	}
	return nil
}

// cutAcross handles a quote that no passage holds alone. That several hold it
// together is no loss yet: where all of them go the whole way, the answer has it.
func (d *diagnosis) cutAcross(stretches []part, total int) {
	d.target.parts, d.target.cut = stretches, true
	if d.Expected.Quote != "" && d.target.held(func(part) bool { return true }) {
		var shares []string
		for _, p := range stretches {
			shares = append(shares, fmt.Sprintf("%.0f %%", 100*float64(p.to-p.from)/float64(evaluate.NewQuote(d.Expected.Quote).Len())))
		}
		d.step(trace.Chunk, Passed, "cut across %s, which hold %s of it", count(len(stretches), "passage"), list(shares))
		return
	}
	if d.Expected.Quote == "" {
		d.step(trace.Chunk, Lost, "no passage stands in it: it has no text of its own")
	} else {
		d.step(trace.Chunk, Lost, "none of %s holds enough of it", count(total, "passage"))
	}
	d.adviseChunk()
}

func (d *diagnosis) adviseChunk() {
	d.advise(chunking, "look with quarry show --passages where it was cut; raise chunk.target or chunk.max, or expect less")
}

// index asks the index for each passage by words of its own, and the source
// whether the document is still what was indexed.
func (d *diagnosis) index() error {
	if stale := d.stale(); stale != "" {
		outcome := Passed
		if len(d.target.parts) == 0 && d.hidden == "" {
			outcome = Lost
		}
		d.step(trace.Index, outcome, "%s", stale)
		d.advise(results, "run quarry add again: the index is older than the source")
		return nil
	}
	if d.view == nil || len(d.target.parts) == 0 {
		d.step(trace.Index, Passed, "not looked at")
		return nil
	}
	indexed := map[document.PassageID]bool{}
	parts := d.target.parts[:min(len(d.target.parts), maxProbed)]
	for _, p := range parts {
		ok, err := d.probe(p)
		if err != nil {
			return err
		}
		indexed[p.ID] = ok
	}
	in := func(p part) bool { known, ok := indexed[p.ID]; return known || !ok }
	missing := 0
	for _, p := range parts {
		if !indexed[p.ID] {
			missing++
		}
	}
	switch {
	case d.target.held(in) && missing == 0:
		d.step(trace.Index, Passed, "%s", among(len(parts), len(parts), "is found by its own words"))
	case d.target.held(in):
		d.step(trace.Index, Passed, "%d of %d passages are in the catalog and not in the index", missing, len(parts))
		d.advise(results, "index it again: the index lacks passages that the catalog has (quarry remove the document, then quarry add)")
	default:
		d.step(trace.Index, Lost, "%s in the catalog, and not in the index", isAre(missing, "passage that holds it", "passages that hold it"))
		d.advise(results, "index it again: the index lacks passages that the catalog has (quarry remove the document, then quarry add)")
	}
	return nil
}

// maxProbed bounds the passages that the index is asked for one by one.
const maxProbed = 64

// probe reports whether the index finds a passage by its own words. One without
// words is found by none.
func (d *diagnosis) probe(p part) (bool, error) {
	const words = 400 // bytes of the text, some 60 words
	text := p.Text
	if len(text) > words {
		text = text[:words]
	}
	terms := analyze.ForQuestion(text, d.Run.Plan.Languages...).Terms
	scores, err := d.view.ScoreKeyword(d.ctx, terms, []document.PassageID{p.ID})
	if errors.Is(err, document.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return len(terms) == 0 || scores[0] > 0, nil
}

// stale says that the source holds something else than what was indexed, where it
// can be looked at. It reads the original: in brief, only where the text lacks what is
// expected.
func (d *diagnosis) stale() string {
	if len(d.docs) != 1 || d.Brief && len(d.target.parts) > 0 {
		return ""
	}
	r := d.docs[0]
	switch o := d.Original(r.Document); {
	case !o.Known:
		return ""
	case o.Gone:
		return "the original is no longer in its source; what was indexed of it is still found"
	case o.Hash != "" && o.Hash != r.Hash:
		return "stale: the original has changed since it was indexed"
	case o.Pipeline != "" && r.Pipeline != "" && o.Pipeline != r.Pipeline:
		return "indexed with other settings than those of now"
	}
	return ""
}

// scope says whether the question's scope sees it.
func (d *diagnosis) scope() error {
	if d.hidden != "" {
		d.step(trace.Scope, Lost, "hidden: %s", d.hidden)
		return nil
	}
	d.step(trace.Scope, Passed, "in force on %s, and the asker may read it", d.View.Day())
	return nil
}

// route is where the outline lane would choose sections.
func (d *diagnosis) route() error {
	d.step(trace.Route, Off, "every section is searched")
	return nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func among(n, of int, holds string) string {
	if n == 1 && of == 1 {
		return "its passage " + holds
	}
	return fmt.Sprintf("%d of %s %s", n, count(of, "passage"), plural(n, holds))
}

func plural(n int, verb string) string {
	if n == 1 {
		return verb
	}
	return strings.NewReplacer("holds", "hold", "is ", "are ", "its own", "their own").Replace(verb)
}

func isAre(n int, one, more string) string {
	if n == 1 {
		return "the one " + one + " is"
	}
	return fmt.Sprintf("the %d %s are", n, more)
}
