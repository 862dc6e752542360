package bert

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/kernel"
)

// small is a random model with what numpy makes of some texts;
// testdata/small.py writes them.
type small struct {
	Name      string
	Config    map[string]any
	Texts     []string
	Mean, CLS [][]float64
	Window    int
	Scores    []float64
}

func readSmall(t testing.TB) []small {
	t.Helper()
	b, err := os.ReadFile("testdata/small.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []small
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (s small) number(key string) int { return int(s.Config[key].(float64)) }

// random gives n values in [-0.25, 0.25), as small.py does.
func random(name string, n int) []float32 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	out := make([]float32, n)
	for i := range out {
		x := h + uint64(i+1)*0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
		out[i] = float32((float64(x>>40)/(1<<23) - 1) * 0.25)
	}
	return out
}

// writer makes a safetensors file.
type writer struct {
	dtype  string
	header map[string]any
	data   []byte
}

func (w *writer) add(name string, values []float32, shape ...int) {
	from := len(w.data)
	for _, v := range values {
		bits := math.Float32bits(v)
		switch w.dtype {
		case "BF16":
			w.data = binary.LittleEndian.AppendUint16(w.data, uint16((bits+0x8000)>>16))
		case "F16":
			w.data = binary.LittleEndian.AppendUint16(w.data, half(v))
		default:
			w.data = binary.LittleEndian.AppendUint32(w.data, bits)
		}
	}
	w.header[name] = map[string]any{"dtype": w.dtype, "shape": shape, "data_offsets": []int{from, len(w.data)}}
}

// half rounds to float16; small models have no subnormal ones that matter.
func half(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, rest := uint16(bits>>16&0x8000), bits&0x7fffffff
	if rest < 0x38800000 {
		return sign
	}
	return sign | uint16((rest-0x38000000+0x1000)>>13)
}

func (w *writer) file() []byte {
	h, _ := json.Marshal(w.header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(h))), h...), w.data...)
}

// written holds what tensors gave, as many tests open the same models.
var written sync.Map

// tensors is the file of the model's weights; prefix goes before the encoder's names.
func (s small) tensors(dtype, prefix string) []byte {
	key := fmt.Sprint(s.Name, "\x00", dtype, "\x00", prefix)
	file, ok := written.Load(key)
	if !ok {
		file, _ = written.LoadOrStore(key, s.write(dtype, prefix))
	}
	return slices.Clone(file.([]byte)) // some tests damage it
}

func (s small) write(dtype, prefix string) []byte {
	n, inner := s.number("hidden_size"), s.number("intermediate_size")
	w := &writer{dtype: dtype, header: map[string]any{}}
	matrix := func(name string, rows, columns int) {
		w.add(prefix+name+".weight", random(name+".weight", rows*columns), rows, columns)
	}
	linear := func(name string, rows, columns int) {
		matrix(name, rows, columns)
		w.add(prefix+name+".bias", random(name+".bias", rows), rows)
	}
	norm := func(name string) {
		gamma := random(name+".weight", n)
		for i := range gamma {
			gamma[i]++
		}
		w.add(prefix+name+".weight", gamma, n)
		w.add(prefix+name+".bias", random(name+".bias", n), n)
	}
	matrix("embeddings.word_embeddings", s.number("vocab_size"), n)
	matrix("embeddings.position_embeddings", s.number("max_position_embeddings"), n)
	matrix("embeddings.token_type_embeddings", 2, n)
	norm("embeddings.LayerNorm")
	for i := range s.number("num_hidden_layers") {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range []string{"query", "key", "value"} {
			linear(p+"attention.self."+part, n, n)
		}
		linear(p+"attention.output.dense", n, n)
		norm(p + "attention.output.LayerNorm")
		linear(p+"intermediate.dense", inner, n)
		linear(p+"output.dense", n, inner)
		norm(p + "output.LayerNorm")
	}
	linear("pooler.dense", n, n)
	prefix = ""
	linear("classifier", 1, n)
	return w.file()
}

// folder is the model as the hub publishes it.
func (s small) folder(t testing.TB, dtype, prefix string, more map[string]any) fstest.MapFS {
	t.Helper()
	vocab, err := os.ReadFile("../../internal/wordpiece/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	c := map[string]any{}
	for _, from := range []map[string]any{s.Config, more} {
		for key, value := range from {
			c[key] = value
		}
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{
		"config.json":           {Data: b},
		"vocab.txt":             {Data: vocab},
		"model.safetensors":     {Data: s.tensors(dtype, prefix)},
		"1_Pooling/config.json": {Data: []byte(`{"word_embedding_dimension": 1, "pooling_mode_mean_tokens": true}`)},
	}
}

var classifies = map[string]any{"architectures": []string{classifier}}

// TestSmallModels: shapes that leave rests everywhere, in all types of weights.
func TestSmallModels(t *testing.T) {
	for _, s := range readSmall(t) {
		type variant struct {
			dtype   string
			pooling Pooling
			kernels *kernel.Set
			allowed float64
		}
		variants := []variant{{"F32", CLS, kernel.Best, 1e-5}, {"F16", Mean, kernel.Best, 2e-3}, {"BF16", Mean, kernel.Best, 2e-2}}
		for _, k := range kernel.Sets {
			variants = append(variants, variant{"F32", Mean, k, 1e-5})
		}
		for _, c := range variants {
			if s.Name != "odd" && c.dtype != "F32" {
				continue // a tensor's type and its shape have nothing to do with each other
			}
			m, err := openModel(s.folder(t, c.dtype, "", nil), "", Options{Name: s.Name, Pooling: c.pooling}, c.kernels)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Passages(context.Background(), s.Texts)
			if err != nil {
				t.Fatal(err)
			}
			want := s.Mean
			if c.pooling == CLS {
				want = s.CLS
			}
			for i := range want {
				for j, x := range want[i] {
					if math.Abs(x-float64(got[i][0][j])) > c.allowed {
						t.Fatalf("%s, %+v: component %d of %q is %v, want %v", s.Name, c, j, s.Texts[i], got[i][0][j], x)
					}
				}
			}
		}
	}
}

func TestCrossEncoder(t *testing.T) {
	for _, s := range readSmall(t) {
		for _, k := range kernel.Sets {
			c, err := openCross(s.folder(t, "F32", "bert.", classifies), "", Options{Name: s.Name, Window: s.Window}, k)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Rerank(context.Background(), s.Texts[0], s.Texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range s.Scores {
				if math.Abs(got[i]-want) > 2e-5 {
					t.Errorf("%s, %s: the score of %q is %v, want %v", s.Name, k.Name, s.Texts[i], got[i], want)
				}
			}
		}
	}
}
