package standard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/embedding/bert"
	"github.com/seed-d3156d19/quarry/embedding/openai"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/tika"
)

// openModels sets the models and the service of other formats that the settings name,
// where none was given.
func openModels(s *Settings) (err error) {
	if s.Quarry.Embedder == nil {
		if s.Quarry.Embedder, err = embedderOf(*s); err != nil {
			return err
		}
	}
	if s.Quarry.Reranker == nil {
		if s.Quarry.Reranker, err = rerankerOf(*s); err != nil {
			return err
		}
	}
	if s.Quarry.Chat == nil {
		if s.Quarry.Chat, err = writerOf(*s); err != nil {
			return err
		}
	}
	if err := setRecogniser(s); err != nil {
		return err
	}
	if s.Quarry.PageReader == nil && s.Tika != "" {
		s.Quarry.PageReader, err = tika.New(s.Tika)
	}
	return err
}

// embedderOf opens the model that the settings name; nil for none. Nothing is called.
func embedderOf(s Settings) (embedding.Embedder, error) {
	switch s.Embedding {
	case config.BuiltIn, "":
		return bert.Default(), nil
	case config.Folder:
		m, err := bert.Open(s.EmbeddingFolder, bert.Options{})
		if err != nil {
			return nil, fmt.Errorf("embedding.folder: %w", err)
		}
		return m, nil
	case config.InService:
		c, err := openai.Open(serviceOf(s.Service))
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	return nil, nil
}

func serviceOf(s config.Service) openai.Options {
	o := openai.Options{URL: s.URL, APIVersion: s.APIVersion, Model: s.Model, Name: s.Name, Dimensions: s.Dimensions,
		Shorten: openai.Shorten(s.Shorten), QuestionPrefix: s.QuestionPrefix, PassagePrefix: s.PassagePrefix, Window: s.Window,
		BatchTokens: s.BatchTokens, BatchItems: s.BatchItems, Requests: s.Requests,
		Timeout: time.Duration(s.TimeoutSeconds) * time.Second, Patience: time.Duration(s.PatienceSeconds) * time.Second}
	if s.Shorten == "auto" {
		o.Shorten = openai.Auto
	}
	switch {
	case s.KeyFile != "":
		o.Key = openai.KeyFromFile(s.KeyFile)
	case s.KeyEnv != "":
		o.Key = openai.KeyFromEnv(s.KeyEnv)
	case s.URL == "" || strings.HasPrefix(s.URL+"/", openai.DefaultURL+"/"): // this key goes to no other host unasked
		o.Key = openai.KeyFromEnv("OPENAI_API_KEY")
	}
	return o
}

// rerankerOf opens the model that the settings name; nil for none.
func rerankerOf(s Settings) (quarry.Reranker, error) {
	if s.Rerank == config.InService {
		c, err := rankingOf(s.RerankService)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	if s.Rerank != config.Folder {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(s.RerankFolder, "config.json")); err != nil {
		return nil, fmt.Errorf("rerank.folder: %s holds no config.json: name the folder of a cross-encoder", s.RerankFolder)
	}
	return &lateReranker{folder: s.RerankFolder, open: sync.OnceValues(func() (*bert.CrossEncoder, error) {
		return bert.OpenCrossEncoder(s.RerankFolder, bert.Options{})
	})}, nil
}

// lateReranker is a model that is read for the first question: most commands ask
// none, and a model is some hundred megabytes.
type lateReranker struct {
	folder string
	open   func() (*bert.CrossEncoder, error)
}

// Name implements quarry.Reranker. It is asked once there are scores.
func (r *lateReranker) Name() string {
	c, err := r.open()
	if err != nil {
		return filepath.Base(r.folder)
	}
	return c.Name()
}

// Rerank implements quarry.Reranker.
func (r *lateReranker) Rerank(ctx context.Context, question string, passages []string) ([]float64, error) {
	c, err := r.open()
	if err != nil {
		return nil, err
	}
	return c.Rerank(ctx, question, passages)
}
