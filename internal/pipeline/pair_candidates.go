package pipeline

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A part of the search writes its candidates by place (see ordered) as sorted records, in both directions.

// packedSize is the size of a packed record, a big-endian number.
const packedSize = 8

// packing packs two places and the number of signatures in which they differ into 64 bits: 28 bits for each of 2^28
// places and 8 for the difference. With more places it drops the lowest bits of the difference.
type packing struct{ place, dropped int }

func newPacking(places int) packing {
	k := packing{place: bits.Len(uint(max(places-1, 1)))}
	k.dropped = max(0, 8-(64-2*k.place))
	return k
}

// candidate packs a candidate b of place a. Sorted, the candidates of a place are together, best agreement first and
// ties in order of places.
func (k packing) candidate(a, b uint32, differs int) uint64 {
	return uint64(a)<<(64-k.place) | uint64(differs>>k.dropped)<<k.place | uint64(b)
}

// places returns the places of a candidate.
func (k packing) places(candidate uint64) (a, b uint32) {
	return uint32(candidate >> (64 - k.place)), uint32(candidate & (1<<k.place - 1))
}

// candidateFiles are the candidates that all parts of the search have found.
type candidateFiles struct {
	packing packing
	places  int
	files   sortedFiles
}

func (b pairStage) openCandidates(from *opened, places int) candidateFiles {
	return candidateFiles{newPacking(places), places, openSorted(from, "pair", pairSearch, packedSize)}
}

// of returns the candidates of a range of places.
func (c candidateFiles) of(r places) *candidates {
	out := &candidates{candidateFiles: c}
	for _, f := range c.files {
		at := f.search(uint64(r.from)<<(64-c.packing.place), 0, f.len())
		end := f.len()
		if int(r.to) < c.places {
			end = f.search(uint64(r.to)<<(64-c.packing.place), at, end)
		}
		out.rest = append(out.rest, f.slice(at, end))
	}
	return out
}

// candidates are the candidates of the places of a part.
type candidates struct {
	candidateFiles
	rest   [][]byte // records of each file from the next place on
	packed []uint64 // candidates of the current place
	found  []uint32
}

// next returns the candidates of a place, which must follow the one before, best agreement first. It ignores numbers
// that are not places, which only a damaged file contains.
func (c *candidates) next(place uint32) []uint32 {
	c.packed, c.found = c.packed[:0], c.found[:0]
	for i, rest := range c.rest {
		for ; len(rest) >= packedSize; rest = rest[packedSize:] {
			packed := binary.BigEndian.Uint64(rest)
			if a, _ := c.packing.places(packed); a != place {
				break
			}
			c.packed = append(c.packed, packed)
		}
		c.rest[i] = rest
	}
	slices.Sort(c.packed)
	for _, packed := range c.packed {
		if _, other := c.packing.places(packed); int64(other) < int64(c.places) {
			c.found = append(c.found, other)
		}
	}
	return c.found
}
