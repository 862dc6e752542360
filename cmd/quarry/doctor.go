package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

type checkJSON struct {
	Check   string `json:"check"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

type damageJSON struct {
	What     string `json:"what"`
	Lost     bool   `json:"lost"`
	Document string `json:"document"` // "" where it is not one, or its name is not known
	Detail   string `json:"detail"`
}

type doctorJSON struct {
	Store    string       `json:"store"`
	Checks   []checkJSON  `json:"checks"`
	Damage   []damageJSON `json:"damage"`
	Repaired bool         `json:"repaired"`
}

func (a *app) doctor() *cobra.Command {
	repair := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check configuration, models and the whole store",
		Long: `Check that the configuration can be read, that the models work (a service is called
once) and that every byte of the store is what was written; exit code 1 where
something is wrong. Of damage it says what is lost, document by document, and what
can be made again from the rest: the index, and vectors by the next add.

--repair makes the store anew of what is sound. Documents that are lost are left out,
exit code 4, and the next quarry add of their source adds them again as they are now;
their earlier revisions are only in a backup (quarry restore FILE). Nobody else may
have the store open. Keep a copy of a store that you cannot make again.`,
		Example: "  quarry doctor\n  quarry doctor --repair",
		Args:    needs("no argument", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, first := a.examine(cmd.Context(), repair)
			if a.json {
				if err := a.writeJSON(out); err != nil {
					return err
				}
			} else {
				a.printDoctor(out)
			}
			return failing(out, first)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make the store anew of what is sound in it")
	return cmd
}

// examine makes the checks in order; the error is of the first that failed.
func (a *app) examine(ctx context.Context, repair bool) (doctorJSON, error) {
	out := doctorJSON{Damage: []damageJSON{}}
	var first error
	check := func(name, detail string, err error) bool {
		outcome := "ok"
		if err != nil {
			outcome, detail = "failed", sentence(err)
			if first == nil {
				first = err
			}
		}
		out.Checks = append(out.Checks, checkJSON{name, outcome, detail})
		return err == nil
	}
	s, err := a.settings()
	if !check("configuration", "it can be read", err) {
		s = config.Defaults() // the store is looked at all the same
	} else if names, err := standard.TryModels(ctx, s); len(names) > 0 {
		check("models", strings.Join(names, "; "), err)
	} else {
		check("models", "none: words and identifiers are searched", err)
	}
	recogniser, err := standard.TryRecogniser(s)
	check("ocr", recogniser, err)
	path := a.storePath(s)
	out.Store = standard.StoreName(path)
	if names, err := standard.CheckGuard(s); len(names) > 0 {
		check("access", strings.Join(names, "; "), err)
	}
	inspect := standard.Inspect
	if repair {
		inspect = standard.Repair
	}
	damage, err := inspect(ctx, path, s)
	out.Repaired = repair && err == nil && len(damage) > 0
	if err == nil {
		err = damaged(out.Store, damage, out.Repaired)
	}
	detail := out.Store + " is sound"
	if out.Repaired {
		detail = out.Store + " is repaired; the next quarry add embeds again what lost its vectors"
	}
	check("store", detail, err)
	for _, d := range damage {
		found := damageJSON{What: d.What, Lost: d.Lost, Detail: d.Detail}
		if d.Document.Path != "" {
			found.Document = d.Document.String()
		}
		out.Damage = append(out.Damage, found)
	}
	return out, first
}

// failing names the checks that failed; what is wrong and what to do stands with them.
func failing(out doctorJSON, first error) error {
	var names []string
	for _, c := range out.Checks {
		if c.Outcome == "failed" {
			names = append(names, c.Check)
		}
	}
	if first == nil {
		return nil
	}
	return kindError{first, fmt.Sprintf("not everything is well: see what stands above of %s", strings.Join(names, ", "))}
}

// damaged is an error for what was found, nil where nothing is left to do.
func damaged(path string, damage []store.Damage, repaired bool) error {
	lost := 0
	for _, d := range damage {
		if d.Lost {
			lost++
		}
	}
	switch {
	case len(damage) == 0 || repaired && lost == 0:
		return nil
	case repaired:
		return kindError{errSomeFailed, fmt.Sprintf("%s was repaired without what is lost: add the sources again with quarry add", path)}
	case lost == 0:
		return fmt.Errorf("%s is damaged in what can be made again: run quarry doctor --repair, and quarry add where vectors are damaged", path)
	}
	return errors.New(path + " is damaged and a part of it is lost: put a backup in its place with quarry restore FILE, or run quarry doctor --repair and add the sources again with quarry add")
}

func (a *app) printDoctor(d doctorJSON) {
	t := tabwriter.NewWriter(&a.out, 0, 0, 2, ' ', 0)
	for _, c := range d.Checks {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.Check, c.Outcome, oneLine(c.Detail))
	}
	t.Flush()
	if len(d.Damage) == 0 {
		return
	}
	a.printf("\ndamage:\n")
	for _, x := range d.Damage {
		kind := "derived"
		if x.Lost {
			kind = "lost"
		}
		a.printf("  %-8s %s: %s\n", kind, oneLine(x.What), oneLine(x.Detail))
	}
}
