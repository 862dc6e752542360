package standard

import (
	"time"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/chat/anthropic"
	"github.com/seed-d3156d19/quarry/chat/openai"
	"github.com/seed-d3156d19/quarry/internal/config"
	"github.com/seed-d3156d19/quarry/reranking"
)

// writerOf opens the model that writes answers; nil for none. Nothing is called.
func writerOf(s Settings) (chat.Model, error) {
	if s.Generate != config.InService {
		return nil, nil
	}
	v := s.GenerateService
	timeout, patience := time.Duration(v.TimeoutSeconds)*time.Second, time.Duration(v.PatienceSeconds)*time.Second
	// A nil *Client in the interface would be no nil Model.
	if v.Protocol == config.Anthropic {
		c, err := anthropic.Open(anthropic.Options{URL: v.URL, Model: v.Model, KeyEnv: v.KeyEnv, KeyFile: v.KeyFile,
			Timeout: timeout, Patience: patience, Keys: "generate.service"})
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	c, err := openai.Open(openai.Options{URL: v.URL, APIVersion: v.APIVersion, Model: v.Model, KeyEnv: v.KeyEnv, KeyFile: v.KeyFile,
		Timeout: timeout, Patience: patience, Keys: "generate.service"})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// rankingOf opens the reranking service that the settings name. Nothing is called.
func rankingOf(v config.RerankService) (*reranking.Client, error) {
	return reranking.Open(reranking.Options{URL: v.URL, Protocol: reranking.Protocol(v.Protocol), Model: v.Model, KeyEnv: v.KeyEnv, KeyFile: v.KeyFile,
		Timeout: time.Duration(v.TimeoutSeconds) * time.Second, Patience: time.Duration(v.PatienceSeconds) * time.Second})
}
