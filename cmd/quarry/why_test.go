package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// noVectors keeps what is found to what the words say, whatever the default is.
var noVectors = []string{"quarry.yaml", "embedding: {model: none}\n"}

// TestWhyText: a person reads each stage on a line, then the loss and what to try.
func TestWhyText(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write(noVectors...)
	out := s.want(0, "why", "--docs", "office", "What is the hotel limit per night on a train?", "--expect", "policies/travel.md#Trains").out
	contains(t, out, "expected: policies/travel.md#Trains\n", "keyword     passed       rank ", "before it: policies/travel.md#3.1 Hotels (",
		"lost at: cite\ntry: generation: ")
	if strings.Count(out, "\n") != 2+14+3 {
		t.Errorf("there are %d lines:\n%s", strings.Count(out, "\n"), out)
	}
	contains(t, s.want(0, "why", "--docs", "office", "What is the hotel limit per night?", "--expect", "policies/travel.md").out,
		"Nothing was lost: the answer cites it.")
	contains(t, s.want(0, "why", "--docs", "office", "What is the hotel limitt per night?", "--expect", "policies/travel.md").out,
		"keyword     passed       rank 1 of ", "; searched for limit instead of limitt, which no passage holds\n")
	contains(t, s.want(0, "why", "--help").out, "quarry why \"How long may I work from abroad?\" --expect policies/remote-work.md#Abroad")
}

// TestWhyNames: which document and heading a name stands for.
func TestWhyNames(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write(noVectors...)
	s.write("office/c#.md", "# Types\n\nThe type limit is 12 characters.\n\n## F# and more\n\nThe F# limit is 13 characters.\n",
		"office/twice.md", "# A\n\n## Fee\n\nThe copper fee is EUR 1.\n\n# B\n\n## Fee\n\nThe silver fee is EUR 2.\n",
		"other/notes.txt", "Lunch\n\nThe other canteen opens at 12:30.\n", "other/alone.txt", "Alone\n\nThe only clerk sits on floor 3.\n")
	if filepath.Separator == '/' {
		s.write("office/plain#name", "The plain limit is 14 characters.\n")
	}
	s.want(0, "add", "office")
	s.want(0, "add", "other")
	for _, c := range []struct {
		question, expect, document, heading, lost string
	}{
		{"What is the type limit?", "c#.md", "c#.md", "", ""},
		{"What is the type limit?", "c#.md#Types", "c#.md", "Types", ""},
		{"What is the F# limit?", "c#.md#F# and more", "c#.md", "F# and more", ""},
		{"What is the silver fee?", "twice.md#Fee", "twice.md", "Fee", ""}, // any one counts
		{"What is the copper fee?", "twice.md#Fee", "twice.md", "Fee", ""},
		{"What is the hotel limit?", "policies/travel.md#3.1", "policies/travel.md", "3.1", ""},
		{"What is the hotel limit?", "policies/travel.md#Hotel", "policies/travel.md", "Hotel", "extract"},
		{"On which floor sits the clerk?", "alone.txt", "alone.txt", "", ""},
		{"On which floor sits the clerk?", "other:alone.txt", "other:alone.txt", "", ""},
		{"When does the canteen open?", "office:notes.txt", "office:notes.txt", "", ""},
		{"x", "../../../etc/passwd", "../../../etc/passwd", "", "source"},
		{"x", "/etc/passwd", "etc/passwd", "", "source"},
		{"x", "office:../other/alone.txt", "other/alone.txt", "", "source"},
		{"x", "policies/../notes.txt", "notes.txt", "", "source"},
		{"x", "nothing:at all#here", "nothing:at all", "here", "source"},
	} {
		o := s.object(0, "why", "--expect", c.expect, "--", c.question)
		e := first(t, "expected", o["expected"]).(map[string]any)
		if e["document"] != c.document && c.lost != "source" || e["heading"] != c.heading || o["lost_at"] != c.lost {
			t.Errorf("%q is %q#%q, lost at %q: %v", c.expect, e["document"], e["heading"], o["lost_at"], o["stages"])
		}
	}
	if filepath.Separator == '/' {
		if o := s.object(0, "why", "--expect", "plain#name", "What is the plain limit?"); o["lost_at"] != "" {
			t.Errorf("a name with '#': %v", o)
		}
	}
	contains(t, s.want(2, "why", "x", "--expect", "notes.txt").err, "it is in several sources: give one of office:notes.txt, other:notes.txt")
}

// TestWhyBounds: what is too long is a sentence and exit code 2, and what is long
// does not take long.
func TestWhyBounds(t *testing.T) {
	s := newSandbox(t)
	s.write(office...)
	s.write(noVectors...)
	s.write("big/big.md", "# Big\n\n"+strings.Repeat("The hotel limit of house number 17 is not said here, nor anywhere else. ", 20000)+"\n")
	s.want(0, "add", "office")
	s.want(0, "add", "big")
	long := strings.Repeat("hotel limit ", 8000) // as long as one argument may be, and too long
	for _, args := range [][]string{
		{"why", long, "--expect", "notes.txt"},
		{"why", "x", "--quote", long},
		{"why", "x", "--expect", long},
		{"why", "x", "--quote", "... ---"},
	} {
		if r := s.want(2, args...); strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%.40q writes %s%s", args, r.out, r.err)
		}
	}
	start := time.Now()
	s.want(0, "why", "hotel limit", "--quote", strings.Repeat("the hotel limit of house number 18 ", 400))
	s.want(0, "why", "hotel limit", "--expect", "big.md", "--quote", strings.Repeat("the hotel limit of house number 18 ", 400))
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("two long quotes took %s", took)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "office")); err != nil {
		t.Fatal(err)
	}
	// A source that is gone does not keep a diagnosis from being made.
	if o := s.object(0, "why", "When does the canteen open?", "--expect", "notes.txt"); o["lost_at"] != "" {
		t.Errorf("lost at %v", o["lost_at"])
	}
}
