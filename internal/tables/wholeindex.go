package tables

// wholeUpTo is the number of shingles, in multiples of the modulus of the index, below which the index contains all
// shingles of a page. The sample of a shorter page would be too small to find it.
const wholeUpTo = 16

// IndexedWhole reports whether an index with the given modulus contains every shingle of a page with n shingles.
func IndexedWhole(n int, modulus uint64) bool { return modulus == 1 || uint64(n)/modulus < wholeUpTo }
