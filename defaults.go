package quarry

import "github.com/seed-d3156d19/quarry/store"

// DefaultOptions returns the options with every default filled in, without a
// store.
func DefaultOptions() Options { return Options{}.ensureDefaults() }

// WithDefaults returns the options as they take effect: what was left at zero is its
// default.
func (o Options) WithDefaults() Options { return o.ensureDefaults() }

// Check is Validate for options that have no store yet: settings are checked
// before a store is opened or made.
func (o Options) Check() error {
	o.Store = unopened{}
	return o.ensureDefaults().Validate()
}

// unopened stands for the store that is not there yet; it is never called.
type unopened struct{ store.Store }
