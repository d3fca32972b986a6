package anchors

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"unsafe"
)

// Large is the records of the targets of one hash, mostly of a single target, that are too many to be held. Their bodies lie
// where the caller has put them; a Large holds KeySize bytes of each.
type Large struct {
	by      Grouping
	keys    []key
	targets []largeTarget
}

// key is what of a record decides about its place, and where its body is.
type key struct {
	source, host, capture uint64
	offset                int64
	length                uint32
	target                uint32 // number in targets; their ranks in the end
	kind                  Kind
}

// KeySize is the number of bytes that a Large takes for each record.
const KeySize = int64(unsafe.Sizeof(key{}))

type largeTarget struct {
	hash  uint64
	url   []byte
	moved bool
}

// Large returns an empty Large for n records, or about as many, which count as by says.
func (by Grouping) Large(n int) *Large { return &Large{by: by, keys: make([]key, 0, n)} }

// Add takes a record whose body the caller keeps at an offset. It is false for a record that does not count, which the caller
// need not keep.
func (l *Large) Add(body []byte, offset int64) bool {
	if len(body) < targetAt {
		return false
	}
	capture := CaptureOf(body)
	if l.by.Lost != nil && l.by.Lost(capture) {
		return false
	}
	t := l.target(body)
	if l.targets[t].moved && isLink(body) {
		return false
	}
	l.keys = append(l.keys, key{
		source: sourceOf(body), host: hostOf(body), capture: capture, kind: Kind(body[kindAt]), target: t,
		offset: offset, length: uint32(len(body)),
	})
	return true
}

// target is the number of a record's target. There are several only if URLs have the same hash.
func (l *Large) target(body []byte) uint32 {
	url := target(body)
	for i := len(l.targets) - 1; i >= 0; i-- {
		if bytes.Equal(l.targets[i].url, url) {
			return uint32(i)
		}
	}
	t := largeTarget{hash: TargetHash(body), url: bytes.Clone(url)}
	t.moved = l.by.Moved != nil && l.by.Moved(t.hash, t.url)
	l.targets = append(l.targets, t)
	return uint32(len(l.targets) - 1)
}

// Groups calls group for each target, as Grouping.Groups does. All bodies that were added stand in bodies at their offsets.
func (l *Large) Groups(bodies []byte, group func(*Group) error) error {
	for _, k := range l.keys {
		if k.offset < 0 || k.offset > int64(len(bodies)) || int64(k.length) > int64(len(bodies))-k.offset {
			return ErrRecord
		}
	}
	l.rank()
	body := func(k key) []byte { return bodies[k.offset : k.offset+int64(k.length)] }
	slices.SortFunc(l.keys, func(a, b key) int {
		c := cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.source, b.source), cmp.Compare(a.kind, b.kind),
			cmp.Compare(bits.ReverseBytes64(a.capture), bits.ReverseBytes64(b.capture)))
		if c != 0 {
			return c
		}
		return bytes.Compare(body(a), body(b)) // links that were given one by one
	})
	g := grouper{weight: l.by.Hosts}
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

// stored is records whose bodies lie elsewhere.
type stored struct {
	keys []key
	of   func(key) []byte
}

func (s stored) len() int          { return len(s.keys) }
func (s stored) body(i int) []byte { return s.of(s.keys[i]) }

func (s stored) link(i int) (source, host uint64, ok bool) {
	return s.keys[i].source, s.keys[i].host, s.keys[i].kind.IsLink()
}
