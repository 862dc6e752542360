package quarry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/local"
)

// tiny is a model of a name and dimensions whose vectors differ from those of every
// other. It may be told to fail.
type tiny struct {
	name string
	dims int

	mu    sync.Mutex
	texts int // embedded
	calls int
	fail  func(call int) error
}

func (m *tiny) Name() string { return m.name }
func (m *tiny) Dims() int    { return m.dims }

func (m *tiny) vector(text string) []float32 {
	return testkit.Vector(fmt.Sprintf("%s/%d/%s", m.name, m.dims, text), m.dims)
}

func (m *tiny) Question(_ context.Context, text string) ([]float32, error) {
	return m.vector(text), nil
}

func (m *tiny) Passages(_ context.Context, texts []string) ([][][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.fail != nil {
		if err := m.fail(m.calls); err != nil {
			return nil, err
		}
	}
	m.texts += len(texts)
	out := make([][][]float32, len(texts))
	for i, text := range texts {
		out[i] = [][]float32{m.vector(text)}
	}
	return out, nil
}

// on opens a corpus with a model over a store; nil is none.
func on(t *testing.T, s store.Store, m *tiny) *quarry.Corpus {
	t.Helper()
	o := quarry.Options{Store: s}
	if m != nil {
		o.Embedder = m
	}
	c, err := quarry.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newStore(t *testing.T) (*local.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "q.db")
	return storeAt(t, path), path
}

func storeAt(t *testing.T, path string) *local.Store {
	t.Helper()
	s, err := local.Open(t.Context(), path, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// asks checks that a question is compared with the vectors of the model, those of n
// passages, or is refused in a sentence that says what to do.
func asks(c *quarry.Corpus, m *tiny, refused bool, n int) error {
	const question = "Which remark is it?"
	r, err := c.Search(context.Background(), question, document.Scope{})
	if refused {
		if !errors.Is(err, quarry.ErrModel) || !strings.Contains(err.Error(), "run quarry reembed") || strings.Contains(err.Error(), "\n") {
			return fmt.Errorf("a question is not refused for its model: %v", err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	scored, asked := 0, m.vector(question)
	for _, x := range r.Candidates {
		if math.IsNaN(x.Vector.Score) {
			continue
		}
		scored++
		want := 0.0
		for i, v := range m.vector(x.Context + "\n" + x.Text) {
			want += float64(v) * float64(asked[i])
		}
		if math.Abs(want-x.Vector.Score) > 1e-5 {
			return fmt.Errorf("%s scores %g, and by %s with %d dimensions it is %g", x.Document, x.Vector.Score, m.name, m.dims, want)
		}
	}
	if scored < n {
		return fmt.Errorf("%d passages have a score of %s with %d dimensions, want %d", scored, m.name, m.dims, n)
	}
	return nil
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// A store has the vectors of one model: every other name or dimension is refused
// until Reembed has replaced them.
func TestReembed(t *testing.T) {
	for _, c := range []struct{ was, is *tiny }{
		{&tiny{name: "a", dims: 8}, &tiny{name: "b", dims: 12}},
		{&tiny{name: "a", dims: 8}, &tiny{name: "b", dims: 8}},
		{&tiny{name: "a", dims: 8}, &tiny{name: "a", dims: 12}},
	} {
		t.Run(fmt.Sprintf("%s %d to %s %d", c.was.name, c.was.dims, c.is.name, c.is.dims), func(t *testing.T) {
			const n = 40
			s, _ := newStore(t)
			before, after, words := on(t, s, c.was), on(t, s, c.is), on(t, s, nil)
			root, write := folder(t, notes(n))
			synced(t, before, root)
			ok(t, asks(before, c.was, false, n))
			ok(t, asks(after, c.is, true, 0))
			write("f000.md", "# Note 0\n\nThis is another remark.\n")
			if r, err := after.Sync(t.Context(), "docs", root, quarry.Progress{}); !errors.Is(err, quarry.ErrModel) || len(r.Changed) > 0 {
				t.Errorf("a sync with another model: %v, %v", r, err)
			}
			if _, err := after.Ask(t.Context(), "Which remark?", document.Scope{}); !errors.Is(err, quarry.ErrModel) {
				t.Errorf("Ask: %v", err)
			}
			if c.is.calls > 0 {
				t.Error("the model was called")
			}
			// Without a model the store is searched by words, and synced.
			synced(t, words, root)
			if _, err := words.Search(t.Context(), "remark", document.Scope{}); err != nil {
				t.Error(err)
			}
			if _, err := words.Reembed(t.Context(), quarry.ReembedOptions{}); err == nil {
				t.Error("there is nothing to embed with")
			}

			done, err := after.Reembed(t.Context(), quarry.ReembedOptions{})
			if err != nil || done.Vectors != n+1 || done.Former.Dims != c.was.dims || len(done.Unembedded) > 0 {
				t.Errorf("%+v, %v", done, err) // one more is of the past revision
			}
			ok(t, asks(after, c.is, false, n))
			ok(t, asks(before, c.was, true, 0))
			if _, err := before.Sync(t.Context(), "docs", root, quarry.Progress{}); !errors.Is(err, quarry.ErrModel) {
				t.Errorf("a sync with the former model: %v", err)
			}
			if r := synced(t, after, root); r.Vectors != 0 || r.Unchanged != n {
				t.Errorf("the next sync embeds %d", r.Vectors)
			}
			calls := c.is.calls
			if again, err := after.Reembed(t.Context(), quarry.ReembedOptions{}); err != nil || again.Vectors != 0 || again.Former != (store.Model{}) || c.is.calls != calls {
				t.Errorf("again: %+v, %v", again, err)
			}
			ok(t, s.Check(t.Context()))
		})
	}
}

// A store without vectors takes those of any model.
func TestFirstEmbedding(t *testing.T) {
	s, _ := newStore(t)
	root, _ := folder(t, notes(3))
	synced(t, on(t, s, nil), root)
	m := &tiny{name: "a", dims: 8}
	if r := synced(t, on(t, s, m), root); r.Vectors != 3 {
		t.Errorf("%d vectors", r.Vectors)
	}
	ok(t, asks(on(t, s, m), m, false, 3))

	empty, _ := newStore(t)
	if done, err := on(t, empty, m).Reembed(t.Context(), quarry.ReembedOptions{}); err != nil || done.Vectors != 0 {
		t.Errorf("of nothing: %+v, %v", done, err)
	}
	synced(t, on(t, empty, nil), root)
	if done, err := on(t, empty, m).Reembed(t.Context(), quarry.ReembedOptions{}); err != nil || done.Vectors != 3 || done.Former != (store.Model{}) {
		t.Errorf("of documents without vectors: %+v, %v", done, err)
	}
}

// failing is a store that stops being written at a step, as a process does that is
// killed before or after it.
type failing struct {
	store.Store
	left  int // writes until then
	after bool
}

var errKilled = errors.New("killed")

func (f *failing) step(do func() error) error {
	if f.left--; f.left < 0 {
		return errKilled
	}
	err := do()
	if f.left == 0 && f.after {
		f.left = -1
		return errors.Join(errKilled, err)
	}
	return err
}

func (f *failing) PutVectors(ctx context.Context, m store.Model, v []store.Vectors) error {
	return f.step(func() error { return f.Store.PutVectors(ctx, m, v) })
}

func (f *failing) AddModel(ctx context.Context, m store.Model) error {
	return f.step(func() error { return f.Store.AddModel(ctx, m) })
}

func (f *failing) AdoptModel(ctx context.Context, m store.Model, lacking int) (adopted bool, err error) {
	err = f.step(func() error { adopted, err = f.Store.AdoptModel(ctx, m, lacking); return err })
	return adopted, err
}

// A re-embedding that ends before or after any of its steps goes on when it is called
// again and embeds a batch twice at most; until the last one, questions have the whole of
// the former model.
func TestReembedEndsAnywhere(t *testing.T) {
	const n, batch = 100, 128 // batches of 32, 64 and the rest
	former, first := newStore(t)
	root, _ := folder(t, notes(n))
	synced(t, on(t, former, &tiny{name: "a", dims: 8}), root)
	ok(t, former.Close())
	for left := range 7 {
		for _, after := range []bool{false, true} {
			was, is := &tiny{name: "a", dims: 8}, &tiny{name: "b", dims: 12}
			path := copied(t, first)
			s := storeAt(t, path)
			if _, err := on(t, &failing{s, left, after}, is).Reembed(t.Context(), quarry.ReembedOptions{}); err != nil && !errors.Is(err, errKilled) {
				t.Errorf("ended after %d steps with %v", left, err)
			}
			ok(t, s.Close())
			s = storeAt(t, path)
			status, err := on(t, s, is).Embedding(t.Context())
			ok(t, err)
			swapped := status.InForce == status.Configured
			ok(t, asks(on(t, s, was), was, swapped, n/2))
			ok(t, asks(on(t, s, is), is, !swapped, n/2))
			done, err := on(t, s, is).Reembed(t.Context(), quarry.ReembedOptions{})
			ok(t, err)
			if swapped && done.Vectors > 0 || is.texts > n+batch {
				t.Errorf("ended after %d steps: %d embedded then, %d in all of %d", left, done.Vectors, is.texts, n)
			}
			if missing, err := s.CountMissing(t.Context(), status.Configured); missing != 0 || err != nil {
				t.Errorf("ended after %d steps: %d passages lack a vector, %v", left, missing, err)
			}
			ok(t, asks(on(t, s, is), is, false, n/2))
			ok(t, s.Check(t.Context()))
			ok(t, s.Close())
		}
	}
}

// The model fails: what it made is kept, and status says how far it is.
func TestReembedGoesOn(t *testing.T) {
	const n = 100
	was, is := &tiny{name: "a", dims: 8}, &tiny{name: "b", dims: 12}
	s, _ := newStore(t)
	root, _ := folder(t, notes(n))
	synced(t, on(t, s, was), root)
	is.fail = func(call int) error {
		if call > 1 {
			return errors.New("the power is out")
		}
		return nil
	}
	c := on(t, s, is)
	done, err := c.Reembed(t.Context(), quarry.ReembedOptions{})
	if !errors.Is(err, quarry.ErrEmbedding) || done.Vectors != 32 || !strings.Contains(err.Error(), "run the command again to go on") {
		t.Errorf("%+v, %v", done, err)
	}
	status, err := c.Embedding(t.Context())
	if err != nil || len(status.Begun) != 1 || status.Begun[0].Missing != n-32 || status.InForce == status.Configured {
		t.Errorf("status %+v, %v", status, err)
	}

	// Another model does not give it up unasked.
	third := &tiny{name: "c", dims: 4}
	if _, err := on(t, s, third).Reembed(t.Context(), quarry.ReembedOptions{}); err == nil || !strings.Contains(err.Error(), "--discard") || third.calls > 0 {
		t.Errorf("a third model: %v", err)
	}
	is.fail = nil
	if done, err = c.Reembed(t.Context(), quarry.ReembedOptions{}); err != nil || done.Vectors != n-32 || is.texts != n {
		t.Errorf("%+v, %v, %d texts", done, err, is.texts)
	}
	ok(t, asks(c, is, false, n/2))

	// The former model in the end, and what was begun is given up.
	was.fail = func(int) error { return errors.New("the power is out") }
	if _, err := on(t, s, was).Reembed(t.Context(), quarry.ReembedOptions{}); err == nil {
		t.Error("it does not fail")
	}
	done, err = c.Reembed(t.Context(), quarry.ReembedOptions{Discard: true})
	if err != nil || len(done.Discarded) != 1 || done.Discarded[0].Dims != 8 || done.Vectors != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if status, err := c.Embedding(t.Context()); err != nil || len(status.Begun) != 0 {
		t.Errorf("status %+v, %v", status, err)
	}
	ok(t, asks(c, is, false, n/2))
}

// Questions and syncs go on with the former model, in this process and another, until
// the swap; no question is compared with the vectors of two models.
func TestReembedBesideQuestions(t *testing.T) {
	const n, rounds = 60, 6
	was, is := &tiny{name: "a", dims: 8}, &tiny{name: "a", dims: 12}
	s, path := newStore(t)
	root, write := folder(t, notes(n))
	synced(t, on(t, s, was), root)
	beside, err := local.Open(t.Context(), path, local.Options{Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	for round := range rounds {
		var others sync.WaitGroup
		begin, done := make(chan struct{}), make(chan struct{})
		for _, s := range []store.Store{s, beside} {
			others.Go(func() {
				c, swapped := on(t, s, was), false
				for stop := false; !stop; {
					select {
					case <-done:
						stop = true
					default:
					}
					err := asks(c, was, swapped, n/2)
					if !swapped && errors.Is(err, quarry.ErrModel) {
						swapped, err = true, nil
					}
					ok(t, err)
				}
				if !swapped {
					t.Error("the swap was not seen")
				}
			})
		}
		others.Go(func() { // a source that grows meanwhile
			<-begin
			write(fmt.Sprintf("new%d.md", round), fmt.Sprintf("# New\n\nThis remark is new in round %d.\n", round))
			if _, err := on(t, beside, was).Sync(t.Context(), "docs", root, quarry.Progress{}); err != nil && !errors.Is(err, quarry.ErrModel) {
				t.Errorf("a sync beside it: %v", err)
			}
		})
		once := sync.OnceFunc(func() { close(begin) })
		is.fail = func(int) error { once(); return nil }
		if _, err := on(t, s, is).Reembed(t.Context(), quarry.ReembedOptions{}); err != nil {
			t.Error(err)
		}
		close(done)
		others.Wait()
		synced(t, on(t, s, is), root)
		ok(t, asks(on(t, beside, is), is, false, n/2))
		was, is = is, &tiny{name: "a", dims: 13 + round}
	}
	ok(t, s.Check(t.Context()))
}
