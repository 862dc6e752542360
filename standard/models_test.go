package standard

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// docs writes a folder of two documents.
func docs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"fee.md":  "# Fees\n\nThe handling fee is 5 % of the amount.\n",
		"rail.md": "# Rail\n\nA train to the coast leaves every hour.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func opened(t *testing.T, s Settings) *Corpus {
	t.Helper()
	corpus, err := Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { corpus.Close() })
	return corpus
}

// A service is asked as the configuration says, and not before there is something
// to ask.
func TestService(t *testing.T) {
	service := testkit.NewEmbeddings(t, 24)
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte("from-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_API_KEY", "for-openai-alone")
	t.Setenv("MY_KEY", "from-env")
	for _, c := range []struct{ key, want string }{
		{"", ""},
		{"key_env: MY_KEY", "Bearer from-env"},
		{"key_file: " + keyFile, "Bearer from-file"},
	} {
		s, err := config.Parse("quarry.yaml", []byte(`
embedding:
  model: service
  service:
    url: `+service.URL+`
    model: nomic-embed-text
    dimensions: 16
    shorten: client
    question_prefix: "search_query: "
    passage_prefix: "search_document: "
    `+c.key+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		before := len(service.Requests())
		corpus := opened(t, s)
		if len(service.Requests()) != before {
			t.Error("opening a corpus calls the service")
		}
		r, err := corpus.Sync(t.Context(), "docs", docs(t), quarry.Progress{})
		if err != nil || r.Vectors != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		if _, err := corpus.Search(t.Context(), "What is the fee?", document.Scope{}); err != nil {
			t.Fatal(err)
		}
		requests := service.Requests()[before:]
		if len(requests) != 2 {
			t.Fatalf("%d requests", len(requests))
		}
		for i, prefix := range []string{"search_document: ", "search_query: "} {
			q := requests[i]
			if q.Model != "nomic-embed-text" || !strings.HasPrefix(q.Input[0], prefix) || q.Dimensions != 0 || q.Header.Get("Authorization") != c.want {
				t.Errorf("asked for %s, %q, %d, key %q", q.Model, q.Input, q.Dimensions, q.Header.Get("Authorization"))
			}
		}
	}
}

func TestDefaultService(t *testing.T) {
	s, err := config.Parse("quarry.yaml", []byte("embedding: {model: service}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_API_KEY", "")
	e, err := embedderOf(s)
	if err != nil || e.Name() != "text-embedding-3-large 512 8191/1023" || e.Dims() != 512 {
		t.Fatalf("by default the service's model is %v, %v", e, err)
	}
	if _, err := e.Question(t.Context(), "Why?"); err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
}

// What the README shows can be used.
func TestExamples(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i, block := range strings.Split(string(readme), "```") {
		text, ok := strings.CutPrefix(block, "yaml\n")
		if i%2 == 0 || !ok || !strings.Contains(text, "embedding:") {
			continue
		}
		s, err := config.Parse("README.md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e, err := embedderOf(s)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		names[e.Name()] = true
	}
	for _, want := range []string{"text-embedding-3-large 512 8191/1023", `nomic-embed-text 768 2048/256 "search_query: " "search_document: "`, "BAAI/bge-m3 1024 8192/1024"} {
		if !names[want] {
			t.Errorf("%s is not among %v", want, names)
		}
	}
}

func TestModelsAreChecked(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct{ yaml, want string }{
		{"embedding: {model: service, service: {model: m}}", "embedding.service.dimensions: say how many components vectors of m have"},
		{"embedding: {model: service, service: {url: 'http://h/v1'}}", "embedding.service.model: name the model"},
		{"embedding: {model: service, service: {url: h, model: m, dimensions: 3}}", "embedding.service.url"},
		{"embedding: {model: service, service: {shorten: pca}}", `embedding.service.shorten is "pca"`},
		{"embedding: {model: folder, folder: " + empty + "}", "embedding.folder: model " + empty},
		{"rerank: {model: folder, folder: " + empty + "}", "rerank.folder: " + empty + " holds no config.json"},
	} {
		s, err := config.Parse("quarry.yaml", []byte(c.yaml))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "q.db")
		if _, err := Open(t.Context(), path, s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, not %q", c.yaml, err, c.want)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a store was made", c.yaml)
		}
	}
}

// Models in folders, an embedding model and a cross-encoder.
func TestFolders(t *testing.T) {
	dir := bertFolder(t)
	s := config.Defaults()
	s.Embedding, s.EmbeddingFolder = config.Folder, dir("BertModel")
	s.Rerank, s.RerankFolder = config.Folder, dir("BertForSequenceClassification")
	corpus := opened(t, s)
	r, err := corpus.Sync(t.Context(), "docs", docs(t), quarry.Progress{})
	if err != nil || r.Vectors != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	result, err := corpus.Search(t.Context(), "What is the fee?", document.Scope{})
	if err != nil || len(result.Candidates) != 2 || len(result.Trace.Failed()) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	data, err := json.Marshal(result.Trace)
	if err != nil || !strings.Contains(string(data), "BertForSequenceClassification@") {
		t.Errorf("the trace names no reranker: %s", data)
	}

	// One that turns out to be damaged leaves the fused order, and is named.
	if err := os.Truncate(filepath.Join(s.RerankFolder, "model.safetensors"), 1000); err != nil {
		t.Fatal(err)
	}
	corpus = opened(t, s)
	if _, err := corpus.Sync(t.Context(), "docs", docs(t), quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	result, err = corpus.Search(t.Context(), "What is the fee?", document.Scope{})
	if failed := strings.Join(result.Trace.Failed(), " "); err != nil || len(result.Candidates) != 2 || !strings.Contains(failed, "BertForSequenceClassification failed and the fused order stands") {
		t.Errorf("a damaged reranker: %q, %v", failed, err)
	}
}

// bertFolder writes tiny models with random weights.
func bertFolder(t *testing.T) func(architecture string) string {
	const vocabulary, positions, hidden, inner = 30522, 64, 16, 32
	vocab, err := os.ReadFile("../internal/wordpiece/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]any{}
	var data []byte
	rnd := rand.New(rand.NewPCG(1, 2))
	add := func(name string, shape ...int) {
		from, n := len(data), 1
		for _, s := range shape {
			n *= s
		}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(rnd.Float32()-0.5))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{from, len(data)}}
	}
	linear := func(name string, rows, columns int) {
		add(name+".weight", rows, columns)
		add(name+".bias", rows)
	}
	norm := func(name string) {
		add(name+".weight", hidden)
		add(name+".bias", hidden)
	}
	add("bert.embeddings.word_embeddings.weight", vocabulary, hidden)
	add("bert.embeddings.position_embeddings.weight", positions, hidden)
	add("bert.embeddings.token_type_embeddings.weight", 2, hidden)
	norm("bert.embeddings.LayerNorm")
	for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
		linear("bert.encoder.layer.0.attention."+part, hidden, hidden)
	}
	norm("bert.encoder.layer.0.attention.output.LayerNorm")
	linear("bert.encoder.layer.0.intermediate.dense", inner, hidden)
	linear("bert.encoder.layer.0.output.dense", hidden, inner)
	norm("bert.encoder.layer.0.output.LayerNorm")
	linear("bert.pooler.dense", hidden, hidden)
	linear("classifier", 1, hidden)
	h, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	weights := append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(h))), h...), data...)
	return func(architecture string) string {
		dir := filepath.Join(t.TempDir(), architecture)
		if err := os.MkdirAll(filepath.Join(dir, "1_Pooling"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string][]byte{
			"vocab.txt":             vocab,
			"model.safetensors":     weights,
			"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true}`),
			"config.json": []byte(fmt.Sprintf(`{"architectures": [%q], "model_type": "bert", "num_hidden_layers": 1, "hidden_size": %d, "num_attention_heads": 2,
				"intermediate_size": %d, "layer_norm_eps": 1e-12, "vocab_size": %d, "max_position_embeddings": %d}`, architecture, hidden, inner, vocabulary, positions)),
		} {
			if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
}
