package score

import (
	"fmt"

	"github.com/zeebo/xxh3"
)

// Half is a part of the queries. Choose settings on Dev; look at Test once, for the reported figures.
type Half uint8

// The halves.
const (
	All Half = iota
	Dev
	Test
)

// halfSeed decides which list is in which half. It has never been changed, because another seed would give another
// held-out half.
const halfSeed = 2000

// Half returns the half of target i as a query: Dev or Test, by the lowest bit of the XXH3-64 hash, with seed 2000, of
// its List. All targets are candidates in both halves.
func (d *Directory) Half(i int) Half { return halfOf(d.lists[i]) }

func halfOf(list string) Half {
	if xxh3.HashStringSeed(list, halfSeed)&1 == 0 {
		return Dev
	}
	return Test
}

// In returns a predicate that reports whether a query is in a half, or nil for all queries.
func (d *Directory) In(h Half) func(i int) bool {
	if h == All {
		return nil
	}
	return func(i int) bool { return d.Half(i) == h }
}

// String returns the name of the half.
func (h Half) String() string { return [...]string{"all", "dev", "test"}[h] }

// MarshalText returns the name of the half.
func (h Half) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// ParseHalf returns the half with the given name.
func ParseHalf(s string) (Half, error) {
	for _, h := range []Half{All, Dev, Test} {
		if h.String() == s {
			return h, nil
		}
	}
	return All, fmt.Errorf("half %q is not one of all, dev, test", s)
}
