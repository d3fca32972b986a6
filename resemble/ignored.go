package resemble

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/extsort"
)

// commonPaired is the number of common keys by which a document is paired that has hardly any others.
const commonPaired = 4

// pairIgnored adds lists for the documents that have hardly any keys but common ones, such as ten thousand pages of one
// text with other names in it. Common keys tell nothing about other documents, but nearly everything about these. Each is
// in the lists of its lowest common keys, which are the same in documents that have most of them in common. A list has
// only such documents, and is cut into parts, which all begin with its first document. So the work is in proportion to
// the documents, and yet their pairs connect all that are alike.
func (j *selfJoin) pairIgnored(ctx context.Context) error {
	if j.ignored == nil || len(j.common) == 0 {
		return nil
	}
	s, err := newSorting(extsort.Config{Size: keyRecord}, j.res, j.res.memory()*7/8)
	if err != nil {
		return err
	}
	defer s.close()
	keys := make([][]uint64, len(s.out))
	err = each(ctx, j.docs, len(s.out), func(worker int, id uint32) error {
		if !j.ignored(id) {
			return nil
		}
		keys[worker] = j.keys(worker, id, keys[worker][:0])
		var rec [keyRecord]byte
		binary.BigEndian.PutUint32(rec[8:], id)
		n := 0
		for _, k := range keys[worker] {
			if _, common := slices.BinarySearch(j.common, k); !common || j.short != nil && !j.short(k, id) {
				continue
			}
			binary.BigEndian.PutUint64(rec[:], k)
			if err := s.out[worker].Append(rec[:]); err != nil {
				return err
			}
			if n++; n == commonPaired {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var key uint64
	var part []uint32
	end := func() {
		if len(part) > 1 {
			j.count(len(part), len(part))
			j.lists.add(key, part, len(part))
		}
	}
	err = s.records(ctx, func(rec []byte) error {
		k, id := binary.BigEndian.Uint64(rec), binary.BigEndian.Uint32(rec[8:])
		switch {
		case k != key || len(part) == 0:
			end()
			key, part = k, append(part[:0], id)
		case len(part) > j.maxCommon:
			end()
			part = append(part[:1], id)
		default:
			part = append(part, id)
		}
		return nil
	})
	end()
	return err
}
