package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// validity is the name of a table of its own: the dated files of handbook_versions as a
// plain folder, of which nothing but their names says when they hold.
const (
	validity     = "validity"
	versionedSet = "handbook_versions"
)

// firstHits is how many of the hits count.
const firstHits = 5

// versions measures the set of versions as a folder.
type versions struct {
	bench
	set   evaluate.Set
	files []string
	valid map[string]document.Interval // by file, as the names say
}

// versions gives the table.
func (b bench) versions(ctx context.Context, set evaluate.Set) (string, error) {
	return b.versionsBy(ctx, set, words, hybrid)
}

func (b bench) versionsBy(ctx context.Context, set evaluate.Set, lines ...string) (string, error) {
	valid, err := validities(set.Docs)
	if err != nil {
		return "", err
	}
	changes, err := readChanges(filepath.Join(path.Dir(set.Docs), "changes.jsonl"))
	if err != nil {
		return "", err
	}
	made := makeQuestions(changes)
	b.embedder = remembering(b.embedder)
	v := versions{bench: b, set: set, valid: valid, files: slices.Sorted(maps.Keys(valid))}
	var out strings.Builder
	fmt.Fprintf(&out, "The files PAGE/DATE.md of %s, %d of them, added as a plain folder: "+
		"nothing but their names says when they hold. \"Without validity\" is the same folder with `sources.series: off` and no day, as a system has it that knows no dates. "+
		"\"By its words\" takes the day from the question's words alone. A hit is not in force where its file does not hold on the day that is meant. Nothing was tuned on this set but what "+
		"internal/series says.\n\n", versionedSet, len(v.files))
	out.WriteString("| as of a day, and current | n | right revision first | among five | judged passage among five | MRR of it | hits not in force | pieces of evidence not in force |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	var byWords strings.Builder
	var changed strings.Builder
	for _, line := range lines {
		dir, err := v.folder(v.files, nil)
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		dated, closeDated, err := v.corpus(ctx, line, dir, quarry.SeriesAuto)
		if err != nil {
			return "", err
		}
		defer closeDated()
		undated, closeUndated, err := v.corpus(ctx, line, dir, quarry.SeriesOff)
		if err != nil {
			return "", err
		}
		defer closeUndated()
		for _, way := range []struct {
			name   string
			corpus *quarry.Corpus
			day    bool
		}{{line, dated, true}, {line + ", by its words", dated, false}, {line + ", without validity", undated, false}} {
			f, err := v.asked(ctx, way.corpus, way.day)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&out, "| %s | %d | %.3f | %.3f | %.3f | %.3f | %d of %d | %d of %d |\n", way.name, f.n, f.share(f.first), f.share(f.five),
				f.share(f.passage), f.reciprocal/float64(max(1, f.n)), f.stale, f.hits, f.stalePieces, f.pieces)
			if way.day {
				continue
			}
			fmt.Fprintf(&changed, "| %s | %d | %.3f | %.3f | %d | %d | %d of %d |\n", way.name, f.changes, float64(f.both)/float64(max(1, f.changes)), float64(f.bothByDay)/float64(max(1, f.changes)), f.answeredBoth, f.answeredOne, f.wrongly, f.none)
		}
		paged, err := v.folder(pagesOf(slices.Sorted(maps.Keys(valid)), made), func(page string) string {
			return fmt.Sprintf("attributes:\n  page: %q\n", page)
		})
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(paged)
		for _, series := range []string{quarry.SeriesAuto, quarry.SeriesOff} {
			corpus, done, err := v.corpus(ctx, line, paged, series)
			if err != nil {
				return "", err
			}
			found, hits, stale, err := v.values(ctx, corpus, made, series == quarry.SeriesAuto)
			done()
			if err != nil {
				return "", err
			}
			name := line
			if series == quarry.SeriesOff {
				name += ", without validity"
			}
			fmt.Fprintf(&byWords, "| %s | %d | %.3f | %d of %d |\n", name, len(made), float64(found)/float64(len(made)), stale, hits)
		}
	}
	out.WriteString("\n| about a change, and without an answer | n | both revisions among five of both days by turns | each among five of its day | answered from both | from one | unanswerable ones answered |\n| --- | --- | --- | --- | --- | --- | --- |\n" + changed.String())
	fmt.Fprintf(&out, "\n%d questions made of lines that differ between two versions of a page (changes.jsonl, seed %d), each of its page alone and on a day of one of the two:\n\n", len(made), seed)
	out.WriteString("|  | n | the day's value in the first hit | hits not in force |\n| --- | --- | --- | --- |\n" + byWords.String())
	return out.String(), nil
}

