package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/run"
)

func (b *build) pairing() stage {
	return stage{name: "pair", outputs: []string{tables.PairsFile}, work: b.pair}
}

// pair finds the candidate pairs among the nodes, filters them by agreement, computes the exact similarity of the rest
// and stores each in both directions.
func (b *build) pair(ctx context.Context) (run.StageStats, error) {
	p, err := openPairing(b)
	if err != nil {
		return run.StageStats{}, err
	}
	defer p.close()
	c := b.config
	b.report.Stage("pair", "keys", int64(c.Keys))
	// Half of the memory is for keys, and a quarter for the pairs that were found. The rest is for mapped tables.
	got, err := p.index.Pairs(ctx, p.sigs.All(), lsh.Config{
		Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: b.workers, Memory: b.memory / 2,
	}, p.found, func(done, total int) { b.report.At(int64(done) * int64(c.Keys) / int64(max(1, total))) })
	if p.short != nil && err == nil {
		err = p.emitShortlisted(ctx)
	}
	for _, a := range p.out {
		err = cmp.Or(err, a.Close())
	}
	if err != nil {
		return run.StageStats{}, err
	}
	n, err := p.write(ctx)
	return run.StageStats{
		In: int64(got.CandidatePairs), Out: n / 2,
		Dropped: map[string]int64{
			"agreement-below-floor": int64(got.CandidatePairs - got.Surviving), "similarity-below-floor": sum(p.unlike),
			"not-shortlisted": p.notShortlisted(), "not-among-nearest": p.far / 2, "in-large-buckets-not-formed": int64(got.PairsNotFormed),
		},
		Counts: map[string]int64{
			"keys": int64(got.Keys), "buckets": int64(got.Buckets), "largest_bucket": int64(got.LargestBucket), "collisions": int64(got.Collisions),
			"buckets_paired_in_part": int64(got.CappedBuckets), "bags_in_buckets_paired_in_part": int64(got.CappedRows),
		},
	}, err
}

// pairing is the state of the stage that its workers share.
type pairing struct {
	b     *build
	dir   string
	index *lsh.Index
	set   tables.Set // the tables below
	bag   *tables.Bags
	nodes *tables.Nodes
	sigs  *tables.Signatures
	sort  *extsort.Sorter
	out   []*extsort.Appender

	short   *survivors // nil if all pairs are stored, not the nearest only
	skipped []int64    // by worker: pairs that are not on the shortlist
	unlike  []int64    // by worker: pairs that are less similar than their signatures suggest
	far     int64      // pairs that are among the nearest of neither node, counted in both directions
}

// pairSize is the size of a pair record: from, to (4 each, big-endian), similarity (4), agreement (1).
const pairSize = 13

