package resemble

import (
	"math/rand/v2"
	"slices"
)

// maker makes documents of random shingles.
type maker struct {
	r    *rand.Rand
	docs Collection
}

func newMaker() *maker { return &maker{r: rand.New(rand.NewPCG(1, 2))} }

// values returns n random shingles.
func (m *maker) values(n int) []uint64 {
	v := make([]uint64, n)
	for i := range v {
		v[i] = m.r.Uint64() >> 24
	}
	return v
}

// add adds a document of the given shingles and returns its id.
func (m *maker) add(host uint32, parts ...[]uint64) uint32 {
	all := slices.Concat(parts...)
	slices.Sort(all)
	all = slices.Compact(all)
	m.docs = append(m.docs, Document{Values: all, Bytes: m.r.Uint64(), Lexical: m.r.Uint64(), Host: host})
	return uint32(len(m.docs) - 1)
}
