package main

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// enoughMemory refuses a memory limit with which nothing can be done.
func enoughMemory(memory byteSize) error {
	if least := byteSize(pipeline.LeastMemory); memory < least {
		return usage(fmt.Errorf("--memory %s is too little to work with: the least is %s", &memory, &least))
	}
	return nil
}

// limitMemory sets the memory limit of the Go runtime. A lower limit that the environment sets (GOMEMLIMIT) stays.
func limitMemory(bytes int64) {
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 || bytes < now {
		debug.SetMemoryLimit(bytes)
	}
}
