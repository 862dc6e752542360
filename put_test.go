package quarry_test

import (
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry"
	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/internal/testkit"
	"github.com/seed-d3156d19/quarry/standard"
)

func uploads(list ...quarry.Upload) iter.Seq2[quarry.Upload, error] {
	return func(yield func(quarry.Upload, error) bool) {
		for _, u := range list {
			if !yield(u, nil) {
				return
			}
		}
	}
}

func public(path, text string) quarry.Upload {
	return quarry.Upload{Path: path, Data: []byte(text), Metadata: document.Metadata{Access: document.Public()}}
}

func opened(t *testing.T) *standard.Corpus {
	t.Helper()
	corpus, err := standard.Open(t.Context(), filepath.Join(t.TempDir(), "q.db"), standard.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { corpus.Close() })
	return corpus
}

func TestPut(t *testing.T) {
	ctx, corpus := t.Context(), opened(t)
	s := document.Source{Name: "wiki", Kind: "upload", Root: "wiki"}
	put := func(u ...quarry.Upload) quarry.Report {
		t.Helper()
		report, err := corpus.Put(ctx, s, uploads(u...), quarry.Progress{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	a, b := public("a.md", "# Fees\n\nThe handling fee is five percent.\n"), public("b.pdf", "Opening hours are nine to five.")
	b.Format = "text"
	closed := public("c.md", "---\nreaders: [group:hr]\n---\n# Pay\n\nThe bonus is ten percent.\n")
	nobody := quarry.Upload{Path: "d.md", Data: []byte("# Secret\n\nThe vault code is known.\n")}
	if r := put(a, b, closed, nobody); len(r.Added) != 4 {
		t.Errorf("the first put gives %+v", r)
	}
	if r := put(a, b, closed, nobody); r.Unchanged != 4 || len(r.Added)+len(r.Changed)+len(r.Removed) != 0 {
		t.Errorf("the same again gives %+v", r)
	}
	a.Metadata.Authority = 3
	if r := put(a, b, nobody); !slices.Equal(r.Changed, []string{"a.md"}) || !slices.Equal(r.Removed, []string{"c.md"}) || r.Unchanged != 2 {
		t.Errorf("a change and a removal give %+v", r)
	}
	put(a, b, closed, nobody)

	seen := func(scope document.Scope) string {
		t.Helper()
		list, err := corpus.Documents(ctx, scope)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, d := range list {
			paths = append(paths, d.Document.Path)
		}
		return strings.Join(paths, " ")
	}
	if got := seen(document.Scope{}); got != "a.md b.pdf" {
		t.Errorf("the public sees %s", got)
	}
	if got := seen(document.Scope{Principals: []string{"group:hr"}}); got != "a.md b.pdf c.md" {
		t.Errorf("hr sees %s", got)
	}
	if _, err := corpus.Put(ctx, s, uploads(a, a), quarry.Progress{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a path given twice: %v", err)
	}
	if _, err := corpus.Put(ctx, s, uploads(public("../x.md", "text")), quarry.Progress{}); err == nil {
		t.Error("a path that leads outside was accepted")
	}
	bad := a
	bad.Format = "papyrus"
	if _, err := corpus.Put(ctx, s, uploads(bad), quarry.Progress{}); err == nil || !strings.Contains(err.Error(), `"papyrus" is not known: give one of markdown, html, text, pdf, image, docx`) {
		t.Errorf("an unknown format: %v", err)
	}
	lost := errors.New("the connection was lost")
	_, err := corpus.Put(ctx, s, func(yield func(quarry.Upload, error) bool) {
		_ = yield(a, nil) && yield(quarry.Upload{}, lost)
	}, quarry.Progress{})
	if !errors.Is(err, lost) || seen(document.Scope{}) != "a.md b.pdf" {
		t.Errorf("an iteration that fails: %v, and %s is left", err, seen(document.Scope{}))
	}
	if r := put(); len(r.Removed) != 4 {
		t.Errorf("nothing gives %+v", r)
	}
	if _, err := corpus.Put(ctx, document.Source{Name: "none", Kind: "upload", Root: "n"}, uploads(), quarry.Progress{}); err == nil {
		t.Error("a source without documents was accepted")
	}
}

// TestPutMetadata shows that what an upload says of itself arrives as said.
func TestPutMetadata(t *testing.T) {
	ctx, corpus := t.Context(), opened(t)
	day := func(s string) document.Day {
		d, err := document.ParseDay(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	m := document.Metadata{Title: "true: \"quoted\"\nand more", Category: "policy", Date: day("2024-05-01"), Version: "1.10", Status: document.Current,
		Supersedes: []string{"old.md"}, Effective: document.Interval{From: day("2024-01-01"), To: day("2099-01-01")}, Authority: -3, Tenant: "acme",
		Access:     document.Access{Readers: []string{"group:a", "true"}, Deny: []string{"user:b"}},
		Attributes: map[string][]string{"region": {"emea", "12"}, "title": {"not the title"}}, Language: "en"}
	_, err := corpus.Put(ctx, document.Source{Name: "up", Kind: "upload", Root: "up"},
		uploads(quarry.Upload{Path: "x.txt", Data: []byte("Some text to be found.\n"), Metadata: m}), quarry.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := corpus.Document(ctx, document.ID{Source: "up", Path: "x.txt"}, document.Scope{Tenant: "acme", Principals: []string{"group:a"}})
	if err != nil {
		t.Fatal(err)
	}
	got := r.Metadata
	if got.Category != m.Category || got.Date != m.Date || got.Version != m.Version || !slices.Equal(got.Supersedes, m.Supersedes) ||
		got.Effective != m.Effective || got.Authority != m.Authority || got.Tenant != m.Tenant || got.Language != m.Language || got.Title != m.Title {
		t.Errorf("the metadata is %+v, not %+v", got, m)
	}
	if !slices.Equal(got.Access.Readers, m.Access.Readers) || !slices.Equal(got.Access.Deny, m.Access.Deny) || got.Access.Everyone {
		t.Errorf("the access is %+v", got.Access)
	}
	if !slices.Equal(got.Attributes["region"], m.Attributes["region"]) || !slices.Equal(got.Attributes["title"], m.Attributes["title"]) {
		t.Errorf("the attributes are %v", got.Attributes)
	}
}

// An end that is before every day is refused: as no end it would hold for ever.
func TestPutEndsBeforeItBegins(t *testing.T) {
	corpus := opened(t)
	for _, to := range []document.Day{1, -1, -1 << 31} {
		u := public("x.txt", "Some text to be found.\n")
		u.Metadata.Effective.To = to
		_, err := corpus.Put(t.Context(), document.Source{Name: "up", Kind: "upload", Root: "up"}, uploads(u), quarry.Progress{})
		if err == nil || !strings.Contains(err.Error(), "x.txt: Effective.To") {
			t.Errorf("%d gives %v", to, err)
		}
	}
	u := public("x.txt", "Some text to be found.\n")
	u.Metadata.Effective.To = 2
	if _, err := corpus.Put(t.Context(), document.Source{Name: "up", Kind: "upload", Root: "up"}, uploads(u), quarry.Progress{}); err != nil {
		t.Fatal(err)
	}
	if list, err := corpus.Documents(t.Context(), document.Scope{}); err != nil || len(list) != 0 {
		t.Errorf("what ended on the first day is in force: %v, %v", list, err)
	}
}

func TestNamed(t *testing.T) {
	ctx, corpus := t.Context(), opened(t)
	for _, name := range []string{"one", "two"} {
		hidden := quarry.Upload{Path: name + ".md", Data: []byte("# H\n\nHidden text.\n")}
		if _, err := corpus.Put(ctx, document.Source{Name: name, Kind: "upload", Root: name}, uploads(public("both.md", "# B\n\nSome text.\n"), hidden), quarry.Progress{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]quarry.Named{
		"one":         {Source: "one"},
		"one:":        {Source: "one"},
		"one.md":      {Document: document.ID{Source: "one", Path: "one.md"}},
		"two:both.md": {Document: document.ID{Source: "two", Path: "both.md"}},
	} {
		if got, err := corpus.Named(ctx, name); err != nil || got != want {
			t.Errorf("%s is %+v, %v", name, got, err)
		}
	}
	if _, err := corpus.Named(ctx, "none"); !errors.Is(err, document.ErrNotFound) {
		t.Errorf("none: %v", err)
	}
	if _, err := corpus.Named(ctx, "both.md"); err == nil || errors.Is(err, document.ErrNotFound) || !strings.Contains(err.Error(), "one:both.md, two:both.md") {
		t.Errorf("both.md: %v", err)
	}
}

// TestPutFormats: every format that is read may be given by its name, whatever the path
// ends in.
func TestPutFormats(t *testing.T) {
	ctx, corpus := t.Context(), opened(t)
	texts := map[string]string{
		"html": "<html><body><p>The lamp is red.</body></html>", "csv": "Lamp,Color\nA,red\n", "json": `{"lamp": "red"}`, "notebook": `{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "The lamp is red."}]}`,
		"mail": "From: a@example.com\nSubject: Lamp\n\nThe lamp is red.\n", "xml": "<lamp><color>The lamp is red.</color></lamp>", "subtitles": "WEBVTT\n\n00:01.000 --> 00:02.000\nThe lamp is red.\n",
		"rtf": `{\rtf1 The lamp is red.\par}`, "go": "package lamp\n\n// Red is its color.\nconst Red = 1\n",
		"docx": testkit.ZIP(t, map[string]string{
			"[Content_Types].xml": `<Types><Override PartName="/d.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
			"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="x/officeDocument" Target="d.xml"/></Relationships>`,
			"d.xml":               `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>The lamp is red.</w:t></w:r></w:p></w:body></w:document>`,
		}),
	}
	binary := map[string]bool{"pdf": true, "xlsx": true, "pptx": true, "odf": true, "epub": true, "image": true} // their readers have tests of their own
	var list []quarry.Upload
	for _, f := range quarry.Formats() {
		text := texts[f.Name]
		if text == "" {
			text = "The lamp is red.\n"
		}
		if !binary[f.Name] {
			u := public("dir/"+f.Name+".v2", text)
			u.Format = f.Name
			list = append(list, u)
		}
	}
	r, err := corpus.Put(ctx, document.Source{Name: "wiki", Kind: "upload", Root: "wiki"}, uploads(list...), quarry.Progress{})
	if err != nil || len(r.Added) != len(list) || len(r.Added) < 20 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, u := range list {
		d, err := corpus.Document(ctx, document.ID{Source: "wiki", Path: u.Path}, document.Scope{})
		if err != nil || d.Format != u.Format {
			t.Errorf("%s is read as %q, %v", u.Format, d.Format, err)
		}
	}
}

// TestPutArchives: archives and messages are looked into as those of a folder are, under
// their metadata.
func TestPutArchives(t *testing.T) {
	ctx, corpus := t.Context(), opened(t)
	s := document.Source{Name: "mail", Kind: "upload", Root: "mail"}
	closed := func(path, text string) quarry.Upload {
		return quarry.Upload{Path: path, Data: []byte(text), Metadata: document.Metadata{Access: document.Access{Readers: []string{"group:hr"}}}}
	}
	pack := func(fee string) string {
		return testkit.ZIP(t, map[string]string{"fees.md": "# Fees\n\nThe fee is " + fee + ".\n", "../x.md": "outside"})
	}
	mail := closed("42", "From: a@example.com\nSubject: Offer\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n--b\nContent-Disposition: attachment; filename=list.md\n\n# List\n\nThe lamp is red.\n--b--\n")
	mail.Format = "mail"
	put := func(u ...quarry.Upload) quarry.Report {
		t.Helper()
		r, err := corpus.Put(ctx, s, uploads(u...), quarry.Progress{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := put(closed("a.zip", pack("5 EUR")), mail); !slices.Equal(r.Added, []string{"42", "42!/list.md", "a.zip!/fees.md"}) || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Error, "leads outside") {
		t.Errorf("%+v", r)
	}
	if r := put(closed("a.zip", pack("6 EUR")), mail); !slices.Equal(r.Changed, []string{"a.zip!/fees.md"}) || r.Unchanged != 2 {
		t.Errorf("%+v", r)
	}
	if r := put(closed("a.zip", "PK"), mail); len(r.Failed) != 1 || len(r.Removed) != 0 {
		t.Errorf("a damaged archive: %+v", r)
	}
	for principal, want := range map[string]int{"user:ann": 0, "group:hr": 3} {
		if list, err := corpus.Documents(ctx, document.Scope{Principals: []string{principal}}); err != nil || len(list) != want {
			t.Errorf("%s sees %d documents, %v", principal, len(list), err)
		}
	}
	if _, err := corpus.Put(ctx, s, uploads(closed("a.zip", pack("5 EUR")), closed("a.zip!/fees.md", "# Fees\n\nx\n")), quarry.Progress{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a path given twice: %v", err)
	}
}
