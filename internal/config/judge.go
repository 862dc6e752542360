package config

import (
	"errors"
	"fmt"
)

// judgeKeys are the settings of the model that judges answers.
var judgeKeys = []key{
	text("judge.model", "none: answers are measured by rules alone; service: a chat model behind judge.service judges them too, as answer_judged, for every quarry eval that measures answers.",
		func(s *Settings) *string { return &s.Judge }),
	anyText("judge.service.url", "Where the service's paths begin; requests go to url/chat/completions. Empty: OpenAI's.",
		func(s *Settings) *string { return &s.JudgeService.URL }),
	anyText("judge.service.model", "The model as the service calls it.", func(s *Settings) *string { return &s.JudgeService.Model }),
	anyText("judge.service.key_env", "The environment variable that holds the key. Empty: OPENAI_API_KEY where url is OpenAI's, else none. A key itself is never written into this file.",
		func(s *Settings) *string { return &s.JudgeService.KeyEnv }),
	anyText("judge.service.key_file", "The file that holds the key, and nothing else, instead.",
		func(s *Settings) *string { return &s.JudgeService.KeyFile }),
	anyText("judge.service.api_version", "The parameter api-version that Azure OpenAI asks for.",
		func(s *Settings) *string { return &s.JudgeService.APIVersion }),
	whole("judge.service.timeout", "Seconds that one request may take. At most 3600.", func(s *Settings) *int { return &s.JudgeService.TimeoutSeconds }),
	whole("judge.service.patience", "Seconds that it is tried to get one verdict. At most 86400.", func(s *Settings) *int { return &s.JudgeService.PatienceSeconds }),
}

// checkJudge reports a judge that cannot be used, and settings of one that is not.
func (s Settings) checkJudge() error {
	model, v := s.Judge, s.JudgeService
	switch {
	case model != "" && model != NoModel && model != InService:
		return fmt.Errorf("judge.model is %q: give %s or %s; a service's model is named by judge.service.model", model, NoModel, InService)
	case model == InService && v.Model == "":
		return errors.New("judge.service.model: name the model as the service calls it")
	case model != InService && v != ChatService{} && v != defaultChatService:
		return fmt.Errorf("judge.service is given and not used: set judge.model to %s, or remove it", InService)
	}
	return access{"judge.service", v.KeyEnv, v.KeyFile, v.TimeoutSeconds, v.PatienceSeconds}.check()
}
