package tables

// wholeUpTo is the number of shingles, in multiples of the modulus of the index, up to which the index holds all
// shingles of a page. Of a shorter page, the sample would be too small to find it.
const wholeUpTo = 16

// IndexedWhole reports whether an index with the given modulus holds every shingle of a page with n shingles.
func IndexedWhole(n int, modulus uint64) bool { return modulus == 1 || uint64(n)/modulus < wholeUpTo }
