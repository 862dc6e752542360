package wordpiece

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// loaded is a vocabulary of entries of many scripts, texts, and what the reference
// makes of them with each of several tokenizer.json; testdata/golden.py wrote it.
type loaded struct {
	Entries []string
	Texts   []string
	Cases   []struct {
		Tokenizer map[string]any // model.vocab is the prefix
		Cls, Sep  int32
		IDs       []string
	}
}

func readLoaded(t testing.TB, path string) loaded {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var l loaded
	if err := json.Unmarshal(b, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// file is tokenizer.json of a case: the entries with its prefix, each under its
// number, and what there is twice then only once.
func (l loaded) file(t testing.TB, tokenizer map[string]any) []byte {
	t.Helper()
	model := maps.Clone(tokenizer["model"].(map[string]any))
	prefix := model["vocab"].(string)
	vocab := map[string]int{}
	for id, e := range l.Entries {
		if rest, inside := strings.CutPrefix(e, "##"); inside {
			e = prefix + rest
		}
		if _, twice := vocab[e]; !twice {
			vocab[e] = id
		}
	}
	model["vocab"] = vocab
	tokenizer = maps.Clone(tokenizer)
	tokenizer["model"] = model
	b, err := json.Marshal(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// WORDPIECE_LOADED names a larger file of the same form to check against.
func TestLoadedEqualsReference(t *testing.T) {
	paths := []string{"testdata/loaded.json"}
	if p := os.Getenv("WORDPIECE_LOADED"); p != "" {
		paths = append(paths, p)
	}
	for _, path := range paths {
		l := readLoaded(t, path)
		wrong, unknown, all := 0, 0, 0
		for _, c := range l.Cases {
			v, err := ParseTokenizer(l.file(t, c.Tokenizer))
			if err != nil {
				t.Fatal(err)
			}
			if v.Cls() != c.Cls || v.Sep() != c.Sep || v.Size() > len(l.Entries) {
				t.Errorf("[CLS] %d, [SEP] %d, size %d, want %d, %d, %d", v.Cls(), v.Sep(), v.Size(), c.Cls, c.Sep, len(l.Entries))
			}
			for i, text := range l.Texts {
				var got []string
				for _, k := range v.Encode(text) {
					got = append(got, strconv.Itoa(int(k.ID)))
					if k.ID == v.unk {
						unknown++
					}
				}
				all += len(got)
				if n := v.tokens(text); n != len(got) {
					t.Errorf("%q counts as %d tokens and is %d", text, n, len(got))
				}
				if strings.Join(got, " ") != c.IDs[i] {
					if wrong++; wrong < 6 {
						t.Errorf("%+v: Encode(%q)\n got %v\nwant %s", v.settings, text, got, c.IDs[i])
					}
				}
			}
		}
		if unknown > all/2 {
			t.Errorf("%d of %d tokens are [UNK]: such texts show little", unknown, all)
		}
		t.Logf("%s: %d texts with %d tokenizers: %d differ; %d of %d tokens are [UNK]", path, len(l.Texts), len(l.Cases), wrong, unknown, all)
	}
}

// TestLoadedBuiltIn: the built-in vocabulary makes the same tokens when it is
// loaded from a list, and when WORDPIECE_TOKENIZER names its tokenizer.json.
func TestLoadedBuiltIn(t *testing.T) {
	list, err := ParseList([]byte(strings.ReplaceAll(vocabText, "\n", "\r\n")+"\n\n"), Uncased())
	if err != nil {
		t.Fatal(err)
	}
	all := []*Vocabulary{list}
	if p := os.Getenv("WORDPIECE_TOKENIZER"); p != "" {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ParseTokenizer(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	path := "testdata/golden.jsonl"
	if p := os.Getenv("WORDPIECE_GOLDEN"); p != "" {
		path = p
	}
	for _, v := range all {
		if v.Cls() != Cls || v.Sep() != Sep || v.unk != Unk || v.Size() != Size {
			t.Errorf("[CLS] %d, [SEP] %d, [UNK] %d, size %d", v.Cls(), v.Sep(), v.unk, v.Size())
		}
		for _, g := range readGolden(t, path) {
			if !slices.Equal(v.Encode(g.Text), Encode(g.Text)) {
				t.Errorf("Encode(%q) is not as with the built-in vocabulary", g.Text)
			}
		}
	}
}

const tiny = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##b\n"

func TestBadLists(t *testing.T) {
	s := Uncased()
	for _, c := range []struct {
		name, list string
		s          Settings
		want       string
	}{
		{"nothing", "", s, `no entry "[UNK]"`},
		{"no [UNK]", "[CLS]\n[SEP]\n", s, `no entry "[UNK]"`},
		{"no [CLS]", "[UNK]\n[SEP]\n", s, `no entry "[CLS]"`},
		{"no [SEP]", "[UNK]\n[CLS]\n", s, `no entry "[SEP]"`},
		{"an entry twice", tiny + "c\na\n", s, `"a" is there twice, with the ids 4 and 7`},
		{"a special entry twice", tiny + "[PAD]\n", s, `"[PAD]" is there twice, with the ids 0 and 6`},
		{"empty lines", tiny + "\n\nc\n", s, `"" is there twice`},
		{"not UTF-8", tiny + "\xff\n", s, "not UTF-8"},
		{"too many lines", tiny + strings.Repeat("\n", maxEntries) + "c", s, "at most 1048576 entries"},
		{"too much", tiny + strings.Repeat("a", maxText) + "c", s, "more than 16777216 bytes"},
		{"too many beginnings", tiny + strings.Repeat("ab", maxNodes/2), s, "different beginnings"},
		{"a negative length", tiny, Settings{Unknown: "[UNK]", First: "[CLS]", Last: "[SEP]", MaxChars: -1}, "-1 characters"},
	} {
		if testing.Short() && len(c.list) >= maxEntries {
			continue // seconds under the race detector
		}
		if _, err := ParseList([]byte(c.list), c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %.200v, want one with %q", c.name, err, c.want)
		}
	}
}

// good is a tokenizer.json, to be spoiled.
const good = `{"added_tokens": [{"id": 2, "content": "[CLS]", "special": true}],
	"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
	"pre_tokenizer": {"type": "BertPreTokenizer"},
	"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
	"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
		"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "##b": 5}}}`

const template1 = `{"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
	{"SpecialToken": {"id": "[SEP]", "type_id": 0}}], "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
	{"SpecialToken": {"id": "[SEP]", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
	"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}}`

const bertProcessing = `{"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}`

func TestBadTokenizers(t *testing.T) {
	if _, err := ParseTokenizer([]byte(good)); err != nil {
		t.Fatal(err)
	}
	templated := strings.Replace(good, bertProcessing, template1, 1)
	if v, err := ParseTokenizer([]byte(templated)); err != nil || v.Cls() != 2 || v.Sep() != 3 {
		t.Fatalf("%v, %v", v, err)
	}
	for _, c := range []struct{ name, in, old, new, want string }{
		{"BPE", good, `"WordPiece"`, `"BPE"`, `the model is "BPE"`},
		{"Unigram", good, `{"type": "WordPiece"`, `{"type": "Unigram", "unk_id": 0, "x": [["a", -1.5]]`, `the model is "Unigram"`},
		{"no model", good, `"model"`, `"muddle"`, `the model is ""`},
		{"another normalizer", good, `"BertNormalizer"`, `"Sequence"`, `the normalizer is "Sequence"`},
		{"no normalizer", good, `"normalizer"`, `"normal"`, `the normalizer is ""`},
		{"another pre-tokenizer", good, `"BertPreTokenizer"`, `"Metaspace"`, `the pre_tokenizer is "Metaspace"`},
		{"another post-processor", good, `"BertProcessing"`, `"RobertaProcessing"`, `the post_processor is "RobertaProcessing"`},
		{"a list for a vocabulary", good, `"vocab": {`, `"vocab": [], "v": {`, "model.vocab is not an object"},
		{"no vocabulary", good, `"vocab"`, `"v"`, "model.vocab is not an object"},
		{"an entry twice", good, `"a": 4`, `"a": 4, "a": 7`, `"a" is there twice, with the ids 4 and 7`},
		{"an id twice", good, `"a": 4`, `"a": 5`, `"a" and "##b" have the same id, 5`},
		{"a negative id", good, `"a": 4`, `"a": -4`, `the id of "a" is -4`},
		{"a huge id", good, `"a": 4`, `"a": 99999999999999999999`, `the id of "a" is 99999999999999999999`},
		{"a large id", good, `"a": 4`, `"a": 2000000000`, `the id of "a" is 2000000000`},
		{"an id with a fraction", good, `"a": 4`, `"a": 4.5`, `the id of "a" is 4.5`},
		{"an id that is none", good, `"a": 4`, `"a": {}`, `the id of "a"`},
		{"no [UNK]", good, `"[UNK]": 1`, `"[UNKNOWN]": 1`, `no entry "[UNK]"`},
		{"a huge length", good, `word": 100`, `word": 1e99`, "max_input_chars_per_word"},
		{"a negative length", good, `word": 100`, `word": -1`, "-1 characters"},
		{"an added word", good, `"special": true`, `"special": false`, `"[CLS]" is not a special token`},
		{"a huge added id", good, `"id": 2`, `"id": 2000000000`, "added_tokens: the id of"},
		{"another added id", good, `"id": 2`, `"id": 9`, `"[CLS]" has two ids, 9 and 2`},
		{"another id in the frame", good, `["[SEP]", 3]`, `["[SEP]", 4]`, `"[SEP]" has the id 4, and 3 in model.vocab`},
		{"half a frame", good, `["[SEP]", 3]`, `["[SEP]"]`, "post_processor.sep"},
		{"no frame", good, `"sep"`, `"separator"`, "post_processor.sep"},
		{"no first token", templated, `[{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence"`, `[{"Sequence"`, "2 parts for a text"},
		{"types the other way", templated, `"B", "type_id": 1`, `"B", "type_id": 0`, "should be"},
		{"two last tokens", templated, `"ids": [3]`, `"ids": [3, 3]`, `"[SEP]" is not one token`},
		{"no JSON", good, `{`, ``, "not as it should be"},
	} {
		in := strings.Replace(c.in, c.old, c.new, 1)
		if in == c.in {
			t.Errorf("%s: nothing was replaced", c.name)
		}
		if _, err := ParseTokenizer([]byte(in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
}

// TestHugeLengths: memory goes with the text, not with the length that a file
// allows a word to have.
func TestHugeLengths(t *testing.T) {
	v, err := ParseTokenizer([]byte(strings.Replace(good, `word": 100`, `word": 9223372036854775807`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	const n = 1 << 16
	text := "a" + strings.Repeat("b", n)
	if got := v.Encode(text); len(got) != n+1 || got[n].ID != 5 || got[n].To != len(text) {
		t.Errorf("%d tokens", len(got))
	}
	if got := v.Encode("a"); len(got) != 1 || got[0].ID != 4 {
		t.Errorf("%v", got)
	}
	if n := testing.AllocsPerRun(10, func() { v.tokens("abb") }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// checkVocabulary: what holds of any vocabulary and text.
func checkVocabulary(t *testing.T, v *Vocabulary, text string) {
	t.Helper()
	tokens := v.Encode(text)
	if n := v.tokens(text); n != len(tokens) {
		t.Fatalf("counted %d tokens, there are %d", n, len(tokens))
	}
	at := 0
	for _, k := range tokens {
		if k.From < at || k.To <= k.From || k.To > len(text) || k.ID < 0 || int(k.ID) >= v.Size() {
			t.Fatalf("token %+v after %d", k, at)
		}
		at = k.From
	}
	for _, id := range []int32{v.Cls(), v.Sep(), v.unk} {
		if id < 0 || int(id) >= v.Size() {
			t.Fatalf("special token %d of %d", id, v.Size())
		}
	}
}

// FuzzList: any list is refused or makes tokens that are in it.
func FuzzList(f *testing.F) {
	f.Add([]byte(tiny), "ab é 字", "##", 100, byte(15))
	f.Add([]byte("[CLS]\r\n[UNK]\r\n[SEP]\r\nA\r\n\r\n字\r\n"), "A\x00 \u1e0d\u0307", "", 0, byte(0))
	f.Fuzz(func(t *testing.T, list []byte, text, prefix string, longest int, flags byte) {
		s := Uncased()
		s.Prefix, s.MaxChars = prefix, longest
		s.Lowercase, s.StripAccents, s.Ideographs, s.Clean = flags&1 > 0, flags&2 > 0, flags&4 > 0, flags&8 > 0
		v, err := ParseList(list, s)
		if err != nil {
			return
		}
		if got, most := len(v.trie), 300*(len(list)+len(prefix)+2); got > most {
			t.Fatalf("a list of %d bytes takes %d slots", len(list), got)
		}
		checkVocabulary(t, v, text)
		for line := range bytes.Lines(list) {
			checkVocabulary(t, v, string(line))
		}
	})
}

// FuzzTokenizer: any tokenizer.json is refused or makes tokens that are in it.
func FuzzTokenizer(f *testing.F) {
	f.Add([]byte(good), "ab é 字")
	f.Add([]byte(strings.Replace(good, bertProcessing, template1, 1)), "[CLS] Ab")
	f.Add([]byte(strings.Replace(good, `"a": 4`, `"a": 1048575`, 1)), "a")
	l := readLoaded(f, "testdata/loaded.json")
	f.Add(l.file(f, l.Cases[0].Tokenizer), l.Texts[0])
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		if v, err := ParseTokenizer(file); err == nil {
			checkVocabulary(t, v, text)
		} else if strings.Contains(fmt.Sprint(err), "%!") {
			t.Errorf("the error is badly put: %v", err)
		}
	})
}
