package standard

import (
	"context"
	"fmt"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// Copy is what a backup or a restore wrote.
type Copy = local.Copy

// Backup writes the store at path, as it is at one commit, to a file of its own,
// beside readers and writers. See local.Store.Backup.
func Backup(ctx context.Context, path, to string, replace bool) (made Copy, err error) {
	err = existing(ctx, path, func(s *local.Store) error {
		made, err = s.Backup(ctx, to, replace)
		return err
	})
	return made, err
}

// Restore puts a copy of the store in the file from in the place of the one at path,
// or makes one there. See local.Restore.
func Restore(ctx context.Context, path, from string) (Copy, error) {
	if err := checkFile(path, "restored with its database, and quarry copy --from FILE brings it to what a file holds"); err != nil {
		return Copy{}, err
	}
	return local.Restore(ctx, path, from, 0)
}

// Inspect reads all of the store at path and lists what is damaged.
func Inspect(ctx context.Context, path string, s Settings) ([]store.Damage, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if Served(path) {
		return inspectServed(ctx, path, s)
	}
	return local.Inspect(ctx, path)
}

// Repair makes the store at path anew of what is sound in it, and lists what was not.
// See local.Repair.
func Repair(ctx context.Context, path string, _ Settings) ([]store.Damage, error) {
	if err := checkFile(path, "repaired by the means of its server: restore the database from a backup, or add the sources to a new schema"); err != nil {
		return nil, err
	}
	return local.Repair(ctx, path, local.Options{})
}

func existing(ctx context.Context, path string, use func(*local.Store) error) error {
	if err := checkFile(path, "backed up with its database, as by pg_dump, and quarry copy --to FILE makes a file of it"); err != nil {
		return err
	}
	s, err := local.Open(ctx, path, local.Options{Existing: true})
	if err != nil {
		return err
	}
	defer s.Close()
	return use(s)
}

// checkFile refuses a store that is no file, and says how that is done with one in a
// database.
func checkFile(path, instead string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	if Served(path) {
		return fmt.Errorf("%s is no file: a store in Postgres is %s", StoreName(path), instead)
	}
	return nil
}

// tryTokens are enough for a word, and for what a model may think before it.
const tryTokens = 500

// TryModels has each model that the settings name do a small piece of work, and says
// which they are; a service is called. Without an error all of them can be used.
func TryModels(ctx context.Context, s Settings) (names []string, err error) {
	if err := openModels(&s); err != nil {
		return nil, err
	}
	if e := s.Quarry.Embedder; e != nil {
		if _, err := e.Question(ctx, "try"); err != nil {
			return nil, fmt.Errorf("the model %s makes no vector: %w", e.Name(), err)
		}
		names = append(names, fmt.Sprintf("%s, %d dimensions", e.Name(), e.Dims()))
	}
	if r := s.Quarry.Reranker; r != nil {
		if _, err := r.Rerank(ctx, "try", []string{"try"}); err != nil {
			return nil, fmt.Errorf("the reranker %s scores nothing: %w", r.Name(), err)
		}
		names = append(names, r.Name())
	}
	if m := s.Quarry.Chat; m != nil {
		if _, err := m.Complete(ctx, chat.Request{Messages: []chat.Message{{Role: chat.User, Text: "Answer with the word yes."}}, MaxTokens: tryTokens}); err != nil {
			return nil, fmt.Errorf("the model %s writes no answer: %w", m.Name(), err)
		}
		names = append(names, m.Name())
	}
	judge, err := Judge(s)
	if err != nil {
		return nil, err
	}
	if judge != nil {
		model := judge.About().Model
		if _, err := judge.Judge(ctx, evaluate.Case{Question: "try", Expected: []string{"try"}, Given: "try"}); err != nil {
			return nil, fmt.Errorf("the judge %s gives no verdict: %w", model, err)
		}
		names = append(names, model)
	}
	return names, nil
}
