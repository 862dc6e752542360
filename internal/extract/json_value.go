package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

const (
	// maxJSONDepth and maxJSONValues bound what a file of a few megabytes of
	// brackets would make.
	maxJSONDepth  = 200
	maxJSONValues = 1 << 22
	// maxUnbroken is the longest string without white space that is text: longer
	// ones are images and keys.
	maxUnbroken = 1000
)

// jsonValue is a value with its members in the order they are written in. A
// scalar has text; an object has as many keys as items.
type jsonValue struct {
	kind  byte // '{', '[', '"' for strings, '0' for numbers and the like, 0 for null and what was left out
	text  string
	keys  []string
	items []jsonValue
}

func (v jsonValue) scalar() bool { return v.kind != '{' && v.kind != '[' }

// empty is whether there is nothing to read in a value.
func (v jsonValue) empty() bool {
	for _, m := range v.items {
		if !m.empty() {
			return false
		}
	}
	return blank(v.text)
}

func (v jsonValue) member(key string) jsonValue {
	for i, k := range v.keys {
		if k == key {
			return v.items[i]
		}
	}
	return jsonValue{}
}

type jsonReader struct {
	d      *json.Decoder
	values int
	blobs  int // strings that were left out
}

// errJSONSize: the values are too many or too deep to be read, which a fault of
// writing is not.
var errJSONSize = errors.New("the JSON is too large to be read")

// readJSON gives the values that a text consists of: one, or one a line.
func readJSON(text string) ([]jsonValue, int, error) {
	r := &jsonReader{d: json.NewDecoder(strings.NewReader(text))}
	r.d.UseNumber()
	var out []jsonValue
	for {
		v, err := r.value(0)
		switch {
		case err == io.EOF:
			return out, r.blobs, nil
		case err != nil:
			return nil, 0, err
		}
		out = append(out, v)
	}
}

func (r *jsonReader) value(depth int) (jsonValue, error) {
	t, err := r.d.Token()
	if err != nil {
		return jsonValue{}, err
	}
	if r.values++; r.values > maxJSONValues {
		return jsonValue{}, fmt.Errorf("%w: it holds more than %d values, split it", errJSONSize, maxJSONValues)
	}
	switch t := t.(type) {
	case json.Delim:
		return r.below(byte(t), depth+1)
	case string:
		if len(t) > maxUnbroken && strings.IndexFunc(t[:maxUnbroken], unicode.IsSpace) < 0 && isASCII(t[:maxUnbroken]) {
			r.blobs++
			return jsonValue{}, nil
		}
		return jsonValue{kind: '"', text: withoutControls(t)}, nil
	case nil:
		return jsonValue{}, nil
	}
	return jsonValue{kind: '0', text: fmt.Sprint(t)}, nil
}

// below reads an object or array to its end.
func (r *jsonReader) below(open byte, depth int) (jsonValue, error) {
	v := jsonValue{kind: open}
	if depth > maxJSONDepth {
		return v, fmt.Errorf("%w: it nests deeper than %d levels", errJSONSize, maxJSONDepth)
	}
	for r.d.More() {
		if open == '{' {
			key, err := r.d.Token()
			if err != nil {
				return v, unexpected(err)
			}
			s, _ := key.(string)
			v.keys = append(v.keys, oneLine(withoutControls(s)))
		}
		item, err := r.value(depth)
		if err != nil {
			return v, unexpected(err)
		}
		v.items = append(v.items, item)
	}
	_, err := r.d.Token()
	return v, unexpected(err)
}

// unexpected is the end of the text within a value.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// withoutControls makes canonical text of a string that may hold any character.
func withoutControls(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, lineFeeds(s))
}
