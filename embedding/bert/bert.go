// Package bert embeds text with encoders of the BERT family: the built-in
// all-MiniLM-L6-v2, and models loaded from a folder as the Hugging Face hub
// publishes them (MiniLM, bge, e5, gte of any size, with a WordPiece vocabulary of
// any language, cased or not). It also runs cross-encoders, which score a question
// and a passage together.
//
// Sentences become vectors as in Reimers and Gurevych, "Sentence-BERT" (2019):
// the mean of the last layer's token vectors, or that of the first token, scaled
// to unit length.
//
// All is computed in float32 in Go and assembly chosen by the CPU at run time;
// neither cgo nor another process is needed.
package bert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/embedding"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// Pooling says how token vectors become one.
type Pooling string

const (
	Mean Pooling = "mean" // of all tokens, [CLS] and [SEP] among them
	CLS  Pooling = "cls"  // the first token's
)

// Options say how a model is used. What is zero is taken from the model's folder.
type Options struct {
	// Name stands for the weights in the model's name. Default: the folder's
	// name and the first digits of the weights' SHA-256.
	Name string
	// Pooling defaults to what 1_Pooling/config.json says.
	Pooling Pooling
	// QuestionPrefix and PassagePrefix are put before every question and every
	// window of a passage ("query: " and "passage: " for e5; for bge-en only
	// questions have one: "Represent this sentence for searching relevant
	// passages: "). Default: the prompts of config_sentence_transformers.json.
	QuestionPrefix, PassagePrefix string
	// Window is the longest input in tokens, with prefix, [CLS] and [SEP].
	// Default: max_seq_length of sentence_bert_config.json, or all positions
	// of the model.
	Window int
	// Overlap is by how many tokens the windows of a longer passage overlap.
	// Default: an eighth of Window.
	Overlap int
	// Threads bounds the goroutines that compute at once. Default: GOMAXPROCS.
	Threads int
}

// Model turns texts into vectors. It is an embedding.Embedder; its methods may be
// called concurrently.
type Model struct {
	name     string
	dims     int
	pooling  Pooling
	question framed
	passage  framed
	overlap  int
	words    func() *wordpiece.Vocabulary
	load     func() (*encoder.Encoder, error)
	runner   runner
}

var _ embedding.Embedder = (*Model)(nil)

// newModel makes a model with options that are complete.
func newModel(name string, dims int, o Options, words func() *wordpiece.Vocabulary, load func() (*encoder.Encoder, error)) (*Model, error) {
	m := &Model{dims: dims, pooling: o.Pooling, overlap: o.Overlap, words: words, load: load, runner: newRunner(o.Threads)}
	m.question = framed{prefix: tokens(words, o.QuestionPrefix), window: o.Window}
	m.passage = framed{prefix: tokens(words, o.PassagePrefix), window: o.Window}
	if o.Pooling != Mean && o.Pooling != CLS {
		return nil, fmt.Errorf("pooling %q is not known: it must be %q or %q", o.Pooling, Mean, CLS)
	}
	if room := min(m.question.room(), m.passage.room()); room < 1 || o.Overlap < 0 || o.Overlap >= room {
		return nil, fmt.Errorf("a window of %d tokens leaves %d beside prefix and special tokens, which must be more than the overlap of %d", o.Window, room, o.Overlap)
	}
	m.name = fmt.Sprintf("%s %s %d/%d", name, o.Pooling, o.Window, o.Overlap)
	if o.QuestionPrefix != "" || o.PassagePrefix != "" {
		m.name += fmt.Sprintf(" %q %q", o.QuestionPrefix, o.PassagePrefix)
	}
	return m, nil
}

// Name implements embedding.Embedder: weights, pooling, window/overlap, prefixes.
func (m *Model) Name() string { return m.name }

// Dims implements embedding.Embedder.
func (m *Model) Dims() int { return m.dims }

// Passages implements embedding.Embedder. The passages are cut into batches of
// like length, which all cores share; it stops between batches when ctx ends. A
// text without any token, such as one of control characters, still has a vector;
// only the empty one has none.
func (m *Model) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	e, err := m.load()
	if err != nil {
		return nil, err
	}
	out := make([][][]float32, len(texts))
	type place struct{ text, window int }
	var places []place
	var sequences []encoder.Sequence
	for i, text := range texts {
		if text == "" {
			continue
		}
		windows := m.passage.windows(m.words(), tokens(m.words, text), m.overlap)
		out[i] = make([][]float32, len(windows))
		for j, ids := range windows {
			places = append(places, place{i, j})
			sequences = append(sequences, encoder.Sequence{IDs: ids})
		}
	}
	err = m.runner.run(ctx, e, sequences, m.pooling == CLS, func(i int, s encoder.States, at int) error {
		v, err := m.pool(s, at)
		out[places[i].text][places[i].window] = v
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Question implements embedding.Embedder. A question longer than the window is
// cut at its end.
func (m *Model) Question(ctx context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the question is empty")
	}
	e, err := m.load()
	if err != nil {
		return nil, err
	}
	ids := m.question.cut(m.words(), tokens(m.words, text))
	var v []float32
	err = m.runner.run(ctx, e, []encoder.Sequence{{IDs: ids}}, m.pooling == CLS, func(_ int, s encoder.States, at int) (err error) {
		v, err = m.pool(s, at)
		return err
	})
	return v, err
}

// pool makes one vector of unit length of a sequence's.
func (m *Model) pool(s encoder.States, at int) ([]float32, error) {
	v := make([]float32, m.dims)
	for t := range s.Len(at) { // one, where only the first token counts
		for i, x := range s.Token(at, t) {
			v[i] += x
		}
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("%s gives a vector that has no length: its weights are damaged", m.name)
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return v, nil
}

// tokens gives a text's token ids, special tokens not included.
func tokens(words func() *wordpiece.Vocabulary, text string) []int32 {
	if text == "" {
		return nil // without loading the vocabulary
	}
	found := words().Encode(text)
	ids := make([]int32, len(found))
	for i, t := range found {
		ids[i] = t.ID
	}
	return ids
}
