package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// traces counts in which of a store's files a text stands while it is in use.
func traces(t *testing.T, path, text string) (in []string) {
	t.Helper()
	for _, end := range []string{"", walSuffix, "-shm"} {
		data, err := os.ReadFile(path + end)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(text)) {
			in = append(in, "the file"+end)
		}
	}
	return in
}

// What was removed is in no file beside the store, though it goes on being used; where
// somebody reads what was before, once he does no more.
func TestRemovedIsErasedInUse(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "quarry.db")
	s := open(t, path, Options{})
	apply := func(c store.Change) {
		t.Helper()
		if _, err := s.Apply(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	seen := func(r *store.Revision) { r.Seen = time.Unix(1_700_000_000, 0) }
	for i := range 3 {
		apply(store.Change{Source: &document.Source{Name: "docs"}, Put: []store.Revision{
			storetest.Make(fmt.Sprint("keep", i), "some words", seen), storetest.Make(fmt.Sprint("gone", i), fmt.Sprint("# qqhead\nqqword", i), seen)}})
	}
	reader := open(t, path, Options{Existing: true})
	remove := func(i int) {
		apply(store.Change{Remove: []document.ID{{Source: "docs", Path: fmt.Sprint("gone", i)}}})
	}
	if len(traces(t, path, "qqword0")) == 0 {
		t.Fatal("it is in no file before")
	}
	remove(0)
	if in := traces(t, path, "qqword0"); len(in) > 0 {
		t.Errorf("removed, it is in %v", in)
	}
	v, err := reader.View(ctx, document.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	remove(1)
	if r, err := v.Document(ctx, document.ID{Source: "docs", Path: "gone1"}, false); err != nil || r.Text == "" {
		t.Errorf("a reader of what was before is shown %q, %v", r.Text, err)
	}
	v.Close()
	remove(2) // any change
	for i := range 3 {
		if in := traces(t, path, fmt.Sprint("qqword", i)); len(in) > 0 {
			t.Errorf("nobody reads what was before, and it is in %v", in)
		}
	}
	if left, err := s.Remains(ctx, document.ID{Source: "docs", Path: "gone1"}); err != nil || left != (store.Remains{}) {
		t.Errorf("left is %+v, %v", left, err)
	}
}
