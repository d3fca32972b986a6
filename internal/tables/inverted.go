package tables

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// invertedTable has had these versions: 1 had 2 bytes for each node; 2 packs the lists.
var invertedTable = kind{"inverted", 2}

type invertedColumns struct {
	segment numbers64     `lsh:"segment"` // for each segment, and after the last one: its first node and term
	term    numbers32     `lsh:"term" of:"term"`
	first   mapped.Starts `lsh:"first" of:"term"`
	list    octets        `lsh:"list,stream"`
}

// InvertedWriter writes inverted.lsh, segment by segment.
type InvertedWriter struct {
	writer
	invertedColumns
	nodes, terms uint64
}

// CreateInverted starts inverted.lsh.
func CreateInverted(path string) *InvertedWriter {
	w := new(InvertedWriter)
	w.writer = invertedTable.create(path, &w.invertedColumns)
	w.mark()
	return w
}

// mark writes where a segment begins.
func (w *InvertedWriter) mark() {
	w.segment.AddAll([]uint64{w.nodes, w.terms})
}

// Add appends the next segment. Only a segment without nodes has no terms.
func (w *InvertedWriter) Add(s inverted.Segment) error {
	w.term.AddAll(s.Terms)
	for i := range s.Terms {
		w.first.Add(len(listOf(s, i)))
	}
	w.list.AddAll(s.Lists)
	w.nodes, w.terms = w.nodes+uint64(s.Nodes), w.terms+uint64(len(s.Terms))
	w.mark()
	return w.w.Err()
}

// AddAll appends all segments of another table.
func (w *InvertedWriter) AddAll(t *Inverted) {
	for s := range t.Segments() {
		_, nodes, terms := t.Segment(s)
		w.term.AddAll(terms)
		w.nodes, w.terms = w.nodes+uint64(nodes), w.terms+uint64(len(terms))
		w.mark()
	}
	lists := t.list.Len() - rice.Padding
	for at := range t.term.Len() {
		from, to := t.first.Span(at, lists)
		w.first.Add(to - from)
	}
	w.list.AddAll(t.list.Slice(0, lists))
}

// listOf returns the list of term number at of a segment.
func listOf(s inverted.Segment, at int) []byte {
	end := uint32(len(s.Lists))
	if at+1 < len(s.First) {
		end = s.First[at+1]
	}
	return s.Lists[s.First[at]:end]
}

// Close publishes the table.
func (w *InvertedWriter) Close() error {
	w.list.AddAll(make([]byte, rice.Padding))
	return w.writer.Close()
}

// Inverted reads inverted.lsh, which lists for each term the nodes whose bag contains it, segment by segment. It
// implements inverted.Lists.
type Inverted struct {
	file
	invertedColumns
}

// OpenInverted opens inverted.lsh.
func OpenInverted(path string) (*Inverted, error) {
	i := new(Inverted)
	return i, invertedTable.open(path, &i.file, &i.invertedColumns, func() bool {
		n := i.segment.Len()
		return n >= 2 && n%2 == 0 && i.segment.At(n-2) <= uint64(None) && i.segment.At(n-1) == uint64(i.term.Len()) && i.list.Len() >= rice.Padding
	})
}

// Len returns the number of nodes.
func (i *Inverted) Len() int { return int(i.segment.At(i.segment.Len() - 2)) }

// Segments returns the number of segments.
func (i *Inverted) Segments() int { return i.segment.Len()/2 - 1 }

// bounds returns where a segment begins and ends; of is 0 for its nodes, 1 for its terms. It returns 0, 0 if there is no such
// segment or the table is damaged.
func (i *Inverted) bounds(segment, of, length int) (from, to int) {
	if segment < 0 || segment >= i.Segments() {
		return 0, 0
	}
	at := 2*segment + of
	a, b := i.segment.At(at), i.segment.At(at+2)
	if a > b || b > uint64(length) {
		i.f.Report("segment", at, "segment %d is from %d to %d of %d", segment, a, b, length)
		return 0, 0
	}
	return int(a), int(b)
}

// Segment returns the first node of a segment, the number of its nodes, and its terms, ascending. The terms point into
// the table.
func (i *Inverted) Segment(segment int) (base uint32, nodes int, terms []uint32) {
	from, to := i.bounds(segment, 0, i.Len())
	first, last := i.bounds(segment, 1, i.term.Len())
	return uint32(from), to - from, i.term.Slice(first, last)
}

// List returns the list of term number at of a segment, with the padding after it. It points into the table.
func (i *Inverted) List(segment, at int) []byte {
	first, last := i.bounds(segment, 1, i.term.Len())
	if at < 0 || at >= last-first {
		return nil
	}
	from, to := i.first.Span(first+at, i.list.Len()-rice.Padding)
	return i.list.Slice(from, to+rice.Padding)
}

// Check returns an error unless the given segment of the table equals s.
func (i *Inverted) Check(segment int, s inverted.Segment) error {
	base, nodes, terms := i.Segment(segment)
	if base != s.Base || nodes != s.Nodes || !slices.Equal(terms, s.Terms) {
		return fmt.Errorf("segment %d: %d nodes from %d on with %d terms, but the bags give %d nodes from %d on with %d terms",
			segment, nodes, base, len(terms), s.Nodes, s.Base, len(s.Terms))
	}
	for at, t := range s.Terms {
		if list := i.List(segment, at); !bytes.Equal(list[:max(0, len(list)-rice.Padding)], listOf(s, at)) {
			return fmt.Errorf("segment %d: the list of term %d is not that of the bags", segment, t)
		}
	}
	return nil
}

// NodeBags provides the bags of the nodes of a run. It implements inverted.Bags.
type NodeBags struct {
	Bags  *Bags
	Nodes *Nodes
}

// Len returns the number of nodes.
func (b NodeBags) Len() int { return b.Nodes.Len() }

// At returns the bag of a node in new slices. It is empty if there is no such node or a table is damaged.
func (b NodeBags) At(node uint32) bags.Bag { return b.Bags.At(b.Nodes.First(node)) }
