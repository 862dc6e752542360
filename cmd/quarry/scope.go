package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/document"
)

// scopeFlags say who asks and about what.
type scopeFlags struct {
	tenant string
	as     []string
	asOf   string
	where  []string
	drafts bool
}

// addReaders adds the flags that say who asks.
func addReaders(cmd *cobra.Command) *scopeFlags {
	s := &scopeFlags{}
	f := cmd.Flags()
	f.StringVar(&s.tenant, "tenant", "", "the tenant whose documents are seen (default the one without a name)")
	f.StringArrayVar(&s.as, "as", nil, "ask as this principal, such as user:anna or group:legal, with the groups that access.groups adds (repeatable)")
	return s
}

func addScope(cmd *cobra.Command) *scopeFlags {
	s := addReaders(cmd)
	f := cmd.Flags()
	f.StringVar(&s.asOf, "as-of", "", "see what was in force on this date, YYYY-MM-DD (default today)")
	f.StringArrayVar(&s.where, "where", nil, "leave out documents for another KEY=VALUE, such as region=emea (repeatable)")
	f.BoolVar(&s.drafts, "drafts", false, "see drafts too")
	return s
}

func (s *scopeFlags) scope() (document.Scope, error) {
	scope := document.Scope{Tenant: s.tenant, Principals: s.as, Drafts: s.drafts}
	for _, p := range s.as {
		if p == "" {
			return scope, usage("--as is empty: name a principal, such as group:legal")
		}
	}
	if s.asOf != "" {
		day, err := document.ParseDay(s.asOf)
		if err != nil {
			return scope, usage("--as-of: %v", err)
		}
		scope.AsOf = day
	}
	for _, w := range s.where {
		key, value, ok := strings.Cut(w, "=")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !ok || key == "" || value == "" {
			return scope, usage("--where %q is not KEY=VALUE: write it as region=emea", w)
		}
		if scope.Where == nil {
			scope.Where = map[string][]string{}
		}
		scope.Where[key] = append(scope.Where[key], value)
	}
	return scope, nil
}