func openPairing(b *build) (*pairing, error) {
	p := &pairing{b: b, set: b.tables(), skipped: make([]int64, b.workers), unlike: make([]int64, b.workers)}
	p.bag = tables.Open(&p.set, b.dir.Path(tables.BagsFile), tables.OpenBags)
	p.nodes = tables.Open(&p.set, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	p.sigs = tables.Open(&p.set, b.dir.Path(tables.SignaturesFile), tables.OpenSignatures)
	p.set.Do(p.create)
	if err := p.set.Ready(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// create makes the index, the sorter of the pairs and, if the run stores the nearest neighbours only, the files of the
// survivors.
func (p *pairing) create() (err error) {
	b := p.b
	if p.index, err = b.config.Index(); err != nil {
		return err
	}
	if p.dir, err = b.dir.TempDir("sort-pair"); err != nil {
		return err
	}
	p.sort, err = extsort.New(extsort.Config{Size: pairSize, Memory: b.memory / 4, Dir: p.dir, Workers: b.workers})
	if err != nil {
		return err
	}
	for range b.workers {
		p.out = append(p.out, p.sort.Appender())
	}
	if b.config.Neighbours > 0 {
		p.short, err = newSurvivors(p.dir, b.workers)
	}
	return err
}

// close releases everything that openPairing has opened so far.
func (p *pairing) close() {
	if p.short != nil {
		p.short.close()
	}
	if p.sort != nil {
		p.sort.Close()
	}
	if p.dir != "" {
		os.RemoveAll(p.dir)
	}
	p.set.Close()
}

// node returns the bag of a node.
func (p *pairing) node(n uint32) bags.Bag { return p.bag.At(p.nodes.First(n)) }

// found receives the pairs that survived the filter.
func (p *pairing) found(worker int, pairs []lsh.Pair) error {
	if p.short != nil {
		return p.short.add(worker, pairs)
	}
	return p.emit(worker, pairs)
}

// emitShortlisted makes the shortlist from the survivors, and emits the pairs on it, those of one file on one worker.
func (p *pairing) emitShortlisted(ctx context.Context) error {
	if err := p.short.close(); err != nil {
		return err
	}
	c := p.b.config
	parts := p.short.parts(ctx)
	list, err := lsh.NewShortlist(ctx, lsh.ShortlistConfig{
		Rows: p.nodes.Len(), M: c.Signatures, Most: lsh.ShortlistFactor * c.Neighbours, Memory: p.b.memory / 4,
	}, parts...)
	if err != nil {
		return err
	}
	return parallel.Each(ctx, len(parts), len(parts), func(worker, i int) error {
		for pairs, err := range parts[i] {
			if err != nil {
				return err
			}
			all := len(pairs)
			pairs = slices.DeleteFunc(pairs, func(p lsh.Pair) bool { return !list.Has(p) })
			p.skipped[worker] += int64(all - len(pairs))
			if err := p.emit(worker, pairs); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *pairing) notShortlisted() int64 { return sum(p.skipped) }

// emit computes the exact similarity of pairs and hands those that are similar enough to the sorter, in both
// directions.
func (p *pairing) emit(worker int, pairs []lsh.Pair) error {
	var rec [pairSize]byte
	for _, x := range pairs {
		s := bags.Similarity(p.node(x.A), p.node(x.B))
		if s < p.b.config.Similarity {
			p.unlike[worker]++
			continue
		}
		binary.LittleEndian.PutUint32(rec[8:], math.Float32bits(float32(s)))
		rec[12] = x.Agreement
		for range 2 {
			binary.BigEndian.PutUint32(rec[0:], x.A)
			binary.BigEndian.PutUint32(rec[4:], x.B)
			if err := p.out[worker].Append(rec[:]); err != nil {
				return err
			}
			x.A, x.B = x.B, x.A
		}
	}
	return nil
}

// write writes the sorted pairs and returns how many there are, counted in both directions.
func (p *pairing) write(ctx context.Context) (n int64, err error) {
	to := p.b.dir.Temp(tables.PairsFile)
	most := p.b.config.Neighbours
	if most == 0 {
		return p.writeAll(ctx, to)
	}
	work := filepath.Join(p.dir, tables.PairsFile)
	if n, err = p.writeAll(ctx, work); err != nil {
		return n, err
	}
	all, err := verified(p.b, work, tables.OpenPairs)
	if err != nil {
		return n, err
	}
	defer all.Close()
	kept, err := writeNearest(ctx, all, to, most)
	p.far = n - kept
	return kept, err
}

// writeNearest copies the pairs that are among the nearest of at least one of their two nodes. It returns their number,
// counted in both directions.
func writeNearest(ctx context.Context, all *tables.Pairs, path string, most int) (kept int64, err error) {
	w, err := tables.CreatePairs(path)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	nearest := lsh.NewNearest(all, most)
	for u := range uint32(all.Len()) {
		if u%4096 == 0 && ctx.Err() != nil {
			return kept, ctx.Err()
		}
		agreements := all.Agreements(u)
		for i, e := range all.Neighbours(u) {
			if nearest.Has(u, e) {
				w.Add(u, e.To, e.Similarity, agreements[i])
				kept++
			}
		}
	}
	return kept, w.Close(all.Len())
}

// writeAll writes a table of all pairs in the sorter.
func (p *pairing) writeAll(ctx context.Context, path string) (n int64, err error) {
	w, err := tables.CreatePairs(path)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	err = records(ctx, p.sort, func(r []byte) error {
		n++
		w.Add(binary.BigEndian.Uint32(r), binary.BigEndian.Uint32(r[4:]), math.Float32frombits(binary.LittleEndian.Uint32(r[8:])), r[12])
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, w.Close(p.nodes.Len())
}

func sum(n []int64) (total int64) {
	for _, x := range n {
		total += x
	}
	return total
}
