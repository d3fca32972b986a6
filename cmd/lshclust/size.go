package main

import (
	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/pflag"
)

// byteSize is a flag value such as 4GiB, 500MB or 1073741824.
type byteSize int64

// Set parses a size.
func (b *byteSize) Set(s string) error {
	n, ok := config.ParseSize(s)
	if !ok {
		return rangeError("must be a size such as 16MiB")
	}
	*b = byteSize(n)
	return nil
}

// String formats a size.
func (b *byteSize) String() string { return config.FormatSize(int64(*b)) }

// Type names the value in --help.
func (b *byteSize) Type() string { return "SIZE" }

// unset makes --help show no default for a size that has none.
func unset(f *pflag.FlagSet, name string) { f.Lookup(name).DefValue = "" }
