package service

import (
	"strings"
	"testing"
)

// What services say, in the forms that they have.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       said
	}{
		{"OpenAI", `{"error":{"message":"no","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`, said{"no", "unsupported_value", "temperature"}},
		{"without a code", `{"error":{"message":"no","type":"invalid_request_error","param":null,"code":null}}`, said{"no", "invalid_request_error", ""}},
		{"a code that is a number", `{"error":{"message":"no","type":"BadRequest","code":400}}`, said{"no", "BadRequest", ""}},
		{"Ollama", `{"error":"no"}`, said{Message: "no"}},
		{"vLLM, older", `{"object":"error","message":"no"}`, said{Message: "no"}},
		{"a list", `{"detail":[{"msg":"no"},{"msg":"nor this"}]}`, said{Message: "no"}},
		{"text", " no\n", said{Message: "no"}},
		{"a page", "<html>no</html>", said{}},
		{"JSON that breaks off", `{"error":{"mess`, said{}},
		{"nothing", "", said{}},
	} {
		if got := saidIn([]byte(c.body)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What is said of an error is one bounded line without key and without text.
func FuzzSaid(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"Incorrect API key provided: hunter2hunter2","code":"invalid_api_key"}}`), "hunter2hunter2", "text")
	f.Add([]byte(`{"detail":[{"msg":"bad","input":["text"]}]}`), "k", "text")
	f.Add([]byte(`{"error":"the input is: A secret sentence of a document."}`), "k", "A secret sentence of a document.")
	f.Fuzz(func(t *testing.T, body []byte, key, text string) {
		said := clean(saidIn(body).Message, key, []string{text})
		if strings.ContainsAny(said, "\n\r\x1b") || len([]rune(said)) > maxSaid+1 {
			t.Errorf("%q", said)
		}
		if len(key) > 5 && strings.Contains(said, key) && !strings.Contains("[key]with a message that repeats a text", key) {
			t.Errorf("%q holds the key %q", said, key)
		}
	})
}