// pagesOf are the files of the pages that made questions are about.
func pagesOf(files []string, made []madeQuestion) []string {
	asked := map[string]bool{}
	for _, q := range made {
		asked[q.page] = true
	}
	return slices.DeleteFunc(files, func(f string) bool { return !asked[path.Dir(f)] })
}

// folder copies files into a folder of their own, with a sidecar for each page if there is
// something to say of it.
func (v versions) folder(files []string, sidecar func(page string) string) (string, error) {
	dir, err := os.MkdirTemp("", "versions")
	if err != nil {
		return "", err
	}
	for _, name := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return dir, err
		}
		data, err := fs.ReadFile(os.DirFS(v.set.Docs), name)
		if err == nil {
			err = os.WriteFile(at, data, 0o644)
		}
		if err == nil && sidecar != nil {
			err = os.WriteFile(filepath.Join(filepath.Dir(at), "_meta.yaml"), []byte(sidecar(path.Dir(name))), 0o644)
		}
		if err != nil {
			return dir, err
		}
	}
	return dir, nil
}

// corpus indexes a folder in a store of its own.
func (v versions) corpus(ctx context.Context, line, docs, series string) (*quarry.Corpus, func(), error) {
	dir, err := os.MkdirTemp("", "quality")
	if err != nil {
		return nil, nil, err
	}
	s, err := local.Open(ctx, filepath.Join(dir, "quarry.db"), local.Options{})
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	done := func() {
		s.Close()
		os.RemoveAll(dir)
	}
	o := v.options(s, line)
	o.Series = series
	corpus, err := quarry.Open(o)
	if err == nil {
		p := quarry.Progress{Embedded: v.progress(validity + ", " + line + ", series " + series + ": passages embedded")}
		_, err = corpus.Sync(ctx, "docs", docs, p)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return corpus, done, nil
}

// tallies are what was counted over the questions.
type tallies struct {
	n, first, five, passage   int
	reciprocal                float64
	hits, stale               int
	pieces, stalePieces       int
	changes, both, bothByDay  int
	answeredBoth, answeredOne int
	none, wrongly             int
}

func (t tallies) share(n int) float64 { return float64(n) / float64(max(1, t.n)) }

// asked puts the questions to a corpus, with the day of each in its scope or not.
func (v versions) asked(ctx context.Context, corpus *quarry.Corpus, day bool) (tallies, error) {
	var t tallies
	today := document.Day(0)
	for _, name := range v.files {
		today = max(today, v.valid[name].From)
	}
	for _, q := range v.set.Questions {
		scope := q.Scope
		meant := cmp.Or(scope.AsOf, today)
		if !day {
			scope.AsOf = 0
		}
		asked, err := corpus.Ask(ctx, q.Text, scope)
		if err != nil {
			return t, fmt.Errorf("question %s: %w", q.ID, err)
		}
		hits := asked.Candidates[:min(firstHits, len(asked.Candidates))]
		switch {
		case q.Unanswerable:
			t.none++
			if len(asked.Answer.Citations) > 0 {
				t.wrongly++
				v.say("%s: %s: %s", validity, q.ID, asked.Answer.Text)
			}
		case q.Type == "change":
			t.changes++
			if !slices.ContainsFunc(q.Sources, func(s evaluate.Source) bool { return rankOf(hits, s.Document) == 0 }) {
				t.both++
			} else {
				v.say("%s: %s: %v", validity, q.ID, paths(hits))
			}
			if !slices.ContainsFunc(q.Sources, func(s evaluate.Source) bool { return !v.foundOnItsDay(asked, s.Document) }) {
				t.bothByDay++
			}
			switch asked.Answer.Status {
			case "answered":
				t.answeredBoth++
			case "partial":
				t.answeredOne++
			}
		default:
			t.n++
			rank := rankOf(hits, q.Sources[0].Document)
			if rank == 1 {
				t.first++
			}
			if rank > 0 {
				t.five++
			}
			if rank != 1 {
				v.say("%s: %s: %v", validity, q.ID, paths(hits))
			}
			if at := slices.IndexFunc(asked.Candidates, func(c quarry.Candidate) bool {
				return c.Document.Path == q.Sources[0].Document && evaluate.NewQuote(q.Passages[0]).In(c.Text)
			}); at >= 0 {
				t.reciprocal += 1 / float64(at+1)
				if at < firstHits {
					t.passage++
				}
			}
			for _, c := range asked.Candidates {
				t.hits++
				if !v.valid[c.Document.Path].Holds(meant) {
					t.stale++
				}
			}
			for _, p := range asked.Evidence {
				t.pieces++
				if !v.valid[p.Document.Path].Holds(meant) {
					t.stalePieces++
				}
			}
		}
	}
	return t, nil
}

// foundOnItsDay is whether a file is among the first hits of those that hold on one of the two days
// that a question about a change is put to, as it is on that day.
func (v versions) foundOnItsDay(asked quarry.Asked, file string) bool {
	for _, day := range []document.Day{asked.AsOf.Day, asked.AsOf.Then} {
		if day == 0 || !v.valid[file].Holds(day) {
			continue
		}
		var hits []quarry.Candidate
		for _, c := range asked.Candidates {
			if v.valid[c.Document.Path].Holds(day) && len(hits) < firstHits {
				hits = append(hits, c)
			}
		}
		if rankOf(hits, file) > 0 {
			return true
		}
	}
	return false
}

func rankOf(hits []quarry.Candidate, file string) int {
	return 1 + slices.IndexFunc(hits, func(c quarry.Candidate) bool { return c.Document.Path == file })
}

func paths(hits []quarry.Candidate) []string {
	var out []string
	for _, c := range hits {
		out = append(out, c.Document.Path)
	}
	return out
}

// values asks the made questions, each of its page: in how many the first hit holds the
// value of the day.
func (v versions) values(ctx context.Context, corpus *quarry.Corpus, made []madeQuestion, day bool) (found, hits, stale int, err error) {
	for _, q := range made {
		scope := document.Scope{Where: map[string][]string{"page": {q.page}}}
		if day {
			scope.AsOf = q.day
		}
		r, err := corpus.Search(ctx, q.text, scope)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("made question %q: %w", q.text, err)
		}
		for _, c := range r.Candidates {
			hits++
			if !v.valid[c.Document.Path].Holds(q.day) {
				stale++
			}
		}
		if len(r.Candidates) > 0 && q.answeredBy(r.Candidates[0].Located) {
			found++
		} else if day && len(r.Candidates) > 0 {
			v.say("%s: %s: %q, not %q but %q", validity, q.day, q.text, q.values, r.Candidates[0].Text)
		}
	}
	return found, hits, stale, nil
}

// answeredBy reports whether a passage, or what it is found and shown with (title, headings
// with their numbers, the header of a table), holds all values that are asked for.
func (q madeQuestion) answeredBy(p store.Located) bool {
	held := valuesOf(strings.Join(p.Heading, " ") + " " + p.Title + " " + p.Context + " " + p.Text)
	for _, value := range q.values {
		if !slices.Contains(held, value) {
			return false
		}
	}
	return true
}
