package testkit

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Rankings is a reranking service in either protocol. Unless it is told otherwise it scores a
// passage by how many words of the question it holds, and answers best first.
type Rankings struct {
	scripted[RankingRequest, Reply]
	TEI bool // answers with a list
}

// RankingRequest is one that came.
type RankingRequest struct {
	Path      string
	Header    http.Header
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	Texts     []string `json:"texts"`
	TopN      int      `json:"top_n"`
	Truncate  bool     `json:"truncate"`
	At        time.Time
}

// Passages are those of either protocol.
func (r RankingRequest) Passages() []string { return append(r.Documents, r.Texts...) }

// NewRankings starts a service that ends with the test.
func NewRankings(t testing.TB) *Rankings {
	r := &Rankings{}
	r.start(t, r)
	return r
}

// ServeHTTP answers one request.
func (s *Rankings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := RankingRequest{Path: r.URL.Path, Header: r.Header, At: s.Clock.Now()}
	if !decode(w, r, &request) {
		return
	}
	s.mu.Lock()
	reply, ok := s.take(request)
	s.mu.Unlock()
	if ok && reply != nil {
		reply(w, r)
		return
	}
	name := "relevance_score"
	if s.TEI {
		name = "score"
	}
	var list []any
	passages := request.Passages()
	for i := len(passages) - 1; i >= 0; i-- { // in no order that a client may rely on
		list = append(list, map[string]any{"index": i, name: WordsShared(request.Query, passages[i])})
	}
	if s.TEI {
		write(w, list)
		return
	}
	write(w, map[string]any{"id": "1", "results": list})
}

// WordsShared is the share of the words of a question that a passage holds, in small letters.
func WordsShared(question, passage string) float64 {
	in := map[string]bool{}
	for w := range strings.FieldsSeq(strings.ToLower(passage)) {
		in[strings.Trim(w, ".,;:?!")] = true
	}
	n, all := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(question)) {
		all++
		if in[strings.Trim(w, ".,;:?!")] {
			n++
		}
	}
	return float64(n) / float64(max(1, all))
}
