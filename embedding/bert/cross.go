package bert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// CrossEncoder scores passages for a question by reading both together (Nogueira
// and Cho, "Passage Re-ranking with BERT", 2019). Its methods may be called
// concurrently.
type CrossEncoder struct {
	name    string
	window  int
	words   *wordpiece.Vocabulary
	encoder *encoder.Encoder
	head    *encoder.Head
	runner  runner
}

// OpenCrossEncoder loads a cross-encoder from a folder as Open does an embedding
// model: a BertForSequenceClassification with one label. Of the options Name,
// Window and Threads count; Window defaults to model_max_length of
// tokenizer_config.json, or all positions of the model.
func OpenCrossEncoder(folder string, o Options) (*CrossEncoder, error) {
	c, err := openCross(os.DirFS(folder), folderName(folder), o, kernel.Best)
	if err != nil {
		return nil, fmt.Errorf("cross-encoder %s: %w", folder, err)
	}
	return c, nil
}

const classifier = "BertForSequenceClassification"

func openCross(folder fs.FS, name string, o Options, kernels *kernel.Set) (*CrossEncoder, error) {
	c, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	if !c.is(classifier) {
		return nil, fmt.Errorf("config.json: the architecture is %q: a cross-encoder is a %s", c.architectures, classifier)
	}
	window, err := crossWindow(folder, o.Window, c.shape.Positions)
	if err != nil {
		return nil, err
	}
	words, err := readVocabulary(folder, c.shape.Vocab)
	if err != nil {
		return nil, err
	}
	w, err := openWeights(folder)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	head, err := encoder.NewHead(c.shape, w.file, "bert.", kernels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	e, err := encoder.New(c.shape, w.file, "bert.", kernels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	if o.Name == "" {
		digest, err := w.digest()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", weightsFile, err)
		}
		o.Name = name + "@" + digest
	}
	return &CrossEncoder{name: fmt.Sprintf("%s %d", o.Name, window), window: window, words: words, encoder: e, head: head, runner: newRunner(o.Threads)}, nil
}

func crossWindow(folder fs.FS, window, positions int) (int, error) {
	if window == 0 {
		window = positions
		var t struct {
			Max float64 `json:"model_max_length"` // 1e30 where there is none
		}
		if _, err := readJSON(folder, "tokenizer_config.json", &t); err != nil {
			return 0, err
		}
		if t.Max >= 1 && t.Max < float64(positions) {
			window = int(t.Max)
		}
	}
	if window < 8 || window > positions {
		return 0, fmt.Errorf("the window is %d tokens; it must be between 8 and the %d positions that the model knows", window, positions)
	}
	return window, nil
}

// Name identifies the weights and the window.
func (c *CrossEncoder) Name() string { return c.name }

// Rerank gives a score for each passage, in order: the model's output as it is,
// any real number, higher is better. What does not fit the window is cut off the
// end of the passage; of a question only what exceeds half of the window.
func (c *CrossEncoder) Rerank(ctx context.Context, question string, passages []string) ([]float64, error) {
	if strings.TrimSpace(question) == "" {
		return nil, errors.New("the question is empty")
	}
	words := func() *wordpiece.Vocabulary { return c.words }
	asked := tokens(words, question)
	sequences := make([]encoder.Sequence, len(passages))
	for i, p := range passages {
		sequences[i] = pair(c.words, asked, tokens(words, p), c.window)
	}
	out := make([]float64, len(passages))
	err := c.runner.run(ctx, c.encoder, sequences, true, func(i int, s encoder.States, at int) error {
		out[i] = c.head.Score(s, at)
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return fmt.Errorf("%s gives a score that is no number: its weights are damaged", c.name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// pair makes [CLS] question [SEP] passage [SEP] of at most window tokens.
func pair(v *wordpiece.Vocabulary, question, passage []int32, window int) encoder.Sequence {
	room := window - 3
	question = question[:min(len(question), room/2)]
	passage = passage[:min(len(passage), room-len(question))]
	ids := make([]int32, 0, len(question)+len(passage)+3)
	ids = append(append(append(ids, v.Cls()), question...), v.Sep())
	second := len(ids)
	return encoder.Sequence{IDs: append(append(ids, passage...), v.Sep()), Second: second}
}
