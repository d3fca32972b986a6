package main

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// byteSize is a flag value such as 4GiB, 500MB or 1073741824.
type byteSize int64

// Set parses a size.
func (b *byteSize) Set(s string) error {
	n, ok := config.ParseSize(s)
	if !ok {
		return ask.ValueError("must be a size such as 16MiB")
	}
	*b = byteSize(n)
	return nil
}

// String formats a size.
func (b *byteSize) String() string { return config.FormatSize(int64(*b)) }

// Type names the value in --help.
func (b *byteSize) Type() string { return "SIZE" }

// enoughMemory refuses a memory limit that is too small for any work.
func enoughMemory(memory int64) error {
	if memory < pipeline.LeastMemory {
		return usage(fmt.Errorf("--memory %s is too little to work with: the least is %s", config.FormatSize(memory), config.FormatSize(pipeline.LeastMemory)))
	}
	return nil
}

// limitMemory sets the memory limit of the Go runtime unless GOMEMLIMIT sets a lower one.
func limitMemory(bytes int64) {
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 || bytes < now {
		debug.SetMemoryLimit(bytes)
	}
}
