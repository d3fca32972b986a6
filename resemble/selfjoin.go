package resemble

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/extsort"
)

// selfJoin finds the pairs of documents that have keys in common, and counts the keys. A key is a sampled shingle or a
// super-shingle.
//
//	collect: <key, id> sorted; the documents of each key are a list, unless the key is common
//	places:  the lists that each document is in
//	form:    the other documents of these lists, counted
//
// [S1] sorts <id, id, count> of the pairs in all lists instead. There are many times more of these than entries in
// lists.
//
// The lengths of the lists give the number of pairs before the first is formed. If there are more than MaxPairs, the
// longest lists are not paired all with all (see limit).
type selfJoin struct {
	selfJoinConfig
	deferral
	docs int
	// keys appends the keys of a document to dst, each once.
	keys func(worker int, id uint32, dst []uint64) []uint64
	// short, if not nil, reports whether a key is one of the document's own. Documents with a key that is not their own
	// are paired with documents whose own it is, and not with one another.
	short func(key uint64, id uint32) bool
	// unpaired, if not nil, is called sequentially for each document of a key whose documents are not paired all with
	// all.
	unpaired func(key uint64, id uint32)
	// unpairedAcross is called for each short document of a key that too many long documents have, so that the short
	// ones are only paired with one another. It must be set if short is.
	unpairedAcross func(key uint64, id uint32)
	// ignored, if not nil, reports whether hardly any keys of a document but common ones remain. It is asked once unpaired
	// was called for all of these.
	ignored func(id uint32) bool

	res     Resources
	stats   SelfJoinStats
	lists   *lists
	lengths []lengths // of the lists of each length that may be paired in part, without common ones
	always  uint64    // pairs in all other lists
	limit   int       // length of the longest list that is paired all with all
	common  []uint64  // common keys in ascending order
}

type selfJoinConfig struct {
	maxCommon int
	maxPairs  int64
	reach     int
}

// SelfJoinStats counts what became of keys and pairs.
type SelfJoinStats struct {
	Records        uint64 // <key, id>
	LongestList    uint64 // documents of the most common key
	CommonKeys     uint64 // keys in more than MaxCommon documents, which are ignored
	CommonAcross   uint64 // keys of few short documents but, with the long ones, of too many: they paired no long document
	PartlyPaired   uint64 // lists too long for that many pairs: each document paired with the first and the next Reach
	PairsFormed    uint64 // with repeats, and with pairs not formed because both documents defer the key
	PairsNotFormed uint64 // in partly paired lists, with repeats
	Pairs          uint64 // different ones formed
	Common         []CommonKey
}

// CommonKey is a key of too many documents to be evidence of similarity.
type CommonKey struct {
	Key       uint64 // shingle value or super-shingle
	Documents uint64
	Examples  []uint32 // the lowest ids of its documents
}

const (
	commonKept   = 20 // CommonKeys in SelfJoinStats.Common, the most frequent first
	examplesKept = 3
	keyRecord    = 12 // key, id
	defaultPairs = 1 << 27
)

// pairs calls work for every document that shares keys with documents of higher ids (see form).
func (j *selfJoin) pairs(ctx context.Context, work func(worker int, a uint32, near []partner) ([]Pair, error), take func([]Pair) error) error {
	j.lists = newLists(j.res)
	defer j.lists.close()
	if err := j.collect(ctx); err != nil {
		return err
	}
	if err := j.pairIgnored(ctx); err != nil {
		return err
	}
	j.lists.complete()
	j.chooseLimit()
	return j.form(ctx, work, take)
}

// collect sorts the records and stores the lists.
func (j *selfJoin) collect(ctx context.Context) error {
	c := collector{selfJoin: j}
	if err := j.sortKeys(ctx, j.keys, c.record); err != nil {
		return err
	}
	return c.end()
}

// sortKeys sorts the keys of all documents, as keys returns them, and passes each with a document that has it to take.
func (j *selfJoin) sortKeys(ctx context.Context, keys func(worker int, id uint32, dst []uint64) []uint64, take func(key uint64, id uint32) error) error {
	s, err := newSorting(extsort.Config{Size: keyRecord}, j.res, j.res.memory()*7/8) // the rest is for lists
	if err != nil {
		return err
	}
	defer s.close()
	of := make([][]uint64, len(s.out))
	err = each(ctx, j.docs, len(s.out), func(worker int, id uint32) error {
		of[worker] = keys(worker, id, of[worker][:0])
		var rec [keyRecord]byte
		binary.BigEndian.PutUint32(rec[8:], id)
		for _, k := range of[worker] {
			binary.BigEndian.PutUint64(rec[:], k)
			if err := s.out[worker].Append(rec[:]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.records(ctx, func(rec []byte) error { return take(binary.BigEndian.Uint64(rec), binary.BigEndian.Uint32(rec[8:])) })
}

// chooseLimit finds the length of the longest list to pair all with all.
func (j *selfJoin) chooseLimit() {
	if j.maxPairs == 0 {
		j.maxPairs = max(defaultPairs, 4*int64(j.stats.Records))
	}
	all, capped := j.always, uint64(0) // pairs in lists up to the limit and in longer ones
	for _, l := range j.lengths {
		all += l.all
	}
	j.limit = j.maxCommon
	for n := len(j.lengths) - 1; n > 2*j.reach && all+capped > uint64(j.maxPairs); n-- {
		l := j.lengths[n]
		all -= l.all
		capped += l.capped
		j.stats.PartlyPaired += l.lists
		j.stats.PairsNotFormed += l.all - l.capped
		j.limit = n - 1
	}
	j.stats.PairsFormed = all + capped
}

// lengths counts the lists of one length, and the pairs in them.
type lengths struct{ lists, all, capped uint64 }

// count adds a list of n documents; for short of them the key is their own.
func (j *selfJoin) count(n, short int) {
	all := allPairs(short) + uint64(short)*uint64(n-short)
	if !j.mayCap(short) {
		j.always += all
		return
	}
	for len(j.lengths) <= n {
		j.lengths = append(j.lengths, lengths{})
	}
	l := &j.lengths[n]
	l.lists++
	l.all += all
	l.capped += cappedPairs(short, j.reach) + uint64(j.reach)*uint64(n-short)
}

// mayCap reports whether pairing a list in part leaves out any pair.
func (j *selfJoin) mayCap(short int) bool { return short > j.reach }

// capped reports whether a list is paired in part.
func (j *selfJoin) capped(l list) bool { return len(l.ids) > j.limit && j.mayCap(l.own) }

// allPairs returns the number of pairs among n.
func allPairs(n int) uint64 { return uint64(n) * uint64(max(n-1, 0)) / 2 }

// cappedPairs returns the number of pairs if each of n is paired with the next reach and with the first.
func cappedPairs(n, reach int) uint64 {
	reach = min(reach, n-1)
	return uint64(n)*uint64(reach) - uint64(reach)*uint64(reach+1)/2 + uint64(n-1-reach)
}
