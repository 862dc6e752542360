package bert

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

func even(t testing.TB) small {
	t.Helper()
	for _, s := range readSmall(t) {
		if s.Name == "even" {
			return s
		}
	}
	t.Fatal("small.json has no model of that name")
	return small{}
}

// TestBadFolders: each is refused with an error that says what is wrong.
func TestBadFolders(t *testing.T) {
	s := even(t)
	good := s.folder(t, "F32", "", nil)
	good["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"do_lower_case": true, "tokenizer_class": "BertTokenizer", "unk_token": "[UNK]"}`)}
	if _, err := openModel(good, "", Options{Name: "m"}, kernel.Best); err != nil {
		t.Fatal(err)
	}
	weights := good["model.safetensors"].Data
	for _, c := range []struct {
		name string
		file string // replaced by data; nil removes it
		data []byte
		want string
	}{
		{"no configuration", "config.json", nil, "config.json is not there"},
		{"no weights", "model.safetensors", nil, "model.safetensors is not there"},
		{"no vocabulary", "vocab.txt", nil, "neither vocab.txt nor tokenizer.json is there"},
		{"no pooling", "1_Pooling/config.json", nil, "say whether"},
		{"not JSON", "config.json", []byte("<html>"), "config.json"},
		{"another architecture", "config.json", []byte(`{"model_type": "roberta"}`), `"roberta"`},
		{"no sizes", "config.json", []byte(`{"model_type": "bert"}`), "num_hidden_layers is 0"},
		{"other activation", "config.json", s.config(map[string]any{"hidden_act": "relu"}), `"relu"`},
		{"relative positions", "config.json", s.config(map[string]any{"position_embedding_type": "relative_key"}), "relative_key"},
		{"huge layers", "config.json", s.config(map[string]any{"num_hidden_layers": 1 << 40}), "num_hidden_layers"},
		{"more layers than weights", "config.json", s.config(map[string]any{"num_hidden_layers": 3}), "encoder.layer.2"},
		{"other width", "config.json", s.config(map[string]any{"hidden_size": 128}), "shape [30522 64]"},
		{"heads that do not divide", "config.json", s.config(map[string]any{"num_attention_heads": 7}), "does not divide"},
		{"tiny heads", "config.json", s.config(map[string]any{"num_attention_heads": 64}), "at least 4"},
		{"a cross-encoder", "config.json", s.config(classifies), "cross-encoder"},
		{"other pooling", "1_Pooling/config.json", []byte(`{"pooling_mode_max_tokens": true}`), `"max"`},
		{"two poolings", "1_Pooling/config.json", []byte(`{"pooling_mode_max_tokens": true, "pooling_mode_cls_token": true}`), `"cls+max"`},
		{"a dense layer", "modules.json", []byte(`[{"type": "sentence_transformers.models.Dense"}]`), `"Dense"`},
		{"a window too long", "sentence_bert_config.json", []byte(`{"max_seq_length": 2}`), "window of 2"},
		{"a vocabulary without [UNK]", "vocab.txt", []byte("[PAD]\na\nb\n"), `vocab.txt: the vocabulary has no entry "[UNK]"`},
		{"more entries than weights", "vocab.txt", append(bytes.Clone(good["vocab.txt"].Data), "one more\n"...), "vocab.txt: its ids go to 30522"},
		{"a huge vocabulary", "vocab.txt", bytes.Repeat([]byte("a"), maxJSON+1), "vocab.txt has more than"},
		{"BPE", "tokenizer.json", []byte(`{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}`), `tokenizer.json: the model is "BPE"`},
		{"sentencepiece", "tokenizer.json", []byte(`{"model": {"type": "Unigram", "vocab": [["a", -1.5]]}}`), `tokenizer.json: the model is "Unigram"`},
		{"words cut another way", "tokenizer_config.json", []byte(`{"tokenizer_class": "BertJapaneseTokenizer"}`), `"BertJapaneseTokenizer"`},
		{"words cut beforehand", "tokenizer_config.json", []byte(`{"do_basic_tokenize": false}`), "do_basic_tokenize"},
		{"another [UNK]", "tokenizer_config.json", []byte(`{"unk_token": {"content": "<unk>"}}`), `no entry "<unk>"`},
		{"settings that contradict", "tokenizer.json", tokenizerFile([]string{"[UNK]", "[CLS]", "[SEP]"}, map[string]any{"lowercase": false}), "do_lower_case is true"},
		{"empty weights", "model.safetensors", []byte{}, "0 bytes"},
		{"huge header", "model.safetensors", append(binary.LittleEndian.AppendUint64(nil, 1<<62), weights[8:]...), "header"},
		{"cut weights", "model.safetensors", weights[:len(weights)-1], "bytes"},
		{"other weights", "model.safetensors", (&writer{dtype: "F32", header: map[string]any{}}).file(), "not a model of the BERT family"},
	} {
		folder := fstest.MapFS{}
		for name, f := range good {
			folder[name] = f
		}
		if c.data == nil {
			delete(folder, c.file)
		} else {
			folder[c.file] = &fstest.MapFile{Data: c.data}
		}
		_, err := openModel(folder, "", Options{Name: "m"}, kernel.Best)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

func (s small) config(more map[string]any) []byte {
	c := map[string]any{}
	for _, from := range []map[string]any{s.Config, more} {
		for key, value := range from {
			c[key] = value
		}
	}
	b, _ := json.Marshal(c)
	return b
}

func TestBadCrossEncoders(t *testing.T) {
	s := even(t)
	for name, c := range map[string]struct {
		prefix string
		more   map[string]any
		window int
		want   string
	}{
		"an embedding model":  {"bert.", nil, 0, "a cross-encoder is a"},
		"no pooler":           {"", classifies, 0, "pooler"},
		"a window too long":   {"bert.", classifies, 65, "64 positions"},
		"a window of nothing": {"bert.", classifies, 3, "between 8"},
	} {
		_, err := openCross(s.folder(t, "F32", c.prefix, c.more), "", Options{Name: "m", Window: c.window}, kernel.Best)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, c.want)
		}
	}
}

// TestDamagedWeights: numbers that are none give an error, not such vectors.
func TestDamagedWeights(t *testing.T) {
	s := even(t)
	folder := s.folder(t, "F32", "", nil)
	b := bytes.Clone(folder["model.safetensors"].Data)
	for at := 8 + int(binary.LittleEndian.Uint64(b)); at < len(b); at += 4 {
		binary.LittleEndian.PutUint32(b[at:], math.Float32bits(float32(math.NaN())))
	}
	folder["model.safetensors"] = &fstest.MapFile{Data: b}
	m, err := openModel(folder, "", Options{Name: "m"}, kernel.Best)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := m.Passages(context.Background(), []string{"a"}); err == nil {
		t.Errorf("it gives %v", v[0][0][:4])
	}
}

// TestOpen loads from a real folder what is in it beside weights: prompts, window,
// a tokenizer.json instead of the vocabulary.
func TestOpen(t *testing.T) {
	s := even(t)
	files := s.folder(t, "F32", "bert.", nil)
	tokenizer := tokenizerFile(entries(files["vocab.txt"].Data), nil)
	delete(files, "vocab.txt")
	files["tokenizer.json"] = &fstest.MapFile{Data: tokenizer}
	files["sentence_bert_config.json"] = &fstest.MapFile{Data: []byte(`{"max_seq_length": 40}`)}
	files["config_sentence_transformers.json"] = &fstest.MapFile{Data: []byte(`{"prompts": {"query": "query: ", "document": "passage: "}}`)}
	dir := filepath.Join(t.TempDir(), "tiny")
	for name, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := ` mean 40/5 "query: " "passage: "`; !strings.HasPrefix(m.Name(), "tiny@") || !strings.HasSuffix(m.Name(), want) {
		t.Errorf("name %q, want tiny@...%s", m.Name(), want)
	}
	// The prefix is as if it stood in the text.
	plain, err := Open(dir, Options{Name: "plain", QuestionPrefix: "q", PassagePrefix: "p"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Question(context.Background(), "one month")
	if err != nil {
		t.Fatal(err)
	}
	b, err := plain.Question(context.Background(), "one month")
	if err != nil {
		t.Fatal(err)
	}
	if c := cosine(a, b); c > 0.9999 {
		t.Errorf("another prefix, and the cosine is %v", c)
	}
	if _, err := Open(filepath.Join(dir, "absent"), Options{}); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := Open(dir, Options{Window: 65}); err == nil || !strings.Contains(fmt.Sprint(err), "64 positions") {
		t.Errorf("a window beyond the model's: %v", err)
	}
}
