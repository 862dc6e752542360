package standard

import (
	"time"

	chat "github.com/seed-d3156d19/quarry/chat/openai"
	"github.com/seed-d3156d19/quarry/evaluate"
	"github.com/seed-d3156d19/quarry/internal/config"
)

// Judge opens the judge of answers that the settings name; nil for none. Nothing is
// called.
func Judge(s Settings) (evaluate.Judge, error) {
	if s.Judge != config.InService {
		return nil, nil
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	v := s.JudgeService
	model, err := chat.Open(chat.Options{URL: v.URL, APIVersion: v.APIVersion, Model: v.Model, KeyEnv: v.KeyEnv, KeyFile: v.KeyFile,
		Timeout: time.Duration(v.TimeoutSeconds) * time.Second, Patience: time.Duration(v.PatienceSeconds) * time.Second,
		Noun: "judge", Keys: "judge.service"})
	if err != nil {
		return nil, err
	}
	return evaluate.JudgeBy(model), nil
}
