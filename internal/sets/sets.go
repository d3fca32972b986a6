// Package sets compares sets. A set is a slice in ascending order without repeats.
//
// [Union] walks over two sets together and lets the caller decide what to do with the values. It takes two to three
// times as long as a specialised loop, which is why package bags has one for the similarity of bags. [Common] and
// [Meet] have no branches that depend on the values, because a processor would mispredict every other one.
package sets

import (
	"cmp"
	"iter"
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
			n += one(found)
		}
		return n
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		i += one(x <= y)
		j += one(y <= x)
		n += one(x == y)
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
			i += one(x <= y)
			j += one(y <= x)
			n += one(x == y)
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
		i += one(x < y)
		j += one(y < x)
	}
	return false
}

// Intersect appends to dst the values that are in both sets.
func Intersect[T cmp.Ordered](dst, a, b []T) []T {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		if x == y {
			dst = append(dst, x)
		}
		i += one(x <= y)
		j += one(y <= x)
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

// one is 1 for true; the compiler makes it a single instruction.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
