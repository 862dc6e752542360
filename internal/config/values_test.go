package config

import (
	"strings"
	"testing"
)

func TestKeysByTheirEnd(t *testing.T) {
	for in, want := range map[string]string{
		"retrieval.fusion": "retrieval.fusion", "fusion": "retrieval.fusion", "target": "chunk.target", "chunk.tokens": "chunk.target",
		"weights.title": "keyword.weights.title", "k1": "keyword.k1", "store": "store",
	} {
		if got, err := Key(in); err != nil || got != want {
			t.Errorf("%q gives %q, %v", in, got, err)
		}
	}
	for in, fault := range map[string]string{
		"keyword": "unknown key", "fuson": "the nearest known is retrieval.fusion", "": "unknown key", "usion": "nearest",
	} {
		if in == "keyword" { // the end of one key and a group
			if got, err := Key(in); err != nil || got != "retrieval.weights.keyword" {
				t.Errorf("%q gives %q, %v", in, got, err)
			}
			continue
		}
		if got, err := Key(in); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%q gives %q, error %v, want %q", in, got, err, fault)
		}
	}
	if _, err := Key("model"); err == nil || !strings.Contains(err.Error(), "give one of embedding.model, ") {
		t.Errorf("error is %v", err)
	}
}

func TestWith(t *testing.T) {
	s, err := With(Empty(), "chunk.max", "128")
	if err != nil || s.Check() != nil {
		t.Fatal(err, s.Check())
	}
	if v := Values(s); v["chunk.max"] != "128" || v["chunk.target"] != "64" || v["retrieval.fusion"] != "weighted" {
		t.Errorf("a default does not follow: %v", v)
	}
	for _, name := range []string{"store", "embedding.folder", "embedding.service.url", "embedding.service.key_file", "judge.service.url", "judge.service.key_env", "workers"} {
		if _, has := Values(s)[name]; has {
			t.Errorf("%s is among the values", name)
		}
	}
	for _, c := range [][3]string{
		{"chunk.max", "many", "must be a whole number above 0"}, {"chunk.max", "[1]", "must be"}, {"chunk.max", "", "must be"}, {"chunk.max", "{", "must be"},
		{"retrieval.rrf_k", "0", "above 0"}, {"no.key", "1", "unknown key"}, {"retrieval.fusion", "1", "must be text"},
	} {
		if _, err := With(Empty(), c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%v: error is %v", c, err)
		}
	}
	if s, err := With(Empty(), "retrieval.fusion", "sum"); err != nil || s.Check() == nil {
		t.Error("an unknown fusion passes the check")
	}
	if !MakesPassages("chunk.target") || !MakesPassages("embedding.model") || MakesPassages("retrieval.fusion") || MakesPassages("keyword.k1") {
		t.Error("which keys make passages is wrong")
	}
	if Incidental("chunk.max") || !Incidental("workers") {
		t.Error("which keys are incidental is wrong")
	}
}
