package score

import (
	"fmt"

	"github.com/zeebo/xxh3"
)

// Half is a part of the queries. Settings are chosen on Dev; Test is looked at once, for what is reported.
type Half uint8

// The parts.
const (
	All Half = iota
	Dev
	Test
)

// halfSeed decides which list is in which half. It was never varied: another one would be another held-out part.
const halfSeed = 2000

// Half returns the half of target i as a query: Dev or Test by the lowest bit of XXH3-64, seed 2000, of its List. All
// targets stay candidates in either half.
func (d *Directory) Half(i int) Half { return halfOf(d.lists[i]) }

func halfOf(list string) Half {
	if xxh3.HashStringSeed(list, halfSeed)&1 == 0 {
		return Dev
	}
	return Test
}

// In returns the predicate of the queries in a half, nil for all of them.
func (d *Directory) In(h Half) func(i int) bool {
	if h == All {
		return nil
	}
	return func(i int) bool { return d.Half(i) == h }
}

// String is the name of the half.
func (h Half) String() string { return [...]string{"all", "dev", "test"}[h] }

// MarshalText returns the name of the half.
func (h Half) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// ParseHalf returns the half of a name.
func ParseHalf(s string) (Half, error) {
	for _, h := range []Half{All, Dev, Test} {
		if h.String() == s {
			return h, nil
		}
	}
	return All, fmt.Errorf("half %q is none of all, dev, test", s)
}
