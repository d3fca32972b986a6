package mapped

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type towns struct {
	size  Numbers[uint32]  `lsh:"size" of:"town"`
	name  Texts            `lsh:"name,packed" of:"town"`
	first Starts           `lsh:"first" of:"town"`
	road  Numbers[uint64]  `lsh:"road,stream"`
	empty Numbers[float32] `lsh:"empty,stream"`
	last  Numbers[byte]    `lsh:"last,stream"`
}

// TestDeclared checks that the columns of a declared table are read as they were written, in a file with the sections in
// the order of the declaration, streams first.
func TestDeclared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "towns.lsh")
	write := func(names int) *File {
		var c towns
		w := Create(path, "towns", 1)
		w.Declare("old.", &c)
		for i := range 3 {
			c.size.Add(uint32(i))
			c.road.AddAll(make([]uint64, i))
			c.first.Add(i)
		}
		for range names {
			c.name.Add("a town")
		}
		c.last.AddAll([]byte("end"))
		must(t, w.Close())
		f, err := Open(path, "towns", 1)
		must(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := write(3)
	var order []string
	for _, s := range f.Sections() {
		order = append(order, s.Name)
	}
	if got := strings.Join(order, " "); !strings.HasPrefix(got, "old.road old.empty old.last old.size old.name.off ") {
		t.Error(got)
	}
	var c towns
	must(t, f.Load("old.", &c))
	if from, to := c.first.Span(2, c.road.Len()); from != 1 || to != 3 || c.name.At(1) != "a town" || string(c.last.All()) != "end" || c.empty.Len() != 0 {
		t.Errorf("%d to %d, %q, %q", from, to, c.name.At(1), c.last.All())
	}
	if x, ok := c.size.Below(1, 2); !ok || x != 1 || !slices.Equal(c.size.SliceBelow(0, 3, 3), []uint32{0, 1, 2}) || f.Err() != nil {
		t.Error(x, ok, f.Err())
	}
	if _, ok := c.size.Below(2, 2); ok || f.Err() == nil {
		t.Error("a number that is too large is not reported")
	}
	for _, names := range []int{2, 4} {
		if err := write(names).Load("old.", new(towns)); err == nil || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%d names of 3 towns: %v", names, err)
		}
	}
}
