package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDocsFlag(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	question := "What is the hotel limit per night?"
	first := s.want(0, "ask", "--docs", "office", question)
	contains(t, first.out, "EUR 140")
	if again := s.want(0, "ask", "--docs", "./office/", question); again != first {
		t.Errorf("asked twice:\n%+v\n%+v", first, again)
	}
	contains(t, s.want(0, "search", "--docs", "office", "hotel limit").out, "EUR 140")
	if _, err := os.Stat(filepath.Join(s.dir, "quarry.db")); err == nil {
		t.Error("--docs wrote a store into the current folder")
	}
	s.write("office/policies/travel.md", "# Travel Policy\n\nThe hotel limit is EUR 150 per night.\n")
	contains(t, s.want(0, "ask", "--docs", "office", question).out, "EUR 150")

	// The folder alone is asked, also in a store that holds more.
	s.write("garden/roses.md", "# Roses\n\nRoses are cut in March.\n")
	s.want(0, "add", "office", "--store", "mine.db")
	s.want(0, "ask", "--docs", "garden", "--store", "mine.db", "When are roses cut?")
	contains(t, s.want(0, "status", "--store", "mine.db").out, "office", "garden")
	lacks(t, s.want(0, "ask", "--docs", "garden", "--store", "mine.db", question).out, "EUR 150")
	contains(t, s.want(0, "ask", "--store", "mine.db", question).out, "EUR 150")

	// Another folder of the same name beside it.
	s.write("b/garden/tulips.md", "# Tulips\n\nTulips are planted in October.\n")
	contains(t, s.want(0, "ask", "--docs", "b/garden", "--store", "mine.db", "When are tulips planted?").out, "October")
	contains(t, s.want(0, "ask", "--docs", "garden", "--store", "mine.db", "When are roses cut?").out, "March")
}

func TestDocsFlagWithoutCache(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	var env []string
	for _, e := range s.env {
		if !strings.HasPrefix(e, "HOME=") && !strings.HasPrefix(e, "XDG_CACHE_HOME=") && !strings.HasPrefix(e, "LocalAppData=") {
			env = append(env, e)
		}
	}
	s.env = env
	contains(t, s.want(1, "ask", "--docs", "office", "What is the hotel limit?").err, "there is no cache folder", "--store")
	contains(t, s.want(0, "ask", "--docs", "office", "--store", "q.db", "What is the hotel limit?").out, "EUR 140")
}

func TestDamagedCacheIsMadeAnew(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.want(0, "ask", "--docs", "office", "What is the hotel limit?")
	stores, _ := filepath.Glob(filepath.Join(s.top, "cache", "quarry", "*.db"))
	if len(stores) != 1 {
		t.Fatalf("the cache holds %v, want one store", stores)
	}
	if err := os.WriteFile(stores[0], []byte(strings.Repeat("rubbish ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	contains(t, s.want(0, "ask", "--docs", "office", "What is the hotel limit?").out, "EUR 140")
}
