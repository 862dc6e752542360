package storetest

import (
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

// inferred is the validity that a sync infers for a document.
func inferred(path, from, to, basis string) store.Dated {
	d := store.Dated{Document: docID(path), Inferred: basis}
	if from != "" {
		d.Effective.From = day(from)
	}
	if to != "" {
		d.Effective.To = day(to)
	}
	return d
}

// undecided marks a revision whose validity may yet be inferred.
func undecided(r *store.Revision) { r.Metadata.Undecided = true }

func testDate(t *testing.T, f Factory) {
	sub(t, f, "a document that states nothing holds as was inferred, and says so", func(b *bench) {
		b.put(Make("a", "old words", undecided), Make("b", "new words", undecided))
		b.apply(store.Change{Date: []store.Dated{inferred("a", "2024-01-01", "2025-01-01", "file names"), inferred("b", "2025-01-01", "", "file names")}})
		b.wantOn("words", onDay{"2023-12-31", nil}, onDay{"2024-06-01", []string{"old words"}}, onDay{"2025-01-01", []string{"new words"}})
		v := b.view(everyone)
		list, err := v.Documents(b.ctx)
		b.ok(err, "Documents")
		if len(list) != 1 || list[0].Inferred != "file names" || list[0].Valid.From != day("2025-01-01") {
			b.Errorf("Documents lists %+v", list)
		}
		hits, err := v.Keyword(b.ctx, question("words"), 1)
		b.ok(err, "Keyword")
		located, err := v.Passages(b.ctx, ids(hits))
		b.ok(err, "Passages")
		if located[0].Inferred != "file names" {
			b.Errorf("a passage is of %q", located[0].Inferred)
		}
		history, err := v.History(b.ctx, docID("a"))
		b.ok(err, "History")
		if len(history.Revisions) != 1 || history.Revisions[0].Metadata.Inferred != "file names" || tell(history) != "current [2024-01-01, 2025-01-01)" {
			b.Errorf("History tells %+v", history)
		}
		r, err := v.Document(b.ctx, docID("b"), false)
		b.ok(err, "Document")
		if r.Metadata.Inferred != "file names" || r.Metadata.Undecided {
			b.Errorf("its metadata is %+v", r.Metadata)
		}
		b.reopen()
		b.wantOn("words", onDay{"2024-06-01", []string{"old words"}})
	})
	sub(t, f, "what states something of its validity is left alone, whatever it is", func(b *bench) {
		for path, edit := range map[string]func(*store.Revision){
			"effective":  effective("2026-01-01", ""),
			"status":     status(document.Current),
			"supersedes": supersedes("other"),
			"version":    func(r *store.Revision) { r.Metadata.Version = "3" },
			"date":       func(r *store.Revision) { r.Metadata.Date = day("2020-01-01") },
		} {
			b.put(Make(path, path+" words", edit))
			if c := b.apply(store.Change{Date: []store.Dated{inferred(path, "2020-01-01", "2021-01-01", "file names")}}); c.Changed {
				b.Errorf("%s: something changed", path)
			}
			b.want(everyone, path, path+" words")
		}
	})
	sub(t, f, "it is of all revisions of the document that state nothing, and can be taken back", func(b *bench) {
		b.put(Make("a", "first words", seen("2026-06-01")))
		b.put(Make("a", "second words", seen("2026-06-10")))
		b.apply(store.Change{Date: []store.Dated{inferred("a", "2024-01-01", "2025-01-01", "file names")}})
		b.wantOn("words", onDay{"2024-06-01", []string{"second words"}}, onDay{"2026-06-05", nil}, onDay{"2026-06-15", nil})
		b.apply(store.Change{Date: []store.Dated{inferred("a", "", "", "")}})
		b.wantOn("words", onDay{"2024-06-01", nil}, onDay{"2026-06-05", []string{"first words"}}, onDay{"2026-06-15", []string{"second words"}})
	})
	sub(t, f, "the same once more changes nothing, and neither does one of no document", func(b *bench) {
		b.put(Make("a", "words"))
		c := store.Change{Date: []store.Dated{inferred("a", "2024-01-01", "", "file names"), inferred("nothing", "2024-01-01", "", "file names")}}
		b.apply(c)
		if again := b.apply(c); again.Changed {
			b.Errorf("%+v", again)
		}
	})
	sub(t, f, "States tells what is undecided, and the day on which it was seen", func(b *bench) {
		b.put(Make("a", "words", undecided, seen("2026-06-01")), Make("b", "words", func(r *store.Revision) { r.Metadata.Title = `"Undecided":true` }))
		list, err := b.store.States(b.ctx, "docs")
		b.ok(err, "States")
		if len(list) != 2 || !list[0].Undecided || document.DayOf(list[0].Seen) != day("2026-06-01") || list[1].Undecided {
			b.Errorf("States tells %+v", list)
		}
		b.apply(store.Change{Date: []store.Dated{inferred("a", "", "", "")}})
		list, err = b.store.States(b.ctx, "docs")
		b.ok(err, "States")
		if list[0].Undecided {
			b.Errorf("it is still undecided: %+v", list)
		}
	})
	sub(t, f, "Newest gives the newest revision, the day of the first, and failures", func(b *bench) {
		b.put(Make("a", "first words", seen("2026-06-01")))
		b.put(Make("a", "second words", seen("2026-06-10")))
		b.fail("f", "h", document.Access{Readers: []string{"group:hr"}})
		var got []store.Newest
		b.ok(b.store.Newest(b.ctx, "docs", []string{"a", "nothing", "f"}, func(n store.Newest) error {
			got = append(got, n)
			return nil
		}), "Newest")
		if len(got) != 2 || got[0].Text != "second words" || got[0].First != day("2026-06-01") || got[0].Failed || got[0].Title != "a" ||
			!got[1].Failed || got[1].Path != "f" || !slices.Equal(got[1].Metadata.Access.Readers, []string{"group:hr"}) || got[1].First != day("2026-06-15") {
			b.Errorf("Newest gives %+v", got)
		}
	})
}

func testForget(t *testing.T, f Factory) {
	forget := func(b *bench, path string, keep int, since string) store.Commit {
		return b.apply(store.Change{Forget: []store.Forgotten{{Document: docID(path), Keep: keep, Since: day(since)}}})
	}
	three := func(b *bench) {
		b.put(Make("a", "first words\ncommon line", seen("2026-06-01")))
		b.put(Make("a", "second words\ncommon line", seen("2026-06-05")))
		b.put(Make("a", "third words\ncommon line", seen("2026-06-10")))
	}
	sub(t, f, "of forgotten revisions nothing is found on their days, and nothing stands in for them", func(b *bench) {
		three(b)
		forget(b, "a", 1, "2026-06-15")
		b.wantOn("words", onDay{"2026-06-02", nil}, onDay{"2026-06-07", nil}, onDay{"2026-06-10", []string{"third words"}})
		v := b.view(document.Scope{AsOf: day("2026-06-07")})
		counts, err := v.Counts(b.ctx)
		b.ok(err, "Counts")
		if counts.Forgotten != 1 || counts.Documents != 0 || counts.Passages != 0 {
			b.Errorf("Counts gives %+v", counts)
		}
		_, err = v.Document(b.ctx, docID("a"), true)
		b.is(err, document.ErrNotFound, "Document")
		list, err := v.Documents(b.ctx)
		b.ok(err, "Documents")
		if len(list) > 0 {
			b.Errorf("Documents lists %+v", list)
		}
		history, err := b.view(everyone).History(b.ctx, docID("a"))
		b.ok(err, "History")
		if len(history.Revisions) != 3 || !history.Revisions[1].Forgotten || history.Revisions[2].Forgotten {
			b.Errorf("History tells %+v", history)
		}
		b.reopen()
		b.wantOn("words", onDay{"2026-06-07", nil}, onDay{"2026-06-10", []string{"third words"}})
	})
	sub(t, f, "their vectors go, but for text that is kept", func(b *bench) {
		three(b)
		for _, line := range []string{"first words", "second words", "third words", "common line"} {
			for _, p := range Make("a", line).Passages {
				b.putVectors(model, store.Vectors{Key: p.Key, Vectors: [][]float32{vectorOf(p.Key)}})
			}
		}
		forget(b, "a", 1, "2026-06-15")
		v := b.view(everyone)
		counts, err := v.Counts(b.ctx)
		b.ok(err, "Counts")
		if counts.Vectors[model] != 2 {
			b.Errorf("%d passages have vectors, want 2", counts.Vectors[model])
		}
	})
	sub(t, f, "the newest are kept, and those that hold from the day on", func(b *bench) {
		three(b)
		forget(b, "a", 2, "2026-06-15")
		b.wantOn("words", onDay{"2026-06-02", nil}, onDay{"2026-06-07", []string{"second words"}})
		b.put(Make("b", "dated words", effective("2020-01-01", "2026-06-20"), seen("2026-06-01")))
		b.put(Make("b", "newer words", effective("2026-06-20", ""), seen("2026-06-02")))
		if c := forget(b, "b", 1, "2026-06-15"); c.Changed {
			b.Errorf("what is in force is forgotten")
		}
		b.want(everyone, "dated", "dated words")
	})
	sub(t, f, "a draft that a newer revision has replaced goes", func(b *bench) {
		b.put(Make("a", "draft words", status(document.Draft), seen("2026-06-01")))
		b.put(Make("a", "final words", seen("2026-06-05")))
		if c := forget(b, "a", 1, "2026-06-15"); !c.Changed {
			b.Errorf("the draft is kept")
		}
		b.want(document.Scope{Drafts: true}, "words", "final words")
	})
	sub(t, f, "the same once more changes nothing, and States counts what is left", func(b *bench) {
		three(b)
		forget(b, "a", 1, "2026-06-15")
		if c := forget(b, "a", 1, "2026-06-15"); c.Changed {
			b.Errorf("%+v", c)
		}
		list, err := b.store.States(b.ctx, "docs")
		b.ok(err, "States")
		if list[0].Revisions != 1 {
			b.Errorf("States tells %+v", list)
		}
	})
	sub(t, f, "to those who may not read the document there is nothing that was forgotten", func(b *bench) {
		b.put(Make("a", "first words", readers("group:hr"), seen("2026-06-01")))
		b.put(Make("a", "second words", readers("group:hr"), seen("2026-06-05")))
		forget(b, "a", 1, "2026-06-15")
		for scope, want := range map[string]int{"": 0, "group:hr": 1} {
			s := document.Scope{AsOf: day("2026-06-02")}
			if scope != "" {
				s.Principals = []string{scope}
			}
			counts, err := b.view(s).Counts(b.ctx)
			b.ok(err, "Counts")
			if counts.Forgotten != want {
				b.Errorf("%q counts %d", scope, counts.Forgotten)
			}
		}
	})
	sub(t, f, "all of a document cannot be forgotten", func(b *bench) {
		_, err := b.store.Apply(b.ctx, store.Change{Forget: []store.Forgotten{{Document: docID("a")}}})
		b.is(err, store.ErrInvalid, "Apply")
	})
}
