package shingles

// SuperShingles returns the super-shingles of a sketch ([S1] "super shingles"): the hash of every w consecutive
// samples. Documents that share one are probably similar, but a small document may share none with its near copy. The
// values are those of any sketch, in ascending order. Fewer than w values make one super-shingle; no values make none.
func SuperShingles(values []uint64, w int) []uint64 {
	if len(values) == 0 {
		return nil
	}
	w = min(max(w, 1), len(values))
	super := make([]uint64, 0, len(values)-w+1)
	for i := 0; i+w <= len(values); i++ {
		super = append(super, hashSamples(values[i:i+w]))
	}
	return super
}

// hashSamples returns a hash of 64 bits of a sequence, which depends on its length too.
func hashSamples(values []uint64) uint64 {
	h := uint64(len(values))
	for _, v := range values {
		h = foldUnit(h, v)
	}
	return NewMixer(64, 0).Mix(h)
}

// The default shape of GroupedMinima: 6 groups of 14 minima each.
const (
	DefaultGroups    = 6
	DefaultGroupSize = 14
)

// maxMinima is the largest number of minima, groups times size.
const maxMinima = 1 << 16

// GroupedMinima holds the minimum of a set under each of groups·size permutations, and hashes the minima in groups of
// size: the other kind of super-shingles. Two documents of resemblance r agree in a group with probability r^size; see
// GroupAgreement. Every value costs groups·size multiplications, 84 by default.
//
// The zero value is an empty sketch of 6 groups of 14.
type GroupedMinima struct {
	groups, size int
	minima       []uint64 // nil as long as the set is empty
	factors      []uint64 // two for each: h(x) = a·x + b modulo 2^64, a odd
}

// NewGroupedMinima returns an empty sketch of groups·size minima, at most 65,536. If the numbers are out of range, they
// are 6 and 14.
func NewGroupedMinima(groups, size int) *GroupedMinima {
	if !validGroups(groups, size) {
		return new(GroupedMinima)
	}
	return &GroupedMinima{groups: groups, size: size}
}

func validGroups(groups, size int) bool {
	return groups >= 1 && size >= 1 && groups <= maxMinima && size <= maxMinima && groups*size <= maxMinima
}

// Shape returns the number of groups and their size.
func (g *GroupedMinima) Shape() (groups, size int) {
	if g.groups == 0 {
		return DefaultGroups, DefaultGroupSize
	}
	return g.groups, g.size
}

// Add adds one value.
func (g *GroupedMinima) Add(v uint64) { g.AddAll([]uint64{v}) }

// AddAll adds values.
func (g *GroupedMinima) AddAll(values []uint64) {
	var block [64]uint64
	for len(values) > 0 {
		n := min(len(values), len(block))
		for i, v := range values[:n] {
			block[i] = nextRandom(&v) // all 64 bits, whatever the width of values
		}
		g.addBlock(block[:n])
		values = values[n:]
	}
}

func (g *GroupedMinima) addBlock(block []uint64) {
	if g.minima == nil {
		g.prepare()
	}
	for i := range g.minima {
		a, b, least := g.factors[2*i], g.factors[2*i+1], g.minima[i]
		for _, x := range block {
			least = min(least, a*x+b)
		}
		g.minima[i] = least
	}
}

func (g *GroupedMinima) prepare() {
	groups, size := g.Shape()
	g.minima = make([]uint64, groups*size)
	for i := range g.minima {
		g.minima[i] = ^uint64(0)
	}
	if g.factors != nil {
		return
	}
	state := uint64(groups)<<32 | uint64(size)
	g.factors = make([]uint64, 2*len(g.minima))
	for i := range g.factors {
		g.factors[i] = nextRandom(&state) | uint64(one(i%2 == 0))
	}
}

// Merge makes g the sketch of the union of both sets.
func (g *GroupedMinima) Merge(b *GroupedMinima) error {
	if !g.sameShape(b) {
		return ErrMismatch
	}
	if b.minima != nil && g.minima == nil {
		g.prepare()
	}
	for i, v := range b.minima {
		g.minima[i] = min(g.minima[i], v)
	}
	return nil
}

func (g *GroupedMinima) sameShape(b *GroupedMinima) bool {
	groups, size := g.Shape()
	otherGroups, otherSize := b.Shape()
	return groups == otherGroups && size == otherSize
}

// Minima returns the minima, one group after another, or nil for the empty set.
func (g *GroupedMinima) Minima() []uint64 { return g.minima }

// Groups returns one hash for each group, in order, or nil for the empty set. Do not compare hashes of different groups
// with each other.
func (g *GroupedMinima) Groups() []uint64 {
	groups, size := g.Shape()
	if g.minima == nil {
		return nil
	}
	hashes := make([]uint64, groups)
	for i := range hashes {
		hashes[i] = hashSamples(g.minima[i*size : (i+1)*size])
	}
	return hashes
}

// Reset empties the sketch.
func (g *GroupedMinima) Reset() { g.minima = nil }

// Estimate returns the share of equal minima, which estimates the resemblance, and the number of groups that agree
// entirely. If a set is empty, ok is false.
func (g *GroupedMinima) Estimate(b *GroupedMinima) (resemblance float64, groups int, ok bool) {
	if !g.sameShape(b) || g.minima == nil || b.minima == nil {
		return 0, 0, false
	}
	equal, run := 0, 0
	_, size := g.Shape()
	for i, v := range g.minima {
		if i%size == 0 {
			run = 0 // equal minima in this group
		}
		same := one(v == b.minima[i])
		equal, run = equal+same, run+same
		groups += one(run == size)
	}
	return float64(equal) / float64(len(g.minima)), groups, true
}
