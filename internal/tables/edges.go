package tables

import (
	"math"
	"unsafe"

	"github.com/lshclust/lshclust/center"
)

// An edge on disk is the number of a node (uint32) and a similarity (float32), as center.Edge is in memory.
var _ = [1]struct{}{}[unsafe.Sizeof(center.Edge{})-8]

// edges returns the 8-byte numbers of a table as edges. It copies them only if the machine has another byte order
// than the file.
func edges(words []uint64) []center.Edge {
	if len(words) == 0 {
		return nil
	}
	probe := uint64(1)
	if *(*uint32)(unsafe.Pointer(&probe)) == 1 {
		return unsafe.Slice((*center.Edge)(unsafe.Pointer(&words[0])), len(words))
	}
	out := make([]center.Edge, len(words))
	for i, w := range words {
		out[i] = center.Edge{To: uint32(w), Similarity: math.Float32frombits(uint32(w >> 32))}
	}
	return out
}
