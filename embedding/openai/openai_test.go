package openai

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

const dims = 8

// over opens a client of a fake service whose clock nobody waits for.
func over(t *testing.T, s *testkit.Embeddings, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{URL: s.URL, Model: "m", Dimensions: dims, Clock: s.Clock}
	for _, f := range change {
		f(&o)
	}
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func texts(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("Passage number %d.", i))
	}
	return out
}

// same compares with the vector that the service gives for a text.
func same(t *testing.T, got []float32, text string) {
	t.Helper()
	want := testkit.Vector(text, len(got))
	for i := range got {
		if math.Abs(float64(got[i]-want[i])) > 1e-6 {
			t.Errorf("the vector of %.40q is %v, want %v", text, got, want)
			return
		}
	}
}

func TestPassages(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	c := over(t, s, func(o *Options) {
		o.BatchItems = 3
		o.Requests = 2
		o.PassagePrefix, o.QuestionPrefix = "passage: ", "query: "
	})
	in := append(texts(10), "")
	out, err := c.Passages(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range in[:10] {
		if len(out[i]) != 1 {
			t.Fatalf("text %d has %d vectors", i, len(out[i]))
		}
		same(t, out[i][0], "passage: "+text)
	}
	if out[10] != nil {
		t.Error("an empty text has a vector")
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests for 10 texts, 3 in each", n)
	}
	q, err := c.Question(t.Context(), "Why?")
	if err != nil {
		t.Fatal(err)
	}
	same(t, q, "query: Why?")
	if _, err := c.Question(t.Context(), " \n"); err == nil {
		t.Error("an empty question was taken")
	}
	if out, err := c.Passages(t.Context(), nil); err != nil || len(out) != 0 {
		t.Errorf("no texts give %v, %v", out, err)
	}
	if want := `m 8 512/64 "query: " "passage: "`; c.Name() != want || c.Dims() != dims {
		t.Errorf("it is called %s with %d dimensions, not %s", c.Name(), c.Dims(), want)
	}
}

// A request holds no more tokens than it may, but always a text.
func TestBatchTokens(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	c := over(t, s, func(o *Options) { o.BatchTokens = 20 }) // a text of 4 tokens counts 6 with its frame
	if _, err := c.Passages(t.Context(), append(texts(7), strings.Repeat("long ", 100))); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, r := range s.Requests() {
		sizes = append(sizes, len(r.Input))
	}
	slices.Sort(sizes)
	if !slices.Equal(sizes, []int{1, 1, 3, 3}) {
		t.Errorf("requests hold %v texts", sizes)
	}
}

// A passage longer than the window has several vectors, of parts that overlap and
// cover all of it.
func TestWindows(t *testing.T) {
	s := testkit.NewEmbeddings(t, dims)
	c := over(t, s, func(o *Options) { o.Window = 66; o.Overlap = 8 })
	var words []string
	for i := range 200 {
		words = append(words, fmt.Sprintf("w%d", 1000+i))
	}
	out, err := c.Passages(t.Context(), []string{"short", strings.Join(words, " ")})
	if err != nil {
		t.Fatal(err)
	}
	if len(out[0]) != 1 || len(out[1]) < 4 {
		t.Fatalf("%d and %d vectors", len(out[0]), len(out[1]))
	}
	seen := map[string]int{}
	for _, r := range s.Requests() {
		for _, text := range r.Input {
			if n := count(text); n > 64 {
				t.Errorf("a window has %d tokens", n)
			}
			for _, w := range strings.Fields(text) {
				seen[w]++
			}
		}
	}
	twice := 0
	for _, w := range words[1 : len(words)-1] {
		if seen[w] == 0 {
			t.Errorf("%s is in no window", w)
		} else if seen[w] > 1 {
			twice++
		}
	}
	if twice == 0 {
		t.Error("windows do not overlap")
	}
	// A question is cut at its end.
	if _, err := c.Question(t.Context(), strings.Join(words, " ")); err != nil {
		t.Fatal(err)
	}
	r := s.Requests()
	if asked := r[len(r)-1].Input[0]; !strings.HasPrefix(asked, "w1000 w1001") || count(asked) > 64 || count(asked) < 62 {
		t.Errorf("the question asked has %d tokens: %s", count(asked), asked)
	}
}

// What WordPiece takes for one token is many to others: a long word is cut too, and
// never within a character.
func TestOpaqueWords(t *testing.T) {
	for _, word := range []string{strings.Repeat("QUJD", 5000), strings.Repeat("ȸ", 5000), strings.Repeat("x", 101)} {
		if n := count(word); n < len(word)/4 {
			t.Errorf("%d bytes without a space count %d tokens", len(word), n)
		}
		all := windows(word, 500, 50)
		for _, w := range all {
			if count(w) > 500 || strings.ToValidUTF8(w, "") != w {
				t.Errorf("a window of %d tokens, valid UTF-8: %v", count(w), strings.ToValidUTF8(w, "") == w)
			}
		}
		if !strings.HasPrefix(word, all[0]) || !strings.HasSuffix(word, all[len(all)-1]) {
			t.Error("the windows do not cover the text")
		}
	}
	if got := windows(" \n ", 5, 1); len(got) != 1 || got[0] != " \n " {
		t.Errorf("a text without tokens is cut into %q", got)
	}
	if halves("a few words") != nil {
		t.Error("a short text is halved")
	}
	if got := halves(strings.Repeat("word ", 100)); len(got) != 2 || count(got[0]) > 60 {
		t.Errorf("halves are %q", got)
	}
}

// The request is the protocol's, at each kind of service.
func TestRequest(t *testing.T) {
	s := testkit.NewEmbeddings(t, 3072)
	for _, c := range []struct {
		name        string
		o           Options
		path, query string
		header, key string
		model       string
		dimensions  int
		vector      int
	}{
		{"OpenAI", Options{URL: s.URL, Model: "text-embedding-3-large"},
			"/v1/embeddings", "", "Authorization", "Bearer secret", "text-embedding-3-large", 512, 512},
		{"OpenAI, small", Options{URL: s.URL + "/", Model: "text-embedding-3-small", Dimensions: 256},
			"/v1/embeddings", "", "Authorization", "Bearer secret", "text-embedding-3-small", 256, 256},
		{"Azure by version", Options{URL: strings.TrimSuffix(s.URL, "/v1") + "/openai/deployments/mine", APIVersion: "2024-10-21", Model: "mine", Dimensions: 512, Shorten: ByService},
			"/openai/deployments/mine/embeddings", "api-version=2024-10-21", "Api-Key", "secret", "mine", 512, 512},
		{"another, whole", Options{URL: s.URL + "/embeddings", Model: "x", Dimensions: 3072},
			"/v1/embeddings", "", "Authorization", "Bearer secret", "x", 0, 3072},
		{"another, cut here", Options{URL: s.URL, Model: "x", Dimensions: 100, Shorten: ByClient},
			"/v1/embeddings", "", "Authorization", "Bearer secret", "x", 0, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Key = func() (string, error) { return " secret\n", nil }
			client, err := Open(c.o)
			if err != nil {
				t.Fatal(err)
			}
			v, err := client.Question(t.Context(), "Why?")
			if err != nil || len(v) != c.vector || client.Dims() != c.vector {
				t.Fatalf("%d components, %v", len(v), err)
			}
			sum := 0.0
			for _, x := range v {
				sum += float64(x * x)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("the vector's length is %g", math.Sqrt(sum))
			}
			all := s.Requests()
			r := all[len(all)-1]
			if r.Path != c.path || r.Query != c.query || r.Header.Get(c.header) != c.key || r.Model != c.model || r.Dimensions != c.dimensions {
				t.Errorf("the request is %s?%s %s %d, key %q", r.Path, r.Query, r.Model, r.Dimensions, r.Header.Get(c.header))
			}
			if c.header != "Authorization" && r.Header.Get("Authorization") != "" || c.header != "Api-Key" && r.Header.Get("Api-Key") != "" {
				t.Error("the key is sent in two headers")
			}
		})
	}
}

