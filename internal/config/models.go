package config

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// modelKeys are the settings of models.
var modelKeys = []key{
	text("embedding.model", "none: keyword and identifier search only; built-in: all-MiniLM-L6-v2, in the binary; folder: a model in embedding.folder; service: one behind embedding.service, which every passage and question is then sent to. It is part of the store: after a change quarry reembed replaces the vectors, and until then add and questions are refused; none goes with every store.",
		func(s *Settings) *string { return &s.Embedding }),
	anyText("embedding.folder", "The folder of a BERT model as the Hugging Face hub publishes it (MiniLM, bge, e5, gte): config.json, model.safetensors, vocab.txt or tokenizer.json.",
		func(s *Settings) *string { return &s.EmbeddingFolder }),
	anyText("embedding.service.url", "Where the service's paths begin; requests go to url/embeddings. Empty: OpenAI's.",
		func(s *Settings) *string { return &s.Service.URL }),
	anyText("embedding.service.model", "The model as the service calls it. Empty, where url is too: text-embedding-3-large.",
		func(s *Settings) *string { return &s.Service.Model }),
	anyText("embedding.service.name", "What vectors of the model are kept under. Empty: its model. Give one name to one model that two services call differently.",
		func(s *Settings) *string { return &s.Service.Name }),
	autoWhole("embedding.service.dimensions", "Components of a vector. auto: 512 for text-embedding-3-large and -small, 1536 for text-embedding-ada-002; else required.",
		func(s *Settings) *int { return &s.Service.Dimensions }),
	text("embedding.service.shorten", "How longer vectors come to have so many. service: the service is asked to; client: they are cut here, for a model trained for it (Matryoshka) at a service that cannot; never: they must be as long; auto: service for text-embedding-3-large and -small, else never.",
		func(s *Settings) *string { return &s.Service.Shorten }),
	anyText("embedding.service.key_env", "The environment variable that holds the key. Empty: OPENAI_API_KEY where url is OpenAI's, else none. A key itself is never written into this file.",
		func(s *Settings) *string { return &s.Service.KeyEnv }),
	anyText("embedding.service.key_file", "The file that holds the key, and nothing else, instead.",
		func(s *Settings) *string { return &s.Service.KeyFile }),
	anyText("embedding.service.api_version", "The parameter api-version that Azure OpenAI asks for.",
		func(s *Settings) *string { return &s.Service.APIVersion }),
	anyText("embedding.service.question_prefix", "What is put before a question, for models trained with it, such as \"query: \" for e5. Like the passages' it belongs to the model: after a change quarry reembed replaces the vectors.",
		func(s *Settings) *string { return &s.Service.QuestionPrefix }),
	anyText("embedding.service.passage_prefix", "What is put before a passage, such as \"passage: \" for e5.",
		func(s *Settings) *string { return &s.Service.PassagePrefix }),
	autoWhole("embedding.service.window", "The longest input in tokens; a longer passage gets several vectors. auto: 8191 for OpenAI's models, else 512.",
		func(s *Settings) *int { return &s.Service.Window }),
	whole("embedding.service.batch_tokens", "Tokens in one request at most, estimated.", func(s *Settings) *int { return &s.Service.BatchTokens }),
	whole("embedding.service.batch_items", "Texts in one request at most. 1 to 2048.", func(s *Settings) *int { return &s.Service.BatchItems }),
	whole("embedding.service.requests", "Requests that run at once. 1 to 256.", func(s *Settings) *int { return &s.Service.Requests }),
	whole("embedding.service.timeout", "Seconds that one request may take. At most 3600.", func(s *Settings) *int { return &s.Service.TimeoutSeconds }),
	whole("embedding.service.patience", "Seconds that an add goes on trying while the service gives nothing, or asks to wait. At most 86400.",
		func(s *Settings) *int { return &s.Service.PatienceSeconds }),

	text("rerank.model", "none: the fused order stands; folder: the cross-encoder in rerank.folder reads question and candidates together and orders them anew; service: a model behind rerank.service does, which they are sent to. Where it fails the fused order stands, and the result says so.",
		func(s *Settings) *string { return &s.Rerank }),
	anyText("rerank.folder", "The folder of a BERT cross-encoder with one label, as the Hugging Face hub publishes it (ms-marco-MiniLM).",
		func(s *Settings) *string { return &s.RerankFolder }),
	text("rerank.service.protocol", "cohere: that of Cohere, Jina, vLLM and llama.cpp; tei: that of Text Embeddings Inference.",
		func(s *Settings) *string { return &s.RerankService.Protocol }),
	anyText("rerank.service.url", "Where the service's paths begin; requests go to url/rerank. Empty: Cohere's.",
		func(s *Settings) *string { return &s.RerankService.URL }),
	anyText("rerank.service.model", "The model as the service calls it. TEI takes none.", func(s *Settings) *string { return &s.RerankService.Model }),
	anyText("rerank.service.key_env", "The environment variable that holds the key. Empty: COHERE_API_KEY where url is Cohere's, else none. A key itself is never written into this file.",
		func(s *Settings) *string { return &s.RerankService.KeyEnv }),
	anyText("rerank.service.key_file", "The file that holds the key, and nothing else, instead.",
		func(s *Settings) *string { return &s.RerankService.KeyFile }),
	whole("rerank.service.timeout", "Seconds that one request may take. At most 3600.", func(s *Settings) *int { return &s.RerankService.TimeoutSeconds }),
	whole("rerank.service.patience", "Seconds that it is tried to rank the candidates of one question. At most 86400.", func(s *Settings) *int { return &s.RerankService.PatienceSeconds }),
}

