package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry"
)

// WritingService is a service of the chat model that writes answers.
type WritingService struct {
	ChatService
	// Protocol is OpenAI or Anthropic.
	Protocol string
}

// The protocols of chat models.
const (
	OpenAI    = "openai"
	Anthropic = "anthropic"
)

// generateKeys are the settings of the model that writes answers.
var generateKeys = []key{
	text("generate.model", "none: answers are quoted; service: a chat model behind generate.service writes them from the evidence, which it is sent with the question. Each of its sentences is held against what it cites; what does not hold is asked for once more and else removed.",
		func(s *Settings) *string { return &s.Generate }),
	offNumber("generate.threshold", "The least that the evidence must promise for the model to be asked; below it the answer is as without a model. 0 to 1; 0: it is asked whatever was found.", "a number, 0 to 1",
		func(s *Settings) *float64 { return &s.Quarry.Generate.Threshold }),
	whole("generate.words", "How long one answer of the model may be, in its tokens. 1 to 100000.", func(s *Settings) *int { return &s.Quarry.Generate.Words }),
	whole("generate.tokens", "Tokens at most, in and out, that all calls for one question take.", func(s *Settings) *int { return &s.Quarry.Generate.Tokens }),
	seconds("generate.time", "Seconds at most that all calls for one question take; then the documents are quoted, or what held so far is the answer. At most 3600.",
		func(s *Settings) *time.Duration { return &s.Quarry.Generate.Time }),
	prices("generate.prices", "What a million tokens cost that a model reads (input) and that it writes (output), by the model's name, so that the trace tells what an answer costs: `{small: {input: 0.4, output: 1.6}}`. Of a model that is not among them no cost is told.",
		func(s *Settings) *map[string]quarry.Price { return &s.Quarry.Generate.Prices }),
	text("generate.currency", "Their currency.", func(s *Settings) *string { return &s.Quarry.Generate.Currency }),
	text("generate.verify", "A second witness for the sentences that held by the rules: none; reranker: the model of rerank; model: the same chat model. How far it finds them supported is recorded (support in the JSON) and decides nothing.",
		func(s *Settings) *string { return &s.Quarry.Generate.Verify }),
	text("generate.service.protocol", "openai: that of OpenAI, Azure OpenAI, Ollama, llama.cpp, vLLM; anthropic: Anthropic's.",
		func(s *Settings) *string { return &s.GenerateService.Protocol }),
	anyText("generate.service.url", "Where the service's paths begin; requests go to url/chat/completions, or url/messages at Anthropic. Empty: OpenAI's, or Anthropic's.",
		func(s *Settings) *string { return &s.GenerateService.URL }),
	anyText("generate.service.model", "The model as the service calls it.", func(s *Settings) *string { return &s.GenerateService.Model }),
	anyText("generate.service.key_env", "The environment variable that holds the key. Empty: OPENAI_API_KEY or ANTHROPIC_API_KEY where url is theirs, else none. A key itself is never written into this file.",
		func(s *Settings) *string { return &s.GenerateService.KeyEnv }),
	anyText("generate.service.key_file", "The file that holds the key, and nothing else, instead.",
		func(s *Settings) *string { return &s.GenerateService.KeyFile }),
	anyText("generate.service.api_version", "The parameter api-version that Azure OpenAI asks for.",
		func(s *Settings) *string { return &s.GenerateService.APIVersion }),
	whole("generate.service.timeout", "Seconds that one request may take. At most 3600.", func(s *Settings) *int { return &s.GenerateService.TimeoutSeconds }),
	whole("generate.service.patience", "Seconds that it is tried to get one answer. At most 86400.", func(s *Settings) *int { return &s.GenerateService.PatienceSeconds }),
}

// checkGenerate reports a model that cannot be used, and settings of one that is not.
func (s Settings) checkGenerate() error {
	model, v := s.Generate, s.GenerateService
	switch {
	case model != "" && model != NoModel && model != InService:
		return fmt.Errorf("generate.model is %q: give %s or %s; a service's model is named by generate.service.model", model, NoModel, InService)
	case model == InService && v.Model == "":
		return errors.New("generate.service.model: name the model as the service calls it")
	case model != InService && v != WritingService{} && v != defaultWritingService:
		return fmt.Errorf("generate.service is given and not used: set generate.model to %s, or remove it", InService)
	case v.Protocol != "" && v.Protocol != OpenAI && v.Protocol != Anthropic:
		return fmt.Errorf("generate.service.protocol is %q: give %s or %s", v.Protocol, OpenAI, Anthropic)
	case s.Quarry.Generate.Verify == "reranker" && (s.Rerank == "" || s.Rerank == NoModel):
		return fmt.Errorf("generate.verify is reranker and there is none: set rerank.model, or give %s", NoModel)
	case v.Protocol == Anthropic && v.APIVersion != "":
		return errors.New("generate.service.api_version is Azure's: remove it, or set generate.service.protocol to openai")
	}
	return access{"generate.service", v.KeyEnv, v.KeyFile, v.TimeoutSeconds, v.PatienceSeconds}.check()
}
