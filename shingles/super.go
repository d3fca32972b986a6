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

// GroupMinima returns the other kind of super-shingles: for each of several groups, the hash of the minima of a set
// under size permutations. Two documents of resemblance r agree in a group with probability r^size. Values of different
// groups are unrelated. Each value of the set takes groups·size multiplications. The empty set has no groups.
func GroupMinima(values []uint64, groups, size int) []uint64 {
	if len(values) == 0 {
		return nil
	}
	mixed := make([]uint64, len(values))
	for i, v := range values {
		mixed[i] = nextRandom(&v) // all 64 bits, whatever the width of values
	}
	hashes, minima := make([]uint64, groups), make([]uint64, size)
	state := uint64(groups)<<32 | uint64(size)
	for g := range hashes {
		for i := range minima {
			a, b := nextRandom(&state)|1, nextRandom(&state) // h(x) = a·x + b modulo 2^64
			least := ^uint64(0)
			for _, x := range mixed {
				least = min(least, a*x+b)
			}
			minima[i] = least
		}
		hashes[g] = hashSamples(minima)
	}
	return hashes
}
