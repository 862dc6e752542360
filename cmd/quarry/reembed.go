package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/standard"
	"github.com/seed-d3156d19/quarry/store"
)

type modelJSON struct {
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
}

type begunJSON struct {
	modelJSON
	Missing int `json:"missing"` // passages without a vector of it
}

type embeddingJSON struct {
	Configured *modelJSON  `json:"configured"` // null where none is
	InForce    *modelJSON  `json:"in_force"`   // null where there are no vectors
	Begun      []begunJSON `json:"begun"`
}

type reembedJSON struct {
	Model      *modelJSON       `json:"model"`
	Former     *modelJSON       `json:"former"` // null where none was replaced
	Vectors    int              `json:"vectors"`
	Unembedded []quarry.Problem `json:"unembedded"`
	Discarded  []modelJSON      `json:"discarded"`
}

func (a *app) reembed() *cobra.Command {
	var status, discard bool
	cmd := &cobra.Command{
		Use:   "reembed",
		Short: "Replace all vectors by those of the configured model",
		Long: `Make vectors of every passage with the model that the configuration names under
embedding, beside those that are there, and then use the new ones and remove the
others, in one step. The vectors of a store are of one model: with another name,
dimensions, pooling, prefixes or window, add, sync, search and ask are refused until
this is done.

Meanwhile questions and syncs go on with the former model for whoever has it
configured: give this command the new configuration with --config, and put it in the
place of the other when it is done. A run that is interrupted or killed goes on when it
is called again; a batch is lost at most. Until the end the file holds the vectors of
both models; its free space is used again, and a backup leaves it out.

--status says which model is in force and how far this is. --discard gives up what was
begun with another model.`,
		Example:           "  quarry reembed --config new.yaml\n  quarry reembed --status",
		Args:              needs("no argument", 0, 0),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			corpus, _, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			defer corpus.Close()
			if status {
				return a.reembedStatus(cmd.Context(), corpus)
			}
			return a.runReembed(cmd.Context(), corpus, discard)
		},
	}
	cmd.Flags().BoolVar(&status, "status", false, "say how far it is and do nothing")
	cmd.Flags().BoolVar(&discard, "discard", false, "give up what was begun with another model")
	return cmd
}

func (a *app) runReembed(ctx context.Context, corpus *standard.Corpus, discard bool) error {
	done, err := a.reembedAll(ctx, corpus, discard)
	if err != nil {
		return err
	}
	if a.json {
		err = a.writeJSON(reembedJSON{modelOf(done.Model), modelOf(done.Former), done.Vectors, list(done.Unembedded), modelsOf(done.Discarded)})
	} else {
		a.printReembedded(done)
	}
	if err == nil && len(done.Unembedded) > 0 {
		err = kindError{errSomeFailed, fmt.Sprintf("the embedding model refused passages of %s, which are found by their words only; the rest is done: quarry sync tries them again", count(len(done.Unembedded), "document"))}
	}
	return err
}

// reembedAll re-embeds with a line that says how far it is.
func (a *app) reembedAll(ctx context.Context, corpus *standard.Corpus, discard bool) (quarry.Reembedded, error) {
	show, end := a.line()
	defer end()
	o := quarry.ReembedOptions{Discard: discard}
	if show != nil {
		o.Progress = progressOf("reembed", show, time.Now)
	}
	return corpus.Reembed(ctx, o)
}

func (a *app) printReembedded(done quarry.Reembedded) {
	for _, m := range done.Discarded {
		a.printf("Discarded what was begun with %s.\n", modelName(m))
	}
	a.printf("%s embedded with %s.\n", count(done.Vectors, "passage"), modelName(done.Model))
	if done.Former != (store.Model{}) {
		a.printf("Questions are compared with these vectors now; those of %s are removed.\n", modelName(done.Former))
	}
	for _, p := range done.Unembedded {
		a.printf("  %s: %s\n", oneLine(p.Document), oneLine(p.Error))
	}
}

func (a *app) reembedStatus(ctx context.Context, corpus *standard.Corpus) error {
	e, err := corpus.Embedding(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(embeddingOf(e))
	}
	a.printEmbedding(e)
	return nil
}

func embeddingOf(e quarry.EmbeddingStatus) embeddingJSON {
	out := embeddingJSON{Configured: modelOf(e.Configured), InForce: modelOf(e.InForce), Begun: []begunJSON{}}
	for _, b := range e.Begun {
		out.Begun = append(out.Begun, begunJSON{*modelOf(b.Model), b.Missing})
	}
	return out
}

// printEmbedding says which model is in force, and what is to be done where it is not
// the configured one.
func (a *app) printEmbedding(e quarry.EmbeddingStatus) {
	none := store.Model{}
	switch {
	case e.InForce == none && e.Configured == none:
		a.printf("vectors: none, and no model is configured\n")
	case e.InForce == none:
		a.printf("vectors: none yet\n")
	default:
		a.printf("vectors: of %s\n", modelName(e.InForce))
	}
	for _, b := range e.Begun {
		a.printf("reembed: begun with %s, %s left\n", modelName(b.Model), count(b.Missing, "passage"))
	}
	if e.InForce != none && e.Configured != none && e.Configured != e.InForce {
		a.printf("configured: %s; quarry reembed brings the store to it\n", modelName(e.Configured))
	}
}

func modelName(m store.Model) string {
	return fmt.Sprintf("%s (%d dimensions)", oneLine(m.Name), m.Dims)
}

// modelOf is a model as JSON has it, nil for none.
func modelOf(m store.Model) *modelJSON {
	if m == (store.Model{}) {
		return nil
	}
	return &modelJSON{m.Name, m.Dims}
}

func modelsOf(list []store.Model) []modelJSON {
	out := []modelJSON{}
	for _, m := range list {
		out = append(out, *modelOf(m))
	}
	return out
}
