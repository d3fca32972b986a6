package evaluate

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// RecallOptions holds the options of MeasureRecall.
type RecallOptions struct {
	Sample    int       // number of documents to draw
	Edges     []float64 // edges of the bins of similarity, ascending; the last bin includes its upper edge
	Above     float64   // lower end of the figure over all pairs above
	Recall    float64   // share of the pairs above that the indexes in Recall.Keys find
	Bootstrap int       // number of resamples of the documents; 0: no intervals
	Seed      uint64    // of the draw and of the resampling
}

// RecallEdges are the default edges.
var RecallEdges = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1}

// Recall says how many of the similar pairs a run has found, estimated from a sample of its documents.
type Recall struct {
	Sampled int         `json:"sampled"` // number of sampled documents
	Index   string      `json:"index"`   // parameters of the index
	Bins    []RecallBin `json:"bins"`    // in ascending order of similarity
	Above   RecallBin   `json:"above"`   // all pairs from RecallOptions.Above

	Nearest []NearestRecall `json:"nearest"`
	Keys    []KeysRecall    `json:"keys"` // for each size of keys with which enough keys find RecallOptions.Recall
}

// KeysRecall is the least number of keys of a size with which an index, with the signatures and the floor of the run,
// finds a share of the pairs above by formula. The formula knows neither the bound on large buckets nor expansion.
type KeysRecall struct {
	KeySize int     `json:"key_size"`
	Keys    int     `json:"keys"`
	Recall  float64 `json:"recall"` // share that they find
}

// RecallBin holds the pairs of a sampled document and any other one with another bag whose exact similarity is in a range.
type RecallBin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Pairs int     `json:"pairs"`
	Ends  int     `json:"ends"` // number of sampled documents with such a pair
	Mean  float64 `json:"mean"` // mean similarity of the pairs; 0 if there are none

	// Formula is the share of pairs that the index is expected to find, the mean over the pairs: pairs with a common
	// key and with agreement at the floor.
	Formula score.Figure `json:"formula"`
	Keys    score.Figure `json:"keys"`   // share of pairs that have both
	Stored  score.Figure `json:"stored"` // share in the run, which leaves out pairs below its least similarity or not among the nearest
}

// Expected reports whether the formula lies within the interval of Keys.
func (b RecallBin) Expected() bool {
	i := b.Keys.Queries
	return i != nil && i.Low-1e-9 <= b.Formula.Value && b.Formula.Value <= i.High+1e-9
}

// Validate returns an error that names the first option out of range.
func (o RecallOptions) Validate() error {
	switch {
	case o.Sample < 1:
		return fmt.Errorf("sample %d: must be 1 or more", o.Sample)
	case len(o.Edges) < 2 || !(o.Edges[0] >= 0) || !(o.Edges[len(o.Edges)-1] <= 1) || !ascending(o.Edges):
		return fmt.Errorf("bins %v: must be ascending numbers from 0 to 1", o.Edges)
	case !(o.Recall > 0 && o.Recall < 1):
		return fmt.Errorf("recall %g: must be above 0 and below 1", o.Recall)
	case !(o.Above >= o.Edges[0] && o.Above < 1):
		return fmt.Errorf("above %g: must be at least %g, the first edge of the bins, and less than 1", o.Above, o.Edges[0])
	}
	return nil
}

func ascending(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i] > x[i-1]) {
			return false
		}
	}
	return true
}

// MeasureRecall draws documents and compares what the run stored about them with all existing pairs, which it finds in the
// inverted lists of the run. The result equals that of brute force over all documents.
//
// Intervals resample the drawn documents, because the pairs of one depend on one another. If every resample gives the
// same figure (all pairs found, or none), the interval is Wilson's, with the documents as trials. The probability in the
// formula is over families of hash functions and choices of keys, of which a run has one; that may explain a small part
// of a difference.
func MeasureRecall(ctx context.Context, r *runs.Run, o RecallOptions) (*Recall, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	index, err := r.Config.Index()
	if err != nil {
		return nil, err
	}
	c := recallCount{
		run: r, index: index, family: minhash.NewFamily(r.Config.Signatures, r.Config.Seed), rows: map[uint32][]byte{},
		above: o.Above, known: map[float64]float64{}, alike: map[float64]float64{},
	}
	for i := range len(o.Edges) - 1 {
		c.bins = append(c.bins, &recallRows{from: o.Edges[i], to: o.Edges[i+1], last: i == len(o.Edges)-2})
	}
	c.bins = append(c.bins, &recallRows{from: o.Above, to: 1, last: true})
	ids := Draw(r, o.Sample, o.Seed)
	for _, id := range ids {
		near, err := topics.Exact(ctx, r, []uint32{id}, r.Len(), topics.ByBoth, nil)
		if err != nil {
			return nil, err
		}
		c.document(id, near[0])
	}
	out := &Recall{
		Sampled: len(ids),
		Index:   fmt.Sprintf("m=%d k=%d l=%d floor %.3g max bucket %d", index.M, index.K, index.L, r.Config.Floor, r.Config.MaxBucket),
	}
	for _, b := range c.bins {
		out.Bins = append(out.Bins, b.bin(o))
	}
	last := len(out.Bins) - 1
	out.Bins, out.Above, out.Keys = out.Bins[:last], out.Bins[last], c.keys(o.Recall)
	out.Nearest, err = measureNearest(ctx, r, ids, recallLists(r), o)
	return out, err
}

