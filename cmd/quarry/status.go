package main

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
)

type sourceJSON struct {
	Source    string           `json:"source"`
	Kind      string           `json:"kind"`
	Root      string           `json:"root"`
	Documents int              `json:"documents"`
	Failed    []quarry.Problem `json:"failed"`
	Synced    *time.Time       `json:"synced"` // null where it is not known
}

type statusJSON struct {
	Store     string       `json:"store"`
	Bytes     int64        `json:"bytes"`
	Documents int          `json:"documents"`
	Failed    int          `json:"failed"`
	Sources   []sourceJSON `json:"sources"`
}

func (a *app) status() *cobra.Command {
	return &cobra.Command{
		Use:               "status",
		Short:             "Say what is indexed, how fresh it is and what failed",
		Long:              "Say, as the operator sees it, which sources are indexed, how many documents each\nhas, when it was last compared with its folder (to the hour where nothing had\nchanged), and which documents failed and why.",
		Example:           "  quarry status",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, path, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer corpus.Close()
			sources, err := corpus.Status(cmd.Context())
			if err != nil {
				return err
			}
			out := statusJSON{Store: path, Sources: []sourceJSON{}}
			if info, err := os.Stat(path); err == nil {
				out.Bytes = info.Size()
			}
			for _, s := range sources {
				out.Sources = append(out.Sources, sourceJSON{s.Source.Name, s.Source.Kind, s.Source.Root, s.Documents, list(s.Failed), known(s.Synced)})
				out.Documents += s.Documents
				out.Failed += len(s.Failed)
			}
			if a.json {
				return a.writeJSON(out)
			}
			a.printStatus(out)
			return nil
		},
	}
}

// known is a time as JSON has it, nil for the zero Time.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

func (a *app) printStatus(s statusJSON) {
	a.printf("%s: %s of %s, %d failed, %.1f MiB\n", oneLine(s.Store), count(s.Documents, "document"),
		count(len(s.Sources), "source"), s.Failed, float64(s.Bytes)/(1<<20))
	if len(s.Sources) == 0 {
		a.printf("Index a folder with quarry add DIR.\n")
		return
	}
	a.printf("\n")
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "SOURCE\tKIND\tDOCUMENTS\tFAILED\tSYNCED\tROOT\n")
	for _, source := range s.Sources {
		synced := "unknown"
		if source.Synced != nil {
			synced = source.Synced.Format("2006-01-02 15:04 UTC")
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\n", oneLine(source.Source), oneLine(source.Kind), source.Documents, len(source.Failed), synced, oneLine(source.Root))
	}
	t.Flush()
	if s.Failed == 0 {
		return
	}
	a.printf("\nfailed:\n")
	for _, source := range s.Sources {
		for _, f := range source.Failed {
			a.printf("  %s:%s: %s\n", oneLine(source.Source), oneLine(f.Document), oneLine(f.Error))
		}
	}
}
