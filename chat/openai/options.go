package openai

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/service"
)

// DefaultURL is the service that is used where none is named.
const DefaultURL = service.DefaultURL

// Options say which service and model are used and how. Model is required.
type Options struct {
	// URL is where the protocol's paths begin: requests go to URL/chat/completions.
	// Default: https://api.openai.com/v1. Ollama: http://localhost:11434/v1.
	// Azure OpenAI: https://NAME.openai.azure.com/openai/v1, or
	// https://NAME.openai.azure.com/openai/deployments/DEPLOYMENT with APIVersion.
	URL string
	// APIVersion is the parameter api-version that Azure OpenAI asks for.
	APIVersion string
	// Model is what the service calls the model.
	Model string
	// KeyEnv names the environment variable, or KeyFile the file, that holds the key; at
	// most one is given. Default: OPENAI_API_KEY where URL is OpenAI's, else no key is
	// sent. A key goes over http as over https: use https beyond a network of your own.
	KeyEnv, KeyFile string

	// Requests is how many run at once. Default: 4.
	Requests int
	// Timeout is for one try. Default: 2 minutes.
	Timeout time.Duration
	// Patience is how long it is tried to get one answer. Default: 5 minutes.
	Patience time.Duration

	// Noun and Keys are what errors call the service and the configuration keys that
	// these options come from. Default: "chat model" and "chat".
	Noun, Keys string

	// Transport sends requests. Default: one of its own, which heeds HTTPS_PROXY.
	Transport http.RoundTripper
	// Clock is the time that back-off goes by; tests give one that does not
	// wait. Default: the real time.
	Clock Clock
}

// Clock tells the time and waits: Now() time.Time, and Sleep(ctx, d), which waits for d, or
// until ctx ends and then returns its error.
type Clock = service.Clock

// complete fills in what was left out, and checks.
func (o Options) complete() (Options, error) {
	o.Noun, o.Keys = cmp.Or(o.Noun, "chat model"), cmp.Or(o.Keys, "chat")
	o.URL = cmp.Or(o.URL, DefaultURL)
	o.Requests = cmp.Or(o.Requests, 4)
	o.Timeout, o.Patience = cmp.Or(o.Timeout, 2*time.Minute), cmp.Or(o.Patience, 5*time.Minute)
	switch {
	case o.Model == "":
		return o, fmt.Errorf("%s.model: name the model as the service calls it", o.Keys)
	case o.KeyEnv != "" && o.KeyFile != "":
		return o, fmt.Errorf("%s.key_file and key_env are both given: keep one", o.Keys)
	case o.Requests < 1 || o.Requests > 256:
		return o, fmt.Errorf("%s.requests is %d: give 1 to 256", o.Keys, o.Requests)
	case o.Timeout < 0 || o.Patience < 0:
		return o, errors.New("the time-out and patience of the " + o.Noun + " must be above 0")
	}
	if o.KeyEnv == "" && o.KeyFile == "" && strings.HasPrefix(o.URL+"/", DefaultURL+"/") { // this key goes to no other host unasked
		o.KeyEnv = "OPENAI_API_KEY"
	}
	return o, nil
}
