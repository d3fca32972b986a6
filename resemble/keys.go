package resemble

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/internal/huge"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/sets"
)

// keyStore holds the keys of the documents, and counts how many documents have each key, or have one that takes the same
// counter.
type keyStore struct {
	rooms  []*scratch.Pool
	held   [][]uint32 // by worker: of each document the number of keys, the keys, and its outline, if any
	place  []uint64   // of each document the place behind that number, and in the upper bits the worker
	counts []uint32
	shift  int
}

// A held key has a bit more than a key: whether the document asks with it.
const (
	askBit    = 1
	placeBits = 48
)

// askedBit is the bit of a counter that says that a document asks with a key of it.
const askedBit = 1 << 31

// maxCounters is the largest number of counters: 32 MiB.
const maxCounters = 23

// newKeyStore returns a store for about so many keys, and words of outlines.
func newKeyStore(r Resources, docs int, expected, outlined uint64) *keyStore {
	width := min(max(bits.Len64(expected), 8), maxCounters)
	s := &keyStore{place: make([]uint64, docs), counts: huge.Halves(1 << width), shift: 32 - width}
	space := scratch.New(r.Dir, r.memory()/8/int64(r.workers()))
	for range r.workers() {
		words := min((expected+outlined+2*uint64(docs))/uint64(r.workers()), uint64(space.Share()/4))
		s.rooms, s.held = append(s.rooms, space.Pool()), append(s.held, huge.Halves(1 + int(words))[:1])
	}
	return s
}

// counter returns the place of the counter of a held key.
func (s *keyStore) counter(key uint32) uint32 { return (key >> 1 * 0x9e3779b1) >> s.shift }

// add stores the ascending keys of a document, and its outline.
func (s *keyStore) add(worker int, id uint32, keys, outline []uint32) {
	held := append(scratch.Grow(s.rooms[worker], s.held[worker], 1+len(keys)+len(outline)), uint32(len(keys)))
	s.place[id] = uint64(worker)<<placeBits | uint64(len(held))
	for _, k := range keys {
		held = append(held, k<<1)
	}
	s.held[worker] = append(held, outline...)
}

// count counts the held keys. Each worker counts those of a range of counters: one that others change, too, takes ten times
// as long.
func (s *keyStore) count(ctx context.Context, workers int) error {
	return parallel.Each(ctx, workers, workers, func(_, part int) error {
		from := len(s.counts) * part / workers
		counts := s.counts[from : len(s.counts)*(part+1)/workers]
		for id := range s.place {
			for _, k := range s.of(uint32(id)) {
				if i := s.counter(k) - uint32(from); i < uint32(len(counts)) {
					counts[i]++
				}
			}
		}
		return ctx.Err()
	})
}

// of returns the held keys of a document.
func (s *keyStore) of(id uint32) []uint32 {
	keys, _ := s.all(id)
	return keys
}

// all returns the held keys of a document, and what follows them.
func (s *keyStore) all(id uint32) (keys, rest []uint32) {
	place := s.place[id]
	if place == 0 {
		return nil, nil
	}
	held := s.held[place>>placeBits]
	at := place & (1<<placeBits - 1)
	n := uint64(held[at-1])
	return held[at : at+n], held[at+n:]
}

// commonFrom returns how many keys two documents have in common of a level and later ones.
func (s *keyStore) commonFrom(level uint8, a, b uint32) (n uint32) {
	x, y := s.of(a), s.of(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y) > 16*len(x) {
		for _, k := range x {
			at, _ := slices.BinarySearch(y, k&^askBit)
			n += uint32(sets.One(at < len(y) && y[at]&^askBit == k&^askBit && levelOf(k) >= level))
		}
		return n
	}
	for i, k := 0, 0; i < len(x) && k < len(y); {
		u, v := x[i]&^askBit, y[k]&^askBit
		n += uint32(sets.One(u == v) & sets.One(levelOf(u) >= level))
		i += sets.One(u <= v)
		k += sets.One(v <= u)
	}
	return n
}

func (s *keyStore) close() {
	for _, room := range s.rooms {
		room.Free()
	}
}

// Keys of values have the level of the value in their lower bits, so that the order is that of the values.
const (
	keyBits   = 31
	levelBits = 3
)

// levelOf returns the level of a held key of a value.
func levelOf(key uint32) uint8 { return uint8(key >> 1 & (1<<levelBits - 1)) }

// keyOf returns the key of a value.
func keyOf(v uint64, shift int, level uint8) uint32 {
	return uint32(min(v>>shift, 1<<(keyBits-levelBits)-1))<<levelBits | uint32(level)
}

// keyShift returns by how many bits to shift the values of some documents to make keys of them, by the first 64 documents
// that have values. Larger values of others all have the last key.
func keyShift(docs Documents) int {
	width := 0
	var values []uint64
	for id, seen := uint32(0), 0; seen < 64 && int(id) < docs.Len(); id++ {
		if values = docs.AppendValues(values[:0], id); len(values) > 0 {
			width = max(width, bits.Len64(values[len(values)-1]))
			seen++
		}
	}
	return max(0, width-(keyBits-levelBits))
}

// ask chooses the keys with which each document asks for others, and marks their counters.
func (j *selfJoin) ask(ctx context.Context) error {
	order := make([][]uint64, j.res.workers())
	return each(ctx, j.docs, j.res.workers(), func(worker int, id uint32) error {
		held := j.store.of(id)
		if len(held) == 0 {
			return nil
		}
		rare := slices.Grow(order[worker][:0], len(held))[:len(held)]
		order[worker] = rare
		first, last := 0, len(rare)
		for i, k := range held {
			if n := atomic.LoadUint32(&j.store.counts[j.store.counter(k)]) &^ askedBit; n > 1 {
				last--
				rare[last] = uint64(n)<<32 | uint64(i)
			} else {
				rare[first] = uint64(n)<<32 | uint64(i)
				first++
			}
		}
		ask := func(i uint64) {
			k := &held[uint32(i)]
			*k |= askBit
			if i>>32 > 1 {
				atomic.OrUint32(&j.store.counts[j.store.counter(*k)], askedBit)
			}
		}
		if j.asks == nil {
			for _, i := range rare {
				ask(i)
			}
			return nil
		}
		slices.Sort(rare[first:])
		j.asks(id, held, rare, ask)
		return nil
	})
}
