package resemble

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
)

// selfJoin finds the pairs of documents that have keys in common. A key is 31 bits of a sampled shingle or of a
// super-shingle.
//
//	collect: the keys of each document, counted
//	ask:     the rarest keys of each document
//	post:    <key, id> sorted, of the keys with which any document asks; the documents of each key are a list
//	form:    <id, id> sorted: the pairs of documents that ask with others of the lists
//
// [S1] sorts <id, id, count> of the pairs in all lists. Hardly any of these share enough. Two documents that must share k
// of n keys share one of the n-k+1 rarest of either, so these are enough to find them (prefix filtering: Chaudhuri,
// Ganti, Kaushik, "A primitive operator for similarity joins in data cleaning", 2006). So a text that many documents
// repeat costs nothing if they have enough of their own.
//
// The lengths of the lists give the number of pairs before the first is formed. If there are too many, the longest lists
// are not paired all with all (see chooseLimit).
type selfJoin struct {
	selfJoinConfig
	docs     int
	expected uint64  // about the number of keys
	outlined uint64  // about the number of words of outlines
	tiers    int     // number of tiers; 1 without
	tier     []uint8 // if not nil, the tier of each document
	// keys appends the keys of a document to dst, each once, in ascending order. outline is kept with them.
	keys      func(worker int, id uint32, dst []uint32) (keys, outline []uint32)
	collected func() // if not nil, is called once all keys are known
	// asks, if not nil, calls ask for some keys of a document: those of which a pair, if it is a candidate and the document
	// is its smaller one, shares one. rare has the places of the held keys, in the lower half, from the rarest to the most
	// frequent. Without asks, every key is asked.
	asks func(id uint32, held []uint32, rare []uint64, ask func(i uint64))
	// may, if not nil, reports whether a document that asks may form a candidate with another: as the smaller one, unless
	// that does not matter.
	may func(a, b uint32, either bool) bool

	res   Resources
	stats SelfJoinStats
	store *keyStore
	lists *lists
	long  map[int]*lengths // of the lists of each length that may be paired in part
	limit int              // length of the longest list that is paired all with all
}

type selfJoinConfig struct {
	maxCommon int
	maxPairs  int64
	reach     int
}

// SelfJoinStats counts what became of keys and pairs.
type SelfJoinStats struct {
	Records        uint64 // <key, id>
	Posted         uint64 // of these, of keys with which a document asks
	LongestList    uint64 // documents of the most common of these keys
	CommonKeys     uint64 // keys in more than MaxCommon documents, paired in part
	PartlyPaired   uint64 // lists too long for that many pairs: each document paired with the first and the next Reach, or fewer
	PairsFormed    uint64 // with repeats, and with those that are turned away before they are sorted
	PairsNotFormed uint64 // in partly paired lists, with repeats
	Pairs          uint64 // different ones formed
	MostlyInPart   uint64 // documents that ask with keys of which at least half are paired in part
	Common         []CommonKey
}

// CommonKey is a key of too many documents to pair all of them.
type CommonKey struct {
	Documents uint64
	Examples  []uint32 // the lowest ids of its documents
}

const (
	commonKept   = 20 // CommonKeys in SelfJoinStats.Common, the most frequent first
	examplesKept = 3
	recordSize   = 8 // key, whether the document asks, id; or two ids
	defaultPairs = 1 << 27
	commonPairs  = 1 << 24 // of all lists of more than MaxCommon documents, if these are paired all with all
)

// pairs passes the different pairs of documents that share a key to take, ascending, some at a time.
func (j *selfJoin) pairs(ctx context.Context, work func(worker int, batch []ids) ([]Pair, error), take func([]Pair) error) error {
	j.store, j.lists, j.long = newKeyStore(j.res, j.docs, j.expected, j.outlined), newLists(j.res), map[int]*lengths{}
	defer j.store.close()
	defer j.lists.close()
	if err := j.collect(ctx); err != nil {
		return err
	}
	if j.collected != nil {
		j.collected()
	}
	if err := j.ask(ctx); err != nil {
		return err
	}
	if err := j.post(ctx); err != nil {
		return err
	}
	j.chooseLimit()
	return j.form(ctx, work, take)
}

