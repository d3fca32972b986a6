package rounds

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/lshclust/lshclust/resemble"
)

// Weighted is a link with its weight, which is not negative.
type Weighted struct {
	A, B   uint32
	Weight float64
}

// WeightedSize is the size of a Weighted as a record.
const WeightedSize = 16

// Record returns the link as a record. In the order of the records, stronger links come first.
func (l Weighted) Record() (rec [WeightedSize]byte) {
	binary.BigEndian.PutUint64(rec[:], ^math.Float64bits(l.Weight))
	binary.BigEndian.PutUint32(rec[8:], l.A)
	binary.BigEndian.PutUint32(rec[12:], l.B)
	return rec
}

// ParseWeighted returns the link of a record.
func ParseWeighted(rec []byte) Weighted {
	return Weighted{
		binary.BigEndian.Uint32(rec[8:]), binary.BigEndian.Uint32(rec[12:]), math.Float64frombits(^binary.BigEndian.Uint64(rec)),
	}
}

// Forest calls keep with the links of the maximum spanning forest of some links among n nodes. The links come in the
// order of their records.
func Forest(n int, links iter.Seq2[Weighted, error], keep func(Weighted) error) error {
	u, last := resemble.NewUnionFind(n), math.Inf(1)
	for l, err := range links {
		if err == nil && (max(l.A, l.B) >= uint32(n) || !(l.Weight <= last)) {
			err = fmt.Errorf("%w: %d-%d of weight %g after one of %g among %d nodes", ErrLinks, l.A, l.B, l.Weight, last, n)
		}
		if err == nil && u.Union(l.A, l.B) {
			err = keep(l)
		}
		if err != nil {
			return err
		}
		last = l.Weight
	}
	return nil
}

// Components are the components of a graph of n nodes.
type Components struct {
	Root   []uint32  // of each node: the lowest node of its component
	Lowest []float64 // of each root: the weight of the weakest link of the forest; 0 if the node is alone
}

// NewComponents returns the components that the links of a forest connect.
func NewComponents(n int, forest iter.Seq2[Weighted, error]) (*Components, error) {
	u, c := resemble.NewUnionFind(n), &Components{make([]uint32, n), make([]float64, n)}
	err := Forest(n, forest, func(l Weighted) error {
		u.Union(l.A, l.B)
		c.Lowest[u.Find(l.A)] = l.Weight // the weakest yet
		return nil
	})
	for node := range c.Root {
		c.Root[node] = u.Find(uint32(node))
	}
	return c, err
}
