package tables

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/rice"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// sliceBags are the bags of nodes.
type sliceBags []bags.Bag

func (b sliceBags) Len() int                { return len(b) }
func (b sliceBags) At(node uint32) bags.Bag { return b[node] }

// useInverted searches the lists and reads all of them.
func useInverted(path string) error {
	t, err := OpenInverted(path)
	if err != nil {
		return err
	}
	x := inverted.New(t, sliceBags(someBags[:2]), 100)
	for _, bag := range someBags {
		for _, h := range x.Nearest(nil, bag, inverted.Options{Top: 2}) {
			err = errors.Join(err, inside(t.Len(), h.Node))
		}
	}
	for segment := range t.Segments() + 1 {
		_, _, terms := t.Segment(segment)
		for at := range len(terms) + 1 {
			_ = slices.Clone(t.List(segment, at))
		}
	}
	return used(t, err)
}

func TestInvertedRoundTrip(t *testing.T) {
	dir := writeAll(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	var builder inverted.Builder
	lists, err := OpenInverted(at(InvertedFile))
	must(t, err)
	defer lists.Close()
	base, n, its := lists.Segment(1)
	if d := cmp.Diff([]any{2, 2, uint32(1), 1, []uint32{1}, bagsList(3), bagsList(65535)},
		[]any{lists.Len(), lists.Segments(), base, n, its, unpadded(lists.List(1, 0)), unpadded(lists.List(0, 1))}); d != "" {
		t.Error(d)
	}
	must(t, lists.Check(0, builder.Build(sliceBags(someBags[:2]), 0, 1)))
	if lists.Check(1, builder.Build(sliceBags(someBags[:2]), 0, 1)) == nil || lists.List(2, 0) != nil || lists.List(0, 2) != nil {
		t.Error("a segment or a list that is not there")
	}
}

// bagsList returns the list of a term that is only in the first node, with a count, of a segment of one node.
func bagsList(count uint16) []byte {
	var w rice.Writer
	w.Gamma(uint64(count))
	w.Gamma(1)
	w.Codes([]uint64{0}, 0)
	w.Gamma(uint64(count))
	w.End()
	return w.Bytes
}

func unpadded(list []byte) []byte { return list[:len(list)-rice.Padding] }
