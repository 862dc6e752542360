package main

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fields checks that an object has exactly the named fields, none of them null
// but for those that may be.
func fields(t *testing.T, what string, v any, names string, nullable ...string) map[string]any {
	t.Helper()
	o, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%s is no object: %v", what, v)
	}
	want := strings.Fields(names)
	slices.Sort(want)
	if have := slices.Sorted(maps.Keys(o)); !slices.Equal(have, want) {
		t.Errorf("%s has the fields %v, not %v", what, have, want)
	}
	for name, value := range o {
		if value == nil && !slices.Contains(nullable, name) {
			t.Errorf("%s: %s is null", what, name)
		}
	}
	return o
}

func first(t *testing.T, what string, v any) any {
	t.Helper()
	l, ok := v.([]any)
	if !ok || len(l) == 0 {
		t.Fatalf("%s is no list with something in it: %v", what, v)
	}
	return l[0]
}

func span(t *testing.T, what string, v any) {
	t.Helper()
	l, ok := v.([]any)
	if !ok || len(l) != 2 {
		t.Fatalf("%s is no span: %v", what, v)
	}
	if from, to := l[0].(float64), l[1].(float64); from < 0 || to <= from {
		t.Errorf("%s is %v", what, v)
	}
}

const (
	hitFields      = "rank document source title heading span page boxes score text revision valid inferred also_in superseded"
	citationFields = "n document source title heading span page boxes quote revision valid inferred also_in superseded"
	heldFields     = "revision title status valid basis in_force seen format version public readers deny attributes formerly"
	documentFields = "document source title revision status valid inferred passages vectors suspect error"
	answerFields   = "question as_of status answer citations requirements missing conflicts evidence trace"
)

