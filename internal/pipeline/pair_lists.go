package pipeline

import (
	"math"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// A file contains the lists of nearest neighbours of a range of places. All files of a step form a table that the
// parts of the next step read.

type listColumns struct {
	first mapped.Numbers[uint64] `lsh:"first"` // where the list of each place begins, and where the last one ends
	edge  mapped.Numbers[uint64] `lsh:"edge,stream"`
}

// listsWriter writes the lists of consecutive places.
type listsWriter struct {
	*mapped.Writer
	listColumns
	n uint64
}

func createLists(path string) *listsWriter {
	l := new(listsWriter)
	l.Writer = createColumns(path, &l.listColumns)
	l.first.Add(0)
	return l
}

// add appends the list of the next place, nearest first.
func (l *listsWriter) add(near []expand.Neighbour) {
	for _, x := range near {
		l.edge.Add(uint64(math.Float32bits(x.Similarity))<<32 | uint64(x.Node))
	}
	l.n += uint64(len(near))
	l.first.Add(l.n)
}

// listTable provides the lists of all places.
type listTable struct {
	places, size int // number of all places, and of the places of each file
	files        []work[listColumns]
}

// openLists opens the lists of a step over some places.
func (b pairStage) openLists(from *opened, step string, places int) *listTable {
	return &listTable{places, b.sizes.partNodes(places), stepFiles(from, "pair", step, openWork[listColumns])}
}

// of returns the list of a place, whose elements entry decodes.
func (t *listTable) of(place uint32) []uint64 {
	f, at := &t.files[int(place)/t.size].of, int(place)%t.size
	return f.edge.Slice(int(f.first.At(at)), int(f.first.At(at+1)))
}

// entry decodes an element of a list. It replaces a number that is not a place, which only a damaged table contains,
// by place 0.
func (t *listTable) entry(e uint64) expand.Neighbour {
	node := uint32(e)
	if int64(node) >= int64(t.places) {
		node = 0
	}
	return expand.Neighbour{Node: node, Similarity: math.Float32frombits(uint32(e >> 32))}
}

// Nearest implements expand.Graph.
func (t *listTable) Nearest(dst []uint32, place uint32, width int) []uint32 {
	list := t.of(place)
	for _, e := range list[:min(width, len(list))] {
		dst = append(dst, t.entry(e).Node)
	}
	return dst
}
