package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seed-d3156d19/quarry/internal/service"
)

// maxDims is more components than any model gives.
const maxDims = 16_384

// answerLimit bounds the bytes of an answer for n texts: maxDims components as
// JSON have at most some 250 KB.
func answerLimit(n int) int64 { return 1<<20 + int64(n)*(256<<10) }

// useless says of a vector why it is not taken.
const useless = "has no length or holds what is no number"

// answer is the body of a good answer. Floats come as JSON: not every service knows
// the other encoding, base64, and the texts that go up outweigh what is saved.
type answer struct {
	Data []struct {
		Index     *int   `json:"index"`
		Embedding vector `json:"embedding"`
	} `json:"data"`
	Error json.RawMessage `json:"error"`
}

// vector is a list of numbers, read strictly: encoding/json takes null, which some
// services write for NaN, for 0. What is no such list is nil.
type vector []float32

func (v *vector) UnmarshalJSON(data []byte) error {
	*v = nil
	if len(data) < 2 || data[0] != '[' {
		return nil
	}
	data = bytes.TrimSpace(data[1 : len(data)-1])
	if len(data) == 0 {
		return nil
	}
	n := bytes.Count(data, []byte{','}) + 1
	if n > maxDims {
		return nil
	}
	out := make([]float32, 0, n)
	for part := range bytes.SplitSeq(data, []byte{','}) {
		part = bytes.TrimSpace(part)
		if len(part) == 0 || part[0] != '-' && (part[0] < '0' || part[0] > '9') {
			return nil // null, a string, a list
		}
		x, err := strconv.ParseFloat(string(part), 32)
		if err != nil {
			return nil // beyond float32
		}
		out = append(out, float32(x))
	}
	*v = out
	return nil
}

// lengthError is an answer whose vectors have another number of components.
type lengthError struct{ got, want int }

func (e lengthError) Error() string {
	return fmt.Sprintf("gave vectors of %d components where %d are wanted", e.got, e.want)
}

// decode reads an answer for n texts: their vectors in the order of the texts, of
// unit length, nil for a text whose vector is of no use. Vectors of more components
// than dims are cut where that is asked for.
func decode(body []byte, n, dims int, cut bool) ([][]float32, error) {
	var a answer
	if err := service.Decode(body, &a, "embeddings"); err != nil {
		return nil, err
	}
	if len(a.Data) == 0 && len(a.Error) > 0 && !bytes.Equal(a.Error, []byte("null")) {
		return nil, service.SaidError{Body: body}
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("gave %d vectors for %d texts", len(a.Data), n)
	}
	out := make([][]float32, n)
	seen := make([]bool, n)
	for _, d := range a.Data {
		// Some services answer out of order; the index alone says which is which.
		if d.Index == nil || *d.Index < 0 || *d.Index >= n || seen[*d.Index] {
			return nil, errors.New("gave vectors without saying which is whose: an index is missing or there twice")
		}
		seen[*d.Index] = true
		v := d.Embedding
		if cut && len(v) > dims {
			v = v[:dims:dims]
		}
		if len(v) > 0 && len(v) != dims {
			return nil, lengthError{len(v), dims}
		}
		if normalize(v) {
			out[*d.Index] = v
		}
	}
	return out, nil
}

// normalize scales to unit length; false where there is no length to scale.
func normalize(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}