// collect stores and counts the keys: first those of the documents of the first tier, if the documents have tiers.
func (j *selfJoin) collect(ctx context.Context) error {
	keys := make([][]uint32, j.res.workers())
	for tier := range j.tiers {
		err := each(ctx, j.docs, len(keys), func(worker int, id uint32) error {
			if j.tier != nil && int(j.tier[id]) != tier {
				return nil
			}
			held, outline := j.keys(worker, id, keys[worker][:0])
			if len(held) > 0 {
				j.store.add(worker, id, held, outline)
			}
			keys[worker] = held
			return nil
		})
		if err != nil {
			return err
		}
	}
	for id := range uint32(j.docs) {
		j.stats.Records += uint64(len(j.store.of(id)))
	}
	return j.store.count(ctx, len(keys))
}

// sorting returns a Sorter for records of two halves.
func (j *selfJoin) sorting() (*sorting, error) {
	return newSorting(extsort.Config{Size: recordSize, Unique: true}, j.res, j.res.memory()*5/8)
}

// post sorts the records and stores the lists.
func (j *selfJoin) post(ctx context.Context) error {
	s, err := j.sorting()
	if err != nil {
		return err
	}
	defer s.close()
	err = each(ctx, j.docs, len(s.out), func(worker int, id uint32) error {
		var rec [recordSize]byte
		binary.BigEndian.PutUint32(rec[4:], id)
		for _, k := range j.store.of(id) {
			if j.store.counts[j.store.counter(k)]&askedBit == 0 {
				continue
			}
			binary.BigEndian.PutUint32(rec[:], k^askBit) // those that ask come first
			if err := s.out[worker].Append(rec[:]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var key uint32
	var list []uint32
	asking := 0
	end := func() {
		if asking > 0 && len(list) > 1 {
			j.count(len(list), asking)
			j.lists.add(list, asking)
		}
		list, asking = list[:0], 0
	}
	err = s.records(ctx, func(rec []byte) error {
		k, id := binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])
		if k>>1 != key {
			end()
			key = k >> 1
		}
		list = append(list, id)
		asking += sets.One(k&askBit == 0)
		j.stats.Posted++
		return nil
	})
	end()
	return err
}

// chooseLimit finds the length of the longest list to pair all with all.
func (j *selfJoin) chooseLimit() {
	j.maxPairs = cmp.Or(j.maxPairs, max(defaultPairs, 4*int64(j.stats.Records)))
	all, common := j.stats.PairsFormed, uint64(0) // pairs, and those of lists of more than maxCommon
	for n, l := range j.long {
		all += l.all
		if n > j.maxCommon {
			common += l.all
		}
	}
	j.limit = int(j.stats.LongestList)
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(j.long))) {
		if n <= 2*j.reach || all <= uint64(j.maxPairs) && (n <= j.maxCommon || common <= commonPairs) {
			break
		}
		l := j.long[n]
		all -= l.all - l.capped
		if n > j.maxCommon {
			common -= l.all
			j.stats.CommonKeys += l.lists
		}
		j.stats.PartlyPaired += l.lists
		j.stats.PairsNotFormed += l.all - l.capped
		j.limit = n - 1
	}
	j.stats.PairsFormed = all
}

// lengths counts the lists of one length, and the pairs in them.
type lengths struct{ lists, all, capped uint64 }

// count adds a list of n documents, of which some ask.
func (j *selfJoin) count(n, asking int) {
	j.stats.LongestList = max(j.stats.LongestList, uint64(n))
	all := allPairs(asking) + uint64(asking)*uint64(n-asking)
	if asking <= j.reach { // nothing would be left out
		j.stats.PairsFormed += all
		return
	}
	l := j.long[n]
	if l == nil {
		l = new(lengths)
		j.long[n] = l
	}
	l.lists++
	l.all += all
	reach := j.reachOf(n)
	l.capped += cappedPairs(asking, reach) + uint64(reach)*uint64(n-asking)
}

// reachOf returns the number of following documents with which each one of a list of n that is paired in part is paired.
func (j *selfJoin) reachOf(n int) int {
	if n > j.maxCommon {
		return (j.reach + 3) / 4 // each of many versions of a text has some others, and the first is with all
	}
	return j.reach
}

// capped reports whether a list is paired in part.
func (j *selfJoin) capped(l list) bool { return len(l.ids) > j.limit && l.asking > j.reach }

