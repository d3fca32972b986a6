package main

import (
	"math"
	"runtime/debug"
)

// limitMemory sets the memory limit of the Go runtime. A lower limit that the environment sets (GOMEMLIMIT) stays.
func limitMemory(bytes int64) {
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 || bytes < now {
		debug.SetMemoryLimit(bytes)
	}
}
