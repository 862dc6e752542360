package quarry

import (
	"context"
	"regexp"
	"strconv"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
)

const keepAll = "all"

// retention is which revisions of a document are kept: the newest so many, and those that
// hold on a day from since on.
type retention struct {
	keep  int // 0: all
	since document.Day
}

// retentions are what Options.Revisions may say besides all.
var retentions = regexp.MustCompile(`^(?:last ([1-9]\d{0,5})|([1-9]\d{0,4}) (day|week|month|year)s?)$`)

func validRetention(s string) bool { return s == keepAll || retentions.MatchString(s) }

// retentionOf reads Options.Revisions.
func retentionOf(s string, now time.Time) retention {
	m := retentions.FindStringSubmatch(s)
	if m == nil {
		return retention{}
	}
	if m[1] != "" {
		keep, _ := strconv.Atoi(m[1]) // of at most six digits
		return retention{keep, document.DayOf(now)}
	}
	n, _ := strconv.Atoi(m[2])
	var since time.Time
	switch m[3] {
	case "day":
		since = now.AddDate(0, 0, -n)
	case "week":
		since = now.AddDate(0, 0, -7*n)
	case "month":
		since = now.AddDate(0, -n, 0)
	default:
		since = now.AddDate(-n, 0, 0)
	}
	return retention{1, max(document.DayMin, document.DayOf(since))}
}

// forget has the store forget the revisions that are not to be kept any longer, after all
// else that a sync does.
func (in *intake) forget(ctx context.Context) error {
	r := retentionOf(in.corpus.options.Revisions, in.corpus.options.Clock())
	if r.keep == 0 {
		return nil
	}
	states, err := in.corpus.store.States(ctx, in.source)
	if err != nil {
		return err
	}
	for _, s := range states {
		if s.Revisions <= r.keep {
			continue
		}
		in.change.Forget = append(in.change.Forget, store.Forgotten{Document: document.ID{Source: in.source, Path: s.Path}, Keep: r.keep, Since: r.since})
		if len(in.change.Forget) >= batchDocuments {
			if err := in.flush(ctx); err != nil {
				return err
			}
		}
	}
	return in.flush(ctx)
}
