package rules

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-d3156d19/quarry/store"
)

// CheckModel refuses what names no model. A name holds no control character \x1f, which
// a store may put behind it.
func CheckModel(m store.Model) error {
	if m.Name == "" || m.Dims <= 0 || strings.Contains(m.Name, "\x1f") {
		return fmt.Errorf("%w: model %q with %d dimensions", store.ErrInvalid, m.Name, m.Dims)
	}
	return nil
}

// CheckVectors refuses vectors that are not of the model or not finite.
func CheckVectors(model store.Model, v store.Vectors) error {
	if len(v.Vectors) == 0 {
		return fmt.Errorf("%w: content key %s comes without a vector", store.ErrInvalid, v.Key)
	}
	for _, w := range v.Vectors {
		if len(w) != model.Dims {
			return fmt.Errorf("%w: content key %s has a vector of %d dimensions and model %s has %d", store.ErrInvalid, v.Key, len(w), model.Name, model.Dims)
		}
		if !Finite(w) {
			return fmt.Errorf("%w: content key %s has a vector that is not finite", store.ErrInvalid, v.Key)
		}
	}
	return nil
}

// Finite reports whether all components are numbers.
func Finite(vector []float32) bool {
	for _, x := range vector {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}

// CheckQuery refuses a question's vector that cannot be compared with those of a model.
func CheckQuery(model store.Model, query []float32) error {
	if len(query) != model.Dims || model.Dims == 0 {
		return fmt.Errorf("%w: a question of %d dimensions is asked of model %s with %d", store.ErrInvalid, len(query), model.Name, model.Dims)
	}
	if !Finite(query) {
		return fmt.Errorf("%w: a question's vector is not finite", store.ErrInvalid)
	}
	return nil
}
