package resemble

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
)

// jobEntries is the number of list entries that a worker takes at a time. It takes whole documents.
const jobEntries = 1 << 12

// job is some consecutive documents, and their places in the lists that they are in.
type job struct {
	first  uint32
	ends   []int // end of each document's part of places
	places []spot
}

// spot is the place of a document in a list: the word at which the list begins and, in the lower bits, the number of
// ids before the document's, or lastSpot if there are more.
type spot uint64

const (
	spotSize = 8
	spotBits = 20
	lastSpot = 1<<spotBits - 1
)

func (s spot) word() uint64 { return uint64(s >> spotBits) }

// form counts for every document the keys that it shares with documents of higher ids, calls work with these, in no
// particular order, and passes the results of work to take, in the order of the documents. Several goroutines call
// work.
func (j *selfJoin) form(ctx context.Context, work func(worker int, a uint32, near []partner) ([]Pair, error), take func([]Pair) error) error {
	if err := j.putOff(); err != nil {
		return err
	}
	formers := make([]former, j.res.workers())
	err := parallel.Stream(ctx, sequence(j.jobs), len(formers), j.res.memory()/16, func(worker int, next job, emit func([]Pair, int) error) error {
		f, at := &formers[worker], 0
		f.selfJoin = j
		for i, end := range next.ends {
			a := next.first + uint32(i)
			err := f.document(a, next.places[at:end], func(near []partner) error {
				pairs, err := work(worker, a, near)
				if err != nil || len(pairs) == 0 {
					return err
				}
				return emit(pairs, len(pairs)*pairSize)
			})
			if err != nil {
				return err
			}
			at = end
		}
		return nil
	}, take)
	for i := range formers {
		j.stats.Pairs += formers[i].formed
	}
	return err
}

// pairSize is the size of a Pair in bytes.
const pairSize = 56

// places calls take for the place of each document in each list. The last document of a list has no partner of a higher id,
// and is left out.
func (j *selfJoin) places(take func(id uint32, at spot)) error {
	return j.lists.each(func(word uint64, l list) error {
		last := slices.Max(l.ids)
		for i, id := range l.ids {
			if id != last {
				take(id, spot(word<<spotBits|uint64(min(i, lastSpot))))
			}
		}
		return nil
	})
}

// jobs passes the documents to put, with their places. It walks over the lists once for as many documents as their places fit
// into memory.
func (j *selfJoin) jobs(put func(job) error) error {
	number := make([]uint32, j.docs)
	if err := j.places(func(id uint32, _ spot) { number[id]++ }); err != nil {
		return err
	}
	most := int(j.res.memory() / (8 * spotSize))
	for from := 0; from < j.docs; {
		n, ends := 0, []int(nil) // while the places are filled in, ends has the end of what is there
		for from+len(ends) < j.docs && (n == 0 || n+int(number[from+len(ends)]) <= most) {
			ends = append(ends, n)
			n += int(number[from+len(ends)-1])
		}
		all, first := make([]spot, n), uint32(from)
		err := j.places(func(id uint32, at spot) {
			if i := id - first; id >= first && i < uint32(len(ends)) {
				all[ends[i]] = at
				ends[i]++
			}
		})
		if err != nil {
			return err
		}
		from += len(ends)
		if err := divide(first, ends, all, put); err != nil {
			return err
		}
	}
	return nil
}

// divide divides documents, given by the ends of their places, into jobs.
func divide(first uint32, ends []int, places []spot, put func(job) error) error {
	for from, at := 0, 0; from < len(ends); {
		to := from
		for to < len(ends) && (to == from || ends[to-1]-at < jobEntries) {
			to++
		}
		next := job{first + uint32(from), slices.Clone(ends[from:to]), places[at:ends[to-1]]}
		for i := range next.ends {
			next.ends[i] -= at
		}
		if err := put(next); err != nil {
			return err
		}
		from, at = to, ends[to-1]
	}
	return nil
}

// former counts for one document after another.
type former struct {
	*selfJoin
	tally  tally
	near   [][]uint32 // partners in each list
	put    [][]uint32 // documents of higher ids that defer a list that this one defers
	formed uint64

	touched uint32 // meaningless
}

// document calls give with the partners of a document that have higher ids. If they may be too many for the table, it
// calls give several times, each time for a range of ids.
func (f *former) document(a uint32, at []spot, give func(near []partner) error) error {
	f.near, f.put = f.near[:0], f.put[:0]
	for _, s := range at { // so that the cache misses overlap, which branches would prevent
		f.touched += f.lists.words[s.word()]
	}
	for _, s := range at {
		f.after(a, s)
	}
	n := 0
	for _, ids := range f.near {
		n += len(ids)
	}
	most := max(int(f.res.memory()/int64(512*f.res.workers())), minTally)
	parts := (min(n, f.docs) + most - 1) / most
	for part := range parts {
		f.tally.begin(n / parts)
		to := uint32(uint64(f.docs) * uint64(part+1) / uint64(parts))
		for i, ids := range f.near {
			if parts > 1 {
				end, _ := slices.BinarySearch(ids, to)
				ids, f.near[i] = ids[:end], ids[end:]
			}
			f.tally.add(ids)
		}
		near := f.tally.take()
		f.formed += uint64(len(near))
		if near = f.complete(a, near); len(near) > 0 {
			if err := give(near); err != nil {
				return err
			}
		}
	}
	return nil
}

// after adds the documents with higher ids that a is paired with in a list.
func (f *former) after(a uint32, at spot) {
	l := f.lists.at(at.word())
	active, put, others := l.ids[:l.active], l.ids[l.active:l.own], l.ids[l.own:]
	reach := l.own
	if f.capped(l) {
		reach = f.reach
	}
	i := int(at & lastSpot)
	if i == lastSpot {
		i = slices.Index(l.ids, a)
	}
	switch {
	case i >= l.own:
		first, _ := slices.BinarySearch(active, a)
		f.near = append(f.near, active[first:max(first, min(reach, len(active)))], above(put, a))
		return
	case i >= l.active:
		f.near, f.put = append(f.near, above(active, a)), append(f.put, put[i-l.active+1:])
	case i == 0:
		f.near = append(f.near, active[1:], above(put, a))
	default:
		f.near = append(f.near, active[i+1:min(len(active), i+1+reach)], above(put, a))
	}
	if i < reach {
		f.near = append(f.near, above(others, a))
	}
}

// above returns the ids higher than a.
func above(ids []uint32, a uint32) []uint32 {
	i, _ := slices.BinarySearch(ids, a)
	return ids[i:] // a is not among them
}
