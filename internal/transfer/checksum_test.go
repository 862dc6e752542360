package transfer

import (
	"reflect"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store"
	"github.com/seed-d3156d19/quarry/store/storetest"
)

// Every field of a revision and of a failure counts, however deep: changed alone it
// gives another digest.
func TestEveryFieldCounts(t *testing.T) {
	full := storetest.Make("a", "# H\nsome id-7 words", func(r *store.Revision) {
		r.Metadata = document.Metadata{Attributes: map[string][]string{"region": {"no"}}, Supersedes: []string{"b"}, Formerly: []document.Former{{Path: "old", Until: 9}},
			Access: document.Access{Readers: []string{"group:hr"}, Deny: []string{"user:eve"}}}
		r.Pages = document.Pages{{Page: 1}}
		r.Lines = document.Lines{{Page: 1}}
		r.Names = []string{"name"}
		r.Extraction = document.Extraction{EmptyPages: []int{2}, Notes: []string{"n"}, Doubts: []string{"d"}}
		r.Findings = document.Findings{References: []document.Reference{{}}, Labels: []document.Label{{}}, Definitions: []document.Definition{{}}}
	})
	for _, v := range []any{&full, &store.Failure{Access: document.Access{Readers: []string{"x"}}}} {
		before := digestOf(v)
		n := 0
		for _, leaf := range leaves(reflect.ValueOf(v).Elem()) {
			old := reflect.New(leaf.Type()).Elem()
			old.Set(leaf)
			change(leaf)
			if digestOf(v) == before {
				t.Errorf("a field of type %s does not count", leaf.Type())
			}
			leaf.Set(old)
			n++
		}
		if digestOf(v) != before {
			t.Error("the same value gives another digest")
		}
		t.Logf("%T: %d fields", v, n)
	}
}

// leaves are all values in a value that can be set.
func leaves(v reflect.Value) (out []reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return []reflect.Value{v}
		}
		for i := range v.NumField() {
			out = append(out, leaves(v.Field(i))...)
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			out = append(out, v)
		}
		for i := range v.Len() {
			out = append(out, leaves(v.Index(i))...)
		}
	default:
		out = append(out, v)
	}
	return out
}

func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(v.Uint() + 1)
	case reflect.Float32:
		v.SetFloat(v.Float() / 2)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string][]string{"region": {"se"}}))
	case reflect.Struct:
		v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(1)))
	}
}

// What a store does not tell apart is the same: nothing and an empty list, one instant in
// two time zones.
func TestSameDigest(t *testing.T) {
	at := time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	a, b := storetest.Make("a", "words"), storetest.Make("a", "words")
	a.Names, b.Names = nil, []string{}
	a.Metadata.Attributes, b.Metadata.Attributes = nil, map[string][]string{}
	a.Seen, b.Seen = at, at.In(time.FixedZone("+02", 7200))
	if digestOf(&a) != digestOf(&b) {
		t.Error("they differ")
	}
	// And what stands in one field does not pass for what stands in the next.
	a.Metadata.Title, a.Metadata.Category = "ab", "c"
	b.Metadata.Title, b.Metadata.Category = "a", "bc"
	if digestOf(&a) == digestOf(&b) {
		t.Error("a text that moves from one field to the next does not count")
	}
}
