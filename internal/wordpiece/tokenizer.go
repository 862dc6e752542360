package wordpiece

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// ParseTokenizer makes a vocabulary of a file tokenizer.json, as Hugging Face
// tokenizers writes it, or says what in it is not BERT's way of making tokens.
// Truncation and padding are left aside: the caller frames its inputs.
func ParseTokenizer(b []byte) (*Vocabulary, error) {
	f := tokenizerFile{}
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("it is not as it should be: %w", err)
	}
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	entries, err := parseEntries(f.Model.Vocab)
	if err != nil {
		return nil, err
	}
	added, err := f.added()
	if err != nil {
		return nil, err
	}
	frame, err := f.frame()
	if err != nil {
		return nil, err
	}
	s.First, s.Last = frame.first.text, frame.last.text
	entries, err = merge(entries, append(added, frame.first, frame.last))
	if err != nil {
		return nil, err
	}
	return newVocabulary(entries, s)
}

// tokenizerFile is what counts of tokenizer.json.
type tokenizerFile struct {
	Model struct {
		Type     string          `json:"type"`
		Unknown  *string         `json:"unk_token"`
		Prefix   *string         `json:"continuing_subword_prefix"`
		MaxChars *int            `json:"max_input_chars_per_word"`
		Vocab    json.RawMessage `json:"vocab"`
	} `json:"model"`
	Normalizer struct {
		Type      string `json:"type"`
		Lowercase *bool  `json:"lowercase"`
		Accents   *bool  `json:"strip_accents"` // null: as lowercase
		Chinese   *bool  `json:"handle_chinese_chars"`
		Clean     *bool  `json:"clean_text"`
	} `json:"normalizer"`
	PreTokenizer struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	PostProcessor struct {
		Type   string          `json:"type"`
		Cls    json.RawMessage `json:"cls"`
		Sep    json.RawMessage `json:"sep"`
		Single json.RawMessage `json:"single"`
		Pair   json.RawMessage `json:"pair"`
		Tokens json.RawMessage `json:"special_tokens"`
	} `json:"post_processor"`
	Added []struct {
		ID      int64  `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
}

func (f *tokenizerFile) settings() (Settings, error) {
	for _, c := range []struct{ what, is, want string }{
		{"model", f.Model.Type, "WordPiece"},
		{"normalizer", f.Normalizer.Type, "BertNormalizer"},
		{"pre_tokenizer", f.PreTokenizer.Type, "BertPreTokenizer"},
	} {
		if c.is != c.want {
			return Settings{}, fmt.Errorf("the %s is %.100q: only %q is supported", c.what, c.is, c.want)
		}
	}
	or := func(b *bool, otherwise bool) bool {
		if b == nil {
			return otherwise
		}
		return *b
	}
	s, n := Uncased(), f.Normalizer
	s.Lowercase, s.Ideographs, s.Clean = or(n.Lowercase, true), or(n.Chinese, true), or(n.Clean, true)
	s.StripAccents = or(n.Accents, s.Lowercase)
	if f.Model.Unknown != nil {
		s.Unknown = *f.Model.Unknown
	}
	if f.Model.Prefix != nil {
		s.Prefix = *f.Model.Prefix
	}
	if f.Model.MaxChars != nil {
		s.MaxChars = *f.Model.MaxChars
	}
	return s, nil
}

// parseEntries reads {"entry": id, ...} and refuses what a map would hide: the same
// entry or the same id twice.
func parseEntries(raw json.RawMessage) ([]entry, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("model.vocab is not an object of entries and ids")
	}
	var out []entry
	by := map[int32]string{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("model.vocab: %w", err)
		}
		text, _ := key.(string)
		value, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("model.vocab: %w", err)
		}
		number, ok := value.(json.Number)
		id, err := parseID(string(number))
		if !ok || err != nil {
			return nil, fmt.Errorf("model.vocab: the id of %.100q is %.100v: ids are whole numbers from 0 to %d", text, value, maxEntries-1)
		}
		if other, twice := by[id]; twice {
			return nil, fmt.Errorf("model.vocab: %.100q and %.100q have the same id, %d", other, text, id)
		}
		by[id] = text
		out = append(out, entry{text, id})
	}
	return out, nil
}

func parseID(s string) (int32, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err == nil && (n < 0 || n >= maxEntries) {
		err = strconv.ErrRange
	}
	return int32(n), err
}

// added gives the added tokens. Those that are not special are cut out of a text
// before anything else is done with it, which is not done here.
func (f *tokenizerFile) added() ([]entry, error) {
	var out []entry
	for _, t := range f.Added {
		if !t.Special {
			return nil, fmt.Errorf("added_tokens: %.100q is not a special token; added words are not supported", t.Content)
		}
		if t.ID < 0 || t.ID >= maxEntries {
			return nil, fmt.Errorf("added_tokens: the id of %.100q is %d: ids are whole numbers from 0 to %d", t.Content, t.ID, maxEntries-1)
		}
		out = append(out, entry{t.Content, int32(t.ID)})
	}
	return out, nil
}

// merge appends special tokens that are no entries yet, and refuses those that are
// under another id.
func merge(entries, special []entry) ([]entry, error) {
	ids := make(map[string]int32, len(special))
	for _, e := range special {
		if id, there := ids[e.text]; there && id != e.id {
			return nil, fmt.Errorf("the special token %.100q has two ids, %d and %d", e.text, id, e.id)
		}
		ids[e.text] = e.id
	}
	for _, e := range entries {
		id, there := ids[e.text]
		if there && id != e.id {
			return nil, fmt.Errorf("the special token %.100q has the id %d, and %d in model.vocab", e.text, id, e.id)
		}
		delete(ids, e.text)
	}
	for _, e := range special {
		if _, left := ids[e.text]; left {
			entries = append(entries, e)
			delete(ids, e.text)
		}
	}
	return entries, nil
}

// frame is what stands around a text: [CLS] text [SEP], [CLS] text [SEP] text [SEP].
type frame struct{ first, last entry }

const onlyFrame = "only [CLS] text [SEP] is supported, and of two texts [CLS] text [SEP] text [SEP] with the second of type 1"

func (f *tokenizerFile) frame() (frame, error) {
	var out frame
	p := f.PostProcessor
	switch p.Type {
	case "BertProcessing":
		for _, t := range []struct {
			name string
			raw  json.RawMessage
			to   *entry
		}{{"cls", p.Cls, &out.first}, {"sep", p.Sep, &out.last}} {
			var id json.Number
			err := json.Unmarshal(t.raw, &[]any{&t.to.text, &id})
			if err == nil {
				t.to.id, err = parseID(id.String())
			}
			if err != nil {
				return out, fmt.Errorf("post_processor.%s is not a token and its id: %.100q", t.name, t.raw)
			}
		}
		return out, nil
	case "TemplateProcessing":
		single, err := template(p.Single)
		if err != nil {
			return out, fmt.Errorf("post_processor.single: %w", err)
		}
		pair, err := template(p.Pair)
		if err != nil {
			return out, fmt.Errorf("post_processor.pair: %w", err)
		}
		if len(single) != 3 || len(pair) != 5 {
			return out, fmt.Errorf("post_processor has %d parts for a text and %d for two: %s", len(single), len(pair), onlyFrame)
		}
		first, last := single[0].special, single[2].special
		for i, want := range []part{{special: first}, {text: "A"}, {special: last}, {special: first}, {text: "A"}, {special: last}, {"", "B", 1}, {last, "", 1}} {
			is := append(single[:3:3], pair...)[i]
			if is != want || want.text == "" && want.special == "" {
				return out, fmt.Errorf("post_processor has %+v where %+v should be: %s", is, want, onlyFrame)
			}
		}
		if out.first, err = specialToken(p.Tokens, first); err == nil {
			out.last, err = specialToken(p.Tokens, last)
		}
		return out, err
	}
	return out, fmt.Errorf("the post_processor is %.100q: only %q and %q are supported", p.Type, "BertProcessing", "TemplateProcessing")
}

// part is a part of a template: a special token or a text.
type part struct {
	special, text string
	kind          int
}

func template(raw json.RawMessage) ([]part, error) {
	type piece struct {
		ID   string `json:"id"`
		Type int    `json:"type_id"`
	}
	var parts []struct{ SpecialToken, Sequence *piece }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	var out []part
	for _, p := range parts {
		switch {
		case p.SpecialToken != nil && p.Sequence == nil:
			out = append(out, part{special: p.SpecialToken.ID, kind: p.SpecialToken.Type})
		case p.Sequence != nil && p.SpecialToken == nil:
			out = append(out, part{text: p.Sequence.ID, kind: p.Sequence.Type})
		default:
			return nil, errors.New("a part is neither a special token nor a text")
		}
	}
	return out, nil
}

func specialToken(raw json.RawMessage, name string) (entry, error) {
	var tokens map[string]struct {
		IDs    []int64  `json:"ids"`
		Tokens []string `json:"tokens"`
	}
	if err := json.Unmarshal(raw, &tokens); err != nil {
		return entry{}, fmt.Errorf("post_processor.special_tokens: %w", err)
	}
	t := tokens[name]
	if len(t.IDs) != 1 || len(t.Tokens) != 1 || t.IDs[0] < 0 || t.IDs[0] >= maxEntries {
		return entry{}, fmt.Errorf("post_processor.special_tokens: %.100q is not one token with its id", name)
	}
	return entry{t.Tokens[0], int32(t.IDs[0])}, nil
}
