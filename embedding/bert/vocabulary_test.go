package bert

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

func entries(list []byte) []string {
	return strings.Split(strings.TrimSuffix(string(list), "\n"), "\n")
}

// tokenizerFile is a tokenizer.json of BERT's with entries in the order of their ids;
// more goes into the normaliser.
func tokenizerFile(entries []string, more map[string]any) []byte {
	ids := map[string]int{}
	for i, e := range entries {
		ids[e] = i
	}
	normalizer := map[string]any{"type": "BertNormalizer", "lowercase": true, "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil}
	maps.Copy(normalizer, more)
	b, _ := json.Marshal(map[string]any{
		"model":          map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
		"normalizer":     normalizer,
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", ids["[CLS]"]}, "sep": []any{"[SEP]", ids["[SEP]"]}},
	})
	return b
}

// backwards is a model's folder with the vocabulary and its vectors in the opposite
// order: all ids are others, those of the special tokens too.
func backwards(s small, folder fstest.MapFS, prefix string) fstest.MapFS {
	out := maps.Clone(folder)
	list := entries(folder["vocab.txt"].Data)
	slices.Reverse(list)
	out["vocab.txt"] = &fstest.MapFile{Data: []byte(strings.Join(list, "\r\n"))}
	weights := bytes.Clone(folder["model.safetensors"].Data)
	size := binary.LittleEndian.Uint64(weights)
	var header map[string]struct {
		Offsets [2]int `json:"data_offsets"`
	}
	_ = json.Unmarshal(weights[8:8+size], &header)
	at := header[prefix+"embeddings.word_embeddings.weight"].Offsets
	rows := weights[8+int(size):][at[0]:at[1]]
	width := 4 * s.number("hidden_size")
	from := bytes.Clone(rows)
	for i := 0; i < len(rows); i += width {
		copy(rows[i:i+width], from[len(rows)-width-i:])
	}
	out["model.safetensors"] = &fstest.MapFile{Data: weights}
	return out
}

// TestOtherIDs: a model whose vocabulary is in another order gives the same vectors
// and scores.
func TestOtherIDs(t *testing.T) {
	s := even(t)
	texts := append(slices.Clone(s.Texts), "字 unknowable \U0001f600 Änderung", strings.Repeat("long ", 100))
	var want [][][]float32
	var scores []float64
	folder := s.folder(t, "F32", "bert.", nil)
	other := backwards(s, folder, "bert.")
	asJSON := maps.Clone(other)
	asJSON["tokenizer.json"] = &fstest.MapFile{Data: tokenizerFile(strings.Split(string(other["vocab.txt"].Data), "\r\n"), nil)}
	delete(asJSON, "vocab.txt")
	for i, f := range []fstest.MapFS{folder, other, asJSON} {
		o := Options{Name: "m", QuestionPrefix: "query: ", PassagePrefix: "passage: "}
		m, err := openModel(f, "", o, kernel.Best)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Passages(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.Question(context.Background(), texts[0])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, [][]float32{q})
		f["config.json"] = &fstest.MapFile{Data: s.config(classifies)}
		c, err := openCross(f, "", o, kernel.Best)
		if err != nil {
			t.Fatal(err)
		}
		points, err := c.Rerank(context.Background(), texts[0], texts)
		if err != nil {
			t.Fatal(err)
		}
		f["config.json"] = &fstest.MapFile{Data: s.config(nil)}
		if i == 0 {
			want, scores = got, points
			continue
		}
		if !slices.Equal(points, scores) {
			t.Errorf("folder %d: scores %v, want %v", i, points, scores)
		}
		for j := range got {
			for k := range got[j] {
				if !slices.Equal(got[j][k], want[j][k]) {
					t.Errorf("folder %d: another vector for text %d", i, j)
				}
			}
		}
	}
}

// TestVocabularies: what each file and setting makes of a text.
func TestVocabularies(t *testing.T) {
	list := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "notice", "Notice", "##s", "äpfel", "apfel", "期", "期限", "<unk>"}
	for _, c := range []struct {
		name   string
		config string         // tokenizer_config.json
		more   map[string]any // of the normaliser, in tokenizer.json; nil: vocab.txt
		want   []int32        // of "Notices Äpfel 期限 x"
	}{
		{"uncased", ``, nil, []int32{4, 6, 8, 9, 1, 1}},
		{"cased", `{"do_lower_case": false}`, nil, []int32{5, 6, 1, 9, 1, 1}},
		{"with accents", `{"strip_accents": false}`, nil, []int32{4, 6, 7, 9, 1, 1}},
		{"words of ideographs", `{"tokenize_chinese_chars": false}`, nil, []int32{4, 6, 8, 10, 1}},
		{"another unknown token", `{"unk_token": "<unk>"}`, nil, []int32{4, 6, 8, 9, 11, 11}},
		{"null", `{"strip_accents": null, "do_lower_case": true, "unk_token": null}`, nil, []int32{4, 6, 8, 9, 1, 1}},
		{"tokenizer.json", `{"tokenizer_class": "PreTrainedTokenizerFast"}`, map[string]any{}, []int32{4, 6, 8, 9, 1, 1}},
		{"cased in tokenizer.json", `{"do_lower_case": false, "strip_accents": null}`, map[string]any{"lowercase": false}, []int32{5, 6, 1, 9, 1, 1}},
		{"all off", `{}`, map[string]any{"lowercase": false, "handle_chinese_chars": false, "strip_accents": false, "clean_text": false}, []int32{5, 6, 1, 10, 1}},
	} {
		folder := fstest.MapFS{"vocab.txt": {Data: []byte(strings.Join(list, "\n"))}}
		if c.config != "" {
			folder["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(c.config)}
		}
		if c.more != nil {
			folder["tokenizer.json"] = &fstest.MapFile{Data: tokenizerFile(list, c.more)}
			folder["vocab.txt"] = &fstest.MapFile{Data: []byte("not read")}
		}
		v, err := readVocabulary(folder, len(list))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := tokens(func() *wordpiece.Vocabulary { return v }, "Notices Äpfel 期限 x"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
