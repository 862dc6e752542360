package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

type sourceJSON struct {
	Source    string                  `json:"source"`
	Kind      string                  `json:"kind"`
	Root      string                  `json:"root"`
	Documents int                     `json:"documents"`
	Failed    []quarry.FailedDocument `json:"failed"`
	Synced    *time.Time              `json:"synced"`      // null where it is not known
	Lag       *float64                `json:"lag_seconds"` // null where it is not known
	Late      bool                    `json:"late"`        // sources.freshness is missed
	Last      *lastJSON               `json:"last"`        // null where it is not known
}

// lastJSON is the last sync that changed something or went wrong.
type lastJSON struct {
	At        time.Time `json:"at"`
	Added     int       `json:"added"`
	Changed   int       `json:"changed"`
	Renamed   int       `json:"renamed"`
	Removed   int       `json:"removed"`
	Unchanged int       `json:"unchanged"`
	Failed    int       `json:"failed"`
	Unreached int       `json:"unreached"`
	Withheld  int       `json:"withheld"`
	Skipped   int       `json:"skipped"`
	Error     string    `json:"error"`
}

type statusJSON struct {
	Store     string        `json:"store"`
	Bytes     int64         `json:"bytes"`
	Documents int           `json:"documents"`
	Failed    int           `json:"failed"`
	Sources   []sourceJSON  `json:"sources"`
	Embedding embeddingJSON `json:"embedding"`
}

func (a *app) status() *cobra.Command {
	var removed string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say what is indexed, how fresh it is and what failed",
		Long: `Say, as the operator sees it, which sources are indexed: how many documents each has,
when it was last compared with what it holds (to the hour where nothing had changed)
and how long ago that is, what the last sync that changed something did, and which
documents failed, why, and when they are tried again; and of which embedding model the
vectors are. Where a source was not compared for longer than sources.freshness it is
late, and the exit code is 4.

With --removed DOCUMENT it counts what is left of a document that was removed: in the
store, among what was fetched, and in the kept runs of eval. The exit code is 1 unless
that is nothing. Give SOURCE:PATH where the source is gone as well.`,
		Example:           "  quarry status\n  quarry status --removed policies/old-rules.md",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&removed, "removed", "", "count what is left of this document")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx := cmd.Context()
		corpus, path, err := a.open(ctx)
		if err != nil {
			return err
		}
		defer corpus.Close()
		if cmd.Flags().Changed("removed") {
			return a.removed(ctx, corpus, path, removed)
		}
		return a.sourcesStatus(ctx, corpus, path)
	}
	return cmd
}

func (a *app) sourcesStatus(ctx context.Context, corpus *standard.Corpus, path string) error {
	sources, err := corpus.Status(ctx)
	if err != nil {
		return err
	}
	embedding, err := corpus.Embedding(ctx)
	if err != nil {
		return err
	}
	out := statusJSON{Store: standard.StoreName(path), Sources: []sourceJSON{}, Embedding: embeddingOf(embedding)}
	if out.Bytes, err = corpus.Bytes(ctx); err != nil {
		return err
	}
	var late []string
	for _, s := range sources {
		out.Sources = append(out.Sources, sourceOf(s))
		out.Documents += s.Documents
		out.Failed += len(s.Failed)
		if s.Late {
			late = append(late, s.Source.Name)
		}
	}
	if a.json {
		err = a.writeJSON(out)
	} else {
		a.printStatus(out, embedding)
	}
	if err == nil && len(late) > 0 {
		err = kindError{errSomeFailed, fmt.Sprintf("%s not compared for longer than sources.freshness: %s; run quarry sync", countWas(len(late), "source"), strings.Join(late, ", "))}
	}
	return err
}

// countWas is "1 source was", "2 sources were".
func countWas(n int, what string) string {
	if n == 1 {
		return count(n, what) + " was"
	}
	return count(n, what) + " were"
}

func sourceOf(s quarry.SourceStatus) sourceJSON {
	out := sourceJSON{Source: s.Source.Name, Kind: s.Source.Kind, Root: s.Source.Root, Documents: s.Documents, Failed: list(s.Failed),
		Synced: known(s.Last.Whole), Late: s.Late, Last: lastOf(s.Last)}
	if out.Synced != nil {
		seconds := s.Lag.Round(time.Second).Seconds()
		out.Lag = &seconds
	}
	return out
}

func lastOf(s store.Sync) *lastJSON {
	if s.At.IsZero() {
		return nil
	}
	return &lastJSON{At: *known(s.At), Added: s.Added, Changed: s.Changed, Renamed: s.Renamed, Removed: s.Removed, Unchanged: s.Unchanged,
		Failed: s.Failed, Unreached: s.Unreached, Withheld: s.Withheld, Skipped: s.Skipped, Error: s.Error}
}

// known is a time as JSON has it, nil for the zero Time.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

const minuteForm = "2006-01-02 15:04 UTC"

func (a *app) printStatus(s statusJSON, e quarry.EmbeddingStatus) {
	a.printf("%s: %s of %s, %d failed, %.1f MiB\n", oneLine(s.Store), count(s.Documents, "document"),
		count(len(s.Sources), "source"), s.Failed, float64(s.Bytes)/(1<<20))
	if len(s.Sources) == 0 {
		a.printf("Index a folder with quarry add DIR.\n")
		return
	}
	a.printEmbedding(e)
	a.printf("\n")
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "SOURCE\tKIND\tDOCUMENTS\tFAILED\tSYNCED\tLAG\tROOT\n")
	for _, source := range s.Sources {
		synced, lag := "unknown", "unknown"
		if source.Synced != nil {
			synced, lag = source.Synced.Format(minuteForm), ago(*source.Lag)
		}
		if source.Late {
			lag += ", late"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", oneLine(source.Source), oneLine(source.Kind), source.Documents, len(source.Failed), synced, lag, oneLine(source.Root))
	}
	t.Flush()
	a.printLast(s.Sources)
	if s.Failed == 0 {
		return
	}
	a.printf("\nfailed:\n")
	for _, source := range s.Sources {
		for _, f := range source.Failed {
			a.printf("  %s:%s: %s (tried again %s)\n", oneLine(source.Source), oneLine(f.Document), oneLine(f.Error), f.Retry)
		}
	}
}

// printLast says what the last sync of each source did that did something.
func (a *app) printLast(sources []sourceJSON) {
	title := "\nlast change:\n"
	for _, s := range sources {
		l := s.Last
		if l == nil {
			continue
		}
		a.printf("%s  %s: %s: %d added, %d changed, %d removed", title, oneLine(s.Source), l.At.Format(minuteForm), l.Added, l.Changed, l.Removed)
		title = ""
		for _, more := range []struct {
			n    int
			what string
		}{{l.Renamed, "renamed"}, {l.Failed, "failed"}, {l.Unreached, "not to be had"}, {l.Withheld, "withheld"}} {
			if more.n > 0 {
				a.printf(", %d %s", more.n, more.what)
			}
		}
		if l.Error != "" {
			a.printf("; it ended early: %s", oneLine(l.Error))
		}
		a.printf("\n")
	}
}

// ago is a number of seconds as people say it.
func ago(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 90*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}
