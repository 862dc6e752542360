package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) sync() *cobra.Command {
	var confirm, watch bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Bring every source up to date",
		Long: `Compare every source that was added with what is indexed: what is new or changed is
indexed, what is gone is removed, and the rest is left alone. A source that cannot be
read is named and the others are synced.

With --watch it goes on until it is interrupted: a change in a folder is found at once,
sites are compared after sources.watch.every. It says what changed, with --json in one
object for each sync that changed something.`,
		Example:           "  quarry sync\n  quarry sync --watch",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, _, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer corpus.Close()
			if watch {
				return a.watch(cmd.Context(), corpus, confirm)
			}
			return a.runSync(cmd.Context(), corpus, confirm)
		},
	}
	addConfirmFlag(cmd, &confirm)
	cmd.Flags().BoolVar(&watch, "watch", false, "go on, and sync whenever something has changed")
	return cmd
}

func (a *app) runSync(ctx context.Context, corpus *standard.Corpus, confirm bool) error {
	sources, err := corpus.Sources(ctx)
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return errors.New("there is no source yet: index a folder with quarry add DIR")
	}
	var reports []quarry.Report
	failed := 0
	for _, s := range sources {
		report, err := a.syncFrom(ctx, corpus, s, confirm)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, quarry.ErrModel): // of every source
			return err
		case errors.Is(err, standard.ErrNoPlace):
			a.note("note: %s", sentence(err))
			continue
		case errors.Is(err, quarry.ErrEmbedding): // its documents are indexed
			reports = append(reports, report)
			fallthrough
		case err != nil:
			failed++
			a.note("%s: %s", s.Name, sentence(err))
		default:
			reports = append(reports, report)
		}
	}
	if err := a.report(reports); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s could not be synced: correct what is said above and run the command again", failed, count(len(sources), "source"))
	}
	if len(reports) == 0 {
		return nil
	}
	return outcome(reports)
}
