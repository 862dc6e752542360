package postgres

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// On every day, before today and after, with drafts and without, the stretches of a document
// have the revision that the rule of all stores has, and no two.
func TestStretchesFollowTheRule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	day := func(most int) document.Day { return document.Day(rnd.IntN(most)) } // 0 is open
	for range 2000 {
		list := make([]rules.Standing, rnd.IntN(6))
		for i := range list {
			list[i].Valid = document.Interval{From: day(12), To: day(12)}
			list[i].Status = []document.Status{document.Current, document.Current, document.Draft, document.Superseded}[rnd.IntN(4)]
		}
		failed := max(0, day(24)-12)
		rows := stretches(list, failed)
		for on := document.DayMin; on < 14; on++ {
			for _, today := range []document.Day{1, on - 1, on, on + 1, 30} {
				for _, drafts := range []bool{false, true} {
					want := rules.InForce(len(list), func(i int) rules.Standing { return list[i] }, failed, on, today, drafts)
					got, n := -1, 0
					for _, s := range rows {
						if s.variants&variantOf(on, today, drafts) != 0 && s.since <= int32(on) && int32(on) < s.until {
							got = s.revision
							n++
						}
					}
					if got != want || n > 1 {
						t.Fatalf("%+v, failed on %d: on day %d of today %d, drafts %v, %d rows have revision %d, want %d", list, failed, on, today, drafts, n, got, want)
					}
				}
			}
		}
	}
}

// A document that is plain has one row.
func TestStretchesAreFew(t *testing.T) {
	if got := stretches([]rules.Standing{{Valid: document.Interval{From: 9}, Status: document.Current}}, 0); len(got) != 1 || got[0].variants != 15 {
		t.Errorf("%+v", got)
	}
}

func TestOlder(t *testing.T) {
	for version, want := range map[string]bool{"0.7.4": true, "0.8": false, "0.8.1": false, "0.10.0": false, "1.0": false, "": true} {
		if got := older(version, oldestVector); got != want {
			t.Errorf("%q is older than %s: %v", version, oldestVector, got)
		}
	}
}
