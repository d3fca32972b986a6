package workload

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
)

// recallBins is the number of ranges of similarity in the table of recall.
const recallBins = 20

// recallBin counts the planted pairs of a range of similarity.
type recallBin struct {
	pairs, stored      int64
	expected, variance float64 // of stored
}

// checkBags prints how many of the planted pairs a run from bags stores, by similarity, beside what the index should
// find. It holds one pair at a time. It returns an error if a pair is stored with another similarity than that of its
// bags, or if the recall of a range is far below the prediction.
func checkBags(out io.Writer, world *World, name string) error {
	r, err := runs.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	bags, err := world.Bags(r.Config.Sum)
	if err != nil {
		return err
	}
	if in := r.Manifest.Inputs; len(in) != 1 || in[0].Path != bags.Name() {
		return fmt.Errorf("%s is no run from these bags: give the flags with which it was built", name)
	}
	bins, err := countRecall(r, bags)
	if err != nil {
		return err
	}
	return printRecall(out, r.Config, &bins)
}

// countRecall looks up all planted pairs.
func countRecall(r *runs.Run, bags *Bags) (bins [recallBins]recallBin, err error) {
	index, err := r.Config.Index()
	if err != nil {
		return bins, err
	}
	found := map[float64]float64{} // similarities of bags are quotients of whole numbers below 2·Sum
	for p, err := range bags.BagPairs() {
		if err != nil {
			return bins, err
		}
		a, knownA := r.Docs.Find(p.A)
		z, knownZ := r.Docs.Find(p.B)
		if !knownA || !knownZ {
			return bins, runs.ErrUnknown
		}
		from, to := r.Nodes.Of(a), r.Nodes.Of(z)
		similarity, ok := r.Pairs.Find(from, to)
		if from == to && from != tables.None { // they have the same bag
			similarity, ok = 1, true
		}
		if err := r.Err(); err != nil {
			return bins, err
		}
		if ok && similarity != float32(p.Similarity) {
			return bins, fmt.Errorf("%s and %s are stored with similarity %g, but their bags have %g", p.A, p.B, similarity, p.Similarity)
		}
		e, known := found[p.Similarity]
		if !known {
			e = index.Found(r.Config.Floor, p.Similarity)
			found[p.Similarity] = e
		}
		b := &bins[min(int(p.Similarity*recallBins), recallBins-1)]
		b.pairs++
		if ok {
			b.stored++
		}
		b.expected, b.variance = b.expected+e, b.variance+e*(1-e)
	}
	return bins, nil
}

// printRecall prints the table. If the run stores only the nearest neighbours of a document, or leaves out pairs that
// are not similar enough, there is no prediction.
func printRecall(out io.Writer, c config.Config, bins *[recallBins]recallBin) error {
	predicted := c.Neighbours == 0 && c.Similarity == 0
	header := "similarity\tpairs\tstored\trecall"
	if predicted {
		header += "\tpredicted\tdeviations"
	}
	fmt.Fprintln(out, header)
	low := 0
	for i, b := range bins {
		if b.pairs == 0 {
			continue
		}
		n := float64(b.pairs)
		fmt.Fprintf(out, "%.2f\t%d\t%d\t%.5f", float64(i)/recallBins, b.pairs, b.stored, float64(b.stored)/n)
		if predicted {
			deviation := (float64(b.stored) - b.expected) / math.Sqrt(b.variance+1)
			fmt.Fprintf(out, "\t%.5f\t%+.1f", b.expected/n, deviation)
			if deviation < -5 && float64(b.stored)/n < b.expected/n-0.01 {
				low++
			}
		}
		fmt.Fprintln(out)
	}
	if low > 0 {
		return errors.New("the run stores fewer planted pairs than its index should find")
	}
	return nil
}
