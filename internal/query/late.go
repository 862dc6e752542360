package query

import (
	"regexp"
	"sync"
)

// late compiles a pattern when it is first needed: those of periods are long, and most
// commands ask nothing.
func late(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