// anyText is a text that may be empty, which is its default.
func anyText(name, doc string, at func(*Settings) *string) key {
	return key{name: name, doc: doc, want: "text; quote it where it is not plain words", set: func(s *Settings, n *yaml.Node) bool {
		*at(s) = n.Value
		return n.ShortTag() == "!!str"
	}, get: func(s *Settings) string {
		if *at(s) == "" {
			return `""`
		}
		return *at(s)
	}}
}

// autoWhole says auto for 0.
func autoWhole(name, doc string, at func(*Settings) *int) key {
	k := whole(name, doc, at)
	k.want = "auto or a whole number above 0"
	set, get := k.set, k.get
	k.set = func(s *Settings, n *yaml.Node) bool { return n.Value == "auto" || set(s, n) }
	k.get = func(s *Settings) string {
		if *at(s) == 0 {
			return "auto"
		}
		return get(s)
	}
	return k
}

// checkModels reports a model that is not known, and settings that say something of
// a model which is not used.
func (s Settings) checkModels() error {
	model, v := s.Embedding, s.Service
	switch {
	case model != "" && model != NoModel && model != BuiltIn && model != Folder && model != InService:
		return fmt.Errorf("embedding.model is %q: give %s, %s, %s or %s%s", model, NoModel, BuiltIn, Folder, InService, instead(model))
	case model == Folder && s.EmbeddingFolder == "":
		return errors.New("embedding.folder: name the model's folder, or set embedding.model to built-in")
	case model != Folder && s.EmbeddingFolder != "":
		return fmt.Errorf("embedding.folder is given and not used: set embedding.model to %s, or remove it", Folder)
	case model != InService && v != Service{} && v != defaultService:
		return fmt.Errorf("embedding.service is given and not used: set embedding.model to %s, or remove it", InService)
	}
	if err := (access{"embedding.service", v.KeyEnv, v.KeyFile, v.TimeoutSeconds, v.PatienceSeconds}).check(); err != nil {
		return err
	}
	r := s.RerankService
	switch {
	case s.OCR.Use != "" && s.OCR.Use != OCRAuto && s.OCR.Use != OCRPages && s.OCR.Use != NoModel:
		return fmt.Errorf("extract.ocr.use is %q: give %s, %s or %s", s.OCR.Use, OCRAuto, OCRPages, NoModel)
	case s.Rerank != "" && s.Rerank != NoModel && s.Rerank != Folder && s.Rerank != InService:
		return fmt.Errorf("rerank.model is %q: give %s, %s or %s; a service's model is named by rerank.service.model", s.Rerank, NoModel, Folder, InService)
	case s.Rerank != InService && r != RerankService{} && r != defaultRerankService:
		return fmt.Errorf("rerank.service is given and not used: set rerank.model to %s, or remove it", InService)
	case r.Protocol != "" && r.Protocol != "cohere" && r.Protocol != "tei":
		return fmt.Errorf("rerank.service.protocol is %q: give cohere or tei", r.Protocol)
	case s.Rerank == InService && r.Protocol != "tei" && r.Model == "":
		return errors.New("rerank.service.model: name the model as the service calls it")
	case s.Rerank == Folder && s.RerankFolder == "":
		return errors.New("rerank.folder: name the cross-encoder's folder, or set rerank.model to none")
	case s.Rerank != Folder && s.RerankFolder != "":
		return fmt.Errorf("rerank.folder is given and not used: set rerank.model to %s, or remove it", Folder)
	}
	if err := (access{"rerank.service", r.KeyEnv, r.KeyFile, r.TimeoutSeconds, r.PatienceSeconds}).check(); err != nil {
		return err
	}
	if err := s.checkGenerate(); err != nil {
		return err
	}
	return s.checkJudge()
}

// instead says where what was given as embedding.model belongs.
func instead(model string) string {
	switch {
	case strings.ContainsAny(model, `/\`):
		return "; a folder is named by embedding.folder, a service's model by embedding.service.model"
	default:
		return "; a service's model is named by embedding.service.model"
	}
}
