package main

import (
	"math"
	"runtime/debug"
)

// limitMemory makes the collector keep the process to so many bytes. A lower limit in the environment (GOMEMLIMIT) stays.
func limitMemory(bytes int64) {
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 || bytes < now {
		debug.SetMemoryLimit(bytes)
	}
}
