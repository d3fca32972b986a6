package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// byteSize is a flag value such as 4GiB, 500MB or 1073741824, of at least 1 MiB.
type byteSize int64

// Set parses a size.
func (b *byteSize) Set(s string) error {
	n, ok := parseSize(s, 1<<20)
	if !ok {
		return fmt.Errorf("%q is not a size of 1 MiB or more, such as 4GiB", s)
	}
	*b = byteSize(n)
	return nil
}

// String formats a size.
func (b *byteSize) String() string { return formatSize(int64(*b)) }

// Type names the value in --help.
func (b *byteSize) Type() string { return "SIZE" }

// pageSize is a flag value like byteSize, of at least 1 byte.
type pageSize struct{ bytes *int64 }

// sizeVar returns what makes a flag for a pageSize, like the methods of pflag.FlagSet for other types.
func sizeVar(f *pflag.FlagSet) func(p *int64, name string, value int64, usage string) {
	return func(p *int64, name string, value int64, usage string) {
		*p = value
		f.Var(pageSize{p}, name, usage)
	}
}

// Set parses a size.
func (p pageSize) Set(s string) error {
	n, ok := parseSize(s, 1)
	if !ok {
		return rangeError("must be a size such as 16MiB")
	}
	*p.bytes = n
	return nil
}

// String formats a size.
func (p pageSize) String() string {
	if p.bytes == nil { // pflag makes a zero value
		return ""
	}
	return formatSize(*p.bytes)
}

// Type names the value in --help.
func (p pageSize) Type() string { return "SIZE" }

var units = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// parseSize parses a number of bytes with or without a unit. It returns false for less than least bytes and for more
// than 1 EiB.
func parseSize(s string, least float64) (int64, bool) {
	number, factor := strings.TrimSpace(s), 1.0
	for _, u := range units {
		if n := len(number) - len(u.name); n > 0 && strings.EqualFold(number[n:], u.name) {
			number, factor = strings.TrimSpace(number[:n]), u.size
			break
		}
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || f*factor < least || f*factor > 1<<60 {
		return 0, false
	}
	return int64(f * factor), true
}

// formatSize formats a number of bytes in the largest unit of which it is a multiple.
func formatSize(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%dGiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	}
	return strconv.FormatInt(n, 10)
}

// unset makes --help show no default for a size that has none.
func unset(f *pflag.FlagSet, name string) { f.Lookup(name).DefValue = "" }
