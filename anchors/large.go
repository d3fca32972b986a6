package anchors

import (
	"bytes"
	"cmp"
	"hash/crc32"
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
	length, crc           uint32
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

// Large returns an empty Large whose records count as g says.
func (by Grouping) Large() *Large { return &Large{by: by} }

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
		offset: offset, length: uint32(len(body)), crc: crc32.Checksum(body, castagnoli),
	})
	return true
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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

// Groups calls group for each target, as Grouping.Groups does. read returns the body that was added with an offset, of so many
// bytes, in memory of its own.
func (l *Large) Groups(read func(offset int64, length int) ([]byte, error), group func(*Group) error) error {
	l.rank()
	bodies := &storedBodies{read: read}
	slices.SortFunc(l.keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.source, b.source), cmp.Compare(a.kind, b.kind),
			cmp.Compare(bits.ReverseBytes64(a.capture), bits.ReverseBytes64(b.capture)), bodies.compare(a, b))
	})
	if bodies.err != nil {
		return bodies.err
	}
	g := grouper{weight: l.by.Hosts}
	for i := 0; i < len(l.keys); {
		j := i + 1
		for j < len(l.keys) && l.keys[j].target == l.keys[i].target {
			j++
		}
		if err := g.group(stored{l.keys[i:j], bodies}, group); err != nil {
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

// storedBodies reads bodies back and checks them.
type storedBodies struct {
	read func(offset int64, length int) ([]byte, error)
	err  error // the first one met while sorting
}

func (b *storedBodies) of(k key) ([]byte, error) {
	body, err := b.read(k.offset, int(k.length))
	if err == nil && crc32.Checksum(body, castagnoli) != k.crc {
		err = ErrRecord
	}
	return body, err
}

// compare decides between records of one source, kind and capture: links that were given one by one.
func (b *storedBodies) compare(x, y key) int {
	if b.err != nil || x.offset == y.offset {
		return 0
	}
	p, err := b.of(x)
	q, errQ := b.of(y)
	b.err = cmp.Or(err, errQ)
	return bytes.Compare(p, q)
}

// stored is records whose bodies are read when they are needed.
type stored struct {
	keys   []key
	bodies *storedBodies
}

func (s stored) len() int                   { return len(s.keys) }
func (s stored) body(i int) ([]byte, error) { return s.bodies.of(s.keys[i]) }

func (s stored) link(i int) (source, host uint64, ok bool) {
	return s.keys[i].source, s.keys[i].host, s.keys[i].kind.IsLink()
}
