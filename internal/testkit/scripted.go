package testkit

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// scripted is what the fake services have in common: requests that are kept, and a script
// of how they are answered.
type scripted[Q, A any] struct {
	URL   string // as the service's url setting says it
	Clock *Clock // tells when a request came

	mu       sync.Mutex
	script   []A
	requests []Q
}

// start serves until the test ends.
func (s *scripted[Q, A]) start(t testing.TB, h http.Handler) {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s.URL, s.Clock = server.URL+"/v1", NewClock()
}

// Script says how the next requests are answered, one each.
func (s *scripted[Q, A]) Script(answers ...A) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, answers...)
}

// Requests lists those that came.
func (s *scripted[Q, A]) Requests() []Q {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// take keeps a request and gives its answer by the script, if there is one. The caller
// holds the lock.
func (s *scripted[Q, A]) take(q Q) (answer A, ok bool) {
	s.requests = append(s.requests, q)
	if len(s.script) == 0 {
		return answer, false
	}
	answer, s.script = s.script[0], s.script[1:]
	return answer, true
}

// decode reads a request's body into one that holds the rest, or says that it cannot.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return err == nil
}
