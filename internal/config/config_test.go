package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
)

var update = flag.Bool("update", false, "write the generated page anew")

func TestParse(t *testing.T) {
	s, err := Parse("q.yaml", []byte(`
store: data/q.db
chunk: {max: 256, overlap: 0}
retrieval:
  fusion: rrf
  authority: 0
  weights: {keyword: 1, vector: 0.5}
evidence:
  section: 0
workers: auto
keyword:
  b: 0
  weights:
    title: 2
answer:
limits: {document_bytes: 1000}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{Store: "data/q.db", BM25: Defaults().BM25}
	want.Quarry.Chunk = quarry.Chunking{Max: 256, Overlap: -1}
	want.Quarry.Retrieval = quarry.Retrieval{Fusion: "rrf", Authority: -1, Weights: quarry.Weights{Keyword: 1, Vector: 0.5, Identifier: quarry.DefaultWeights.Identifier}}
	want.Quarry.Evidence.Section = -1
	want.Quarry.DocumentBytes = 1000
	want.BM25.B = 0
	want.BM25.Weights[0] = 2
	// Clock is a function, and nil in both.
	if got := s.Quarry; got.Chunk != want.Quarry.Chunk || got.Retrieval != want.Quarry.Retrieval || got.Evidence != want.Quarry.Evidence ||
		got.Answer != want.Quarry.Answer || got.Workers != 0 || got.DocumentBytes != 1000 {
		t.Errorf("options are %+v, not %+v", got, want.Quarry)
	}
	if s.Store != want.Store || s.BM25 != want.BM25 {
		t.Errorf("settings are %+v, not %+v", s, want)
	}
}

func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n# nothing\n", "---\n", "~", "chunk:\n", "chunk: {}\nstore:\n"} {
		s, err := Parse("q.yaml", []byte(text))
		if err != nil || s.Quarry.Chunk != (quarry.Chunking{}) || s.BM25 != Defaults().BM25 {
			t.Errorf("%q gives %+v, %v", text, s, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"chunk:\n  maxx: 3", "q.yaml:2: unknown key chunk.maxx, the nearest known is chunk.max"},
		{"chnk:\n  max: 300", "q.yaml:1: unknown key chnk, the nearest known is chunk"},
		{"\nrrf_k: 3", "q.yaml:2: unknown key rrf_k, the nearest known is retrieval.rrf_k"},
		{"chunk.max: 3", `q.yaml:1: "chunk.max" is written flat`},
		{"chunk: 3", "q.yaml:1: chunk must hold keys"},
		{"- a", "q.yaml:1: the file must hold keys"},
		{"hello", "q.yaml:1: the file must hold keys"},
		{"chunk:\n  max: many", "q.yaml:2: chunk.max must be a whole number above 0"},
		{"chunk:\n  max: 300.5", "q.yaml:2: chunk.max must be a whole number above 0"},
		{"chunk:\n  max: '300'", "q.yaml:2: chunk.max must be a whole number above 0"},
		{"chunk:\n  max: [300]", "q.yaml:2: chunk.max must be a whole number above 0"},
		{"chunk:\n  overlap: -3", "q.yaml:2: chunk.overlap must be a whole number, 0 or more"},
		{"chunk:\n  max: 3", "q.yaml:2: chunk.max is 3"},
		{"a: &x 3\nb: *x", "unknown key a"},
		{"workers: &x 3", ""},
		{"workers: *x", "not valid YAML"},
		{"evidence:\n  tokens: 99999999", "q.yaml:2: evidence.tokens is 99999999"},
		{"retrieval:\n  fusion: best", `q.yaml:2: retrieval.fusion is "best": give weighted or rrf`},
		{"retrieval:\n  weights: {keyword: -1}", "q.yaml:2: retrieval.weights: give numbers"},
		{"retrieval:\n  weights: {vector: 1e300}", "q.yaml:2: retrieval.weights: give numbers between 0 and 1000"},
		{"retrieval:\n  authority: -1", "q.yaml:2: retrieval.authority must be a number, 0 to 100"},
		{"retrieval:\n  authority: 1e300", "q.yaml:2: retrieval.authority is 1e+300: give a number between 0 and 100"},
		{"retrieval:\n  related: -1", "q.yaml:2: retrieval.related must be a number, 0 to 10"},
		{"retrieval:\n  spread: -1", "q.yaml:2: retrieval.spread must be a number, 0 to 10"},
		{"retrieval:\n  spread: 1e300", "q.yaml:2: retrieval.spread is 1e+300: give a number between 0 and 10"},
		{"retrieval:\n  related: 1e300", "q.yaml:2: retrieval.related is 1e+300: give a number between 0 and 10"},
		{"retrieval:\n  document: -1", "q.yaml:2: retrieval.document must be a number, 0 to 1"},
		{"retrieval:\n  document: 2", "q.yaml:2: retrieval.document is 2: give a number between 0 and 1"},
		{"evidence:\n  lead: -1", "q.yaml:2: evidence.lead must be a number from 0 to below 1"},
		{"evidence:\n  lead: 1", "q.yaml:2: evidence.lead is 1: give a number from 0 to below 1"},
		{"keyword:\n  k1: 1e300", "q.yaml:2: keyword.k1 is 1e+300: give 0 to 1000"},
		{"keyword:\n  weights: {text: 1e300}", "q.yaml:2: keyword.weights: give numbers between 0 and 1000"},
		{"retrieval:\n  rrf_k: 1e300", "q.yaml:2: retrieval.rrf_k is 1e+300"},
		{"retrieval:\n  rrf_k: 0", "q.yaml:2: retrieval.rrf_k must be above 0"},
		{"retrieval:\n  rrf_k: .nan", "q.yaml:2: retrieval.rrf_k must be a number"},
		{"retrieval:\n  authority: .inf", "q.yaml:2: retrieval.authority must be a number"},
		{"answer:\n  threshold: 0", "q.yaml:2: answer.threshold must be above 0"},
		{"answer:\n  threshold: 1.5", "q.yaml:2: answer.threshold is 1.5"},
		{"keyword:\n  b: 2", "q.yaml:2: keyword.b is 2"},
		{"keyword:\n  weights: {title: 0, heading_path: 0, text: 0}", "q.yaml:2: keyword.weights: give at least one"},
		{"retrieval:\n  weights: {keyword: 0, vector: 0, identifier: 0}", "q.yaml:2: retrieval.weights: give at least one"},
		{"workers: 3\nworkers: 4", "workers is given twice"},
		{"store: 3", "q.yaml:1: store must be text"},
		{"store: [", "not valid YAML"},
		{"store: a\n---\nstore: b", "more than one YAML document"},
		{"? [a]\n: b", "a key must be a plain word"},

		{"embedding:\n  model: text-embedding-3-large", `q.yaml:2: embedding.model is "text-embedding-3-large": give none, built-in, folder or service; a service's model is named by embedding.service.model`},
		{"embedding:\n  model: models/bge-small", "q.yaml:2: embedding.model is \"models/bge-small\": give none, built-in, folder or service; a folder is named by embedding.folder"},
		{"embedding:\n  model: folder", "q.yaml:1: embedding.folder: name the model's folder"},
		{"embedding:\n  model: built-in\n  folder: models/bge", "q.yaml:3: embedding.folder is given and not used: set embedding.model to folder, or remove it"},
		{"embedding:\n  service:\n    model: m", "q.yaml:2: embedding.service is given and not used: set embedding.model to service, or remove it"},
		{"embedding:\n  model: service\n  service:\n    key_env: A\n    key_file: b", "q.yaml:5: embedding.service.key_file and key_env are both given: keep one"},
		{"embedding:\n  model: service\n  service:\n    key_env: sk-proj-1", "q.yaml:4: embedding.service.key_env is no name of an environment variable"},
		{"embedding:\n  model: service\n  service:\n    key: sk-proj-1", "q.yaml:4: unknown key embedding.service.key, the nearest known is"},
		{"embedding:\n  model: service\n  service:\n    dimensions: many", "q.yaml:4: embedding.service.dimensions must be auto or a whole number above 0"},
		{"embedding:\n  model: service\n  service:\n    window: 0", "q.yaml:4: embedding.service.window must be auto or a whole number above 0"},
		{"embedding:\n  model: service\n  service:\n    timeout: 99999", "q.yaml:4: embedding.service.timeout is 99999"},
		{"embedding:\n  model: service\n  service:\n    patience: 99999", "q.yaml:4: embedding.service.patience is 99999"},
		{"embedding:\n  model: service\n  service: {dimensions: auto, url: 'http://localhost:1/v1', model: 'm', question_prefix: 'query: '}", ""},
		{"rerank:\n  model: big", `q.yaml:2: rerank.model is "big": give none, folder or service`},
		{"rerank:\n  model: service", "q.yaml:1: rerank.service.model: name the model"},
		{"rerank:\n  model: service\n  service: {protocol: tei, url: 'http://localhost:8080'}", ""},
		{"rerank:\n  model: service\n  service:\n    protocol: grpc", `q.yaml:4: rerank.service.protocol is "grpc": give cohere or tei`},
		{"rerank:\n  service:\n    model: m", "q.yaml:2: rerank.service is given and not used: set rerank.model to service, or remove it"},
		{"generate:\n  model: service\n  service: {model: m, url: 'http://localhost:11434/v1'}", ""},
		{"generate:\n  model: service\n  service: {protocol: anthropic, model: m}\n  prices: {m: {input: 3, output: 15}, 'a: b': {output: 1.5}}\n  currency: EUR", ""},
		{"generate:\n  model: gpt", `q.yaml:2: generate.model is "gpt": give none or service; a service's model is named by generate.service.model`},
		{"generate:\n  model: service", "q.yaml:1: generate.service.model: name the model as the service calls it"},
		{"generate:\n  service:\n    model: m", "q.yaml:2: generate.service is given and not used: set generate.model to service, or remove it"},
		{"generate:\n  model: service\n  service:\n    model: m\n    protocol: soap", `q.yaml:5: generate.service.protocol is "soap": give openai or anthropic`},
		{"generate:\n  model: service\n  service:\n    model: m\n    key_env: sk-proj-1", "q.yaml:5: generate.service.key_env is no name of an environment variable"},
		{"answer:\n  promise: 2", "q.yaml:2: answer.promise is 2: give a number between 0 and 1"},
		{"generate:\n  threshold: 2", "q.yaml:2: generate.threshold is 2: give a number between 0 and 1"},
		{"generate:\n  verify: reranker", "q.yaml:2: generate.verify is reranker and there is none: set rerank.model, or give none"},
		{"generate:\n  verify: me", `q.yaml:2: generate.verify is "me": give none, reranker or model`},
		{"generate:\n  time: 0", "q.yaml:2: generate.time must be above 0"},
		{"generate:\n  time: 9999", "q.yaml:2: generate.time is 2h46m39s: give at most an hour"},
		{"generate:\n  prices: {m: {input: -1}}", "q.yaml:2: generate.prices: give numbers between 0 and 1000000"},
		{"generate:\n  prices: {m: {in: 1}}", "q.yaml:2: generate.prices must be a mapping from models' names to {input: NUMBER, output: NUMBER}"},
		{"generate:\n  prices: 3", "q.yaml:2: generate.prices must be a mapping from models' names to {input: NUMBER, output: NUMBER}"},
		{"generate:\n  prices: {m: {input: 1}, m: {input: 2}}", "q.yaml:2: generate.prices must be a mapping from models' names to {input: NUMBER, output: NUMBER}"},
		{"generate:\n  prices: {m: {input: [1]}}", "q.yaml:2: generate.prices must be a mapping from models' names to {input: NUMBER, output: NUMBER}"},
		{"rerank:\n  model: folder", "q.yaml:1: rerank.folder: name the cross-encoder's folder"},
		{"rerank:\n  folder: models/ce", "q.yaml:2: rerank.folder is given and not used: set rerank.model to folder"},
		{"judge:\n  model: service\n  service: {model: m, url: 'http://localhost:11434/v1'}", ""},
		{"judge:\n  model: gpt", `q.yaml:2: judge.model is "gpt": give none or service; a service's model is named by judge.service.model`},
		{"judge:\n  model: service", "q.yaml:1: judge.service.model: name the model as the service calls it"},
		{"judge:\n  service:\n    model: m", "q.yaml:2: judge.service is given and not used: set judge.model to service, or remove it"},
		{"judge:\n  model: service\n  service:\n    model: m\n    key_env: A\n    key_file: b", "q.yaml:6: judge.service.key_file and key_env are both given: keep one"},
		{"judge:\n  model: service\n  service:\n    model: m\n    key_env: sk-proj-1", "q.yaml:5: judge.service.key_env is no name of an environment variable"},
		{"judge:\n  model: service\n  service:\n    model: m\n    key: sk-proj-1", "q.yaml:5: unknown key judge.service.key, the nearest known is"},
		{"judge:\n  model: service\n  service:\n    model: m\n    timeout: 99999", "q.yaml:5: judge.service.timeout is 99999"},
		{"judge:\n  model: service\n  service:\n    model: m\n    patience: 99999", "q.yaml:5: judge.service.patience is 99999"},
	} {
		_, err := Parse("q.yaml", []byte(c.text))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: error %v, not %q", c.text, err, c.want)
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("%q: the error has several lines: %v", c.text, err)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, File)
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "--config") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	write([]byte("store: q.db"))
	if s, err := Load(name); err != nil || s.Store != filepath.Join(dir, "q.db") {
		t.Errorf("store %q, error %v", s.Store, err)
	}
	write([]byte("embedding: {model: folder, folder: models/e}\nrerank: {model: folder, folder: models/r}"))
	if s, err := Load(name); err != nil || s.EmbeddingFolder != filepath.Join(dir, "models", "e") || s.RerankFolder != filepath.Join(dir, "models", "r") {
		t.Errorf("settings %+v, error %v", s, err)
	}
	write([]byte("embedding: {model: service, service: {key_file: keys/openai}}"))
	if s, err := Load(name); err != nil || s.Service.KeyFile != filepath.Join(dir, "keys", "openai") {
		t.Errorf("settings %+v, error %v", s, err)
	}
	write([]byte("judge: {model: service, service: {model: m, key_file: keys/judge}}"))
	if s, err := Load(name); err != nil || s.JudgeService.KeyFile != filepath.Join(dir, "keys", "judge") {
		t.Errorf("settings %+v, error %v", s, err)
	}
	write([]byte("#" + strings.Repeat("x", maxBytes)))
	if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a huge file: %v", err)
	}
}

