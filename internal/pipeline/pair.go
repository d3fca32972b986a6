package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/internal/topic/tune"
)

// The stage pair finds candidate pairs of nodes, filters them by agreement, computes exact similarities and stores
// each pair in both directions. It stores all pairs that are similar enough or, if the configuration limits the
// neighbours, the nearest ones that the index and expansion find. It has these steps; those with a star are omitted
// if all pairs are stored:
//
//	pair-choose    the sample with its exact neighbours, and the index
//	pair-order*    an order of the nodes in which alike nodes are near each other, and their data in this order
//	pair-buckets   by keys: the nodes in large buckets
//	pair-large     by nodes: the keys at which they are in large buckets, and their places there, which the search needs
//	pair-search    by keys: the pairs that survive the filter of the index, sorted
//	pair-select*   by places in the order: the nearest of these
//	pair-round-1*  by places: the nearest of these and of their neighbours; further rounds follow
//	pair-sort*     by places: the pairs in the last lists, sorted
const (
	pairChoose  = "pair-choose"
	pairOrder   = "pair-order"
	pairBuckets = "pair-buckets"
	pairLarge   = "pair-large"
	pairSearch  = "pair-search"
	pairSelect  = "pair-select"
	pairSort    = "pair-sort"
	pairRounds  = "pair-round-"
)

func pairRound(i int) string { return pairRounds + strconv.Itoa(i) }

// pairing is the state of a step, shared by its workers.
type pairing struct {
	b       pairStage
	config  config.Config // includes the chosen index
	dir     string        // for temporary files
	bag     *tables.Bags
	nodes   *tables.Nodes
	sigs    *tables.Signatures
	sources *tables.Sources
}

// pairSize is the size of a pair record: from, to (4 each, big-endian), similarity (4).
const pairSize = 12

// openPairing opens the tables that the steps need, and a folder for temporary files. Steps after the choice of the
// index have it in their configuration.
func openPairing(b pairStage, from *opened) (*pairing, error) {
	chosen, err := b.chosen()
	p := &pairing{b: b, config: chosen, dir: from.tempDir("sort-pair")}
	p.bag, p.nodes = table(from, tables.BagsFile, tables.OpenBags), table(from, tables.NodesFile, tables.OpenNodes)
	p.sigs, p.sources = table(from, signaturesFile, tables.OpenSignatures), table(from, tables.SourcesFile, tables.OpenSources)
	return p, errors.Join(err, from.Ready())
}

// sorting returns how all workers sort records of a size.
func (p *pairing) sorting(size int) extsort.Config {
	return extsort.Config{Size: size, Memory: p.b.memory / 4, Dir: p.dir, Workers: p.b.workers}
}

// chooseIndex makes the sample, and chooses and records the index.
func (b pairStage) chooseIndex(ctx context.Context, at partAt, out *partFiles) (counts, error) {
	p, err := openPairing(b, at.from)
	if err != nil {
		return nil, err
	}
	p.config = b.config // without the choice of a part that is done again
	sampled, err := p.choose(ctx, at.from)
	if err != nil {
		return nil, err
	}
	c := &p.config
	return counts{config.CountKeySize: int64(c.KeySize), config.CountKeys: int64(c.Keys),
		config.CountMaxBucket: int64(c.MaxBucket)}, writeJSON(out.path(""), sampled)
}

// chosen returns the configuration with the index that the first step chose.
func (b pairStage) chosen() (config.Config, error) {
	n, err := b.summed("pair", pairChoose)
	return b.config.WithIndex(n), err
}

// readSample returns the sample, or nil if there is none.
func (b pairStage) readSample() (sampled []tune.Sampled, err error) {
	err = readJSON(b.dir.Path(stepFile(pairChoose, "", 0)), &sampled)
	return sampled, err
}

// put passes a pair to a sorter in both directions.
func put(to *extsort.Appender, a, b uint32, similarity float32) error {
	var rec [pairSize]byte
	binary.LittleEndian.PutUint32(rec[8:], math.Float32bits(similarity))
	for range 2 {
		binary.BigEndian.PutUint32(rec[0:], a)
		binary.BigEndian.PutUint32(rec[4:], b)
		if err := to.Append(rec[:]); err != nil {
			return err
		}
		a, b = b, a
	}
	return nil
}

