//go:build !amd64 && !arm64

package kernel

func detect() []*Set { return []*Set{Portable} }
