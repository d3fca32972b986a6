package lsh

// eachBucket calls f with each bucket of two or more records, that is, of records with equal keys.
func eachBucket(sorted []uint64, rowBits int, f func(bucket []uint64)) {
	for i := 0; i+1 < len(sorted); {
		key := sorted[i] >> rowBits
		end := i + 1
		for end < len(sorted) && sorted[end]>>rowBits == key {
			end++
		}
		if end-i > 1 {
			f(sorted[i:end])
		}
		i = end
	}
}
