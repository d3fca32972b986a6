package tables

import (
	"math"
	"unsafe"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/mapped"
)

// An edge on disk is the number of a node (uint32) and a similarity (float32), as center.Edge is in memory.
var _ = [1]struct{}{}[unsafe.Sizeof(center.Edge{})-8]

// edges views a section of pairs of 4-byte numbers as edges: without copying where memory has the file's order, which
// the view as 8-byte numbers tells, since that copies on machines where it does not.
func edges(f *mapped.File, name string) ([]center.Edge, error) {
	words, err := f.U64(name)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	probe := uint64(1)
	if *(*uint32)(unsafe.Pointer(&probe)) == 1 {
		return unsafe.Slice((*center.Edge)(unsafe.Pointer(&words[0])), len(words)), nil
	}
	out := make([]center.Edge, len(words))
	for i, w := range words {
		out[i] = center.Edge{To: uint32(w), Similarity: math.Float32frombits(uint32(w >> 32))}
	}
	return out, nil
}
