package query

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// otherBags are bags of nodes, of which the first is another one.
type otherBags struct {
	tables.NodeBags
	first bags.Bag
}

func (b otherBags) At(node uint32) bags.Bag {
	if node == 0 {
		return b.first
	}
	return b.NodeBags.At(node)
}

// The check compares every list with the bags, and the segments with those that the bags give.
func TestCheckInverted(t *testing.T) {
	whole := build(t, preset(t, "web"), samplePages(t, 60))
	r, err := Open(whole)
	must(t, err)
	defer r.Close()
	of := tables.NodeBags{Bags: r.bags, Nodes: r.nodes}
	n := uint32(of.Len())
	more := bags.Bag{Terms: slices.Clone(of.At(0).Terms), Counts: slices.Clone(of.At(0).Counts)}
	more.Counts[0]++
	fewer := bags.Bag{Terms: more.Terms[1:], Counts: more.Counts[1:]}
	for _, c := range []struct {
		name string
		bags inverted.Bags
		ends []uint32
		want string // part of what is said
	}{
		{"the lists of the bags", of, []uint32{n}, ""},
		{"a count more", otherBags{of, more}, []uint32{n}, "is not that of the bags"},
		{"a term less", otherBags{of, fewer}, []uint32{n}, "inverted lists in form: segment 0: "},
		{"two segments", of, []uint32{n / 2, n}, "2 segments of inverted lists, but the bags give 1"},
		{"a node less", of, []uint32{n - 1}, "do not belong together"},
		{"no segment", of, nil, "do not belong together"},
	} {
		dir := copyRun(t, whole)
		w := tables.CreateInverted(filepath.Join(dir, tables.InvertedFile))
		var builder inverted.Builder
		from := uint32(0)
		for _, end := range c.ends {
			must(t, w.Add(builder.Build(c.bags, from, end)))
			from = end
		}
		must(t, w.Close())
		if b := broken(t, dir); !strings.Contains(b, c.want) || (b == "") != (c.want == "") {
			t.Errorf("%s: %q", c.name, b)
		}
	}
}
