package resemble

import (
	"context"
	"slices"
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
	var key uint64
	var part []uint32
	end := func() {
		if len(part) > 1 {
			j.count(len(part), len(part))
			j.lists.add(key, part, len(part))
		}
	}
	err := j.sortKeys(ctx, j.lowestCommon, func(k uint64, id uint32) error {
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

// lowestCommon returns, in dst, the common keys by which a document is paired: those of its own, if it has hardly any
// others.
func (j *selfJoin) lowestCommon(worker int, id uint32, dst []uint64) []uint64 {
	if !j.ignored(id) {
		return dst
	}
	own := slices.DeleteFunc(j.keys(worker, id, dst), func(k uint64) bool {
		_, common := slices.BinarySearch(j.common, k)
		return !common || j.short != nil && !j.short(k, id)
	})
	return own[:min(len(own), commonPaired)]
}
