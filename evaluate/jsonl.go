package evaluate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// problems collects what is wrong with the lines of one file.
type problems struct {
	file string
	list []Problem
}

func (p *problems) add(line int, id, format string, args ...any) {
	p.list = append(p.list, Problem{File: p.file, Line: line, ID: id, Text: fmt.Sprintf(format, args...)})
}

// object is a line of a set, its values not yet read.
type object map[string]json.RawMessage

// eachLine calls do with every line of a file that is not blank, its number
// from 1, without a byte order mark and line end. It stops when do is false.
// A file that cannot be read to its end is an error.
func eachLine(name string, do func(n int, line []byte) bool) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("evaluate: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && !do(n, line) {
			return nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("evaluate: reading %s: %w", name, err)
		}
	}
}

// eachObject calls do with every line that is a JSON object; other lines
// become problems.
func eachObject(name string, p *problems, do func(n int, o object)) error {
	p.file = filepath.Base(name)
	return eachLine(name, func(n int, line []byte) bool {
		var o object
		switch err := json.Unmarshal(line, &o); {
		case !utf8.Valid(line):
			p.add(n, "", "is not UTF-8: save the file as UTF-8")
		case err != nil:
			p.add(n, "", "is no JSON object: %v", jsonFault(err))
		case o == nil:
			p.add(n, "", "is no JSON object: null")
		default:
			do(n, o)
		}
		return true
	})
}

func jsonFault(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return "it is " + withArticle(t.Value)
	}
	return err.Error()
}

func withArticle(kind string) string {
	switch kind {
	case "array", "object":
		return "an " + kind
	}
	return "a " + kind
}

// field reads o[name] into a T. An absent or null field is the zero T; one of
// another type is an error that says what it must be.
func field[T any](o object, name, want string) (T, error) {
	var v T
	raw, ok := o[name]
	if !ok || string(raw) == "null" {
		return v, nil
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		var zero T
		return zero, fmt.Errorf("%q must be %s", name, want)
	}
	return v, nil
}

// text reads a field that is a string, or a number taken as it is written.
func text(o object, name string) (string, error) {
	raw := bytes.TrimSpace(o[name])
	if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw), nil
	}
	return field[string](o, name, "a string")
}
