package bert

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/seed-d3156d19/quarry/embedding/bert/internal/encoder"
)

// config is what config.json says.
type config struct {
	shape         encoder.Config
	architectures []string
}

// readConfig reads config.json and refuses what this encoder is not.
func readConfig(folder fs.FS) (config, error) {
	const file = "config.json"
	b, err := readFile(folder, file)
	if err != nil {
		return config{}, err
	}
	if b == nil {
		return config{}, fmt.Errorf("%s is not there: it must be the folder of a model, as the hub publishes it", file)
	}
	c, err := parseConfig(b)
	if err != nil {
		return config{}, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

func parseConfig(b []byte) (config, error) {
	// What newer files leave out has the value BERT was published with.
	c := struct {
		ModelType     string   `json:"model_type"`
		Architectures []string `json:"architectures"`
		Act           string   `json:"hidden_act"`
		Position      string   `json:"position_embedding_type"`
		Decoder       bool     `json:"is_decoder"`
		Layers        int      `json:"num_hidden_layers"`
		Hidden        int      `json:"hidden_size"`
		Heads         int      `json:"num_attention_heads"`
		Inner         int      `json:"intermediate_size"`
		Vocab         int      `json:"vocab_size"`
		Positions     int      `json:"max_position_embeddings"`
		Types         int      `json:"type_vocab_size"`
		Eps           float64  `json:"layer_norm_eps"`
	}{Act: "gelu", Position: "absolute", Types: 2, Eps: 1e-12}
	if err := unmarshal(b, &c); err != nil {
		return config{}, err
	}
	if c.ModelType != "bert" {
		return config{}, fmt.Errorf("the architecture is %q: only models of the type \"bert\" are supported", c.ModelType)
	}
	if c.Decoder {
		return config{}, fmt.Errorf("the model is a decoder: only encoders are supported")
	}
	if c.Act != "gelu" {
		return config{}, fmt.Errorf("hidden_act is %q: only \"gelu\" is supported", c.Act)
	}
	if c.Position != "absolute" {
		return config{}, fmt.Errorf("position_embedding_type is %q: only \"absolute\" is supported", c.Position)
	}
	out := config{architectures: c.Architectures, shape: encoder.Config{Layers: c.Layers, Hidden: c.Hidden, Heads: c.Heads,
		Inner: c.Inner, Vocab: c.Vocab, Positions: c.Positions, Types: c.Types, Eps: c.Eps}}
	return out, out.shape.Check()
}

func (c config) is(architecture string) bool { return slices.Contains(c.architectures, architecture) }

func unmarshal(b []byte, to any) error {
	if err := json.Unmarshal(b, to); err != nil {
		return fmt.Errorf("it is not as it should be: %w", err)
	}
	return nil
}
