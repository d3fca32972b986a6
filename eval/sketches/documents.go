package sketches

import (
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// documents are resemble.Sketches in memory.
type documents struct {
	resemble.Documents // the whole sets
	sketcher           shingles.Sketcher
	values             [][]uint64
}

// sketch makes the sketches of all pages, and returns the number of their samples.
func sketch(whole resemble.Documents, s shingles.Sketcher) (*documents, int) {
	d := &documents{whole, s, make([][]uint64, whole.Len())}
	made, n := s.New(), 0
	for id := range d.values {
		made.Reset()
		made.AddAll(whole.Values(uint32(id)))
		d.values[id] = append([]uint64(nil), made.Values()...)
		n += made.Len()
	}
	return d, n
}

func (d *documents) Values(id uint32) []uint64   { return d.values[id] }
func (d *documents) Sketched() bool              { return true }
func (d *documents) Sketcher() shingles.Sketcher { return d.sketcher }
func (d *documents) Size(id uint32) int          { return len(d.Documents.Values(id)) }
func (d *documents) Digest(id uint32) uint64     { return resemble.Digest(d.Documents.Values(id)) }
