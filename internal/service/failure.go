package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Kind says what a try that failed means for the next.
type Kind int

// Kinds of failures.
const (
	Transient   Kind = iota // the connection, or a gateway: soon again
	Unreachable             // no connection was made and none was before: soon again, not for long
	Busy                    // a rate limit: when the service says
	Internal                // it failed on this request: again, then in parts
	Slow                    // it took too long: again, then in parts
	Faulty                  // its answer breaks the protocol: once more, then in parts
	Refused                 // it does not take the request: in parts
	Fatal                   // nothing that is sent will help
)

// tries bound how often one request is sent; the caller bounds its time.
var tries = [...]int{Transient: 8, Unreachable: 4, Busy: 30, Internal: 4, Slow: 2, Faulty: 2, Refused: 1, Fatal: 1}

// Failure is a try that gave nothing.
type Failure struct {
	Kind        Kind
	Host        string
	What        string        // the rest of a sentence that begins with the host
	Hint        string        // what to do, "" where time helps
	After       time.Duration // the service asks to wait so long; 0: it does not say
	Long        bool          // it finds a text too long
	Whole       bool          // a part of the texts would fare no better, whatever the kind
	Code, Param string        // what the service says is wrong, and with which parameter
	Tries       int
}

func (f *Failure) Error() string {
	s := f.Host + " " + f.What
	if f.Tries > 1 {
		s += fmt.Sprintf(" (tried %d times)", f.Tries)
	}
	if f.Hint != "" {
		s += ": " + f.Hint
	}
	return s
}

// Divisible reports whether a part of the texts may fare better than all of them.
func (f *Failure) Divisible() bool {
	return !f.Whole && (f.Kind == Internal || f.Kind == Slow || f.Kind == Faulty || f.Kind == Refused)
}

// ofStatus says what an answer that is not 200 means. said is what the service said.
func (u Use) ofStatus(status int, h http.Header, said string) Failure {
	f := Failure{Kind: Fatal, What: fmt.Sprintf("answered %d", status)}
	if said != "" {
		f.What += " (" + said + ")"
	}
	switch {
	case status == http.StatusTooManyRequests:
		f.Kind = Busy
	case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity:
		f.Kind = Refused
		f.Long = status == http.StatusRequestEntityTooLarge || saysTooLong(said)
	case status == http.StatusInternalServerError && saysTooLong(said): // llama.cpp, and Ollama in some versions
		f.Kind, f.Long = Refused, true
	case status == http.StatusInternalServerError || status == http.StatusFailedDependency: // 424: a backend of TEI failed
		f.Kind = Internal
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status > 501:
		f.Kind = Transient
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.Hint = "check the key that " + u.Keys + ".key_env or key_file names"
	case status == http.StatusNotFound:
		f.Hint = "check " + u.Keys + ".url and model"
	case status >= 300 && status < 400:
		f.What += ", a redirection"
		f.Hint = "set " + u.Keys + ".url to where the service is; redirections are not followed, so that texts and key " +
			"stay with the host that was named"
	case status == http.StatusNotImplemented:
		f.Hint = "it gives no " + u.Gives + ": check " + u.Keys + ".url and model"
	default:
		f.Hint = "check " + u.Keys
	}
	return f
}

// lengthy are words by which services say that a text is too long.
var lengthy = regexp.MustCompile(`(?i)too (long|large|many tokens)|context (length|size|window)|maximum (input|sequence|context|allowed|number)|input length|exceed|less than \d+ tokens`)

func saysTooLong(said string) bool { return lengthy.MatchString(said) }

// outOfMoney is the code under which OpenAI sends 429 where waiting does not help.
const outOfMoney = "insufficient_quota"

// said is what a service says in the body of an error.
type said struct{ Message, Code, Param string }

// saidIn reads what a service says: OpenAI and vLLM write {"error": {"message",
// "code", "param"}}, Ollama {"error": text}, others message or detail, which may be a list.
func saidIn(body []byte) said {
	type detail struct {
		Message string `json:"message"`
		Msg     string `json:"msg"`
		Code    any    `json:"code"`
		Param   any    `json:"param"`
		Type    string `json:"type"`
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(body, &outer); err != nil {
		if s := strings.TrimSpace(string(body)); !strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "{") {
			return said{Message: s}
		}
		return said{} // a page of a proxy
	}
	for _, raw := range []json.RawMessage{outer.Error, outer.Message, outer.Detail} {
		var text string
		var one detail
		var many []detail
		switch {
		case len(raw) == 0:
		case json.Unmarshal(raw, &text) == nil && text != "":
			return said{Message: text}
		case json.Unmarshal(raw, &one) == nil && one.Message+one.Msg != "":
			s := said{Message: one.Message + one.Msg}
			if s.Code, _ = one.Code.(string); s.Code == "" {
				s.Code = one.Type
			}
			s.Param, _ = one.Param.(string)
			return s
		case json.Unmarshal(raw, &many) == nil && len(many) > 0:
			return said{Message: many[0].Message + many[0].Msg}
		}
	}
	return said{}
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
