package resemble

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/sets"
)

// TestOutline checks that what two outlines say is true, whatever the sizes of the sets, and that those of different sets
// say something.
func TestOutline(t *testing.T) {
	of := func(set []uint64) []uint32 { return append(outline(nil, set), 1<<32-1) } // others follow in the store
	m, told := newMaker(), 0
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{0, 1, 7, 8, 60, 300, 2000})
		draw := func(name string) []uint64 { return m.values(size.Draw(t, name)) }
		both := draw("both")
		set := func(own []uint64) []uint64 {
			return slices.Compact(slices.Sorted(slices.Values(slices.Concat(both, own))))
		}
		a, b := set(draw("a")), set(draw("b"))
		lacking := len(a) - sets.Common(a, b)
		if lacks(of(a), of(b), lacking) {
			t.Fatalf("%d of %d are not in the other", lacking, len(a))
		}
		if lacking > 1 && lacks(of(a), of(b), lacking/2-1) {
			told++
		}
	})
	if told < 10 {
		t.Errorf("outlines told something %d times", told)
	}
}
