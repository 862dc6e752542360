package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/standard"
)

func (a *app) add() *cobra.Command {
	var name string
	var confirm bool
	cmd := &cobra.Command{
		Use:   "add PATH|URL...",
		Short: "Index folders, files, web sites, repositories or buckets; run again to bring the index up to date",
		Long: `Index the documents of a folder, one file, a web site, a Git repository or an S3 bucket
as a source. Run again, it indexes what is new or changed, removes what is gone, and
leaves the rest alone. quarry sync does that for every source that was added.

Of a site the pages below the address are read that its sitemaps list or that are
linked (https://example.org/docs/), or those of one sitemap (.../sitemap.xml); of a
repository the tracked files at a branch, tag or commit
(git+https://example.org/rules.git#main, or git+ssh://, git+file://); of a bucket the
objects below a prefix (s3://bucket/folder/), with the key in AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY.

The source is called like the folder, file or address. With --json it writes the report
of the one path, or {"reports": [...]} for several.

A ZIP or TAR (.zip .tar .tar.gz .tgz) is a folder. Of files are read:
` + formatList(),
		Example: "  quarry add handbook",
		Args:    needs("the PATH of a folder or file, or a URL", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name != "" && len(args) > 1 {
				return usage("--name names one source, and there are %d paths: add them one at a time", len(args))
			}
			return a.runAdd(cmd.Context(), name, args, confirm)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what to call the source (default the name of the folder or file)")
	addConfirmFlag(cmd, &confirm)
	return cmd
}

// formatList is a line for each format that is read.
func formatList() string {
	var b strings.Builder
	for _, f := range append(quarry.Formats(), quarry.Served()) {
		fmt.Fprintf(&b, "  %s: %s\n", strings.ReplaceAll(f.What, "`", ""), strings.Join(f.Endings, " "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func addConfirmFlag(cmd *cobra.Command, confirm *bool) {
	cmd.Flags().BoolVar(confirm, "confirm-removals", false, "remove what is gone, however much of a source it is")
}

func (a *app) runAdd(ctx context.Context, name string, args []string, confirm bool) error {
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
		report, err := a.addOne(ctx, corpus, name, p, confirm)
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
	if err := a.report(reports); err != nil {
		return err
	}
	return outcome(reports)
}

func (a *app) report(reports []quarry.Report) error {
	if a.json {
		return a.writeReports(reports)
	}
	a.printReports(reports)
	return nil
}

func (a *app) addOne(ctx context.Context, corpus *standard.Corpus, name string, p place, confirm bool) (quarry.Report, error) {
	if name == "" {
		var err error
		if name, _, err = p.nameIn(ctx, corpus); err != nil {
			return quarry.Report{}, err
		}
	}
	return a.syncFrom(ctx, corpus, document.Source{Name: name, Kind: p.kind, Root: p.root}, confirm)
}

// syncFrom opens the place of a source and syncs with it.
func (a *app) syncFrom(ctx context.Context, corpus *standard.Corpus, s document.Source, confirm bool) (quarry.Report, error) {
	place, err := corpus.Place(s)
	if err != nil {
		if !errors.Is(err, standard.ErrNoPlace) {
			_ = corpus.NoteFailure(ctx, s.Name, err) // for status; the error itself is said here
		}
		return quarry.Report{Source: s.Name}, err
	}
	progress, end := a.progress(s.Name)
	defer end()
	return corpus.SyncFrom(ctx, s.Name, place, quarry.SyncOptions{Progress: progress, ConfirmRemovals: confirm})
}

// outcome is an error where documents failed: of its own kind where others were
// indexed.
func outcome(reports []quarry.Report) error {
	indexed, failed, unembedded, unreached, incomplete := 0, 0, 0, 0, false
	var withheld []string
	for _, r := range reports {
		indexed += r.Unchanged + len(r.Added) + len(r.Changed) + len(r.Renamed) + len(r.Withheld)
		failed += len(r.Failed)
		unembedded += len(r.Unembedded)
		unreached += len(r.Unreached)
		incomplete = incomplete || r.Incomplete
		if len(r.Withheld) > 0 {
			withheld = append(withheld, fmt.Sprintf("%d of the %s of %s", len(r.Withheld), count(indexedOf(r), "document"), r.Source))
		}
	}
	switch {
	case indexed+unreached == 0 && failed > 0:
		return fmt.Errorf("no document could be indexed, %d failed: correct them and run the command again", failed)
	case indexed+unreached == 0 && !incomplete:
		return errors.New("there is no document that is read: give a folder with documents; quarry add --help lists the formats")
	case len(withheld) > 0:
		return kindError{errSomeFailed, fmt.Sprintf("%s are gone, more than sources.removals allows at once, so nothing was removed; the rest is done: make the source whole again, or run the command again with --confirm-removals", strings.Join(withheld, ", "))}
	case failed > 0:
		return kindError{errSomeFailed, fmt.Sprintf("%s could not be indexed, the rest is done: correct what failed and run the command again", count(failed, "document"))}
	case unreached > 0:
		return kindError{errSomeFailed, fmt.Sprintf("%s could not be had now and stayed as indexed, if they were; the rest is done: run the command again to try them again", count(unreached, "document"))}
	case unembedded > 0:
		return kindError{errSomeFailed, fmt.Sprintf("the embedding model refused passages of %s, which are found by their words only; the rest is done: run the command again to try them again", count(unembedded, "document"))}
	case incomplete:
		return kindError{errSomeFailed, "a part of the source could not be listed, so nothing was removed: make it readable and run the command again"}
	}
	return nil
}

// indexedOf is how many documents a source has in the store after a sync.
func indexedOf(r quarry.Report) int {
	return r.Unchanged + len(r.Added) + len(r.Changed) + len(r.Renamed) + len(r.Failed) + len(r.Withheld)
}
