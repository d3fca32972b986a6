package minhash

// lanes is the number of permutations that one pass over the elements serves.
// Coefficients are stored in blocks of this size, the last one padded.
const lanes = 16

// block holds 2a and 2(b+1) of sixteen permutations, in the layout that the
// vector code reads; minimaGo says why doubled and why plus one.
type block struct {
	a, b [lanes]uint32
}

// Family is m random permutations of the numbers below P. It never changes
// after NewFamily and may be used by many goroutines.
type Family struct {
	m      int
	blocks []block
}

// NewFamily makes m permutations, the same ones for the same seed on every
// machine and in every version. An m below 1 gives a family without
// permutations, whose rows are empty.
func NewFamily(m int, seed uint64) *Family {
	f := &Family{m: max(m, 0)}
	f.blocks = make([]block, (f.m+lanes-1)/lanes)
	state := mix(seed)
	next := func(n uint64) uint32 {
		state += 0x9e3779b97f4a7c15
		return below(mix(state), n)
	}
	for i := range f.blocks {
		for j := range lanes {
			f.blocks[i].a[j] = 2 * (1 + next(P-1))
			f.blocks[i].b[j] = 2 * (next(P) + 1)
		}
	}
	return f
}

// M is the number of permutations, and of signatures in a row.
func (f *Family) M() int { return f.m }

// RowSize is the number of bytes of a row: 3·M.
func (f *Family) RowSize() int { return 3 * f.m }

// Minima sets dst[:M] to the least value of each permutation on the elements,
// all 31 bits of it; P if there are no elements. dst must hold M values.
// Elements must be below P; repeats do no harm.
func (f *Family) Minima(dst []uint32, elements []uint32) {
	dst = dst[:f.m]
	var least [lanes]uint32
	for i := range f.blocks {
		minima(&least, &f.blocks[i], elements)
		copy(dst[i*lanes:], least[:])
	}
}

// Sign writes the signature row of the elements to dst[:3·M]: the minima
// shortened to 24 bits, as three planes of M low, M middle and M high bytes.
// The row of an empty set is all 0xff. dst must hold 3·M bytes.
func (f *Family) Sign(dst []byte, elements []uint32) {
	low, mid, high := dst[:f.m], dst[f.m:2*f.m], dst[2*f.m:3*f.m]
	var least [lanes]uint32
	for i := range f.blocks {
		minima(&least, &f.blocks[i], elements)
		at := i * lanes
		for j, v := range least[:min(lanes, f.m-at)] {
			low[at+j], mid[at+j], high[at+j] = byte(v), byte(v>>8), byte(v>>16)
		}
	}
}
