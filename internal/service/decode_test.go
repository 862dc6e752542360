package service

import (
	"errors"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"n": 5}`, ""},
		{`{"n": 5`, ErrCut.Error()},
		{`{"n": "5`, ErrCut.Error()},
		{``, ErrCut.Error()},
		{`<html>`, "gave an answer that is not the JSON of numbers"},
		{`{"n": "five"}`, "gave an answer that is not the JSON of numbers"},
		{`{"n": 5} and more`, "gave an answer that is not the JSON of numbers"},
	} {
		var into struct{ N int }
		err := Decode([]byte(c.body), &into, "numbers")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || err == nil && into.N != 5 {
			t.Errorf("%q: %+v, %q, want %q", c.body, into, got, c.want)
		}
	}
}

func TestNoText(t *testing.T) {
	for _, c := range []struct {
		text         string
		refused, cut bool
		want         string
		kind         Kind
	}{
		{"Five days.", true, true, "", 0},
		{" \n", false, false, "gave an answer without text", 0},
		{"", true, false, "refuses to answer this request", Refused},
		{"", true, true, "refuses to answer this request", Refused},
		{"", false, true, "used up the tokens it may before its first word", Refused},
	} {
		err := NoText(c.text, c.refused, c.cut)
		var f *Failure
		switch {
		case c.want == "":
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
		case errors.As(err, &f):
			if f.What != c.want || f.Kind != c.kind {
				t.Errorf("%q, %v, %v: %+v", c.text, c.refused, c.cut, f)
			}
		case err == nil || err.Error() != c.want || c.kind != 0:
			t.Errorf("%q, %v, %v: %v", c.text, c.refused, c.cut, err)
		}
	}
}
