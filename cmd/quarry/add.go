package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) add() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "add PATH...",
		Short: "Index folders or files; run again to bring the index up to date",
		Long: `Index the documents of a folder, or one file, as a source. Run again, it indexes
what is new or changed, removes what is gone, and leaves the rest alone.

The source is called like the folder or file. With --json it writes the report
of the one path, or {"reports": [...]} for several.`,
		Example: "  quarry add handbook",
		Args:    needs("the PATH of a folder or file", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name != "" && len(args) > 1 {
				return usage("--name names one source, and there are %d paths: add them one at a time", len(args))
			}
			return a.runAdd(cmd.Context(), name, args)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what to call the source (default the name of the folder or file)")
	return cmd
}

func (a *app) runAdd(ctx context.Context, name string, args []string) error {
	places := make([]place, len(args))
	for i, arg := range args {
		var err error
		if places[i], err = placeOf(arg); err != nil {
			return err
		}
	}
	s, err := a.settings()
	if err != nil {
		return err
	}
	corpus, err := a.openNew(ctx, a.storePath(s), s)
	if err != nil {
		return err
	}
	defer corpus.Close()

	var reports []quarry.Report
	for _, p := range places {
		report, err := a.addOne(ctx, corpus, name, p)
		if err != nil {
			if errors.Is(err, quarry.ErrEmbedding) {
				reports = append(reports, report) // its documents are indexed
			}
			if !a.json {
				a.printReports(reports)
			}
			return err
		}
		reports = append(reports, report)
	}
	if a.json {
		err = a.writeReports(reports)
	} else {
		a.printReports(reports)
	}
	if err != nil {
		return err
	}
	return outcome(reports)
}

func (a *app) addOne(ctx context.Context, corpus *standard.Corpus, name string, p place) (quarry.Report, error) {
	if name == "" {
		var err error
		if name, _, err = p.nameIn(ctx, corpus); err != nil {
			return quarry.Report{}, err
		}
	}
	progress, end := a.progress(name)
	defer end()
	return corpus.Sync(ctx, name, p.root, progress)
}

// outcome is an error where documents failed: of its own kind where others were
// indexed.
func outcome(reports []quarry.Report) error {
	indexed, failed, unembedded, incomplete := 0, 0, 0, false
	for _, r := range reports {
		indexed += r.Unchanged + len(r.Added) + len(r.Changed)
		failed += len(r.Failed)
		unembedded += len(r.Unembedded)
		incomplete = incomplete || r.Incomplete
	}
	switch {
	case indexed == 0 && failed > 0:
		return fmt.Errorf("no document could be indexed, %d failed: correct them and run the command again", failed)
	case indexed == 0 && !incomplete:
		return errors.New("there is no document that is read: give a folder with Markdown, HTML or text files")
	case failed > 0:
		return kindError{errSomeFailed, fmt.Sprintf("%s could not be indexed, the rest is done: correct what failed and run the command again", count(failed, "document"))}
	case unembedded > 0:
		return kindError{errSomeFailed, fmt.Sprintf("the embedding model refused passages of %s, which are found by their words only; the rest is done: run the command again to try them again", count(unembedded, "document"))}
	case incomplete:
		return kindError{errSomeFailed, "a part of the source could not be listed, so nothing was removed: make it readable and run the command again"}
	}
	return nil
}

// maxListed is how many skipped files a report lists unless told to say more.
const maxListed = 5

func (a *app) printReports(reports []quarry.Report) {
	for _, r := range reports {
		a.printf("%s: %d added, %d changed, %d removed, %d unchanged, %d failed, %d skipped\n", oneLine(r.Source),
			len(r.Added), len(r.Changed), len(r.Removed), r.Unchanged, len(r.Failed), len(r.Skipped))
		if a.verbose {
			for _, l := range []struct {
				what      string
				documents []string
			}{{"added", r.Added}, {"changed", r.Changed}, {"removed", r.Removed}} {
				for _, d := range l.documents {
					a.printf("  %-8s %s\n", l.what, oneLine(d))
				}
			}
		}
		for _, f := range r.Failed {
			a.printf("  %-8s %s: %s\n", "failed", oneLine(f.Document), oneLine(f.Error))
		}
		a.printWarned(r)
		for i, u := range r.Unembedded {
			if i == maxListed && len(r.Unembedded) > maxListed+1 && !a.verbose {
				a.printf("  %-8s %d more; -v lists them\n", "refused", len(r.Unembedded)-i)
				break
			}
			a.printf("  %-8s %s: %s\n", "refused", oneLine(u.Document), oneLine(u.Error))
		}
		for i, s := range r.Skipped {
			if i == maxListed && len(r.Skipped) > maxListed+1 && !a.verbose {
				a.printf("  %-8s %d more; -v lists them\n", "skipped", len(r.Skipped)-i)
				break
			}
			a.printf("  %-8s %s: %s\n", "skipped", oneLine(s.Document), oneLine(s.Error))
		}
	}
}

// reportJSON is a report with every field there.
type reportJSON struct {
	Source     string           `json:"source"`
	Added      []string         `json:"added"`
	Changed    []string         `json:"changed"`
	Removed    []string         `json:"removed"`
	Unchanged  int              `json:"unchanged"`
	Failed     []quarry.Problem `json:"failed"`
	Skipped    []quarry.Problem `json:"skipped"`
	Warned     []quarry.Problem `json:"warned"`
	Vectors    int              `json:"vectors"`
	Unembedded []quarry.Problem `json:"unembedded"`
	Incomplete bool             `json:"incomplete"`
}

func (a *app) writeReports(reports []quarry.Report) error {
	out := make([]reportJSON, len(reports))
	for i, r := range reports {
		out[i] = reportJSON{r.Source, list(r.Added), list(r.Changed), list(r.Removed), r.Unchanged,
			list(r.Failed), list(r.Skipped), list(r.Warned), r.Vectors, list(r.Unembedded), r.Incomplete}
	}
	if len(out) == 1 {
		return a.writeJSON(out[0])
	}
	return a.writeJSON(struct {
		Reports []reportJSON `json:"reports"`
	}{out})
}
