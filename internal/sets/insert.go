package sets

import "slices"

// Insert inserts an element into a list of the first most elements in an order, unless it belongs behind all of them.
func Insert[T any](list []T, x T, most int, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, x, order)
	if at >= most {
		return list
	}
	return slices.Insert(list[:min(len(list), most-1)], at, x)
}
