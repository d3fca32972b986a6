package torture

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// The first mutator knows nothing about formats. It changes bytes of a file, or of what is compressed in it, and keeps
// track of what it leaves unchanged.

// patch is a file that is being put together, from bytes of the good file and from others.
type patch struct {
	good []byte
	data []byte
	kept [][2]int // ranges of good, in their order in data
}

func (p *patch) keep(from, to int) {
	if from >= to {
		return
	}
	p.data = append(p.data, p.good[from:to]...)
	if n := len(p.kept); n > 0 && p.kept[n-1][1] == from && p.joined() {
		p.kept[n-1][1] = to
		return
	}
	p.kept = append(p.kept, [2]int{from, to})
}

// joined reports whether nothing was added since the last kept bytes.
func (p *patch) joined() bool { return len(p.kept) > 0 && p.kept[len(p.kept)-1] != [2]int{-1, -1} }

func (p *patch) put(b []byte) {
	if len(b) > 0 {
		p.data = append(p.data, b...)
		p.kept = append(p.kept, [2]int{-1, -1})
	}
}

// holds reports whether bytes of the good file are present in one piece.
func (p *patch) holds(from, to int) bool {
	return slices.ContainsFunc(p.kept, func(k [2]int) bool { return k[0] >= 0 && k[0] <= from && to <= k[1] })
}

// bytewise makes a mutant by changing bytes.
func bytewise(r *rand.Rand, s specimen, other []byte) mutant {
	m := mutant{specimen: s}
	inside := r.IntN(2) == 0 && s.pack != nil
	if s.packing == eachRecord && inside {
		i := r.IntN(len(s.records))
		p, how := change(r, s.records[i].data, other)
		m.how, m.sound = "in a record: "+how, s.others(i)
		s.records = slices.Clone(s.records)
		s.records[i].data = p.data
		m.data = s.file()
		return m
	}
	if s.packing == allAtOnce && (inside || s.pack == nil) {
		p, how := change(r, s.plain(), other)
		m.how, m.sound, m.data = "unpacked: "+how, s.left(p, [][]byte{s.head}), s.packed(p.data)
		return m
	}
	parts := s.parts()
	p, how := change(r, bytes.Join(parts, nil), other)
	m.how, m.data = how, p.data
	if s.packing == eachRecord {
		m.sound = s.left(p, parts)
	}
	return m
}

// left returns the URLs of the records that a patch contains whole. In a table the row before must also be whole,
// because a quote that damage opens may swallow the next row. parts are those of the patched file: the head, and the
// records if they are compressed one by one.
func (s *specimen) left(p *patch, parts [][]byte) (urls []string) {
	at, before := len(parts[0]), 0
	if s.names && (!p.holds(0, at) || p.kept[0][0] != 0) {
		return nil
	}
	for i, r := range s.records {
		n := len(r.data)
		if len(parts) > 1 {
			n = len(parts[i+1])
		}
		from := at
		switch {
		case s.names:
			from = before
		case s.lines && from > 0:
			from--
		}
		if p.holds(from, at+n) && r.url != "" {
			urls = append(urls, r.url)
		}
		before, at = at, at+n
	}
	return urls
}

// change changes bytes in one to three ways.
func change(r *rand.Rand, good, other []byte) (*patch, string) {
	p := &patch{good: good}
	n := len(good)
	at := r.IntN(n)
	length := min(1+r.IntN(1<<r.IntN(12)), n-at)
	switch r.IntN(10) {
	case 0, 1:
		places := make([]int, 1+r.IntN(1<<r.IntN(5)))
		for i := range places {
			places[i] = r.IntN(n)
		}
		slices.Sort(places)
		from := 0
		for _, at := range slices.Compact(places) {
			p.keep(from, at)
			p.put([]byte{good[at] ^ 1<<r.IntN(8)})
			from = at + 1
		}
		p.keep(from, n)
		return p, "bits flipped"
	case 2:
		p.keep(0, at)
		p.keep(at+length, n)
		return p, "a piece cut out"
	case 3:
		p.keep(0, at)
		return p, "the end cut off"
	case 4:
		p.keep(at, n)
		return p, "the start cut off"
	case 5:
		p.keep(0, at+length)
		p.keep(at, n)
		return p, "a piece doubled"
	case 6:
		from := r.IntN(len(other))
		p.keep(0, at)
		p.put(other[from:min(len(other), from+length)])
		p.keep(at, n)
		return p, "a piece of another file put in"
	case 7:
		p.keep(0, at)
		p.put(bytes.Repeat([]byte{pick[byte](r, 0, 0xff, ' ', '\n', 'A', '"', '<', 0x80)}, length))
		p.keep(at, n)
		return p, "one byte put in many times"
	case 8:
		noise := make([]byte, length)
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		p.keep(0, at)
		p.put(noise)
		p.keep(at+length, n)
		return p, "a piece overwritten"
	}
	cuts := []int{r.IntN(n), r.IntN(n), r.IntN(n)}
	slices.Sort(cuts)
	p.keep(0, cuts[0])
	p.keep(cuts[1], cuts[2])
	p.keep(cuts[0], cuts[1])
	p.keep(cuts[2], n)
	return p, "two blocks swapped"
}
