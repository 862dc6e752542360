package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// readVocabulary reads tokenizer.json, or where there is none vocab.txt, which the
// settings of tokenizer_config.json then go with. size is the number of entries that
// the model's weights have, which may be more than those of the vocabulary.
func readVocabulary(folder fs.FS, size int) (*wordpiece.Vocabulary, error) {
	c, err := readTokenizerConfig(folder)
	if err != nil {
		return nil, err
	}
	var v *wordpiece.Vocabulary
	file := "tokenizer.json"
	b, err := readFile(folder, file)
	if err != nil {
		return nil, err
	}
	if b != nil {
		if v, err = wordpiece.ParseTokenizer(b); err == nil {
			err = c.agrees(v.Settings())
		}
	} else {
		file = "vocab.txt"
		if b, err = readFile(folder, file); err != nil {
			return nil, err
		}
		if b == nil {
			return nil, errors.New("neither vocab.txt nor tokenizer.json is there")
		}
		if err = c.supported(); err != nil {
			return nil, fmt.Errorf("%s: %w", tokenizerConfigFile, err)
		}
		v, err = wordpiece.ParseList(b, c.settings())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if v.Size() > size {
		return nil, fmt.Errorf("%s: its ids go to %d, and the model's weights have %d entries (vocab_size of config.json)", file, v.Size()-1, size)
	}
	return v, nil
}

const tokenizerConfigFile = "tokenizer_config.json"

// tokenizerConfig is what counts of tokenizer_config.json; nil is not said.
type tokenizerConfig struct {
	Class   string `json:"tokenizer_class"`
	Basic   *bool  `json:"do_basic_tokenize"`
	Lower   *bool  `json:"do_lower_case"`
	Accents *bool  `json:"strip_accents"`
	Chinese *bool  `json:"tokenize_chinese_chars"`
	Unknown *token `json:"unk_token"`
	First   *token `json:"cls_token"`
	Last    *token `json:"sep_token"`
}

// token is a special token: a text, or an object that has it as "content".
type token string

func (t *token) UnmarshalJSON(b []byte) error {
	var object struct {
		Content string `json:"content"`
	}
	if json.Unmarshal(b, (*string)(t)) == nil {
		return nil
	}
	err := json.Unmarshal(b, &object)
	*t = token(object.Content)
	return err
}

func readTokenizerConfig(folder fs.FS) (c tokenizerConfig, err error) {
	_, err = readJSON(folder, tokenizerConfigFile, &c)
	return c, err
}

// plain are the classes of tokenizers that are BERT's. Others with a vocab.txt cut
// words another way (BertJapaneseTokenizer), which only their name says.
var plain = []string{"", "BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer", "DistilBertTokenizerFast", "ElectraTokenizer", "ElectraTokenizerFast"}

// supported is for a vocab.txt, which says nothing of how it is used.
func (c tokenizerConfig) supported() error {
	if !slices.Contains(plain, c.Class) {
		return fmt.Errorf("the tokenizer_class %q is not supported without a tokenizer.json: only BERT's own is", c.Class)
	}
	if c.Basic != nil && !*c.Basic {
		return errors.New("do_basic_tokenize is false: texts cut into words beforehand are not supported")
	}
	return nil
}

// settings are BERT's, but for what is said.
func (c tokenizerConfig) settings() wordpiece.Settings {
	s := wordpiece.Uncased()
	if c.Lower != nil {
		s.Lowercase = *c.Lower
	}
	s.StripAccents = s.Lowercase
	if c.Accents != nil {
		s.StripAccents = *c.Accents
	}
	if c.Chinese != nil {
		s.Ideographs = *c.Chinese
	}
	for _, t := range []struct {
		said *token
		to   *string
	}{{c.Unknown, &s.Unknown}, {c.First, &s.First}, {c.Last, &s.Last}} {
		if t.said != nil {
			*t.to = string(*t.said)
		}
	}
	return s
}

// agrees refuses a tokenizer.json with settings that tokenizer_config.json
// contradicts: one program follows the one file, another the other, so which of them
// the model was trained with cannot be known.
func (c tokenizerConfig) agrees(s wordpiece.Settings) error {
	for _, x := range []struct {
		name string
		said *bool
		is   bool
	}{{"do_lower_case", c.Lower, s.Lowercase}, {"strip_accents", c.Accents, s.StripAccents}, {"tokenize_chinese_chars", c.Chinese, s.Ideographs}} {
		if x.said != nil && *x.said != x.is {
			return fmt.Errorf("its normalizer contradicts %s, where %s is %v: make them the same", tokenizerConfigFile, x.name, *x.said)
		}
	}
	return nil
}
