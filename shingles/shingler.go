package shingles

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Option says how to treat shingles that occur several times in a document.
type Option uint8

const (
	// OptionB makes a set: a shingle counts once, however often it occurs.
	OptionB Option = iota
	// OptionA labels each shingle with its occurrence: (shingle, 1), (shingle, 2) … The first occurrence has the same
	// value as under option B. It takes a table of all distinct shingles of the document.
	OptionA
)

// The parameters of [S1].
const (
	DefaultW    = 10
	DefaultBits = 40
)

// Config decides which value a shingle has. The zero value has the default settings of lshclust: w=10 and 40 bits as in
// [S1], option B.
type Config struct {
	W      int    // tokens in a shingle, 1 to 64; 0 means 10
	Bits   int    // of a value, 16 to 64; 0 means 40
	Option Option // A or B
	Punct  bool   // punctuation marks are tokens
	Seed   uint64 // selects the permutation; 0 means that of "lshclust cluster --set seed=1"
}

// A Sink takes the values of a document. All sketches are sinks, and so is Set. AddAll must not keep or change the
// slice.
type Sink interface {
	AddAll(values []uint64)
}

// Shingler computes the shingles of documents, one after another, and feeds their values to sinks, without allocating.
// Each goroutine needs its own.
type Shingler struct {
	config  Config
	scanner *Scanner
	key     uint64 // chooses the permutation of the shingles
	labels  labels
	sink    Sink
	count   int    // shingles of this document, repeats included
	digest  uint64 // of its words
}

// New returns a Shingler for a configuration, or an error if the configuration is invalid.
func New(c Config) (*Shingler, error) {
	c.W, c.Bits = cmp.Or(c.W, DefaultW), cmp.Or(c.Bits, DefaultBits)
	if c.Bits < 16 || c.Bits > 64 {
		return nil, fmt.Errorf("shingles: values of %d bits: want 16 to 64", c.Bits)
	}
	if c.Option > OptionA {
		return nil, fmt.Errorf("shingles: option %d: want OptionA or OptionB", c.Option)
	}
	scanner, err := NewScanner(c.W)
	if err != nil {
		return nil, err
	}
	scanner.punct = c.Punct
	return &Shingler{config: c, scanner: scanner, key: hashPart(0, c.Seed, 1)}, nil
}

// Sketch feeds the values of the shingles of text to sink, if it is not nil, and returns their number n, repeats
// included: t-w+1 for t tokens. A document of fewer than w tokens has one shingle, which is the whole document; a
// document without tokens has none.
//
// Under option A, n is the size of the set; under option B, the set has at most n values.
func (s *Shingler) Sketch(sink Sink, text []byte) (n int) {
	s.begin(sink)
	s.digest = s.scanner.Scan(permuted{s}, text).Digest
	return s.end()
}

// Digest returns the digest of the tokens of the last document in their order: equal for documents that are lexically
// equivalent ([S1]).
func (s *Shingler) Digest() uint64 { return s.digest }

// Use makes the labels of option A allocate large buffers from room. Call Release after each document.
func (s *Shingler) Use(room *scratch.Pool) { s.labels.room = room }

// Release drops the buffers taken from room. Call it before freeing room.
func (s *Shingler) Release() {
	if s.labels.room.Large() {
		s.labels = labels{room: s.labels.room}
	}
}

func (s *Shingler) begin(sink Sink) {
	s.labels.reset()
	s.sink, s.count, s.digest = sink, 0, 0
}

// end returns the number of values that the sink received.
func (s *Shingler) end() (n int) {
	s.sink = nil
	return s.count
}

// permuted is the sink of a Shingler's scanner. It turns shingles into values in place.
type permuted struct{ *Shingler }

func (s permuted) AddAll(shingles []uint64) {
	for i, v := range shingles {
		shingles[i] = s.permute(v)
	}
	if s.config.Option == OptionA {
		s.labels.apply(shingles, s.permute)
	}
	s.count += len(shingles)
	if s.sink != nil {
		s.sink.AddAll(shingles)
	}
}

