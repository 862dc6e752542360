package openai

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/internal/service"
)

// The service and the model that are used where none is named.
const (
	DefaultURL   = service.DefaultURL
	DefaultModel = "text-embedding-3-large"
)

// known are models whose use need not be described. OpenAI publishes that
// text-embedding-3-large cut to 256 dimensions is still ahead of ada-002 with its
// 1536 ("New embedding models and API updates", January 2024); 512 cost a sixth of
// the memory of all 3072.
var known = map[string]struct {
	dims, window int
	shorten      Shorten
}{
	"text-embedding-3-large": {512, 8191, ByService},
	"text-embedding-3-small": {512, 8191, ByService},
	"text-embedding-ada-002": {1536, 8191, Never},
}

// complete fills in what was left out, and checks.
func (o Options) complete() (Options, error) {
	if o.URL == "" && o.Model == "" {
		o.Model = DefaultModel
	}
	if o.Model == "" {
		return o, errors.New("embedding.service.model: name the model as the service at embedding.service.url calls it")
	}
	set(&o.URL, DefaultURL)
	set(&o.Name, o.Model)
	model, isKnown := known[o.Model]
	if o.Dimensions == 0 && !isKnown {
		return o, fmt.Errorf("embedding.service.dimensions: say how many components vectors of %s have; the model's description says it", o.Model)
	}
	set(&o.Dimensions, model.dims)
	set(&o.Shorten, model.shorten)
	set(&o.Shorten, Never)
	set(&o.Window, model.window)
	set(&o.Window, 512)
	set(&o.Overlap, o.Window/8)
	set(&o.BatchTokens, 50_000)
	set(&o.BatchItems, 32)
	set(&o.Requests, 4)
	set(&o.Timeout, 2*time.Minute)
	set(&o.Patience, 5*time.Minute)
	return o, o.check()
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o Options) check() error {
	least := min(room(o.Window, o.QuestionPrefix), room(o.Window, o.PassagePrefix))
	switch {
	case o.Dimensions < 1 || o.Dimensions > maxDims:
		return fmt.Errorf("embedding.service.dimensions is %d: give 1 to %d", o.Dimensions, maxDims)
	case o.Shorten != ByService && o.Shorten != ByClient && o.Shorten != Never:
		return fmt.Errorf("embedding.service.shorten is %q: give %s, %s or %s", string(o.Shorten), ByService, ByClient, Never)
	case least < 16 || o.Window > 1<<20:
		return fmt.Errorf("embedding.service.window is %d: give at most %d tokens, and enough for 16 of a text beside the prefix", o.Window, 1<<20)
	case o.Overlap < 0 || o.Overlap > least/2:
		return fmt.Errorf("the overlap of windows is %d tokens: give at most half of what a window holds of a text (%d)", o.Overlap, least)
	case o.BatchTokens < 1:
		return fmt.Errorf("embedding.service.batch_tokens is %d: give a number above 0", o.BatchTokens)
	case o.BatchItems < 1 || o.BatchItems > 2048:
		return fmt.Errorf("embedding.service.batch_items is %d: give 1 to 2048", o.BatchItems)
	case o.Requests < 1 || o.Requests > 256:
		return fmt.Errorf("embedding.service.requests is %d: give 1 to 256", o.Requests)
	case o.Timeout <= 0 || o.Patience <= 0:
		return errors.New("the embedding service's time-out and patience must be above 0")
	}
	return nil
}
