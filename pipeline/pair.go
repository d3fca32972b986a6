package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/tune"
)

func (b *build) pairing() stage {
	return stage{name: "pair", outputs: []string{tables.PairsFile}, work: b.pair}
}

// pair finds the candidate pairs among the nodes, filters them by agreement, computes exact similarities and stores
// each pair in both directions. It stores all pairs that are similar enough or, if the configuration limits the
// neighbours, the nearest ones that the index and expansion find.
func (b *build) pair(ctx context.Context) (run.StageStats, error) {
	p, err := openPairing(b)
	if err != nil {
		return run.StageStats{}, err
	}
	defer p.close()
	if err := p.begin(ctx); err != nil {
		return run.StageStats{}, err
	}
	got, err := p.search(ctx)
	if err != nil {
		return run.StageStats{}, err
	}
	if p.near != nil {
		if err := p.storeNearest(ctx); err != nil {
			return run.StageStats{}, err
		}
	}
	n, err := p.write(ctx)
	if err != nil {
		return run.StageStats{}, err
	}
	return p.stats(got, n)
}

// pairing is the state of the stage that its workers share.
type pairing struct {
	b       *build
	config  config.Config // with the index that was chosen
	dir     string
	index   *lsh.Index
	set     tables.Set // the tables below
	bag     *tables.Bags
	nodes   *tables.Nodes
	sigs    *tables.Signatures
	sources *tables.Sources
	sort    *extsort.Sorter
	out     []*extsort.Appender

	sampled []tune.Sampled // nodes with their exact nearest neighbours; nil if all pairs are stored
	near    *nearest       // nil if all pairs are stored
	unlike  []int64        // by worker: pairs that are less similar than their signatures suggest
}

// pairSize is the size of a pair record: from, to (4 each, big-endian), similarity (4), agreement (1).
const pairSize = 13

