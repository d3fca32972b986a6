package dedup

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
)

// Containment is not seen by signatures: a small text hardly resembles a large one that contains it. Its candidates are
// found by samples, the shingles that are 0 modulo sampled. Of each record the rarest samples that others have, too, say
// which others may contain it; those that have most of its samples become candidates.

const (
	sampled     = 8
	rarest      = 4   // samples of a record by which it finds others
	sampleSlack = 0.2 // a candidate may have so much less of the samples than is asked for of all shingles
)

// sampler collects the samples of a record. It is a sink.
type sampler struct{ values []uint64 }

// AddAll implements shingles.Sink.
func (s *sampler) AddAll(values []uint64) {
	for _, v := range values {
		if v%sampled == 0 {
			s.values = append(s.values, v)
		}
	}
}

// posting is a sample of a record: the value and the rank, in the order of both.
type posting [12]byte

func newPosting(value uint64, rank uint32) (p posting) {
	binary.BigEndian.PutUint64(p[:], value)
	binary.BigEndian.PutUint32(p[8:], rank)
	return p
}

// contained adds pairs of a record and another that may contain it to the events.
func (j *job) contained(events *extsort.Sorter, twin bitmap) error {
	all, err := j.sorter(len(posting{}), 0, 4)
	if err != nil {
		return err
	}
	defer all.Close()
	a := all.Appender()
	for _, p := range j.parts {
		for i := range p.count() {
			rank := j.rankOf(p.first + i)
			for _, v := range p.sample(i) {
				if twin.has(rank) {
					break
				}
				x := newPosting(v, rank)
				if err := a.Append(x[:]); err != nil {
					return err
				}
			}
		}
	}
	if err := a.Close(); err != nil {
		return err
	}
	chosen, err := j.chooseSamples(all)
	if err != nil {
		return err
	}
	defer chosen.Close()
	to := events.Appender()
	defer to.Close()
	err = chosen.Each(j.ctx, func(rec []byte) error {
		rank, other := binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:])
		if !j.mayContain(rank, other) {
			return nil
		}
		e := newEvent(rank, pairOf, other)
		return to.Append(e[:])
	})
	return cmp.Or(err, to.Close())
}

// chooseSamples returns pairs of ranks that share one of the rarest samples of the first, which is preferred less. A sample
// that many have counts with the first of them only.
func (j *job) chooseSamples(all *extsort.Sorter) (*extsort.Sorter, error) {
	// Each record with its samples by how many records have them: 4 bytes rank, 4 bytes number, 8 bytes value.
	byRecord, err := j.sorter(16, 0, 4)
	if err != nil {
		return nil, err
	}
	defer byRecord.Close()
	path := j.file("postings")
	w := mapped.Create(path, kindPart, version)
	defer w.Abort()
	list, a := w.Section("postings", 1), byRecord.Appender()
	defer a.Close()
	var group []uint32
	var value [8]byte
	end := func() error {
		for _, rank := range group {
			var rec [16]byte
			binary.BigEndian.PutUint32(rec[:], rank)
			binary.BigEndian.PutUint32(rec[4:], uint32(len(group)))
			copy(rec[8:], value[:])
			if err := a.Append(rec[:]); err != nil {
				return err
			}
		}
		group = group[:0]
		return nil
	}
	err = all.Each(j.ctx, func(rec []byte) error {
		if !bytes.Equal(value[:], rec[:8]) {
			if err := end(); err != nil {
				return err
			}
			copy(value[:], rec)
		}
		group = append(group, binary.BigEndian.Uint32(rec[8:]))
		list.Bytes(rec)
		return nil
	})
	if err = cmp.Or(err, end(), a.Close(), w.Close()); err != nil {
		return nil, err
	}
	wanted, err := j.rarestSamples(byRecord)
	if err != nil {
		return nil, err
	}
	defer wanted.Close()
	return j.meet(path, wanted)
}

// rarestSamples returns the rarest samples of each record that others have, as postings. A record of whose samples too many
// are its own is contained in none.
func (j *job) rarestSamples(byRecord *extsort.Sorter) (*extsort.Sorter, error) {
	wanted, err := j.sorter(len(posting{}), 0, 8)
	if err != nil {
		return nil, err
	}
	a := wanted.Appender()
	var of uint32
	var own, have int
	var best []uint64
	end := func() error {
		if float64(have-own) < (j.Contained-sampleSlack)*float64(have) {
			best = best[:0]
		}
		for _, v := range best {
			x := newPosting(v, of)
			if err := a.Append(x[:]); err != nil {
				return err
			}
		}
		own, have, best = 0, 0, best[:0]
		return nil
	}
	err = byRecord.Each(j.ctx, func(rec []byte) error {
		if rank := binary.BigEndian.Uint32(rec); rank != of {
			if err := end(); err != nil {
				return err
			}
			of = rank
		}
		have++
		if n := binary.BigEndian.Uint32(rec[4:]); n == 1 {
			own++
		} else if len(best) < rarest {
			best = append(best, binary.BigEndian.Uint64(rec[8:]))
		}
		return nil
	})
	return wanted, cmp.Or(err, end(), a.Close())
}

// meet joins the wanted samples with the list of all: it returns pairs of a record and one before it that has the sample.
func (j *job) meet(path string, wanted *extsort.Sorter) (*extsort.Sorter, error) {
	pairs, err := j.sorter(8, 0, 8)
	if err != nil {
		return nil, err
	}
	f, err := mapped.Open(path, kindPart, version)
	if err != nil {
		return pairs, err
	}
	defer f.Close()
	list, err := mapped.View[byte](f, "postings")
	if err != nil {
		return pairs, err
	}
	const size = len(posting{})
	a, at := pairs.Appender(), 0
	err = wanted.Each(j.ctx, func(rec []byte) error {
		for bytes.Compare(list.Slice(at, at+8), rec[:8]) < 0 {
			at += size
		}
		rank := binary.BigEndian.Uint32(rec[8:])
		for i := 0; i < reach && at+i*size < list.Len(); i++ {
			other := list.Slice(at+i*size, at+(i+1)*size)
			rankOther := binary.BigEndian.Uint32(other[8:])
			if !bytes.Equal(other[:8], rec[:8]) || rankOther >= rank {
				break
			}
			var pair [8]byte
			binary.BigEndian.PutUint32(pair[:], rank)
			binary.BigEndian.PutUint32(pair[4:], rankOther)
			if err := a.Append(pair[:]); err != nil {
				return err
			}
		}
		return nil
	})
	return pairs, cmp.Or(err, a.Close(), f.Err())
}

// mayContain reports whether a record has most of the samples of another.
func (j *job) mayContain(rank, other uint32) bool {
	doc := j.docOf(rank)
	p, at := j.at(doc)
	q, i := j.at(j.docOf(other))
	if int(doc) < j.seen || p.row(at)[rowWords] < shortText {
		return false
	}
	samples := p.sample(at)
	return float64(shared(samples, q.sample(i))) >= (j.Contained-sampleSlack)*float64(len(samples))
}
