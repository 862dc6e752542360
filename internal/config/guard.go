package config

import (
	"fmt"
	"runtime"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry"
)

// Audit is how a log is kept of who asked what. Its zero value is its default: none.
type Audit struct {
	Folder                string // "" is none
	Questions, Principals string // "" is kept
	Days                  int    // 0 is for ever
	Unsynced              bool   // records are on the disk when the system puts them there
	Optional              bool   // what cannot be recorded is answered; Options.AuditFailed is told
}

var defaultAudit = Audit{Questions: "kept", Principals: "kept"}

// guardKeys are the settings of who is who, and of what is kept of them.
var guardKeys = []key{
	anyText("access.groups", "The file that says who is in which group and who administers a tenant (docs/ACCESS.md shows one). It is read again at every question. Empty: an asker is what --as says and no more.",
		func(s *Settings) *string { return &s.Groups }),

	anyText("audit.folder", "The folder of the audit log: who asked what and which revisions were shown, a file of JSON lines for each day. It is made for its owner alone. Empty: no log is kept.",
		func(s *Settings) *string { return &s.Audit.Folder }),
	choice("audit.questions", "How questions, quotes and names of documents that were asked for are kept: kept, as they are; hash, as a hash with a key that lies in the folder; none.",
		[]string{"kept", "hash", "none"}, func(s *Settings) *string { return &s.Audit.Questions }),
	choice("audit.principals", "How askers are kept: kept, hash or none.",
		[]string{"kept", "hash", "none"}, func(s *Settings) *string { return &s.Audit.Principals }),
	fromZero("audit.days", "Days after which a day's file is deleted, at most 36500. 0: never.", func(s *Settings) *int { return &s.Audit.Days }),
	without("audit.sync", "Whether each record is on the disk before its result is given; false leaves that to the system, and a machine that fails may lose the last ones.",
		func(s *Settings) *bool { return &s.Audit.Unsynced }),
	without("audit.required", "Whether what cannot be recorded is not answered; false answers it and says so.",
		func(s *Settings) *bool { return &s.Audit.Optional }),
}

// without is a setting that is true unless the field says otherwise.
func without(name, doc string, at func(*Settings) *bool) key {
	return key{name: name, doc: doc, want: "true or false", set: func(s *Settings, n *yaml.Node) bool {
		*at(s) = n.Value != "true"
		return n.ShortTag() == "!!bool"
	}, get: func(s *Settings) string { return fmt.Sprint(!*at(s)) }}
}

// choice is one of some words.
func choice(name, doc string, words []string, at func(*Settings) *string) key {
	want := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			want += " or " + w
		} else {
			want += ", " + w
		}
	}
	return key{name: name, doc: doc, want: want, set: func(s *Settings, n *yaml.Node) bool {
		for _, w := range words {
			// YAML 1.1 reads off as false, and people write it so.
			if n.Value == w && (n.ShortTag() == "!!str" || n.ShortTag() == "!!bool") {
				*at(s) = w
				return true
			}
		}
		return false
	}, get: func(s *Settings) string { return *at(s) }}
}

// fromZero is a whole number of which 0 is the default.
func fromZero(name, doc string, at func(*Settings) *int) key {
	k := whole(name, doc, at)
	k.want = "a whole number, 0 or more"
	set := k.set
	k.set = func(s *Settings, n *yaml.Node) bool {
		if n.Value == "0" && n.ShortTag() == "!!int" {
			*at(s) = 0
			return true
		}
		return set(s, n)
	}
	return k
}

func (s Settings) checkGuard() error {
	switch {
	case s.Audit.Days > 36500:
		return fmt.Errorf("audit.days is %d: give 0 to 36500", s.Audit.Days)
	case s.Quarry.Permissions == quarry.POSIX && runtime.GOOS != "linux":
		return fmt.Errorf("sources.permissions is posix, which is read on Linux only: other systems have access lists that a mode does not show")
	}
	return nil
}