// TestSample shows that the documented file is the defaults, key by key.
func TestSample(t *testing.T) {
	s, err := Parse("sample", []byte(Sample()))
	if err != nil {
		t.Fatal(err)
	}
	defaults := Defaults()
	defaults.Store = DefaultStore
	for _, k := range keys {
		if got, want := k.get(&s), k.get(&defaults); got != want {
			t.Errorf("%s is %s in the sample and %s by default", k.name, got, want)
		}
		if k.doc == "" || !strings.HasSuffix(k.doc, ".") {
			t.Errorf("%s is not documented with a sentence", k.name)
		}
		for i, c := range k.name {
			if c == '.' && groups[k.name[:i]] == "" {
				t.Errorf("the group %s is not documented", k.name[:i])
			}
		}
	}
}

func TestPage(t *testing.T) {
	const page = "../../docs/CONFIGURATION.md"
	if *update {
		if err := os.WriteFile(page, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil || strings.ReplaceAll(string(have), "\r\n", "\n") != Page() {
		t.Errorf("docs/CONFIGURATION.md is not current (%v): run go test ./internal/config -update", err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"add", "ask", "docs", "remove", "search", "show", "status"}
	for word, want := range map[string]string{"aks": "ask", "serch": "search", "stauts": "status", "doc": "docs", "": "add"} {
		if got := Nearest(word, known); got != want {
			t.Errorf("the nearest to %q is %q, not %q", word, got, want)
		}
	}
	if d := Distance("kitten", "sitting"); d != 3 {
		t.Errorf("distance %d, not 3", d)
	}
	if d := Distance("aks", "ask"); d != 1 {
		t.Errorf("an exchange costs %d, not 1", d)
	}
	if d := Distance(strings.Repeat("x", 1<<20), ""); d != 64 {
		t.Errorf("a long word is looked at for %d runes", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Sample())
	f.Add("chunk: {max: 300}\nretrieval:\n  weights: {keyword: .5}")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("q.yaml", []byte(text))
		if err == nil && s.Check() != nil {
			t.Errorf("%q gives settings that cannot be used", text)
		}
	})
}
