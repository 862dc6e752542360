package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// TestSite adds a site and keeps up with it.
func TestSite(t *testing.T) {
	var lamp atomic.Value
	lamp.Store("red")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/docs/":
			fmt.Fprint(w, "<title>Start</title><p>Welcome to the house.</p><a href=lamp.html>lamp</a><a href=old.html>old</a>")
		case "/docs/lamp.html":
			fmt.Fprintf(w, "<title>Lamp</title><h1>Lamp</h1><p>The colour of the lamp is %s.</p>", lamp.Load())
		case "/docs/old.html":
			if lamp.Load() == "red" {
				fmt.Fprint(w, "<title>Old</title><h1>Old</h1><p>The old house is empty.</p>")
				return
			}
			http.NotFound(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	s := newSandbox(t)
	s.write("quarry.yaml", "embedding:\n  model: none\nsources:\n  site: {delay: 0, timeout: 20, patience: 1}\n")

	refused := s.want(1, "add", site.URL+"/docs/")
	contains(t, refused.err, "127.0.0.1 is a loopback address", "sources.private")
	if left, _ := filepath.Glob(filepath.Join(s.dir, "quarry.db*")); len(left) > 0 {
		t.Errorf("an add that failed leaves %v", left)
	}

	s.write("quarry.yaml", "embedding:\n  model: none\nsources:\n  private: true\n  site: {delay: 0, timeout: 20, patience: 1}\n")
	contains(t, s.want(0, "add", site.URL+"/docs/", "--name", "house").out, "house: 3 added")
	contains(t, s.want(0, "ask", "What is the colour of the lamp?").out, "The colour of the lamp is red.", "lamp.html")
	contains(t, s.want(0, "status").out, "site", site.URL+"/docs/")
	contains(t, s.want(0, "sync").out, "house: 0 added, 0 changed, 0 removed, 3 unchanged")

	lamp.Store("green")
	contains(t, s.want(0, "sync").out, "house: 0 added, 1 changed, 1 removed, 1 unchanged")
	contains(t, s.want(0, "ask", "What is the colour of the lamp?").out, "The colour of the lamp is green.")

	site.Close()
	contains(t, s.want(1, "sync").err, "house: ", "nothing was changed")
	contains(t, s.want(0, "status").out, "2 documents")
	s.want(0, "remove", "house")
	if _, err := os.Stat(filepath.Join(s.dir, "quarry.db.sources")); err == nil {
		t.Error("what was fetched of a source that was removed is still there")
	}
}
