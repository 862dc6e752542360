package config

// sourceKeys are the settings of places that documents come from.
var sourceKeys = []key{
	number("sources.removals", "The share of a source that one add or sync removes unasked; where more is gone from the source, it waits for --confirm-removals. Up to three documents are always removed. Above 0, at most 1, which never waits.",
		func(s *Settings) *float64 { return &s.Quarry.Removals }),
}