// allPairs returns the number of pairs among n.
func allPairs(n int) uint64 { return uint64(n) * uint64(max(n-1, 0)) / 2 }

// cappedPairs returns the number of pairs if each of n is paired with the next reach and with the first.
func cappedPairs(n, reach int) uint64 {
	reach = min(reach, n-1)
	return uint64(n)*uint64(reach) - uint64(reach)*uint64(reach+1)/2 + uint64(n-1-reach)
}

// form sorts the pairs of the lists, calls work with the different ones, in no particular order, and passes the results of
// work to take, in the order of the pairs. Several goroutines call work.
func (j *selfJoin) form(ctx context.Context, work func(worker int, batch []ids) ([]Pair, error), take func([]Pair) error) error {
	s, err := j.sorting()
	if err != nil {
		return err
	}
	defer s.close()
	err = parallel.Each(ctx, len(j.lists.ends), len(s.out), func(worker, part int) error {
		for l := range j.lists.each(part) {
			if err := j.pairUp(l, s.out[worker]); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	j.noteCapped()
	return parallel.Stream(ctx, j.batches(ctx, s), len(s.out), j.res.memory()/16, func(worker int, batch []ids, emit func([]Pair, int) error) error {
		pairs, err := work(worker, batch)
		if err != nil || len(pairs) == 0 {
			return err
		}
		return emit(pairs, len(pairs)*pairSize)
	}, take)
}

// pairSize is the size of a Pair in bytes.
const pairSize = 56

// pairUp appends the pairs of a list.
func (j *selfJoin) pairUp(l list, to *extsort.Appender) error {
	capped, reach := j.capped(l), j.reachOf(len(l.ids))
	for i, a := range l.ids[:l.asking] {
		others := l.ids[i+1:]
		switch {
		case capped && i == 0:
		case capped && i < reach:
			others = slices.Concat(l.ids[i+1:min(i+1+reach, l.asking)], l.ids[l.asking:])
		case capped:
			others = l.ids[i+1 : min(i+1+reach, l.asking)]
		}
		for k, b := range others {
			if j.may != nil && !j.may(a, b, capped || i+1+k < l.asking) {
				continue
			}
			var rec [recordSize]byte
			binary.BigEndian.PutUint64(rec[:], uint64(min(a, b))<<32|uint64(max(a, b)))
			if err := to.Append(rec[:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteCapped counts the documents of which many keys are paired in part, and finds examples of common keys.
func (j *selfJoin) noteCapped() {
	if j.stats.PartlyPaired == 0 {
		return
	}
	inPart := make([]uint32, j.docs)
	for part := range j.lists.ends {
		for l := range j.lists.each(part) {
			if !j.capped(l) {
				continue
			}
			for _, id := range l.ids[:l.asking] {
				inPart[id]++
			}
			if len(l.ids) > j.maxCommon {
				j.addCommon(l)
			}
		}
	}
	for id, n := range inPart {
		asking := uint32(0)
		for _, k := range j.store.of(uint32(id)) {
			asking += k & askBit
		}
		if n > 0 && 2*n >= asking {
			j.stats.MostlyInPart++
		}
	}
}

// addCommon adds an example of a common key.
func (j *selfJoin) addCommon(l list) {
	key := CommonKey{uint64(len(l.ids)), slices.Clone(l.ids[:min(examplesKept, len(l.ids))])}
	j.stats.Common = sets.Insert(j.stats.Common, key, commonKept, func(a, b CommonKey) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), -1) // behind those of the same frequency
	})
}

// batchPairs is the number of pairs that a worker takes at a time.
const batchPairs = 1 << 11

// batches returns the sorted pairs.
func (j *selfJoin) batches(ctx context.Context, s *sorting) iter.Seq2[[]ids, error] {
	return sequence(func(put func([]ids) error) error {
		batch := make([]ids, 0, batchPairs)
		err := s.records(ctx, func(rec []byte) error {
			j.stats.Pairs++
			if batch = append(batch, ids{binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])}); len(batch) < batchPairs {
				return nil
			}
			full := batch
			batch = make([]ids, 0, batchPairs)
			return put(full)
		})
		if err != nil || len(batch) == 0 {
			return err
		}
		return put(batch)
	})
}
