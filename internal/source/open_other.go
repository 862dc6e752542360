//go:build !unix

package source

// openFlags: pipes are not files elsewhere.
const openFlags = 0