func TestJSON(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write("office/front.md", "---\nauthority: high\n---\n# F\n\nSome text.\n",
		"office/policies/pool-a.md", "# Pool rules\n\nThe swimming pool closes at 20:00 in winter.\n",
		"office/policies/pool-b.md", "# Pool sign\n\nThe swimming pool closes at 21:30 in winter.\n")

	report := fields(t, "add", s.object(4, "add", "office"), "source added changed removed renamed unreached withheld unchanged inferred failed skipped warned suspect vectors unembedded incomplete")
	fields(t, "failed", first(t, "failed", report["failed"]), "document error")

	documents := fields(t, "docs", s.object(0, "docs", "--as-of", "2020-06-30"), "documents")
	d := fields(t, "document", first(t, "documents", documents["documents"]), documentFields)
	if valid := d["valid"].([]any); d["document"] != "old/travel-2020.md" || valid[0] != "2020-01-01" || valid[1] != "2021-01-01" || d["status"] != "current" {
		t.Errorf("the document is %v", d)
	}
	for _, d := range s.object(0, "docs")["documents"].([]any) {
		d := fields(t, "document", d, documentFields)
		if valid := d["valid"].([]any); d["document"] == "notes.txt" && (valid[0] == nil || valid[1] != nil) {
			t.Errorf("the document is %v", d)
		}
	}

	search := fields(t, "search", s.object(0, "search", "-k", "3", "hotel limit"), "question as_of hits trace")
	hit := fields(t, "hit", first(t, "hits", search["hits"]), hitFields, "page", "superseded")
	span(t, "span of a hit", hit["span"])
	if hit["rank"] != 1.0 || hit["document"] != "policies/travel.md" || hit["source"] != "office" || len(search["hits"].([]any)) > 3 {
		t.Errorf("the hit is %v", hit)
	}
	if stages, _ := search["trace"].(map[string]any)["stages"].([]any); len(stages) == 0 {
		t.Errorf("the trace is %v", search["trace"])
	}
	fields(t, "an empty search", s.object(0, "search", "zeppelin", "--tenant", "nobody"), "question as_of hits trace")

	ask := fields(t, "ask", s.object(0, "ask", "What is the hotel limit per night?"), answerFields)
	c := fields(t, "citation", first(t, "citations", ask["citations"]), citationFields, "page", "superseded")
	span(t, "span of a citation", c["span"])
	if ask["status"] != "answered" || c["n"] != 1.0 || c["quote"] != "The hotel limit is EUR 140 per night." || c["heading"].([]any)[1] != "3.1 Hotels" {
		t.Errorf("the answer is %v", ask)
	}
	r := fields(t, "requirement", first(t, "requirements", ask["requirements"]), "text status citations")
	if r["status"] != "met" || len(r["citations"].([]any)) == 0 {
		t.Errorf("the requirement is %v", r)
	}
	fields(t, "evidence", first(t, "evidence", ask["evidence"]), hitFields, "page", "superseded")

	none := fields(t, "no answer", s.object(0, "ask", "Who repairs the zeppelin?"), answerFields)
	if none["status"] != "insufficient" || len(none["citations"].([]any)) != 0 || len(none["missing"].([]any)) == 0 {
		t.Errorf("the answer is %v", none)
	}

	both := fields(t, "conflict", s.object(0, "ask", "When does the swimming pool close in winter?"), answerFields)
	if both["status"] != "conflict" {
		t.Fatalf("the status is %v", both["status"])
	}
	x := fields(t, "conflict", first(t, "conflicts", both["conflicts"]), "text citations settled_by overruled")
	if len(x["citations"].([]any)) < 2 {
		t.Errorf("the conflict is %v", x)
	}
	contains(t, s.want(0, "ask", "When does the swimming pool close in winter?").out, "20:00", "21:30", "Conflict.", "see [1] and [2].")

	why := fields(t, "why", s.object(0, "why", "What is the hotel limit?", "--expect", "policies/travel.md#3.1 Hotels"), "question expected stages lost_at suggestion")
	fields(t, "expected", first(t, "expected", why["expected"]), "document heading quote")
	stage := fields(t, "stage", first(t, "stages", why["stages"]), "stage outcome detail")
	if stage["stage"] != "source" || len(why["stages"].([]any)) != 14 || why["lost_at"] != "" {
		t.Errorf("the diagnosis is %v", why)
	}

	status := fields(t, "status", s.object(0, "status"), "store bytes documents failed sources embedding")
	embedding := fields(t, "embedding", status["embedding"], "configured in_force begun")
	fields(t, "model", embedding["in_force"], "model dimensions")
	if e := s.object(0, "reembed", "--status"); !reflect.DeepEqual(e, embedding) {
		t.Errorf("reembed --status is %v", e)
	}
	if r := s.object(0, "reembed"); r["former"] != nil || r["vectors"] != 0.0 || len(r["unembedded"].([]any))+len(r["discarded"].([]any)) > 0 {
		t.Errorf("reembed with nothing to do is %v", r)
	}
	fields(t, "source", first(t, "sources", status["sources"]), "source kind root documents failed synced lag_seconds late last")
	last := fields(t, "last", first(t, "sources", status["sources"]).(map[string]any)["last"], "at added changed renamed removed unchanged failed unreached withheld skipped error")
	if last["added"] != 10.0 || last["failed"] != 1.0 {
		t.Errorf("the last sync is %v", last)
	}
	fields(t, "failed", first(t, "failed", first(t, "sources", status["sources"]).(map[string]any)["failed"]), "document error retry")
	show := "document source title revision status valid inferred vectors suspect error format authority readers deny public attributes superseded"
	fields(t, "show", s.object(0, "show", "notes.txt"), show+" outline passages", "superseded")
	fields(t, "show --text", s.object(0, "show", "notes.txt", "--text"), show+" text", "superseded")
	fields(t, "show --extraction", s.object(0, "show", "notes.txt", "--extraction"), show+" extraction", "superseded")
	fields(t, "show --outline", s.object(0, "show", "notes.txt", "--outline"), show+" outline", "superseded")
	p := fields(t, "show --passages", s.object(0, "show", "notes.txt", "--passages"), show+" passages", "superseded")
	fields(t, "passage", first(t, "passages", p["passages"]), "id kind heading context text span tokens")
	s.write("office/notes.txt", "The canteen opens at 12:30.\n")
	s.want(4, "add", "office")
	history := fields(t, "history", s.object(0, "history", "notes.txt"), "document source revisions error failed_on", "failed_on")
	newest := fields(t, "revision", first(t, "revisions", history["revisions"]), heldFields)
	if newest["in_force"] != true || newest["basis"] != "seen" || len(history["revisions"].([]any)) != 2 {
		t.Errorf("the history is %v", history)
	}
	diff := fields(t, "diff", s.object(0, "diff", "notes.txt"), "document source from to metadata changes")
	if from, to := fields(t, "from", diff["from"], heldFields), fields(t, "to", diff["to"], heldFields); from["in_force"] != false || to["in_force"] != true {
		t.Errorf("the difference is from %v to %v", from, to)
	}
	change := fields(t, "change", first(t, "changes", diff["changes"]), "heading old_span new_span old_lines new_lines old new")
	span(t, "the new span", change["new_span"])
	fields(t, "status --removed", s.object(1, "status", "--removed", "notes.txt"),
		"document source indexed revisions failures texts passages terms vectors unowned log_bytes fetched runs")
	fields(t, "version", s.object(0, "version"), "version go system")
	backup := "store backup documents bytes"
	fields(t, "backup", s.object(0, "backup", "b.db"), backup)
	fields(t, "restore", s.object(0, "restore", "b.db"), backup)
	fields(t, "copy", s.object(0, "copy", "--from", "quarry.db", "--to", "copy.db"),
		"from to sources documents failed revisions passages vectors copied replaced removed checksum moved")
	doctor := fields(t, "doctor", s.object(0, "doctor"), "store checks damage repaired")
	fields(t, "check", first(t, "checks", doctor["checks"]), "check outcome detail")
	if len(doctor["damage"].([]any)) != 0 {
		t.Errorf("the doctor says %v", doctor)
	}
	s.flip("The canteen opens")
	doctor = s.object(1, "doctor")
	if d := fields(t, "damage", first(t, "damage", doctor["damage"]), "what lost document detail"); d["document"] != "office:notes.txt" || d["lost"] != true {
		t.Errorf("the damage is %v", d)
	}
	s.want(0, "restore", "b.db")
	fields(t, "remove", s.object(0, "remove", "notes.txt"), "removed kind")
}
