package quarry

import "sort"

// Report is what a sync did. The same document is in one list only, but for
// Warned, Suspect and Unembedded.
type Report struct {
	Source  string    `json:"source"`
	Added   []string  `json:"added,omitempty"`
	Changed []string  `json:"changed,omitempty"`
	Removed []string  `json:"removed,omitempty"`
	Renamed []Rename  `json:"renamed,omitempty"` // neither added nor removed
	Failed  []Problem `json:"failed,omitempty"`  // could not be turned into passages, now or at an earlier sync and unchanged since
	Skipped []Problem `json:"skipped,omitempty"` // not documents, or of a type that is not supported
	Warned  []Problem `json:"warned,omitempty"`  // indexed, but its metadata contradicts that of others, or names one that there is not
	// Unreached could not be had now, as of a server that fails. What is indexed of
	// them stays as it was, and the next sync tries again.
	Unreached []Problem `json:"unreached,omitempty"`
	// Withheld are gone from the source and still indexed: they are more than
	// Options.Removals lets go at once, and SyncOptions.ConfirmRemovals removes them.
	Withheld  []string  `json:"withheld,omitempty"`
	Suspect   []Problem `json:"suspect,omitempty"` // indexed now, but the text should be compared with the original
	Unchanged int       `json:"unchanged"`
	// Inferred are documents of series that this sync looked at: their validity was inferred
	// from file names.
	Inferred int `json:"inferred,omitempty"`
	Vectors  int `json:"vectors"` // passages embedded
	// Unembedded are documents, of this source or of others, with passages that
	// the embedding model refused: they are found by their words, and tried again
	// at the next sync.
	Unembedded []Problem `json:"unembedded,omitempty"`
	// Incomplete is set when a part of the source could not be listed: then
	// nothing was removed but what the source itself says is gone.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Problem is a document or file and one sentence about it.
type Problem struct {
	Document string `json:"document"`
	Error    string `json:"error"`
}

// Progress is told about a running sync; any of its functions may be nil. They are called
// from one goroutine at a time.
type Progress struct {
	Listed   func(documents int)
	Prepared func(done int)
	// Embedded is told how many passages of those that had no vector have one
	// now, first with 0.
	Embedded func(done, total int)
}

func (r *Report) sort() {
	sort.Strings(r.Added)
	sort.Strings(r.Changed)
	sort.Strings(r.Removed)
	sort.Strings(r.Withheld)
	sort.Slice(r.Renamed, func(i, j int) bool { return r.Renamed[i].To < r.Renamed[j].To })
	sort.Slice(r.Unreached, func(i, j int) bool { return r.Unreached[i].Document < r.Unreached[j].Document })
	sort.Slice(r.Failed, func(i, j int) bool { return r.Failed[i].Document < r.Failed[j].Document })
	sort.Slice(r.Suspect, func(i, j int) bool { return r.Suspect[i].Document < r.Suspect[j].Document })
	sort.Slice(r.Skipped, func(i, j int) bool { return r.Skipped[i].Document < r.Skipped[j].Document })
}

func call(f func(int), n int) {
	if f != nil {
		f(n)
	}
}
