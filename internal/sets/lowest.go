package sets

import "cmp"

// Lowest moves the n lowest keys to the front, in any order (Hoare's quickselect).
func Lowest[T cmp.Ordered](keys []T, n int) {
	for n > 0 && n < len(keys) {
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		pivot := max(min(a, b), min(max(a, b), c)) // median of three
		i, j := -1, len(keys)
		for {
			for i++; keys[i] < pivot; i++ {
			}
			for j--; keys[j] > pivot; j-- {
			}
			if i >= j {
				break
			}
			keys[i], keys[j] = keys[j], keys[i]
		}
		// All of keys[:j+1] are at most pivot, the others at least.
		if n <= j+1 && j+1 < len(keys) {
			keys = keys[:j+1]
		} else {
			keys, n = keys[j+1:], n-j-1
		}
	}
}
