package tables

// wholeUpTo is the number of shingles, in multiples of the modulus of the index, up to which the index holds all shingles
// of a page: a shorter page would have too few samples to be found.
const wholeUpTo = 16

// IndexedWhole reports whether an index of the given modulus holds every shingle of a page that has n shingles.
func IndexedWhole(n int, modulus uint64) bool { return modulus == 1 || uint64(n)/modulus < wholeUpTo }
