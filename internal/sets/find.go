package sets

import "cmp"

// unequal returns both sets, the smaller one first, and whether the other is so much larger that searching it is
// faster than walking along it.
func unequal[T cmp.Ordered](a, b []T) (short, long []T, ok bool) {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a, b, len(b) > 16*len(a)
}

// find returns the index of the first value of a set that is not less than x, and whether it equals x. It takes steps
// of doubling length from the start, so that it finds an index near the start fast.
func find[T cmp.Ordered](set []T, x T) (int, bool) {
	low, step := 0, 1
	for low+step < len(set) && set[low+step] < x {
		low, step = low+step, 2*step
	}
	high := min(low+step+1, len(set))
	for low < high {
		if middle := int(uint(low+high) >> 1); set[middle] < x {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(set) && set[low] == x
}
