package extract

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// knownKeys are those that metadata gives a meaning; every other is an attribute.
var knownKeys = []string{"title", "category", "version", "language", "tenant", "date", "status", "supersedes", "authority",
	"readers", "deny", "effective", "effective_from", "effective_to", "attributes"}

// slips are other words for a known key.
var slips = map[string]string{"reader": "readers", "denied": "deny", "denies": "deny"}

// meantBy is the known key by its plain form.
var meantBy = func() map[string]string {
	out := map[string]string{}
	for _, k := range knownKeys {
		out[plainKey(k)] = k
	}
	for slip, k := range slips {
		out[plainKey(slip)] = k
	}
	return out
}()

// checkKey refuses a key that is no known one and looks like one, or that is not
// what it looks like: to let it pass as an attribute would lose a closed access.
func checkKey(key string) error {
	if known := meantBy[plainKey(key)]; known != "" {
		if strings.IndexFunc(key, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
			return fmt.Errorf("did you mean %s? It is written with other letters or signs (%+q); write it anew", known, key)
		}
		return fmt.Errorf("did you mean %s? Write it so", known)
	}
	for _, r := range key {
		if r != ' ' && !unicode.IsGraphic(r) || unicode.IsSpace(r) && r != ' ' || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r) {
			return fmt.Errorf("it holds a sign that is not seen (%+q): write it anew", key)
		}
	}
	if mixed(key) {
		return fmt.Errorf("a word of it mixes letters of several alphabets (%+q): write it anew", key)
	}
	return nil
}

// checkAttribute refuses a key under attributes that would close the document if it
// stood beside them.
func checkAttribute(key string) error {
	if known := meantBy[plainKey(key)]; known == "readers" || known == "deny" {
		return fmt.Errorf("%s stands beside attributes, not among them", known)
	} else if known != "" {
		return nil
	}
	return checkKey(key)
}

// plainKey is a key as it is read by an eye that does not look closely: without
// case, separators and invisible signs, and with Latin letters for those of other
// alphabets that look the same. A key in camel case or with hyphens is the same.
func plainKey(key string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(key) {
		if l, ok := alike[r]; ok {
			r = l
		}
		r = unicode.ToLower(r)
		if l, ok := alike[r]; ok {
			r = l
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alike are letters of other alphabets that look like Latin ones, in the common
// fonts, capitals where they look like another than their small letter does
// (after the confusables of Unicode Technical Standard 39).
var alike = func() map[rune]rune {
	out := map[rune]rune{}
	for latin, others := range map[rune]string{
		'a': "аαɑΑА", 'b': "ьΒВʙ", 'c': "сϲᴄС", 'd': "ԁժᴅ", 'e': "еεҽєᴇ℮ΕЕ", 'f': "ƒϝ", 'g': "ɡցԍɢ", 'h': "һհнΗНʜ",
		'i': "іιıɩΙІɪ", 'j': "јЈᴊ", 'k': "кκΚКᴋ", 'l': "ӏǀʟ", 'm': "мΜМᴍ", 'n': "пηոռΝɴ", 'o': "оοօσΟОᴏ", 'p': "рρΡРᴘ",
		'q': "ԛգ", 'r': "гᴦʀ", 's': "ѕЅꜱ", 't': "тτΤТᴛ", 'u': "υսʋᴜ", 'v': "νѵᴠ", 'w': "ԝωᴡ", 'x': "хχΧХ", 'y': "уγүΥУʏ", 'z': "ΖᴢZ",
	} {
		for _, r := range others {
			out[r] = latin
		}
	}
	return out
}()

// mixed is whether a word has Latin letters beside those of another alphabet.
func mixed(key string) bool {
	latin, other := false, false
	for _, r := range key + " " {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.IsLetter(r):
			other = true
		case !unicode.IsMark(r) && !unicode.IsDigit(r):
			latin, other = false, false
		}
		if latin && other {
			return true
		}
	}
	return false
}
