package testkit

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// Embeddings is a service that speaks the /embeddings protocol and is faulty when
// told to be. Set its fields before the first request. In its script nil, and all after
// the last, is well.
type Embeddings struct {
	scripted[Request, Fault]
	Dims int // of its vectors, unless a request asks for fewer

	rules    []func(Request) Fault
	embedded map[string]int
}

// Request is one that came.
type Request struct {
	Path, Query string
	Header      http.Header
	Model       string   `json:"model"`
	Input       []string `json:"input"`
	Dimensions  int      `json:"dimensions"`
	At          time.Time
}

// Fault answers a request otherwise than well. It reports which of its texts got
// their vectors all the same.
type Fault func(w http.ResponseWriter, r *http.Request, good Answer) (embedded []int)

// Answer is the body of a good answer.
type Answer struct {
	Data []Datum `json:"data"`
}

// Datum is one vector.
type Datum struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`
}

// NewEmbeddings starts a service that ends with the test.
func NewEmbeddings(t testing.TB, dims int) *Embeddings {
	e := &Embeddings{Dims: dims, embedded: map[string]int{}}
	e.start(t, e)
	return e
}

// Rule says how every request is answered for which it gives a fault; rule after
// rule is asked, where the script is at its end.
func (e *Embeddings) Rule(rule func(Request) Fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = append(e.rules, rule)
}

// Heal forgets script and rules.
func (e *Embeddings) Heal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.script, e.rules = nil, nil
}

// Embedded tells how often each text got its vector.
func (e *Embeddings) Embedded() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.embedded)
}

func (e *Embeddings) next(r Request) Fault {
	e.mu.Lock()
	defer e.mu.Unlock()
	if fault, ok := e.take(r); ok {
		return fault
	}
	for _, rule := range e.rules {
		if fault := rule(r); fault != nil {
			return fault
		}
	}
	return nil
}

// ServeHTTP answers one request.
func (e *Embeddings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := Request{Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header, At: e.Clock.Now()}
	if !decode(w, r, &request) {
		return
	}
	dims := e.Dims
	if request.Dimensions > 0 {
		dims = min(dims, request.Dimensions)
	}
	var good Answer
	for i, text := range request.Input {
		good.Data = append(good.Data, Datum{"embedding", i, Vector(text, dims)})
	}
	fault := e.next(request)
	if fault == nil {
		fault = well
	}
	done := fault(w, r, good)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, i := range done {
		e.embedded[request.Input[i]]++
	}
}

// Vector is the vector of a text: always the same, of unit length.
func Vector(text string, dims int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	rnd := rand.New(rand.NewPCG(h.Sum64(), 1))
	out := make([]float32, dims)
	sum := 0.0
	for i := range out {
		out[i] = rnd.Float32() - 0.5
		sum += float64(out[i]) * float64(out[i])
	}
	for i := range out {
		out[i] = float32(float64(out[i]) / math.Sqrt(sum))
	}
	return out
}

func write(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // a client that went away
}

func well(w http.ResponseWriter, _ *http.Request, good Answer) []int {
	write(w, good)
	return all(good)
}

func all(a Answer) (out []int) {
	for i := range a.Data {
		out = append(out, i)
	}
	return out
}

// Status answers with a status, a message in OpenAI's form and headers, names and
// values in turn.
func Status(code int, message string, header ...string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ Answer) []int {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error": {"message": %q, "type": "test", "code": null}}`, message)
		return nil
	}
}

// Says answers with a status and a body as it is.
func Says(code int, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ Answer) []int {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
		return nil
	}
}

// Cut breaks off the connection in the middle of the answer.
func Cut(w http.ResponseWriter, _ *http.Request, good Answer) []int {
	body, _ := json.Marshal(good)
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	_, _ = w.Write(body[:len(body)/2])
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	breakOff(w)
	return nil
}

// Drop breaks off the connection before any answer.
func Drop(w http.ResponseWriter, _ *http.Request, _ Answer) []int {
	breakOff(w)
	return nil
}

func breakOff(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
}

// Hang answers nothing until the client goes away.
func Hang(_ http.ResponseWriter, r *http.Request, _ Answer) []int {
	<-r.Context().Done()
	return nil
}

// Changed answers with a changed answer that a client cannot use.
func Changed(change func(*Answer)) Fault {
	return func(w http.ResponseWriter, _ *http.Request, good Answer) []int {
		change(&good)
		write(w, good)
		return nil
	}
}

// Unsorted answers well, last text first.
func Unsorted(w http.ResponseWriter, _ *http.Request, good Answer) []int {
	slices.Reverse(good.Data)
	write(w, good)
	return all(good)
}

// TooFew answers with one vector too few.
var TooFew = Changed(func(a *Answer) { a.Data = a.Data[1:] })

// Length answers with vectors of another number of components.
func Length(dims int) Fault {
	return Changed(func(a *Answer) {
		for i := range a.Data {
			a.Data[i].Embedding = Vector("any", dims)
		}
	})
}

// Spoil answers with a vector, such as one with null in it, in place of that of each
// text which contains part. The others are good.
func Spoil(part string, vector any) func(Request) Fault {
	return func(q Request) Fault {
		if !contains(q, part) {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request, good Answer) (done []int) {
			for i := range good.Data {
				if strings.Contains(q.Input[i], part) {
					good.Data[i].Embedding = vector
				} else {
					done = append(done, i)
				}
			}
			write(w, good)
			return done
		}
	}
}

// Refuse answers with a fault whenever a text contains part.
func Refuse(part string, fault Fault) func(Request) Fault {
	return func(q Request) Fault {
		if contains(q, part) {
			return fault
		}
		return nil
	}
}

// Always answers every request with a fault.
func Always(fault Fault) func(Request) Fault {
	return func(Request) Fault { return fault }
}

func contains(q Request, part string) bool {
	return slices.ContainsFunc(q.Input, func(s string) bool { return strings.Contains(s, part) })
}
