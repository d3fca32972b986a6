package anchors

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"unsafe"
)

// Large groups the records of a target that do not fit into memory, or of several targets whose URLs have the same
// hash. The caller stores the bodies of the records; a Large keeps KeySize bytes for each.
type Large struct {
	by      Grouping
	keys    []key
	targets []largeTarget
}

// key holds the fields that order a record, and where its body is stored.
type key struct {
	source, host, capture uint64
	offset                int64
	length                uint32
	target                uint32 // index in targets; after rank, the rank of its URL
	kind                  Kind
}

// KeySize is the number of bytes that a Large takes for each record.
const KeySize = int64(unsafe.Sizeof(key{}))

type largeTarget struct {
	hash       uint64
	url        []byte
	redirected bool
}

// Large returns an empty Large with room for n records, which it groups as by.Groups does.
func (by Grouping) Large(n int) *Large { return &Large{by: by, keys: make([]key, 0, n)} }

// Add adds a record whose body the caller stores at offset. If it returns false, the group does not use the record and
// the caller need not store it.
func (l *Large) Add(body []byte, offset int64) bool {
	if len(body) < targetAt {
		return false
	}
	capture := CaptureOf(body)
	if l.by.Superseded != nil && l.by.Superseded(capture) {
		return false
	}
	t := l.target(body)
	if l.targets[t].redirected && isLink(body) {
		return false
	}
	l.keys = append(l.keys, key{
		source: sourceOf(body), host: hostOf(body), capture: capture, kind: Kind(body[kindAt]), target: t,
		offset: offset, length: uint32(len(body)),
	})
	return true
}

// target returns the number of a record's target. There are several targets only if URLs have the same hash.
func (l *Large) target(body []byte) uint32 {
	url := target(body)
	for i := len(l.targets) - 1; i >= 0; i-- {
		if bytes.Equal(l.targets[i].url, url) {
			return uint32(i)
		}
	}
	t := largeTarget{hash: TargetHash(body), url: bytes.Clone(url)}
	t.redirected = l.by.Redirected != nil && l.by.Redirected(t.hash, t.url)
	l.targets = append(l.targets, t)
	return uint32(len(l.targets) - 1)
}

// Groups calls group for each target, in the same order and with the same result as Grouping.Groups. bodies holds the
// body of every added record at its offset.
func (l *Large) Groups(bodies []byte, group func(*Group) error) error {
	for _, k := range l.keys {
		if k.offset < 0 || k.offset > int64(len(bodies)) || int64(k.length) > int64(len(bodies))-k.offset {
			return ErrRecord
		}
	}
	l.rank()
	body := func(k key) []byte { return bodies[k.offset : k.offset+int64(k.length)] }
	slices.SortFunc(l.keys, func(a, b key) int {
		// The order of the bodies' bytes, in which the capture is little-endian.
		c := cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.source, b.source), cmp.Compare(a.kind, b.kind),
			cmp.Compare(bits.ReverseBytes64(a.capture), bits.ReverseBytes64(b.capture)))
		if c != 0 {
			return c
		}
		return bytes.Compare(body(a), body(b)) // several link rows of one page
	})
	g := grouper{by: l.by}
	for i := 0; i < len(l.keys); {
		j := i + 1
		for j < len(l.keys) && l.keys[j].target == l.keys[i].target {
			j++
		}
		if err := g.group(stored{l.keys[i:j], body}, group); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// rank numbers the targets in the order of their URLs.
func (l *Large) rank() {
	if len(l.targets) < 2 {
		return
	}
	order := make([]uint32, len(l.targets))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(l.targets[a].url, l.targets[b].url) })
	rank := make([]uint32, len(order))
	for i, t := range order {
		rank[t] = uint32(i)
	}
	for i := range l.keys {
		l.keys[i].target = rank[l.keys[i].target]
	}
}

// stored holds records whose bodies the caller has stored.
type stored struct {
	keys []key
	of   func(key) []byte
}

func (s stored) len() int          { return len(s.keys) }
func (s stored) body(i int) []byte { return s.of(s.keys[i]) }

func (s stored) link(i int) (source, host uint64, ok bool) {
	return s.keys[i].source, s.keys[i].host, s.keys[i].kind.IsLink()
}
