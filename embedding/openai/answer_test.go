package openai

import (
	"math"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, body string
		cut        bool
		want       string // the error; "" for none
		good       string // which of the two texts have a vector
	}{
		{"as agreed", `{"object":"list","data":[{"index":0,"embedding":[3,4]},{"index":1,"embedding":[0, -1e-3]}],"usage":{}}`, false, "", "yy"},
		{"unsorted", `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`, false, "", "yy"},
		{"longer, to be cut", `{"data":[{"index":0,"embedding":[3,4,5]},{"index":1,"embedding":[1,1,1]}]}`, true, "", "yy"},
		{"longer", `{"data":[{"index":0,"embedding":[3,4,5]},{"index":1,"embedding":[1,1,1]}]}`, false, "gave vectors of 3 components where 2 are wanted", ""},
		{"shorter, to be cut", `{"data":[{"index":0,"embedding":[3]},{"index":1,"embedding":[1,1]}]}`, true, "gave vectors of 1 components where 2 are wanted", ""},
		{"one too few", `{"data":[{"index":0,"embedding":[3,4]}]}`, false, "gave 1 vectors for 2 texts", ""},
		{"one too many", `{"data":[{"index":0,"embedding":[3,4]},{"index":1,"embedding":[3,4]},{"index":2,"embedding":[3,4]}]}`, false, "gave 3 vectors for 2 texts", ""},
		{"an index twice", `{"data":[{"index":1,"embedding":[3,4]},{"index":1,"embedding":[3,4]}]}`, false, "an index is missing or there twice", ""},
		{"no index", `{"data":[{"embedding":[3,4]},{"embedding":[3,4]}]}`, false, "an index is missing or there twice", ""},
		{"another index", `{"data":[{"index":0,"embedding":[3,4]},{"index":7,"embedding":[3,4]}]}`, false, "an index is missing", ""},
		{"null for NaN", `{"data":[{"index":0,"embedding":[null,4]},{"index":1,"embedding":[3,4]}]}`, false, "", "ny"},
		{"beyond float32", `{"data":[{"index":0,"embedding":[1e39,4]},{"index":1,"embedding":[3,4]}]}`, false, "", "ny"},
		{"zero", `{"data":[{"index":0,"embedding":[3,4]},{"index":1,"embedding":[0,0]}]}`, false, "", "yn"},
		{"tiny", `{"data":[{"index":0,"embedding":[1e-45,0]},{"index":1,"embedding":[1e38,1e38]}]}`, false, "", "yy"},
		{"no vector", `{"data":[{"index":0,"embedding":null},{"index":1,"embedding":[]}]}`, false, "", "nn"},
		{"base64 that nobody asked for", `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":[3,4]}]}`, false, "", "ny"},
		{"NaN as a word", `{"data":[{"index":0,"embedding":[NaN,4]},{"index":1,"embedding":[3,4]}]}`, false, "not the JSON of embeddings", ""},
		{"a page", `<html>Welcome</html>`, false, "not the JSON of embeddings", ""},
		{"a list", `[[3,4],[3,4]]`, false, "not the JSON of embeddings", ""},
		{"broken off", `{"data":[{"index":0,"embedding":[3,4]},{"ind`, false, "breaks off", ""},
		{"nothing", ``, false, "breaks off", ""},
		{"an error", `{"error":{"message":"no"}}`, false, "gave an error", ""},
	} {
		out, err := decode([]byte(c.body), 2, 2, c.cut)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, not %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ""
		for _, v := range out {
			if v == nil {
				got += "n"
				continue
			}
			got += "y"
			if l := math.Hypot(float64(v[0]), float64(v[1])); len(v) != 2 || math.Abs(l-1) > 1e-6 {
				t.Errorf("%s: %v has length %g", c.name, v, l)
			}
		}
		if got != c.good {
			t.Errorf("%s: vectors %s, want %s", c.name, got, c.good)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":1,"embedding":[0.5,-1e-3]},{"index":0,"embedding":[null,1]}]}`), 2, 2, false)
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,2,3]}]}`), 1, 2, true)
	f.Add([]byte(`{"error":"model is loading"}`), 1, 2, true)
	f.Add([]byte(`{"data":[{"index":0,"embedding":"AACA"}]}`), 1, 2, true)
	f.Fuzz(func(t *testing.T, body []byte, n, dims int, cut bool) {
		n, dims = 1+(n&7), 1+(dims&63)
		out, err := decode(body, n, dims, cut)
		if err != nil {
			return
		}
		if len(out) != n {
			t.Fatalf("%d vectors of %d", len(out), n)
		}
		for _, v := range out {
			if v == nil {
				continue
			}
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if len(v) != dims || math.Abs(sum-1) > 1e-4 {
				t.Fatalf("%d components, squares %g", len(v), sum)
			}
		}
	})
}