// pairStats returns the figures of the stage, given the number of pairs in both directions.
func (b pairStage) pairStats(n int64) (run.StageStats, error) {
	chosen, err := b.summed("pair", pairChoose)
	if err != nil {
		return run.StageStats{}, err
	}
	got, err := b.recorded("pair", pairSearch)
	if err != nil {
		return run.StageStats{}, err
	}
	sum := counts{}
	for _, part := range got {
		for name, n := range part {
			if name == "largest_bucket" {
				sum[name] = max(sum[name], n)
			} else {
				sum[name] += n
			}
		}
	}
	s := run.StageStats{
		In: sum["candidates"], Out: n / 2,
		Dropped: map[string]int64{
			"agreement-below-floor": sum["candidates"] - sum["surviving"], "similarity-below-floor": sum["unlike"],
			"in-large-buckets-not-formed": sum["not_formed"],
		},
		Counts: chosen,
	}
	for _, name := range [...]string{
		"keys", "buckets", "largest_bucket", "collisions", "buckets_paired_in_part", "bags_in_buckets_paired_in_part",
	} {
		s.Counts[name] = sum[name]
	}
	if b.config.Neighbours > 0 {
		if err := b.countCompared(s.Counts); err != nil {
			return s, err
		}
	}
	sampled, err := b.readSample()
	if err != nil {
		return s, err
	}
	return s, b.countSample(sampled, &s)
}

// countCompared counts the exact comparisons of each step that makes lists.
func (b pairStage) countCompared(to map[string]int64) error {
	n, err := b.summed("pair", pairSelect)
	to["compared"] = n["compared"]
	for round := 1; round <= b.config.Rounds && err == nil; round++ {
		n, err = b.summed("pair", pairRound(round))
		to[fmt.Sprintf("compared_in_round_%d", round)] = n["compared"]
	}
	return err
}

// A sample of the nodes with their exact nearest neighbours chooses the index, unless the configuration does, and
// measures what the run stores.
const (
	samples     = 400 // nodes of the sample
	sampledNear = 10  // exact neighbours of each node
)

// indexRecall returns the share of the exact neighbours that an index must find so that expansion finds the wanted
// share. Measured on the directory set, as index → after one round: .50 → .72, .65 → .86, .75 → .93, .81 → .95, .83 →
// .96, .88 → .97. Expansion misses about as many neighbours as if the index had two chances to find each.
func indexRecall(wanted float64, rounds int) float64 {
	if rounds == 0 {
		return wanted
	}
	return 1 - math.Sqrt(0.8*(1-wanted))
}

// sample returns every k-th node with its exact nearest neighbours. The order of nodes follows from hashes of URLs,
// so this is a random sample.
func (p *pairing) sample(ctx context.Context, from *opened) ([]tune.Sampled, error) {
	lists := table(from, tables.InvertedFile, tables.OpenInverted)
	if err := from.Ready(); err != nil {
		return nil, err
	}
	of := tables.NodeBags{Bags: p.bag, Nodes: p.nodes}
	index := inverted.New(lists, of, p.b.config.Sum)
	nodes := p.nodes.Len()
	out := make([]tune.Sampled, min(samples, nodes))
	err := parallel.Each(ctx, len(out), p.b.workers, func(_, i int) error {
		node := uint32(i * nodes / len(out))
		out[i].Row = node
		for _, hit := range index.Nearest(nil, of.At(node), inverted.Options{
			Top: sampledNear, Least: p.b.config.Similarity, Wanted: func(n uint32) bool { return n != node },
		}) {
			out[i].Near = append(out[i].Near, hit.Node)
		}
		return nil
	})
	return out, err
}

// choose makes the sample of nodes with their exact nearest neighbours, or returns nil if all pairs are stored. If
// the configuration has no index, it chooses one by the sample.
func (p *pairing) choose(ctx context.Context, from *opened) (sampled []tune.Sampled, err error) {
	c := &p.config
	if c.Neighbours == 0 && !c.ChoosesIndex() {
		return nil, nil
	}
	if sampled, err = p.sample(ctx, from); err != nil || !c.ChoosesIndex() {
		return sampled, err
	}
	recall := c.Recall
	if c.Neighbours > 0 && c.Width > 0 {
		recall = indexRecall(recall, c.Rounds)
	}
	choice, err := tune.ChooseIndex(ctx, p.sigs.All(), sampled, tune.IndexGoal{
		Recall: recall, K: c.KeySize, MaxBucket: c.MaxBucket, Seed: c.Seed, Workers: p.b.workers,
	})
	c.KeySize, c.Keys, c.MaxBucket = choice.K, choice.L, choice.MaxBucket
	return sampled, err
}

// countSample counts the exact neighbours of the sample, how many of them share a bucket of the index that is fully
// paired, and how many are stored.
func (b pairStage) countSample(sampled []tune.Sampled, s *run.StageStats) error {
	if sampled == nil {
		return nil
	}
	stored, err := tables.OpenPairs(b.dir.Temp(tables.PairsFile))
	if err != nil {
		return err
	}
	defer stored.Close()
	all, found := int64(0), int64(0)
	for _, x := range sampled {
		for _, n := range x.Near {
			all++
			if slices.ContainsFunc(stored.Neighbours(x.Row), func(e center.Edge) bool { return e.To == n }) {
				found++
			}
		}
	}
	s.Counts[config.CountSample], s.Counts[config.CountSampled], s.Counts[config.CountStored] = int64(len(sampled)), all, found
	return stored.Err()
}
