package dedup

import (
	"bytes"
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/shingles"
)

// engine turns records into words, shingles and signatures. Each goroutine has its own.
type engine struct {
	shingler *shingles.Shingler
	parser   text.Parser
	canon    []byte
	plain    []byte // the text without escapes
	sign     signer
}

func newEngine() (*engine, error) {
	s, err := shingles.New(shingles.Config{W: shingleWords, Bits: 64})
	return &engine{shingler: s}, err
}

// words is what is known about the words of a record.
type words struct {
	count  int
	digest [2]uint64 // of the words in their order
	text   uint64    // hash of the text
}

// text returns the text of a record, which is valid until the next call.
func (e *engine) text(r *shard.Record) []byte {
	switch {
	case r.HTML != nil:
		return e.parser.HTML(r.HTML).Text
	case r.Escaped && bytes.IndexByte(r.Text, '\\') >= 0:
		e.plain = unescape(e.plain[:0], r.Text)
		return e.plain
	}
	return r.Text
}

// read gives the shingles of a record to a sink.
func (e *engine) read(sink shingles.Sink, r *shard.Record) (w words) {
	t := e.text(r)
	e.canon = shingles.Canonical(e.canon[:0], t, false)
	if len(e.canon) == 0 {
		return w
	}
	w.count = e.shingler.SketchCanonical(sink, e.canon) + shingleWords - 1
	if w.count == shingleWords {
		w.count = 1 + bytes.Count(e.canon, []byte(" "))
	}
	d := xxh3.Hash128(e.canon)
	w.digest, w.text = [2]uint64{d.Hi, d.Lo}, xxh3.Hash(t)
	return w
}

// signer makes signatures by one-permutation hashing. It is a sink.
type signer struct {
	least [bins]uint64
}

func (s *signer) reset() {
	for i := range s.least {
		s.least[i] = ^uint64(0)
	}
}

// AddAll implements shingles.Sink.
func (s *signer) AddAll(values []uint64) {
	for _, v := range values {
		v *= 0x9E3779B97F4A7C15
		v ^= v >> 29
		if b := v % bins; v < s.least[b] {
			s.least[b] = v
		}
	}
}

// signature returns the signature as words of eight bytes. Empty bins take the value of the next one that is not.
func (s *signer) signature() (sig [bins / 8]uint64) {
	var b [bins]byte
	for i := range b {
		at, steps := i, uint64(0)
		for s.least[at] == ^uint64(0) && steps < bins {
			at, steps = (at+1)%bins, steps+1
		}
		v := (s.least[at] + steps*0xBF58476D1CE4E5B9) * 0x94D049BB133111EB
		b[i] = byte(v >> 56)
	}
	for i := range sig {
		sig[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return sig
}

// agreement returns the number of equal bytes of two signatures.
func agreement(a, b *[bins / 8]uint64) (n int) {
	const low, high = 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	for i := range a {
		x := a[i] ^ b[i]
		zero := ^((x&low + low) | x) & high // the high bit of each byte that is zero
		n += onesCount(zero)
	}
	return n
}
