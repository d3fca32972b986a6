package pipeline

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// The sorted pairs of all parts are merged into the table of pairs. Each worker merges ranges of nodes.

// joinPairs writes the table from the sorted pairs of all parts.
func (b pairStage) joinPairs(ctx context.Context, from *opened) (run.StageStats, error) {
	last := pairSearch
	if b.config.Neighbours > 0 {
		last = pairSort
	}
	sorted := openSorted(from, "pair", last, pairSize)
	if err := from.Ready(); err != nil {
		return run.StageStats{}, err
	}
	n, err := b.writePairs(ctx, sorted, b.countNodes())
	if err != nil {
		return run.StageStats{}, err
	}
	return b.pairStats(n)
}

// writePairs writes a table of sorted pairs and returns their number, counted in both directions.
func (b pairStage) writePairs(ctx context.Context, sorted sortedFiles, nodes int) (n int64, err error) {
	w := tables.CreatePairs(b.dir.Temp(tables.PairsFile), b.config.Sum)
	defer w.Abort()
	b.report.Stage("pair, table", "pairs", int64(sorted.len()))
	most := int(max(1, min(b.memory/joinShare, mostJoined)))
	ranges := func(yield func(joinRange, error) bool) { sorted.whole(nodes).split(sorted, most, yield) }
	joiners := make([]joiner, b.workers)
	err = parallel.Stream(ctx, ranges, b.workers, b.memory/8, func(worker int, r joinRange, emit func(*tables.PairsBlock, int) error) error {
		block := joiners[worker].join(r, sorted, b.config.Sum)
		return emit(block, block.Size())
	}, func(block *tables.PairsBlock) error {
		w.AddBlock(block)
		n += int64(block.Len())
		b.report.At(n)
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, w.Close(nodes)
}

const (
	// mostJoined is the number of records that a worker joins at a time if the nodes have few pairs each. They fit
	// into its cache.
	mostJoined = 1 << 16
	// joinShare is the number of bytes of memory for each record that a worker joins at a time. A record takes about
	// 40.
	joinShare = 1024
)

// joinRange is a range of nodes with the range of its records in each file of sorted pairs.
type joinRange struct {
	from, to uint32 // the nodes from, …, to-1
	at, end  []int
}

// whole returns the range of all nodes.
func (s sortedFiles) whole(nodes int) joinRange {
	r := joinRange{to: uint32(nodes), at: make([]int, len(s)), end: make([]int, len(s))}
	for i, f := range s {
		r.end[i] = f.len()
	}
	return r
}

// records returns the number of records.
func (r joinRange) records() (n int) {
	for i, end := range r.end {
		n += end - r.at[i]
	}
	return n
}

// split yields ranges of at most most records, or of one node, in order. It returns false if yield does.
func (r joinRange) split(s sortedFiles, most int, yield func(joinRange, error) bool) bool {
	if r.records() <= most || r.to-r.from < 2 {
		return yield(r, nil)
	}
	mid := r.from + (r.to-r.from)/2
	cut := make([]int, len(s))
	for i, f := range s {
		cut[i] = f.search(uint64(mid)<<32, r.at[i], r.end[i])
	}
	return joinRange{r.from, mid, r.at, cut}.split(s, most, yield) && joinRange{mid, r.to, cut, r.end}.split(s, most, yield)
}

// joiner joins the records of ranges. It reuses its memory.
type joiner struct {
	next  []uint32 // where the next record of each node of the range goes; in the end, where its records end
	order []uint64 // to<<32 | index of the record
	list  []center.Edge
	exact []uint32 // similarity of each record, as bits
}

// join returns the pairs of a range in order. The records of each file are sorted, so that distributing them over the
// nodes leaves only the few records of each node to be sorted.
func (j *joiner) join(r joinRange, s sortedFiles, sum int) *tables.PairsBlock {
	nodes, n := int(r.to-r.from), r.records()
	j.next = slices.Grow(j.next[:0], nodes+1)[:nodes+1]
	clear(j.next)
	j.order, j.exact = slices.Grow(j.order[:0], n)[:n], slices.Grow(j.exact[:0], n)[:n]
	r.each(s, func(node int, _ []byte) { j.next[node+1]++ })
	for i := range nodes {
		j.next[i+1] += j.next[i]
	}
	r.each(s, func(node int, rec []byte) {
		at := j.next[node]
		j.next[node]++
		j.order[at] = uint64(binary.BigEndian.Uint32(rec[4:]))<<32 | uint64(at)
		j.exact[at] = binary.LittleEndian.Uint32(rec[8:])
	})
	out := tables.NewPairsBlock(sum)
	begin := uint32(0)
	for i := range nodes {
		end := j.next[i]
		of := j.order[begin:end]
		slices.Sort(of)
		list := j.list[:0]
		for _, o := range of {
			list = append(list, center.Edge{To: uint32(o >> 32), Similarity: math.Float32frombits(j.exact[uint32(o)])})
		}
		out.Add(r.from+uint32(i), list)
		j.list, begin = list, end
	}
	return out
}

// each calls do with each record of the range and the index of its node. It ignores records of other nodes, which
// only a damaged file contains.
func (r joinRange) each(s sortedFiles, do func(node int, rec []byte)) {
	for i, f := range s {
		for rest := f.slice(r.at[i], r.end[i]); len(rest) >= pairSize; rest = rest[pairSize:] {
			if node := binary.BigEndian.Uint32(rest) - r.from; node < r.to-r.from {
				do(int(node), rest[:pairSize])
			}
		}
	}
}
