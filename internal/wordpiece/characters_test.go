package wordpiece

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCharactersFile(t *testing.T) {
	for _, bad := range []string{"80", "xx mark", "80-zz mark", "80/0 mark", "80-90/x mark", "80 fall", "80 base+x", "80 lower=zz", "80 base=110000", "80 leap=41", "80 lower"} {
		if _, err := compose(bad+"\n", Uncased()); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	if _, err := compose("80 base=41,21\n", Uncased()); err == nil {
		t.Error("a character that becomes two words was accepted")
	}
}

// TestAllCharacters: with each of the 16 settings every character becomes what the
// reference makes of it; testdata/characters.py wrote the digests.
func TestAllCharacters(t *testing.T) {
	b, err := os.ReadFile("testdata/characters.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		On     []string
		SHA256 string
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 16 {
		t.Fatalf("%d settings, want 16", len(cases))
	}
	for _, c := range cases {
		if testing.Short() && len(c.On) != 0 && len(c.On) != 4 {
			continue
		}
		s := Uncased()
		s.Clean, s.Ideographs = slices.Contains(c.On, "clean_text"), slices.Contains(c.On, "handle_chinese_chars")
		s.StripAccents, s.Lowercase = slices.Contains(c.On, "strip_accents"), slices.Contains(c.On, "lowercase")
		v, err := ParseList([]byte("[UNK]\n[CLS]\n[SEP]\n"), s)
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		var page []byte
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if utf8.ValidRune(r) {
				page = append(utf8.AppendRune(append(page, 'a'), r), 'a', ' ')
			}
			if r&0xff != 0xff {
				continue
			}
			var w words
			w.init(v, string(page))
			for w.next() {
				h.Write(append(w.word(), '\n'))
			}
			page = page[:0]
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != c.SHA256 {
			t.Errorf("with %s on, all characters give %s, want %s", strings.Join(c.On, " "), got, c.SHA256)
		}
	}
}
