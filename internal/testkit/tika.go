package testkit

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Tika is a fake Apache Tika server: it puts a document's text into a page, or answers
// as the script says.
type Tika struct {
	scripted[TikaRequest, TikaAnswer]
}

// TikaRequest is one that came.
type TikaRequest struct {
	Path, Accept, Disposition string
	Body                      string
}

// TikaAnswer is a status with a body. With Hang nothing is answered until the one who
// asks gives up; with After, until it is closed.
type TikaAnswer struct {
	Status int
	Body   string
	Header map[string]string
	Hang   bool
	After  <-chan struct{}
}

// NewTika starts one that ends with the test.
func NewTika(t testing.TB) *Tika {
	s := &Tika{}
	s.start(t, s)
	s.URL = strings.TrimSuffix(s.URL, "/v1")
	return s
}

func (s *Tika) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	answer, ok := s.take(TikaRequest{r.URL.Path, r.Header.Get("Accept"), r.Header.Get("Content-Disposition"), string(body)})
	s.mu.Unlock()
	if !ok {
		answer = TikaAnswer{Status: http.StatusOK, Body: TikaPage("", "<p>"+string(body)+"</p>")}
	}
	if answer.Hang {
		<-r.Context().Done()
		return
	}
	if answer.After != nil {
		select {
		case <-answer.After:
		case <-r.Context().Done():
			return
		}
	}
	for k, v := range answer.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(answer.Status)
	_, _ = io.WriteString(w, answer.Body)
}

// TikaPage is XHTML as the server writes it.
func TikaPage(title, body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="X-TIKA:Parsed-By" content="org.apache.tika.parser.DefaultParser"/><title>` + title + `</title></head><body>` + body + `</body></html>`
}
