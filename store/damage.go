package store

import "github.com/seed-d3156d19/quarry/document"

// Damage is one thing that a store found wrong with what it keeps, as the operator
// sees it.
type Damage struct {
	// What is damaged, in words: "the index", "document docs:a.md".
	What string
	// Lost is whether a repair cannot make it again from what else the store holds;
	// it must be added again or come from a backup.
	Lost bool
	// Document is the one that is lost, where it is one and its name is known.
	Document document.ID
	// Detail says how it shows, without text of a document.
	Detail string
}
