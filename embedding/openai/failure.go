package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// kind says what a try that failed means for the next.
type kind int

const (
	transient   kind = iota // the connection, or a gateway: soon again
	unreachable             // no connection was made and none was before: soon again, not for long
	busy                    // a rate limit: when the service says
	internal                // it failed on this request: again, then in parts
	slow                    // it took too long: again, then in parts
	faulty                  // its answer breaks the protocol: once more, then in parts
	refused                 // it does not take the request: in parts
	mismatch                // vectors of another length: once more
	fatal                   // nothing that is sent will help
)

// tries bound how often one request is sent; Options.Patience bounds its time.
var tries = [...]int{transient: 8, unreachable: 4, busy: 30, internal: 4, slow: 2, faulty: 2, refused: 1, mismatch: 2, fatal: 1}

// failure is a try that gave no vectors.
type failure struct {
	kind  kind
	host  string
	what  string        // the rest of a sentence that begins with the host
	hint  string        // what to do, "" where time helps
	after time.Duration // the service asks to wait so long; 0: it does not say
	long  bool          // it finds a text too long
	tries int
}

func (f *failure) Error() string {
	s := f.host + " " + f.what
	if f.tries > 1 {
		s += fmt.Sprintf(" (tried %d times)", f.tries)
	}
	if f.hint != "" {
		s += ": " + f.hint
	}
	return s
}

// divisible reports whether a part of the texts may fare better than all of them.
func (f *failure) divisible() bool {
	return f.kind == internal || f.kind == slow || f.kind == faulty || f.kind == refused
}

// ofStatus says what an answer that is not 200 means. said is what the service said.
func ofStatus(status int, h http.Header, said string) failure {
	f := failure{kind: fatal, what: fmt.Sprintf("answered %d", status)}
	if said != "" {
		f.what += " (" + said + ")"
	}
	switch {
	case status == http.StatusTooManyRequests:
		f.kind = busy
	case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity:
		f.kind = refused
		f.long = status == http.StatusRequestEntityTooLarge || saysTooLong(said)
	case status == http.StatusInternalServerError && saysTooLong(said): // llama.cpp, and Ollama in some versions
		f.kind, f.long = refused, true
	case status == http.StatusInternalServerError || status == http.StatusFailedDependency: // 424: a backend of TEI failed
		f.kind = internal
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status > 501:
		f.kind = transient
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.hint = "check the key that embedding.service.key_env or key_file names"
	case status == http.StatusNotFound:
		f.hint = "check embedding.service.url and model"
	case status >= 300 && status < 400:
		f.what += ", a redirection"
		f.hint = "set embedding.service.url to where the service is; redirections are not followed, so that texts and key stay with the host that was named"
	case status == http.StatusNotImplemented:
		f.hint = "it makes no embeddings: check embedding.service.url and model"
	default:
		f.hint = "check embedding.service"
	}
	return f
}

// lengthy are words by which services say that a text is too long.
var lengthy = regexp.MustCompile(`(?i)too (long|large|many tokens)|context (length|size|window)|maximum (input|sequence|context|allowed|number)|input length|exceed|less than \d+ tokens`)

func saysTooLong(said string) bool { return lengthy.MatchString(said) }

// outOfMoney is the code under which OpenAI sends 429 where waiting does not help.
const outOfMoney = "insufficient_quota"

// saidIn finds what a service says in the body of an error: OpenAI and vLLM write
// {"error": {"message", "code"}}, Ollama {"error": text}, others message or
// detail, which may be a list.
func saidIn(body []byte) (message, code string) {
	type detail struct {
		Message string `json:"message"`
		Msg     string `json:"msg"`
		Code    any    `json:"code"`
		Type    string `json:"type"`
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(body, &outer); err != nil {
		if s := strings.TrimSpace(string(body)); !strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "{") {
			return s, ""
		}
		return "", "" // a page of a proxy
	}
	for _, raw := range []json.RawMessage{outer.Error, outer.Message, outer.Detail} {
		var text string
		var one detail
		var many []detail
		switch {
		case len(raw) == 0:
		case json.Unmarshal(raw, &text) == nil && text != "":
			return text, ""
		case json.Unmarshal(raw, &one) == nil && one.Message+one.Msg != "":
			if code, _ = one.Code.(string); code == "" {
				code = one.Type
			}
			return one.Message + one.Msg, code
		case json.Unmarshal(raw, &many) == nil && len(many) > 0:
			return many[0].Message + many[0].Msg, ""
		}
	}
	return "", ""
}

const (
	maxSaid   = 300 // runes of a message that are shown
	maxRepeat = 24  // bytes of a document that a message may hold, by chance
)

// keyLike are keys that a service repeats, whole or in part.
var keyLike = regexp.MustCompile(`(?i)\b((sk|pk|pat|hf|key)[-_]|bearer )[A-Za-z0-9*._-]{4,}`)

// clean makes a service's message fit to be shown: one line, bounded, without the
// key, and without text of a document, which services like to repeat.
func clean(said, key string, texts []string) string {
	if key != "" {
		said = strings.ReplaceAll(said, key, "[key]")
	}
	said = keyLike.ReplaceAllString(said, "[key]")
	said = strings.Join(strings.FieldsFunc(said, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
	}), " ")
	if runes := []rune(said); len(runes) > maxSaid {
		said = string(runes[:maxSaid]) + "…"
	}
	said = strings.TrimRight(said, ".")
	if repeats(said, texts) {
		return "with a message that repeats a text"
	}
	return said
}

func repeats(said string, texts []string) bool {
	for i := 0; i+maxRepeat <= len(said); i++ {
		for _, t := range texts {
			if strings.Contains(t, said[i:i+maxRepeat]) {
				return true
			}
		}
	}
	return false
}
