package lsh

// Part returns the index of only the keys from, from+1, …, to-1.
func (x *Index) Part(from, to int) *Index {
	return &Index{M: x.M, K: x.K, L: to - from, Subsets: x.Subsets[from:to], masks: x.masks[from:to]}
}
