package service

import (
	"strings"
	"testing"
)

func TestEndpoint(t *testing.T) {
	use := Use{Noun: "chat model", Keys: "chat", Path: "chat/completions", Gives: "completions"}
	for _, c := range []struct {
		base, version string
		want          string // what follows "bad: " is the error's
		azure         bool
	}{
		{"https://h/v1", "", "https://h/v1/chat/completions", false},
		{"https://h/v1/", "", "https://h/v1/chat/completions", false},
		{"https://h/v1/chat/completions", "", "https://h/v1/chat/completions", false},
		{"https://h/v1/chat/completions/", "", "https://h/v1/chat/completions/", false},
		{"http://localhost:11434/v1", "", "http://localhost:11434/v1/chat/completions", false},
		{"https://me.openai.azure.com/openai/v1", "", "https://me.openai.azure.com/openai/v1/chat/completions", true},
		{"https://me.OPENAI.Azure.com/openai/v1", "", "https://me.OPENAI.Azure.com/openai/v1/chat/completions", true},
		{"https://h/openai/deployments/d", "2024-10-21", "https://h/openai/deployments/d/chat/completions?api-version=2024-10-21", true},
		{"h:80/v1", "", "bad: chat.url does not begin with", false},
		{"://", "", "bad: chat.url is no address", false},
		{"http:///v1", "", "bad: chat.url names no host", false},
		{"https://me:secret@h/v1", "", "bad: chat.url holds a user or password, which belong in chat.key_env or key_file", false},
		{"https://h/v1?key=secret", "", "bad: chat.url holds more than host and path (the parameter api-version is chat.api_version)", false},
	} {
		e, err := endpointOf(use, c.base, c.version)
		if want, bad := strings.CutPrefix(c.want, "bad: "); bad {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: error %v, not %q", c.base, err, want)
			}
			continue
		}
		if err != nil || e.url != c.want || e.azure != c.azure {
			t.Errorf("%s: %+v, %v, want %s", c.base, e, err, c.want)
		}
	}
}
