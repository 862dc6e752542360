package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/seed-d3156d19/quarry/document"
)

// parseQuestion reads one line of a questions file. With an error the
// question's ID is still set where it could be read. Fields that it does not
// know are ignored.
func parseQuestion(o object) (Question, error) {
	var q Question
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	var err error
	q.ID, err = text(o, "id")
	note(err)
	q.Text, err = field[string](o, "question", "a string")
	note(err)
	if err == nil && strings.TrimSpace(q.Text) == "" {
		note(errors.New(`has no "question"`))
	}
	q.Type, err = field[string](o, "type", "a string")
	note(err)
	q.Answers, err = parseAnswers(o["answer"])
	note(err)
	q.Sources, err = sourcesField(o, "sources")
	note(err)
	q.Stale, err = sourcesField(o, "stale")
	note(err)
	q.Passages, err = field[[]string](o, "passages", "a list of strings")
	note(err)
	q.Spans, err = spansField(o)
	note(err)
	q.Unanswerable, err = field[bool](o, "unanswerable", "true or false")
	note(err)
	q.HeldOut, err = field[bool](o, "held_out", "true or false")
	note(err)
	q.Reviewed, err = field[bool](o, "reviewed", "true or false")
	note(err)
	q.Unreviewed = err == nil && o["reviewed"] != nil && string(o["reviewed"]) != "null" && !q.Reviewed
	also, err := field[[]string](o, "also_valid_text_in", "a list of strings")
	note(err)
	for _, d := range also {
		q.AlsoValid = append(q.AlsoValid, cleanPath(d))
	}
	q.Scope, err = scopeFields(o)
	note(err)
	if q.Type == TypeUnanswerable {
		q.Unanswerable = true
	}
	return q, errors.Join(errs...)
}

// parseAnswers accepts a string, a number, a list of both, and null.
func parseAnswers(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	list := []json.RawMessage{raw}
	if raw[0] == '[' {
		list = nil
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	}
	var answers []string
	for _, r := range list {
		s, err := text(object{"answer": r}, "answer")
		if err != nil {
			return nil, errors.New(`"answer" must be a string, a number, a list of them, or null`)
		}
		answers = append(answers, s)
	}
	return answers, nil
}

func sourcesField(o object, name string) ([]Source, error) {
	list, err := field[[]string](o, name, `a list of strings "file" or "file#heading"`)
	if err != nil {
		return nil, err
	}
	var sources []Source
	for _, s := range list {
		src := ParseSource(s)
		if src.Document == "" {
			return nil, fmt.Errorf("%q names no file in %q", name, s)
		}
		sources = append(sources, src)
	}
	return sources, nil
}

// ParseSource reads "file" or "file#heading". The '#' is the first one after a
// file extension ("c#.md#Types" is section "Types" of "c#.md"), or else the
// first one.
func ParseSource(s string) Source {
	at := strings.IndexByte(s, '#')
	for i := at; i >= 0 && i < len(s); i++ {
		if s[i] == '#' && path.Ext(s[:i]) != "" {
			at = i
			break
		}
	}
	if at < 0 {
		return Source{Document: cleanPath(s), Grade: 1}
	}
	return Source{Document: cleanPath(s[:at]), Heading: strings.TrimSpace(s[at+1:]), Grade: 1}
}

// cleanPath gives a document's path the one form that paths are compared in.
func cleanPath(p string) string {
	p = strings.ReplaceAll(strings.TrimSpace(p), `\`, "/")
	if p == "" {
		return ""
	}
	return strings.TrimPrefix(path.Clean(p), "/")
}

func spansField(o object) ([]Span, error) {
	list, err := field[[][]int](o, "spans", "a list of [from, to]")
	if err != nil {
		return nil, err
	}
	var spans []Span
	for _, s := range list {
		if len(s) != 2 || s[0] < 0 || s[1] <= s[0] {
			return nil, fmt.Errorf(`"spans" must hold [from, to] with 0 <= from < to, not %v`, s)
		}
		spans = append(spans, Span{s[0], s[1]})
	}
	return spans, nil
}

func scopeFields(o object) (document.Scope, error) {
	var s document.Scope
	var errs [4]error
	s.Tenant, errs[0] = field[string](o, "tenant", "a string")
	s.Principals, errs[1] = field[[]string](o, "as", "a list of principals")
	var day string
	if day, errs[2] = field[string](o, "as_of", "a date, YYYY-MM-DD"); day != "" {
		if s.AsOf, errs[3] = document.ParseDay(day); errs[3] != nil {
			errs[3] = fmt.Errorf(`"as_of": %w`, errs[3])
		}
	}
	return s, errors.Join(errs[:]...)
}

// weaknesses are faults that leave the question usable for a part of the metrics.
func (q Question) weaknesses() []string {
	var w []string
	for _, p := range q.Passages {
		if compact(p).text == "" {
			w = append(w, fmt.Sprintf("passage %q has no letter or digit; it is not looked for", p))
		}
	}
	if len(q.Spans) > 0 && len(q.Sources) != 1 && len(q.Sources) != len(q.Spans) {
		w = append(w, fmt.Sprintf("%d spans and %d sources: a span's file is the only source, or the source "+
			"at the same place in the list; token metrics leave the question out", len(q.Spans), len(q.Sources)))
	}
	if q.retrievable() && len(q.Sources)+len(q.Passages)+len(q.Spans) == 0 {
		w = append(w, "has no sources, passages or spans and is not unanswerable: no retrieval metric counts it")
	}
	return w
}
