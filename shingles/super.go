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

// hashSamples returns a 64-bit hash of a sequence, which also depends on its length.
func hashSamples(values []uint64) uint64 {
	h := uint64(len(values))
	for _, v := range values {
		h = hashPart(h, v, 0)
	}
	return h
}
