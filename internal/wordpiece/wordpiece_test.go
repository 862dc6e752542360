package wordpiece

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVocabulary(t *testing.T) {
	const want = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
	sum := sha256.Sum256([]byte(vocabText))
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("vocab.txt has SHA-256 %s, want %s", got, want)
	}
	entries := strings.Split(strings.TrimSuffix(vocabText, "\n"), "\n")
	if len(entries) != Size {
		t.Fatalf("%d entries, want %d", len(entries), Size)
	}
	for id, want := range map[int32]string{Pad: "[PAD]", Unk: "[UNK]", Cls: "[CLS]", Sep: "[SEP]", Mask: "[MASK]"} {
		if entries[id] != want {
			t.Errorf("entry %d is %q, want %q", id, entries[id], want)
		}
	}
	// Every entry that can be matched is found as itself.
	v := BuiltIn()
	for id, e := range entries {
		word, inside := strings.CutPrefix(e, "##")
		if e[0] == '[' && len(e) > 1 || word == "" || e == "..." { // "..." is three words
			continue
		}
		if got, n := v.match([]byte(word), inside); got != int32(id) || n != len(word) {
			t.Errorf("entry %q is matched as %d, %d bytes", e, got, n)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Token
	}{
		{"", nil},
		{" \t\r\n\u00a0\u2028", nil},
		{"\x00\x01\u200b\ufffd", nil},
		{"Hello", []Token{{7592, 0, 5}}},
		{"unaffable", []Token{{14477, 0, 3}, {20961, 3, 6}, {3468, 6, 9}}},
		{"a\xff\xfeb", []Token{{11113, 0, 4}}}, // bytes that are no text are dropped
		{"Caf\u00e9", []Token{{7668, 0, 5}}},
		{"cafe\u0301.", []Token{{7668, 0, 4}, {1012, 6, 7}}},
		{"[SEP]", []Token{{1031, 0, 1}, {19802, 1, 4}, {1033, 4, 5}}},
		{strings.Repeat("a", 101) + " a", []Token{{Unk, 0, 101}, {1037, 102, 103}}},
		{"中文a", []Token{{1746, 0, 3}, {1861, 3, 6}, {1037, 6, 7}}},
	} {
		got := Encode(c.text)
		if len(got)+len(c.want) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("Encode(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want int
	}{
		{"one two three", 2, 7},
		{"one two three", 3, 13},
		{"one two ", 2, 8},
		{"unaffable words", 3, 9},
		{"unaffable words", 2, 6},
		{"unaffable words", 1, 3},
		{"one unaffable", 2, 3},
		{"中文字", 2, 6},
		{"각각", 1, 3}, // a syllable is not cut, though it is three tokens
		{"", 1, 0},
		{"\x00\x01", 1, 2},
	} {
		if got := Cut(c.text, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %d, want %d", c.text, c.n, got, c.want)
		}
	}
}

func TestCountDoesNotAllocate(t *testing.T) {
	text := "The Größe of Привет, 東京 안녕 — unquestionably " + strings.Repeat("x", 200)
	if n := testing.AllocsPerRun(100, func() { Count(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("The quick, naïve fox e\u0301 각 東京 [SEP]", 3)
	f.Add("\xff\x80abc\x00 "+strings.Repeat("é", 120), 1)
	f.Fuzz(func(t *testing.T, text string, n int) {
		tokens := Encode(text)
		if got := Count(text); got != len(tokens) {
			t.Fatalf("Count = %d, Encode gives %d", got, len(tokens))
		}
		at := 0
		for _, k := range tokens {
			if k.From < at || k.To <= k.From || k.To > len(text) || k.ID < 0 || k.ID >= Size {
				t.Fatalf("token %+v after %d", k, at)
			}
			at = k.From
		}
		if valid := strings.ToValidUTF8(text, "\ufffd"); Count(valid) != len(tokens) {
			t.Fatalf("bytes that are no text count: %d, else %d", len(tokens), Count(valid))
		}
		if got := Count(text + " " + text); got != 2*len(tokens) {
			t.Fatalf("twice the text has %d tokens, once %d", got, len(tokens))
		}
		n = max(n%600, 1)
		end := Cut(text, n)
		if end < 0 || end > len(text) || len(tokens) > 0 && end == 0 {
			t.Fatalf("Cut(%d) = %d of %d", n, end, len(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[:end]) {
			t.Fatalf("Cut(%d) = %d is within a character", n, end)
		}
		if got := Count(text[:end]); got > max(n, 3) { // a syllable is up to three
			t.Fatalf("Cut(%d) leaves %d tokens", n, got)
		}
	})
}

func BenchmarkCount(b *testing.B) {
	for name, line := range map[string]string{
		"english": "The Supplier shall, within 30 days of receipt, refund the unquestionably overpaid fee of 1,250.50 dollars. ",
		"german":  "Größere Änderungen müssen rechtzeitig angekündigt werden, sonst gilt die bisherige Straßenverkehrsordnung. ",
		"russian": "Поставщик обязан вернуть переплату в течение тридцати дней. ",
		"chinese": "供应商应在收到通知后三十天内退还多付的费用。",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(line, 1000)
			Count("a")
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Count(text)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		loadBuiltIn()
		if _, err := compose(charactersText, Uncased()); err != nil { // kept after the first time
			b.Fatal(err)
		}
	}
}
