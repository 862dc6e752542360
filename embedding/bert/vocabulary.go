package bert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-d3156d19/quarry/internal/wordpiece"
)

// uncased is the SHA-256 of BERT's uncased English vocabulary, an entry a line:
// that of internal/wordpiece.
const uncased = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

// checkVocabulary refuses a model whose tokens are not those of the built-in
// tokenizer. size is the number of entries that the model's weights have, which
// may be more than those of the vocabulary.
func checkVocabulary(folder fs.FS, size int) error {
	if size < wordpiece.Size {
		return fmt.Errorf("vocab_size is %d, and BERT's uncased English vocabulary, the only one supported, has %d entries", size, wordpiece.Size)
	}
	var lower struct {
		Lower *bool `json:"do_lower_case"`
	}
	if _, err := readJSON(folder, "tokenizer_config.json", &lower); err != nil {
		return err
	}
	if lower.Lower != nil && !*lower.Lower {
		return errors.New("tokenizer_config.json: the model tells upper from lower case; only uncased models are supported")
	}
	file, list, err := readVocabulary(folder)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(list)
	if hex.EncodeToString(sum[:]) != uncased {
		return fmt.Errorf("%s: the vocabulary is another than BERT's uncased English one, the only one supported", file)
	}
	return nil
}

// readVocabulary gives the entries in order, each with a line end.
func readVocabulary(folder fs.FS) (file string, list []byte, err error) {
	file = "vocab.txt"
	b, err := readFile(folder, file)
	if err != nil {
		return file, nil, err
	}
	if b != nil {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		return file, append(bytes.TrimRight(b, "\n"), '\n'), nil
	}
	file = "tokenizer.json"
	if b, err = readFile(folder, file); err != nil {
		return file, nil, err
	}
	if b == nil {
		return file, nil, errors.New("neither vocab.txt nor tokenizer.json is there")
	}
	if list, err = parseTokenizer(b); err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return file, list, err
}

// parseTokenizer gives the vocabulary of a tokenizer.json that does what the
// built-in tokenizer does.
func parseTokenizer(b []byte) ([]byte, error) {
	t := struct {
		Model struct {
			Type  string           `json:"type"`
			Vocab map[string]int64 `json:"vocab"`
		} `json:"model"`
		Normalizer struct {
			Type      string `json:"type"`
			Lowercase bool   `json:"lowercase"`
			Accents   *bool  `json:"strip_accents"`
			Chinese   *bool  `json:"handle_chinese_chars"`
			Clean     *bool  `json:"clean_text"`
		} `json:"normalizer"`
	}{}
	if err := unmarshal(b, &t); err != nil {
		return nil, err
	}
	no := func(b *bool) bool { return b != nil && !*b }
	n := t.Normalizer
	if t.Model.Type != "WordPiece" || n.Type != "BertNormalizer" || !n.Lowercase || no(n.Accents) || no(n.Chinese) || no(n.Clean) {
		return nil, fmt.Errorf("the tokenizer is %q after %q: only WordPiece for uncased text is supported", t.Model.Type, n.Type)
	}
	entries := make([]string, len(t.Model.Vocab))
	for entry, id := range t.Model.Vocab {
		if id < 0 || id >= int64(len(entries)) || entries[id] != "" {
			return nil, fmt.Errorf("the ids of the vocabulary are not 0 to %d: %q has %d", len(entries)-1, entry, id)
		}
		entries[id] = entry
	}
	var out bytes.Buffer
	for _, entry := range entries {
		out.WriteString(entry)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

func unmarshal(b []byte, to any) error {
	if err := json.Unmarshal(b, to); err != nil {
		return fmt.Errorf("it is not as it should be: %w", err)
	}
	return nil
}
