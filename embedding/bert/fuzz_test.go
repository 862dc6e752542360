package bert

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// FuzzConfig: any config.json is refused or is a shape that can be.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"model_type": "bert", "num_hidden_layers": 1, "hidden_size": 8, "num_attention_heads": 2, "intermediate_size": 8, "vocab_size": 9, "max_position_embeddings": 4, "type_vocab_size": 1}`))
	f.Add([]byte(`{"model_type": "bert", "layer_norm_eps": 1e999}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := parseConfig(b); err == nil && c.shape.Check() != nil {
			t.Errorf("%+v was let through", c.shape)
		}
	})
}

// FuzzFolder: whatever is in the small files of a folder, it opens or gives an
// error. The weights are those of a model without content.
func FuzzFolder(f *testing.F) {
	s := even(f)
	f.Add(s.config(nil), []byte(`{"pooling_mode": "cls"}`), []byte(`{"max_seq_length": 9}`), []byte(`{"prompts": {"query": "q"}}`), []byte(`[{"type": "a.Pooling"}]`),
		[]byte(`{"do_lower_case": false, "strip_accents": null, "unk_token": {"content": "[UNK]"}}`), []byte("[UNK]\n[CLS]\n[SEP]\na\n"), false)
	f.Add(s.config(map[string]any{"vocab_size": 4}), []byte(`{"pooling_mode": "mean"}`), []byte(`{}`), []byte(`{}`), []byte(`[]`), []byte(`{}`), tokenizerFile([]string{"[UNK]", "[CLS]", "[SEP]", "a"}, nil), true)
	f.Fuzz(func(t *testing.T, config, pooling, sentence, prompts, modules, tokenizer, vocabulary []byte, isJSON bool) {
		folder := fstest.MapFS{
			"config.json": {Data: config}, "1_Pooling/config.json": {Data: pooling}, "sentence_bert_config.json": {Data: sentence},
			"config_sentence_transformers.json": {Data: prompts}, "modules.json": {Data: modules},
			"tokenizer_config.json": {Data: tokenizer}, "model.safetensors": {Data: []byte("\x02\x00\x00\x00\x00\x00\x00\x00{}")},
		}
		file := "vocab.txt"
		if isJSON {
			file = "tokenizer.json"
		}
		folder[file] = &fstest.MapFile{Data: vocabulary}
		if _, err := openModel(folder, "", Options{}, kernel.Best); err == nil {
			t.Error("a model without weights was opened")
		}
		if _, err := openCross(folder, "", Options{}, kernel.Best); err == nil {
			t.Error("a cross-encoder without weights was opened")
		}
	})
}

// FuzzText: any text has vectors of unit length, and none only if it is empty.
func FuzzText(f *testing.F) {
	m := Default()
	for _, text := range []string{"", "a", "\xff", "\x00", "é́́", "期限", "[SEP]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return // a model run takes long
		}
		got, err := m.Passages(context.Background(), []string{text})
		if err != nil || len(got) != 1 || (len(got[0]) == 0) != (text == "") {
			t.Errorf("%q gives %d vectors, %v", text, len(got[0]), err)
		}
	})
}