func openPairing(b *build) (*pairing, error) {
	p := &pairing{b: b, config: b.config, set: b.tables(), unlike: make([]int64, b.workers)}
	p.bag = tables.Open(&p.set, b.dir.Path(tables.BagsFile), tables.OpenBags)
	p.nodes = tables.Open(&p.set, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	p.sigs = tables.Open(&p.set, b.dir.Path(tables.SignaturesFile), tables.OpenSignatures)
	p.sources = tables.Open(&p.set, b.dir.Path(tables.SourcesFile), tables.OpenSources)
	p.set.Do(func() (err error) {
		p.dir, err = b.dir.TempDir("sort-pair")
		return err
	})
	if err := p.set.Ready(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// begin chooses and makes the index and prepares what takes its pairs.
func (p *pairing) begin(ctx context.Context) (err error) {
	if err = p.choose(ctx); err != nil {
		return err
	}
	if p.index, err = p.config.Index(); err != nil {
		return err
	}
	if p.config.Neighbours == 0 {
		return p.startSort()
	}
	p.near, err = newNearest(ctx, p)
	return err
}

// startSort starts the sorter of the pairs.
func (p *pairing) startSort() (err error) {
	p.sort, err = extsort.New(extsort.Config{Size: pairSize, Memory: p.b.memory / 4, Dir: p.dir, Workers: p.b.workers})
	if err != nil {
		return err
	}
	for range p.b.workers {
		p.out = append(p.out, p.sort.Appender())
	}
	return nil
}

// close releases everything that openPairing and begin have opened so far.
func (p *pairing) close() {
	if p.near != nil {
		p.near.close()
	}
	if p.sort != nil {
		p.sort.Close()
	}
	if p.dir != "" {
		os.RemoveAll(p.dir)
	}
	p.set.Close()
}

// search searches the index. Half of the memory is for keys, and a quarter for the pairs that are found. The rest is for
// mapped tables.
func (p *pairing) search(ctx context.Context) (lsh.Stats, error) {
	c := p.config
	p.b.report.Stage("pair", "keys", int64(c.Keys))
	return p.index.Pairs(ctx, p.sigs.All(), lsh.Config{
		Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: p.b.workers, Memory: p.b.memory / 2,
	}, p.found, func(done, total int) { p.b.report.At(int64(done) * int64(c.Keys) / int64(max(1, total))) })
}

// found receives the pairs that survived the filter. If all pairs are stored, it hands those that are similar enough to
// the sorter.
func (p *pairing) found(worker int, pairs []lsh.Pair) error {
	if p.near != nil {
		return p.near.add(worker, pairs)
	}
	similarity := make([]float64, len(pairs))
	tables.NodeBags{Bags: p.bag, Nodes: p.nodes}.Similarities(similarity, func(i int) (a, b uint32) { return pairs[i].A, pairs[i].B })
	for i, x := range pairs {
		s := similarity[i]
		if s < p.config.Similarity {
			p.unlike[worker]++
			continue
		}
		if err := p.put(worker, x.A, x.B, float32(s), x.Agreement); err != nil {
			return err
		}
	}
	return nil
}

// put hands a pair to the sorter, in both directions.
func (p *pairing) put(worker int, a, b uint32, similarity float32, agreement uint8) error {
	var rec [pairSize]byte
	binary.LittleEndian.PutUint32(rec[8:], math.Float32bits(similarity))
	rec[12] = agreement
	for range 2 {
		binary.BigEndian.PutUint32(rec[0:], a)
		binary.BigEndian.PutUint32(rec[4:], b)
		if err := p.out[worker].Append(rec[:]); err != nil {
			return err
		}
		a, b = b, a
	}
	return nil
}

// storeNearest makes the lists of nearest neighbours and hands their pairs to the sorter.
func (p *pairing) storeNearest(ctx context.Context) error {
	if err := p.near.selectFrom(ctx); err != nil {
		return err
	}
	for round := 1; round <= p.config.Rounds; round++ {
		p.b.report.Stage(fmt.Sprintf("pair, round %d", round), "bags", int64(p.nodes.Len()))
		if err := p.near.expand(ctx, round); err != nil {
			return err
		}
	}
	if err := p.startSort(); err != nil {
		return err
	}
	return p.near.emit(ctx)
}

// write writes a table of all pairs in the sorter and returns how many there are, counted in both directions.
func (p *pairing) write(ctx context.Context) (n int64, err error) {
	for _, a := range p.out {
		if err := a.Close(); err != nil {
			return 0, err
		}
	}
	w, err := tables.CreatePairs(p.b.dir.Temp(tables.PairsFile))
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	var last [8]byte
	err = records(ctx, p.sort, func(r []byte) error {
		if n > 0 && bytes.Equal(r[:8], last[:]) {
			return nil // it was in the lists of both nodes
		}
		copy(last[:], r)
		n++
		w.Add(binary.BigEndian.Uint32(r), binary.BigEndian.Uint32(r[4:]), math.Float32frombits(binary.LittleEndian.Uint32(r[8:])), r[12])
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, w.Close(p.nodes.Len())
}

// stats returns the figures of the stage, given those of the index and the number of pairs in both directions.
func (p *pairing) stats(got lsh.Stats, n int64) (run.StageStats, error) {
	s := run.StageStats{
		In: int64(got.CandidatePairs), Out: n / 2,
		Dropped: map[string]int64{
			"agreement-below-floor": int64(got.CandidatePairs - got.Surviving), "similarity-below-floor": sum(p.unlike),
			"in-large-buckets-not-formed": int64(got.PairsNotFormed),
		},
		Counts: map[string]int64{
			"keys": int64(got.Keys), "buckets": int64(got.Buckets), "largest_bucket": int64(got.LargestBucket), "collisions": int64(got.Collisions),
			"buckets_paired_in_part": int64(got.CappedBuckets), "bags_in_buckets_paired_in_part": int64(got.CappedRows),
			config.CountKeySize: int64(p.config.KeySize), config.CountKeys: int64(p.config.Keys), config.CountMaxBucket: int64(p.config.MaxBucket),
		},
	}
	if p.near != nil {
		for round, n := range p.near.compared {
			name := "compared"
			if round > 0 {
				name = fmt.Sprintf("compared_in_round_%d", round)
			}
			s.Counts[name] = n
		}
	}
	return s, p.countSample(&s)
}

func sum(n []int64) (total int64) {
	for _, x := range n {
		total += x
	}
	return total
}