func TestOptions(t *testing.T) {
	good := Options{URL: "http://localhost:1/v1", Model: "m", Dimensions: 8}
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string // "" where it can be used
	}{
		{"the default", func(o *Options) { *o = Options{} }, ""},
		{"as it is", func(*Options) {}, ""},
		{"no model", func(o *Options) { o.Model = "" }, "embedding.service.model: name the model"},
		{"no dimensions", func(o *Options) { o.Dimensions = 0 }, "embedding.service.dimensions: say how many components vectors of m have"},
		{"negative dimensions", func(o *Options) { o.Dimensions = -1 }, "embedding.service.dimensions is -1"},
		{"another way to shorten", func(o *Options) { o.Shorten = "pca" }, `embedding.service.shorten is "pca": give service, client or never`},
		{"a small window", func(o *Options) { o.Window = 10 }, "embedding.service.window is 10"},
		{"a long prefix", func(o *Options) { o.Window = 32; o.PassagePrefix = strings.Repeat("word ", 20) }, "embedding.service.window is 32"},
		{"too much overlap", func(o *Options) { o.Overlap = 300 }, "the overlap of windows is 300 tokens"},
		{"too many items", func(o *Options) { o.BatchItems = 5000 }, "embedding.service.batch_items is 5000"},
		{"no address", func(o *Options) { o.URL = "localhost:11434/v1" }, "embedding.service.url"},
		{"another scheme", func(o *Options) { o.URL = "ftp://localhost/v1" }, "does not begin with https:// or http://"},
		{"no host", func(o *Options) { o.URL = "http:///v1" }, "names no host"},
		{"a password", func(o *Options) { o.URL = "http://me:hunter2@localhost/v1" }, "holds a user or password"},
		{"a key in the address", func(o *Options) { o.URL = "http://localhost/v1?key=hunter2" }, "holds more than host and path"},
	} {
		o := good
		c.change(&o)
		client, err := Open(o)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%s: error %v, not %q", c.name, err, c.want)
		case c.name == "the default":
			if want := "text-embedding-3-large 512 8191/1023"; client.Name() != want || client.Dims() != 512 || client.service.URL() != "https://api.openai.com/v1/embeddings" {
				t.Errorf("by default it is %s at %s", client.Name(), client.service.URL())
			}
		}
	}
	other, err := Open(Options{URL: "https://me.openai.azure.com/openai/v1", Model: "mine", Name: "text-embedding-3-large", Dimensions: 512, Window: 8191})
	if err != nil || other.Name() != "text-embedding-3-large 512 8191/1023" {
		t.Errorf("the same model elsewhere is called otherwise: %v, %v", other, err)
	}
}

// Neither texts nor the key go to another host than the one that was named.
func TestRedirect(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	here := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusPermanentRedirect))
	defer here.Close()
	c, err := Open(Options{URL: here.URL, Model: "m", Dimensions: dims, Clock: testkit.NewClock(), Key: func() (string, error) { return "secret", nil }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Passages(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "answered 308, a redirection: set embedding.service.url") || reached {
		t.Errorf("error %v; the other host was reached: %v", err, reached)
	}
}
