package main

import (
	"github.com/spf13/cobra"
)

func (a *app) remove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove DOCUMENT|SOURCE",
		Short: "Take a document, or a source with all its documents, out of the index",
		Long: `Take a document, or a source with all its documents, out of the index: text,
passages and history. The original stays where it is, so a document that its
source still holds comes back with the next add.

A document is named by its path, or as SOURCE:PATH where several sources have it;
a source as SOURCE: where a document of another source is called like it.`,
		Example: "  quarry remove policies/old-rules.md",
		Args:    needs("one DOCUMENT or SOURCE", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			corpus, _, err := a.open(ctx)
			if err != nil {
				return err
			}
			defer corpus.Close()
			named, err := corpus.Named(ctx, args[0])
			if err != nil {
				return err
			}
			result := struct {
				Removed string `json:"removed"`
				Kind    string `json:"kind"`
			}{Kind: "document"}
			if named.Source != "" {
				result.Kind, result.Removed = "source", named.Source
				err = corpus.RemoveSource(ctx, named.Source)
			} else {
				result.Removed = named.Document.String()
				err = corpus.Remove(ctx, named.Document)
			}
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(result)
			}
			a.printf("removed the %s %s\n", result.Kind, oneLine(result.Removed))
			return nil
		},
	}
}
