// Package config reads quarry.yaml. One table of keys serves the decoder, its
// error messages and the documentation.
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/store"
)

// File is the name that is looked for where no other is given.
const File = "quarry.yaml"

// maxBytes bounds the file; settings are a page of YAML.
const maxBytes = 1 << 20

// Settings are what a configuration says.
type Settings struct {
	// Store is the path or address of the store; "" where nothing was said.
	Store string
	// Postgres is how it is used where it is in a database. Its zero value is its default.
	Postgres Postgres
	// Embedding is where the model that makes vectors is: NoModel, BuiltIn,
	// Folder or InService.
	Embedding string
	// EmbeddingFolder is the model's folder where Embedding is Folder.
	EmbeddingFolder string
	// Service is where and how the model is asked where Embedding is InService.
	Service Service
	// Rerank is where the model that reorders candidates is: NoModel, Folder or InService.
	Rerank string
	// RerankFolder is the model's folder where Rerank is Folder.
	RerankFolder string
	// RerankService is where and how it is asked where Rerank is InService.
	RerankService RerankService
	// Generate is where the model that writes answers is: NoModel or InService.
	Generate string
	// GenerateService is where and how it is asked where Generate is InService.
	GenerateService WritingService
	// Judge is where the model that judges answers is: NoModel or InService.
	Judge string
	// JudgeService is where and how it is asked where Judge is InService.
	JudgeService ChatService
	// Tika is the address of an Apache Tika server; "" for none.
	Tika string
	// OCR is how the text of images is recognised. Its zero value is its default.
	OCR OCR
	// Sources are how documents are got that are not in folders. Its zero value is its
	// default.
	Sources Sources
	// Groups is the path of the file of groups; "" for none.
	Groups string
	// Audit is the log of who asked what. Its zero value keeps none.
	Audit Audit
	// Quarry are the options of the corpus, without a store.
	Quarry quarry.Options
	// BM25 are the parameters of the keyword lane.
	BM25 store.BM25
}

// OCR is the program that recognises text.
type OCR struct {
	Use       string // OCRAuto, OCRPages or NoModel
	Languages string // separated by spaces; "" for English
}

// What text is recognised in.
const (
	OCRAuto  = "auto"
	OCRPages = "pages"
)

// DefaultStore is the store that is used where none is named.
const DefaultStore = "quarry.db"

// Where a model can be.
const (
	NoModel   = "none"
	BuiltIn   = "built-in"
	Folder    = "folder"
	InService = "service"
)

// Service is an embedding service; embedding/openai documents the fields and fills
// in what is zero.
type Service struct {
	URL, Model, Name string
	Dimensions       int
	Shorten          string
	KeyEnv, KeyFile  string // of the key, at most one
	APIVersion       string
	QuestionPrefix   string
	PassagePrefix    string
	Window           int
	BatchTokens      int
	BatchItems       int
	Requests         int
	TimeoutSeconds   int
	PatienceSeconds  int
}

// ChatService is a service of a chat model; chat/openai documents the fields and fills in
// what is zero.
type ChatService struct {
	URL, Model      string
	KeyEnv, KeyFile string // of the key, at most one
	APIVersion      string
	TimeoutSeconds  int
	PatienceSeconds int
}

// RerankService is a reranking service; package reranking documents the fields and fills in
// what is zero.
type RerankService struct {
	Protocol, URL, Model string
	KeyEnv, KeyFile      string // of the key, at most one
	TimeoutSeconds       int
	PatienceSeconds      int
}

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{Postgres: defaultPostgres, Embedding: BuiltIn, Rerank: NoModel, Generate: NoModel, Judge: NoModel, Quarry: quarry.DefaultOptions(), BM25: store.DefaultBM25,
		Sources: defaultSources, Audit: defaultAudit, OCR: OCR{Use: OCRAuto}, Service: defaultService, RerankService: defaultRerankService, GenerateService: defaultWritingService, JudgeService: defaultChatService}
}

var defaultService = Service{Shorten: "auto", BatchTokens: 50_000, BatchItems: 32, Requests: 4, TimeoutSeconds: 120, PatienceSeconds: 300}

var defaultChatService = ChatService{TimeoutSeconds: 120, PatienceSeconds: 300}

// Somebody waits for an answer.
var (
	defaultWritingService = WritingService{ChatService: ChatService{TimeoutSeconds: 60, PatienceSeconds: 60}, Protocol: OpenAI}
	defaultRerankService  = RerankService{Protocol: "cohere", TimeoutSeconds: 10, PatienceSeconds: 15}
)

// Load reads a file. Relative paths in it count from the file's folder.
func Load(name string) (Settings, error) {
	data, err := read(name)
	if err != nil {
		return Settings{}, err
	}
	s, err := Parse(name, data)
	if err != nil {
		return s, err
	}
	for _, path := range []*string{&s.Store, &s.EmbeddingFolder, &s.RerankFolder, &s.Service.KeyFile, &s.RerankService.KeyFile, &s.GenerateService.KeyFile, &s.JudgeService.KeyFile, &s.Groups, &s.Audit.Folder} {
		if *path != "" && !strings.Contains(*path, "://") && !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(name), *path)
		}
	}
	return s, nil
}

func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, fmt.Errorf("the configuration %s cannot be read: %w; name another with --config", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the configuration %s is not a file: name another with --config", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the configuration %s: %w", name, err)
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the configuration %s is larger than %d bytes: it is not one; name another with --config", name, maxBytes)
	}
	return data, nil
}

// Check reports the first setting that cannot be used, by its key.
func (s Settings) Check() error {
	if err := s.checkModels(); err != nil {
		return err
	}
	if err := s.Postgres.check(); err != nil {
		return err
	}
	if err := s.Sources.check(); err != nil {
		return err
	}
	if err := s.checkGuard(); err != nil {
		return err
	}
	if err := s.Quarry.Check(); err != nil {
		return err
	}
	w := s.BM25.Weights
	switch {
	case s.BM25.K1 < 0 || s.BM25.K1 > 1000:
		return fmt.Errorf("keyword.k1 is %g: give 0 to 1000", s.BM25.K1)
	case s.BM25.B < 0 || s.BM25.B > 1:
		return fmt.Errorf("keyword.b is %g: give 0 to 1", s.BM25.B)
	case slices.Min(w[:]) < 0 || slices.Max(w[:]) > 1000:
		return errors.New("keyword.weights: give numbers between 0 and 1000")
	case w == [store.Fields]float64{}:
		return errors.New("keyword.weights: give at least one above 0")
	}
	return nil
}