// permute applies the permutation of 64 bits that the seed selects, and keeps the highest bits.
func (s *Shingler) permute(v uint64) uint64 {
	v = (v ^ s.key) * mixA
	return (v ^ v>>32) * mixC >> (64 - s.config.Bits)
}

// Locate yields the values of the shingles of text, as Sketch computes them, each with its place in the text. It is for
// marking what two texts have in common, and is about ten times slower than Sketch.
func (s *Shingler) Locate(text []byte) iter.Seq2[uint64, Span] {
	return func(yield func(uint64, Span) bool) {
		var spans []Span
		var values List
		s.begin(&values)
		s.scanner.begin(permuted{s})
		for span, word := range Words(text, s.config.Punct) {
			spans = append(spans, span)
			s.scanner.put(hashRest(0, word, 0, len(word), 0))
		}
		s.scanner.end()
		s.end()
		w := len(spans) - len(values) + 1
		for i, v := range values {
			if !yield(v, Span{spans[i].Start, spans[i+w-1].End}) {
				return
			}
		}
	}
}

// List is a Sink that keeps all values in the order of arrival.
type List []uint64

// AddAll adds values.
func (l *List) AddAll(values []uint64) { *l = append(*l, values...) }

// FromFeatures feeds the features of a document to sink and returns their number. A feature is any string: the same
// techniques work for anything that has a set of features ([S1]). Repeated features are treated like repeated shingles.
func (s *Shingler) FromFeatures(sink Sink, features ...string) (n int) {
	s.begin(sink)
	for _, f := range features {
		s.scanner.values[0] = xxh3.HashString(f)
		permuted{s}.AddAll(s.scanner.values[:1])
	}
	return s.end()
}

// labels counts how often each value has occurred in the document, for option A. It is a hash table with open
// addressing that is at most half full. Its slots carry the number of their document, so that a new document need not
// clear the table.
type labels struct {
	slots []labelSlot // a power of two
	used  int
	epoch uint32
	room  *scratch.Pool
}

type labelSlot struct {
	value uint64
	count uint32
	epoch uint32
}

const (
	minSlots = 1 << 10
	// labelStep combines the label with the value before both are permuted again.
	labelStep = 0x9e3779b97f4a7c15
)

// reset forgets the document. It also drops a table that is far too large for it.
func (l *labels) reset() {
	l.epoch++
	if l.epoch == 0 || (len(l.slots) > 1<<16 && l.used < len(l.slots)/64) {
		l.slots, l.epoch = nil, 1
	}
	l.used = 0
}

// apply replaces the k-th occurrence of a value, for k over 1, by another value of the same width: that of (shingle,
// k).
func (l *labels) apply(values []uint64, permute func(uint64) uint64) {
	if len(l.slots) == 0 {
		l.slots = make([]labelSlot, minSlots)
	}
	for i, v := range values {
		if k := l.occurrence(v); k > 1 {
			values[i] = permute(v + uint64(k-1)*labelStep)
		}
	}
}

// occurrence counts v and returns how often it has occurred, including this time.
func (l *labels) occurrence(v uint64) uint32 {
	mask := uint64(len(l.slots) - 1)
	for i := v & mask; ; i = (i + 1) & mask {
		slot := &l.slots[i]
		if slot.epoch != l.epoch {
			*slot = labelSlot{value: v, count: 1, epoch: l.epoch}
			l.used++
			if 2*l.used > len(l.slots) {
				l.grow()
			}
			return 1
		}
		if slot.value == v {
			slot.count++
			return slot.count
		}
	}
}

// grow doubles the table.
func (l *labels) grow() {
	old := l.slots
	l.slots = scratch.Grow(l.room, []labelSlot(nil), 2*len(old))[:2*len(old)]
	mask := uint64(len(l.slots) - 1)
	for _, slot := range old {
		if slot.epoch != l.epoch {
			continue
		}
		i := slot.value & mask
		for l.slots[i].epoch == l.epoch {
			i = (i + 1) & mask
		}
		l.slots[i] = slot
	}
}
