package chunk

import "fmt"

// Options bound the size of passages, in tokens of the built-in WordPiece. A
// zero field means its default.
type Options struct {
	// MaxTokens is what the text of a passage and its context have together at
	// most. Default 512, the positions of the built-in model.
	MaxTokens int
	// TargetTokens is up to where small neighbours in a section are joined. What
	// belongs together (see Split) may be larger. Default 200.
	TargetTokens int
	// OverlapTokens is how much of the text before it a passage repeats at most
	// where a paragraph had to be cut. Default 64; -1 for none.
	OverlapTokens int
}

// Defaults of Options.
const (
	DefaultMaxTokens     = 512
	DefaultTargetTokens  = 200
	DefaultOverlapTokens = 64
)

// Bounds of MaxTokens: below, no room is left beside a context and an overlap;
// above, it is surely a mistake.
const (
	minMaxTokens = 64
	maxMaxTokens = 1 << 20
)

// EnsureDefaults gives o with zero fields replaced by their defaults; where
// MaxTokens is small the others shrink with it.
func (o Options) EnsureDefaults() Options {
	if o.MaxTokens == 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.TargetTokens == 0 {
		o.TargetTokens = min(DefaultTargetTokens, o.MaxTokens/2)
	}
	if o.OverlapTokens == 0 {
		o.OverlapTokens = min(DefaultOverlapTokens, o.MaxTokens/8)
	}
	return o
}

// Validate reports options that Split cannot work with.
func (o Options) Validate() error {
	o = o.EnsureDefaults()
	switch {
	case o.MaxTokens < minMaxTokens || o.MaxTokens > maxMaxTokens:
		return fmt.Errorf("chunk: MaxTokens is %d: set it between %d and %d", o.MaxTokens, minMaxTokens, maxMaxTokens)
	case o.TargetTokens < 1 || o.TargetTokens > o.MaxTokens:
		return fmt.Errorf("chunk: TargetTokens is %d: set it between 1 and MaxTokens, %d", o.TargetTokens, o.MaxTokens)
	case o.OverlapTokens < -1 || o.OverlapTokens > o.MaxTokens/4:
		return fmt.Errorf("chunk: OverlapTokens is %d: set it between -1 (none) and a quarter of MaxTokens, %d", o.OverlapTokens, o.MaxTokens/4)
	}
	return nil
}

// String gives the options in one line, as they take effect; it is part of what
// identifies the pipeline of a revision.
func (o Options) String() string {
	o = o.EnsureDefaults()
	return fmt.Sprintf("max=%d target=%d overlap=%d", o.MaxTokens, o.TargetTokens, max(o.OverlapTokens, 0))
}
