//go:build race

package kernel

import (
	"runtime"
	"unsafe"
)

// reads and writes tell the race detector of the values that a loop is about to go
// over, at once: called for each of them, as the compiler has it, it takes ten times as
// long as the arithmetic. Such a loop is marked go:norace.

func reads(x []float32) { runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(x)), 4*len(x)) }

func writes(x []float32) { runtime.RaceWriteRange(unsafe.Pointer(unsafe.SliceData(x)), 4*len(x)) }
