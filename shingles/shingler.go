package shingles

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Option is a way to treat shingles that occur several times in a document.
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

// Config is everything that decides which value a shingle has. The zero value has the settings that lshclust uses
// unless it is told otherwise: w=10 and 40 bits as in [S1], option B, each word one token.
type Config struct {
	W      int    // tokens in a shingle; 0 means 10
	Bits   int    // of a fingerprint, 16 to 64; 0 means 40
	Option Option // A or B
	Punct  bool   // punctuation marks are tokens
	Split  bool   // a word of more than 8 bytes is several tokens ([S2] 4.3), not one
	Seed   uint64 // selects the polynomial and the permutation; 0 is that of "lshclust cluster --seed 1"
}

// seed returns the number that random choices begin with.
func (c Config) seed() uint64 { return c.Seed + 1 }

// A Sink takes the values of a document. All sketches are sinks, and so is Set. AddAll must not keep or change the
// slice.
type Sink interface {
	AddAll(values []uint64)
}

// Shingler computes the shingles of documents, one after another, and feeds them to sinks, without allocating. Each
// goroutine needs its own (see Clone); clones share their tables.
type Shingler struct {
	config Config
	rabin  *Rabin
	mixer  Mixer
	window *Window
	tokens Tokenizer
	labels labels
	sink   Sink
	count  int           // shingles of this document, repeats included
	units  [batch]uint64 // tokens read; the first `pending` wait for the window
	values []uint64

	pending int
}

// New returns a Shingler for a configuration, or an error if the configuration is not valid.
func New(c Config) (*Shingler, error) {
	c.W = orDefault(c.W, DefaultW)
	c.Bits = orDefault(c.Bits, DefaultBits)
	if c.Bits < 16 || c.Bits > 64 {
		return nil, fmt.Errorf("shingles: fingerprints of %d bits: want 16 to 64", c.Bits)
	}
	if c.Option > OptionA {
		return nil, fmt.Errorf("shingles: option %d: want OptionA or OptionB", c.Option)
	}
	poly, err := ChoosePoly(c.Bits, c.seed())
	if err != nil {
		return nil, err
	}
	rabin, err := NewRabin(poly, UnitPower)
	if err != nil {
		return nil, err
	}
	window, err := NewWindow(rabin, c.W)
	if err != nil {
		return nil, err
	}
	return newShingler(c, rabin, window), nil
}

func newShingler(c Config, rabin *Rabin, window *Window) *Shingler {
	return &Shingler{
		config: c,
		rabin:  rabin,
		mixer:  NewMixer(c.Bits, c.seed()),
		window: window,
		tokens: Tokenizer{Punct: c.Punct, Split: c.Split},
		values: make([]uint64, 0, batch),
	}
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// Clone returns a Shingler with the same configuration for another goroutine.
func (s *Shingler) Clone() *Shingler {
	return newShingler(s.config, s.rabin, s.window.clone())
}

// Config returns the configuration with the defaults filled in.
func (s *Shingler) Config() Config { return s.config }

// Rabin returns the fingerprint function.
func (s *Shingler) Rabin() *Rabin { return s.rabin }

// Mixer returns the permutation that is applied to fingerprints.
func (s *Shingler) Mixer() Mixer { return s.mixer }

// Sketch feeds the values of the shingles of text to sink and returns their number n, repeats included: t-w+1 for t
// tokens. A document of fewer than w tokens has one shingle, which is the whole document; a document without tokens has
// none.
//
// Under option A, n is the size of the set; under option B, the set has at most n values.
func (s *Shingler) Sketch(sink Sink, text []byte) (n int) {
	s.Begin(sink)
	s.write(text)
	return s.End()
}

// Use makes the labels of option A allocate large buffers from room. The caller then calls Release after each document.
func (s *Shingler) Use(room *scratch.Pool) { s.labels.room = room }

// Release drops the buffers that were taken from room. It must be called before room is freed.
func (s *Shingler) Release() {
	if s.labels.room.Large() {
		s.labels = labels{room: s.labels.room}
	}
}

// Begin starts a document. A document that was not ended is forgotten.
func (s *Shingler) Begin(sink Sink) {
	s.tokens.End(s.units[:])
	s.window.Reset()
	s.labels.reset()
	s.sink, s.count, s.pending = sink, 0, 0
}

// Write adds the next piece of the document. Pieces may be cut anywhere, even inside a word or a rune. It never fails.
func (s *Shingler) Write(p []byte) (int, error) {
	s.write(p)
	return len(p), nil
}

func (s *Shingler) write(p []byte) {
	for len(p) > 0 {
		n, read := s.tokens.Next(s.room(), p)
		s.pending += n
		p = p[read:]
	}
}

// WriteToken adds a token as it is: a word that was split off and lowered elsewhere, or anything else. A token of more
// than 8 bytes is hashed or split as words are.
func (s *Shingler) WriteToken(token []byte) {
	s.pending += s.tokens.End(s.room())
	if len(token) <= 8 {
		s.room()[0] = packUnit(token)
		s.pending += one(len(token) > 0)
		return
	}
	s.drain()
	s.slide(Units(s.units[:0], token, s.config.Split))
}

// room returns space for some tokens behind those that wait.
func (s *Shingler) room() []uint64 {
	if s.pending > batch-16 {
		s.drain()
	}
	return s.units[s.pending:]
}

// drain slides over the tokens that wait.
func (s *Shingler) drain() {
	s.slide(s.units[:s.pending])
	s.pending = 0
}

// End ends the document and returns the number of shingles that the sink received.
func (s *Shingler) End() (n int) {
	s.pending += s.tokens.End(s.room())
	s.drain()
	if f, ok := s.window.Short(); ok {
		s.give(append(s.values[:0], f))
	}
	s.window.Reset()
	s.sink = nil
	return s.count
}

// slide moves the window over tokens and passes on the shingles that are complete.
func (s *Shingler) slide(units []uint64) {
	for ; len(units) > batch; units = units[batch:] {
		s.give(s.window.Append(s.values[:0], units[:batch]))
	}
	s.give(s.window.Append(s.values[:0], units))
}

// give turns fingerprints into values and adds them to the sink. It does nothing outside a document.
func (s *Shingler) give(fingerprints []uint64) {
	if s.sink == nil || len(fingerprints) == 0 {
		return
	}
	s.mixer.MixAll(fingerprints)
	s.giveValues(fingerprints)
}

func (s *Shingler) giveValues(values []uint64) {
	if s.config.Option == OptionA {
		s.labels.apply(values, s.mixer)
	}
	s.count += len(values)
	s.sink.AddAll(values)
}
