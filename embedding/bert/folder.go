package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
	"github.com/seed-d3156d19/quarry/embedding/bert/internal/safetensors"
	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// Open loads an embedding model from a folder as the Hugging Face hub publishes
// it: config.json, model.safetensors (float32, float16 or bfloat16), tokenizer.json
// or vocab.txt, and where they are there 1_Pooling/config.json,
// sentence_bert_config.json, config_sentence_transformers.json, modules.json and
// tokenizer_config.json.
func Open(folder string, o Options) (*Model, error) {
	m, err := openModel(os.DirFS(folder), folderName(folder), o, kernel.Best)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", folder, err)
	}
	return m, nil
}

func folderName(folder string) string {
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	return filepath.Base(folder)
}

func openModel(folder fs.FS, name string, o Options, kernels *kernel.Set) (*Model, error) {
	c, err := readConfig(folder)
	if err != nil {
		return nil, err
	}
	if c.is(classifier) {
		return nil, fmt.Errorf("config.json: the architecture is %s: it scores, and gives no vectors; use it as a cross-encoder", classifier)
	}
	if err := checkModules(folder); err != nil {
		return nil, err
	}
	if err := o.fill(folder, c.shape.Positions); err != nil {
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
	prefix, err := w.file.Prefix("embeddings.word_embeddings.weight", "", "bert.")
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it is not a model of the BERT family", weightsFile, err)
	}
	e, err := encoder.New(c.shape, w.file, prefix, kernels)
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
	return newModel(o.Name, c.shape.Hidden, o, func() *wordpiece.Vocabulary { return words }, func() (*encoder.Encoder, error) { return e, nil })
}

// fill takes what is not said from the folder.
func (o *Options) fill(folder fs.FS, positions int) error {
	if o.Pooling == "" {
		p, err := readPooling(folder)
		if err != nil {
			return err
		}
		o.Pooling = p
	}
	if o.Window == 0 {
		var s struct {
			Max int `json:"max_seq_length"`
		}
		if _, err := readJSON(folder, "sentence_bert_config.json", &s); err != nil {
			return err
		}
		o.Window = positions
		if s.Max > 0 {
			o.Window = min(s.Max, positions)
		}
	}
	if o.Window > positions {
		return fmt.Errorf("the window is %d tokens, and the model knows %d positions", o.Window, positions)
	}
	if o.Overlap == 0 {
		o.Overlap = o.Window / 8
	}
	var st struct {
		Prompts map[string]string `json:"prompts"`
	}
	if _, err := readJSON(folder, "config_sentence_transformers.json", &st); err != nil {
		return err
	}
	if o.QuestionPrefix == "" {
		o.QuestionPrefix = st.Prompts["query"]
	}
	for _, kind := range []string{"document", "passage"} {
		if o.PassagePrefix == "" {
			o.PassagePrefix = st.Prompts[kind]
		}
	}
	return nil
}

func readPooling(folder fs.FS) (Pooling, error) {
	const file = "1_Pooling/config.json"
	var all map[string]any
	found, err := readJSON(folder, file, &all)
	if err != nil {
		return "", err
	}
	if !found {
		return "", fmt.Errorf("%s is not there: say whether the model's pooling is %q or %q", file, Mean, CLS)
	}
	var on []string
	for key, value := range all {
		if mode, ok := strings.CutPrefix(key, "pooling_mode_"); ok && value == true {
			on = append(on, strings.TrimSuffix(strings.TrimSuffix(mode, "_tokens"), "_token"))
		}
		if mode, ok := value.(string); ok && key == "pooling_mode" {
			on = append(on, mode)
		}
	}
	slices.Sort(on)
	if on = slices.Compact(on); len(on) != 1 || on[0] != string(Mean) && on[0] != string(CLS) {
		return "", fmt.Errorf("%s: pooling %q is not supported: it must be %q or %q", file, strings.Join(on, "+"), Mean, CLS)
	}
	return Pooling(on[0]), nil
}

// checkModules refuses models that do more with a token vector than pooling and
// scaling.
func checkModules(folder fs.FS) error {
	const file = "modules.json"
	var modules []struct {
		Type string `json:"type"`
	}
	if _, err := readJSON(folder, file, &modules); err != nil {
		return err
	}
	for _, m := range modules {
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Pooling", "Normalize":
		default:
			return fmt.Errorf("%s: a layer of the type %q is not supported", file, kind)
		}
	}
	return nil
}

// maxJSON bounds the files read whole. A tokenizer.json has under 1 MB, of large
// vocabularies 17 MB.
const maxJSON = 32 << 20

// readFile gives the contents of a file; nil and no error if it is not there.
func readFile(folder fs.FS, name string) ([]byte, error) {
	f, err := folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file that can be read", name)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(b) > maxJSON {
		return nil, fmt.Errorf("%s has more than %d bytes", name, maxJSON)
	}
	if b == nil {
		b = []byte{}
	}
	return b, nil
}

func readJSON(folder fs.FS, name string, to any) (found bool, err error) {
	b, err := readFile(folder, name)
	if err != nil || b == nil {
		return false, err
	}
	if err := json.Unmarshal(b, to); err != nil {
		return true, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

const weightsFile = "model.safetensors"

type weights struct {
	fs.File
	file *safetensors.File
	size int64
}

func openWeights(folder fs.FS) (*weights, error) {
	f, err := folder.Open(weightsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there: weights in other files (pytorch_model.bin, several safetensors) have to be converted to it", weightsFile)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	at, seekable := f.(io.ReaderAt)
	if err != nil || !info.Mode().IsRegular() || !seekable {
		f.Close()
		return nil, fmt.Errorf("%s is not a file that can be read", weightsFile)
	}
	file, err := safetensors.Open(at, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", weightsFile, err)
	}
	return &weights{f, file, info.Size()}, nil
}

// digest gives the first 12 hexadecimal digits of the file's SHA-256.
func (w *weights) digest() (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(w.File.(io.ReaderAt), 0, w.size)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}
