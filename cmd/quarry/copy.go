package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/standard"
)

type copyJSON struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Sources   int    `json:"sources"`
	Documents int    `json:"documents"`
	Failed    int    `json:"failed"`
	Revisions int    `json:"revisions"`
	Passages  int    `json:"passages"`
	Vectors   int    `json:"vectors"`
	Copied    int    `json:"copied"`
	Replaced  int    `json:"replaced"`
	Removed   int    `json:"removed"`
	Checksum  string `json:"checksum"`
	Moved     bool   `json:"moved"` // the store that was read has changed meanwhile
}

func (a *app) copy() *cobra.Command {
	var from, to string
	force := false
	cmd := &cobra.Command{
		Use:   "copy --from STORE --to STORE",
		Short: "Copy all that one store holds to another, of whichever kind",
		Long: `Copy the documents of a store with all their revisions, access and validity, what failed,
and the vectors, to another store: from a file to a Postgres database, or back. Nothing is read
from the sources or embedded again. Both stores may be in use. What was written is read back
and compared, document by document and vector by vector, and so is what both count of the
documents in force; stores that hold the same have the same checksum.

A run that is interrupted goes on when it is called again, and a later run brings what was
added since. What the other store holds otherwise or besides goes only with --force: else
nothing of it is touched. Files beside a store are not copied: what was fetched from sites,
repositories and buckets (the next sync fetches it again), and the runs of eval.`,
		Example:           "  quarry copy --from quarry.db --to postgres://quarry@db.example.org/quarry",
		Args:              needs("no argument but --from STORE and --to STORE", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" || to == "" {
				return usage("quarry copy needs --from STORE and --to STORE: %s", example(cmd))
			}
			return a.runCopy(cmd.Context(), from, to, force)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the store to copy, a file or a postgres:// address")
	f.StringVar(&to, "to", "", "the store to copy to; it is made if it is not there")
	f.BoolVar(&force, "force", false, "replace and remove there what the copied store does not hold")
	return cmd
}

func (a *app) runCopy(ctx context.Context, from, to string, force bool) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	show, end := a.line()
	var progress func(done, total int)
	if show != nil {
		progress = func(done, total int) { show("copy: %s of %s documents", grouped(done), grouped(total)) }
	}
	done, err := standard.CopyStore(ctx, from, to, s, force, progress)
	end()
	if errors.Is(err, standard.ErrOtherwise) {
		return fmt.Errorf("%w; name another store to copy to, or let that go with --force", err)
	}
	if err != nil {
		return err
	}
	if done.Moved {
		a.note("note: %s was written meanwhile; run the command again to bring the rest", standard.StoreName(from))
	}
	if a.json {
		return a.writeJSON(copyJSON{standard.StoreName(from), standard.StoreName(to), done.Sources, done.Documents, done.Failed, done.Revisions, done.Passages, done.Vectors,
			done.Copied, done.Replaced, done.Removed, done.Checksum, done.Moved})
	}
	a.printf("copied %s to %s: %s copied, %d replaced, %d removed\n", oneLine(standard.StoreName(from)), oneLine(standard.StoreName(to)), count(done.Copied, "document"), done.Replaced, done.Removed)
	a.printf("both hold %s of %s (%d failed), %s, %s, %s; checksum %s\n", count(done.Documents, "document"), count(done.Sources, "source"), done.Failed,
		count(done.Revisions, "revision"), count(done.Passages, "passage"), count(done.Vectors, "vector"), done.Checksum)
	return nil
}