// recallCount counts the pairs of the documents, bin by bin.
type recallCount struct {
	run    *runs.Run
	index  *lsh.Index
	family *minhash.Family
	rows   map[uint32][]byte // signatures of documents
	above  float64
	known  map[float64]float64 // the formula at each similarity seen so far
	alike  map[float64]float64 // number of pairs above, by similarity in steps of half a percent
	bins   []*recallRows
}

// recallRows has a row for each document with a pair in the bin.
type recallRows struct {
	from, to float64
	last     bool // whether the bin includes its upper edge
	rows     []recallRow
}

// recallRow counts the pairs of one document in a bin: all of them, and how many got how far. formula is a sum of
// probabilities, similarity a sum of similarities.
type recallRow struct{ pairs, keys, stored, formula, similarity float64 }

func (b *recallRows) holds(s float64) bool { return s >= b.from && (s < b.to || b.last && s <= b.to) }

// document counts the pairs of a document and those near it.
func (c *recallCount) document(id uint32, near []topics.Neighbour) {
	stored := map[uint32]bool{}
	for _, n := range topics.Related(c.run, id, topics.Lookup{Top: math.MaxInt, Stored: true}) {
		stored[n.ID] = true
	}
	rows := make([]recallRow, len(c.bins))
	for _, n := range near {
		s := float64(n.Similarity)
		if s >= c.above {
			c.alike[math.Round(s*200)/200]++
		}
		if n.Found == topics.FoundSameBag {
			continue // one node of the index
		}
		for i, b := range c.bins {
			if b.holds(s) {
				rows[i].count(s, c.expect(s), c.meets(id, n.ID), stored[n.ID])
			}
		}
	}
	for i, row := range rows {
		if row.pairs > 0 {
			c.bins[i].rows = append(c.bins[i].rows, row)
		}
	}
}

// meets reports whether two documents have a common key and agree at the floor.
func (c *recallCount) meets(a, b uint32) bool {
	x, y := c.row(a), c.row(b)
	for j := range c.index.L {
		if c.index.Key(j, x) == c.index.Key(j, y) {
			return minhash.Agreement(x, y) >= lsh.Least(c.run.Config.Floor, c.index.M)
		}
	}
	return false
}

func (c *recallCount) row(id uint32) []byte {
	if c.rows[id] == nil {
		c.rows[id] = c.family.Signature(topics.Bag(c.run, id))
	}
	return c.rows[id]
}

// Bounds of the indexes in Recall.Keys.
const (
	mostKeySize = 5
	mostKeys    = 2000
)

// keys returns the least number of keys of each size with which an index finds a share of the pairs above.
func (c *recallCount) keys(share float64) (out []KeysRecall) {
	recall := func(k, l int) float64 {
		found, all := 0.0, 0.0
		for _, s := range slices.Sorted(maps.Keys(c.alike)) {
			found, all = found+c.alike[s]*lsh.Found(c.index.M, k, l, c.run.Config.Floor, s), all+c.alike[s]
		}
		return found / all
	}
	for k := 1; k <= min(mostKeySize, c.index.M) && len(c.alike) > 0; k++ {
		most := min(lsh.MostKeys(c.index.M, k), mostKeys)
		if l := 1 + sort.Search(most, func(i int) bool { return recall(k, i+1) >= share }); l <= most {
			out = append(out, KeysRecall{k, l, recall(k, l)})
		}
	}
	return out
}

// count counts one pair. A pair added by expansion is stored, but need not have a key.
func (r *recallRow) count(similarity, formula float64, keys, stored bool) {
	r.pairs++
	r.similarity += similarity
	r.formula += formula
	if keys {
		r.keys++
	}
	if stored {
		r.stored++
	}
}

// expect returns the formula at a similarity. It computes each value only once.
func (c *recallCount) expect(s float64) float64 {
	p, ok := c.known[s]
	if !ok {
		p = c.index.Found(c.run.Config.Floor, s)
		c.known[s] = p
	}
	return p
}

// bin adds up the rows.
func (b *recallRows) bin(o RecallOptions) RecallBin {
	out := RecallBin{From: b.from, To: b.to, Ends: len(b.rows)}
	mean := b.share(RecallOptions{}, func(r recallRow) float64 { return r.similarity })
	out.Pairs, out.Mean = mean.N, mean.Value
	out.Formula = b.share(RecallOptions{}, func(r recallRow) float64 { return r.formula })
	out.Keys = b.share(o, func(r recallRow) float64 { return r.keys })
	out.Stored = b.share(o, func(r recallRow) float64 { return r.stored })
	return out
}

// share returns a sum over the rows divided by the number of pairs.
func (b *recallRows) share(o RecallOptions, of func(recallRow) float64) score.Figure {
	var rows [][]float64
	for _, r := range b.rows {
		rows = append(rows, []float64{of(r), r.pairs})
	}
	f := shareOf(rows, o)
	if f.Defined() && o.Bootstrap > 0 && (f.Value == 0 || !slices.ContainsFunc(rows, func(r []float64) bool { return r[0] != r[1] })) {
		w := score.Wilson(int(f.Value)*len(rows), len(rows))
		f.Queries = &w
	}
	return f
}
