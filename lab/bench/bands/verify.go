// Package bands verifies the candidates of resemble.Candidates by sets made when they are needed, all in memory: the end of
// the shortest way from texts to pairs, with which bench scan measures packages shingles and resemble.
package bands

import (
	"cmp"
	"context"
	"iter"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// VerifyConfig says which pairs Verify emits. Zero fields mean the defaults.
type VerifyConfig struct {
	Floor              float64 // the least resemblance; 0.7
	Containment        float64 // the least containment, in either direction, from which pairs are emitted too; 2, which is none
	resemble.Resources         // all of whose fields must be set
}

// VerifyStats counts what Verify did.
type VerifyStats struct{ Compared, Emitted, Sets uint64 }

// Texts makes the sets of documents when they are needed, so that nobody has to keep them.
type Texts struct {
	Size func(id uint32) int // number of shingles, or more, of a document
	// Fetch adds the shingles of a document to an empty set. Several goroutines call it, each with its own worker.
	Fetch func(worker int, id uint32, set *shingles.Set) error
}

// Verify compares the sets of each of the pairs and emits, in the same order, those that resemble or contain each other,
// with exact figures. It makes as many sets at a time as fit in a quarter of the memory, each once, and those of the
// next pairs afterwards; so pairs with a document in common should stand together.
func Verify(ctx context.Context, pairs iter.Seq2[uint32, uint32], docs Texts, c VerifyConfig, emit func(resemble.Pair) error) (VerifyStats, error) {
	c.Floor, c.Containment = cmp.Or(c.Floor, 0.7), cmp.Or(c.Containment, 2)
	v := &verifier{VerifyConfig: c, docs: docs, emit: emit, set: map[uint32]int{}}
	space := scratch.New(c.Dir, c.Memory/16)
	for range c.Workers {
		w := &verifyWorker{pool: space.Pool()}
		w.set.Use(w.pool)
		v.worker = append(v.worker, w)
	}
	room := c.Memory / 4
	for a, b := range pairs {
		if v.bytes > room {
			if err := v.batch(ctx); err != nil {
				return v.stats, err
			}
		}
		v.need(a)
		v.need(b)
		v.pairs = append(v.pairs, resemble.Pair{A: a, B: b})
		v.bytes += 56
	}
	return v.stats, v.batch(ctx)
}

type verifier struct {
	VerifyConfig
	docs   Texts
	emit   func(resemble.Pair) error
	pairs  []resemble.Pair
	ids    []uint32       // the documents of the pairs
	set    map[uint32]int // their places in ids and sets
	sets   [][]uint64
	bytes  int64 // that all of this takes, or more
	worker []*verifyWorker
	stats  VerifyStats
}

type verifyWorker struct {
	set  shingles.Set
	pool *scratch.Pool
}

func (v *verifier) need(id uint32) {
	if _, ok := v.set[id]; !ok {
		v.set[id] = len(v.ids)
		v.ids = append(v.ids, id)
		v.bytes += 8*int64(v.docs.Size(id)) + 64
	}
}

// batch compares the pairs and forgets them.
func (v *verifier) batch(ctx context.Context) error {
	v.sets = append(v.sets[:0], make([][]uint64, len(v.ids))...)
	defer v.free()
	err := parallel.Each(ctx, len(v.ids), len(v.worker), func(worker, i int) error {
		w := v.worker[worker]
		w.set.Release()
		if err := v.docs.Fetch(worker, v.ids[i], &w.set); err != nil {
			return err
		}
		values := w.set.Values()
		v.sets[i] = append(scratch.Grow(w.pool, []uint64(nil), len(values)), values...)
		return nil
	})
	if err != nil {
		return err
	}
	err = parallel.Each(ctx, len(v.pairs), len(v.worker), func(_, i int) error {
		p := &v.pairs[i]
		a, b := v.sets[v.set[p.A]], v.sets[v.set[p.B]]
		p.Exact = shingles.Overlap{A: len(a), B: len(b), Both: sets.Common(a, b)}
		return nil
	})
	if err != nil {
		return err
	}
	v.stats.Compared += uint64(len(v.pairs))
	v.stats.Sets += uint64(len(v.ids))
	for _, p := range v.pairs {
		if p.Resemblance() < v.Floor && p.Containment() < v.Containment {
			continue
		}
		v.stats.Emitted++
		if err := v.emit(p); err != nil {
			return err
		}
	}
	return nil
}

// free forgets the pairs and the sets.
func (v *verifier) free() {
	clear(v.set)
	clear(v.sets)
	v.pairs, v.ids, v.bytes = v.pairs[:0], v.ids[:0], 0
	for _, w := range v.worker {
		w.set.Release()
		w.pool.Free()
	}
}
