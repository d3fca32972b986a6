// Package sets compares sets. A set is a slice in ascending order without repeats.
//
// [Union] walks over two sets together and lets the caller decide what to do with the values. It takes two to three
// times as long as a specialised loop, which is why package bags has one for the similarity of bags. [Common] and
// [Meet] have no branches that depend on the values, because a processor would mispredict every other one.
package sets

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Union yields for each value that is in a or in b, ascending, its places in both: i in a and j in b, -1 where it is
// not.
func Union[T cmp.Ordered](a, b []T) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		i, j := 0, 0
		for i < len(a) || j < len(b) {
			switch {
			case j == len(b) || i < len(a) && a[i] < b[j]:
				if !yield(i, -1) {
					return
				}
				i++
			case i == len(a) || b[j] < a[i]:
				if !yield(-1, j) {
					return
				}
				j++
			default:
				if !yield(i, j) {
					return
				}
				i, j = i+1, j+1
			}
		}
	}
}

// Alike returns the weight of the values that are in both sets, divided by that of the values in either; 0 if there are none.
func Alike[T cmp.Ordered](a, b []T, weight func(T) float64) float64 {
	both, either := 0.0, 0.0
	for i, j := range Union(a, b) {
		if i < 0 {
			either += weight(b[j])
			continue
		}
		w := weight(a[i])
		either += w
		if j >= 0 {
			both += w
		}
	}
	if either <= 0 {
		return 0
	}
	return both / either
}

// Common counts the values that are in both sets. If one set is much larger, it searches it for each value of the other.
func Common[T cmp.Ordered](a, b []T) (n int) {
	if short, long, ok := unequal(a, b); ok {
		for _, x := range short {
			i, found := find(long, x)
			long = long[i:]
			n += One(found)
		}
		return n
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		i += One(x <= y)
		j += One(y <= x)
		n += One(x == y)
	}
	return n
}

// CommonOf is Common, but ends with a smaller number as soon as it is certain that fewer than least values are in both.
func CommonOf[T cmp.Ordered](a, b []T, least int) (n int) {
	if short, _, ok := unequal(a, b); ok && len(short) >= least {
		return Common(a, b)
	}
	for i, j := 0, 0; i < len(a) && j < len(b) && n+min(len(a)-i, len(b)-j) >= least; {
		for end := i + 32; i < end && i < len(a) && j < len(b); {
			x, y := a[i], b[j]
			i += One(x <= y)
			j += One(y <= x)
			n += One(x == y)
		}
	}
	return n
}

// Meet reports whether a value is in both sets. If one set is much larger, it searches it for each value of the other.
func Meet[T cmp.Ordered](a, b []T) bool {
	if short, long, ok := unequal(a, b); ok {
		for _, x := range short {
			i, found := find(long, x)
			if found {
				return true
			}
			long = long[i:]
		}
		return false
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		if x == y {
			return true
		}
		i += One(x < y)
		j += One(y < x)
	}
	return false
}

// Intersect appends to dst the values that are in both sets. Of lists with repeats, each is there as often as in both.
func Intersect[T cmp.Ordered](dst, a, b []T) []T {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		if x == y {
			dst = append(dst, x)
		}
		i += One(x <= y)
		j += One(y <= x)
	}
	return dst
}

// Minus appends to dst the values of a that are not in b.
func Minus[T cmp.Ordered](dst, a, b []T) []T {
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j == len(b) || b[j] != x {
			dst = append(dst, x)
		}
	}
	return dst
}

// One is 1 for true; the compiler makes it a single instruction.
func One(b bool) int {
	if b {
		return 1
	}
	return 0
}

// OfWords returns the words of a text as a map.
func OfWords(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
}

// Strings returns texts of another type as strings.
func Strings[S ~string](texts []S) (out []string) {
	for _, t := range texts {
		out = append(out, string(t))
	}
	return out
}

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

// Insert inserts an element into a list of the first most elements in an order, unless it belongs behind all of them.
func Insert[T any](list []T, x T, most int, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, x, order)
	if at >= most {
		return list
	}
	return slices.Insert(list[:min(len(list), most-1)], at, x)
}

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

// Runs yields the stretches of a list whose elements are all the same as the first of them, in order.
func Runs[T any](list []T, same func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && same(list[0], list[n]) {
				n++
			}
			if !yield(list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}
