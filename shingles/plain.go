package shingles

import "iter"

// SketchPlain is the straightforward way: each shingle is the fingerprint of the bytes of its words, with a zero byte
// between words, and is computed separately. It takes time proportional to w·text and memory proportional to the text,
// and w counts words of any length. Its values differ from those of Sketch.
func (s *Shingler) SketchPlain(sink Sink, text []byte) (n int) {
	s.Begin(sink)
	joined, starts := joinWords(text, s.config.Punct)
	if len(starts) == 0 {
		return s.End()
	}
	w := min(s.config.W, len(starts))
	starts = append(starts, len(joined)+1)
	for i := 0; i+w < len(starts); i++ {
		f := s.rabin.Fingerprint(joined[starts[i] : starts[i+w]-1])
		s.give(append(s.values[:0], f))
	}
	return s.End()
}

// joinWords returns the words with zero bytes between them, and the place where each starts.
func joinWords(text []byte, punct bool) (joined []byte, starts []int) {
	for _, word := range Words(text, punct) {
		if len(starts) > 0 {
			joined = append(joined, 0)
		}
		starts = append(starts, len(joined))
		joined = append(joined, word...)
	}
	return joined, starts
}

// Locate yields the values of the shingles of text, as Sketch computes them, each with its place in the text. It serves
// to mark what two texts have in common, and is about ten times slower than Sketch.
func (s *Shingler) Locate(text []byte) iter.Seq2[uint64, Span] {
	return func(yield func(uint64, Span) bool) {
		units, spans := s.locateUnits(text)
		var values collector
		s.Begin(&values)
		s.slide(units)
		s.End()
		w := len(spans) - len(values) + 1
		for i, v := range values {
			if !yield(v, Span{spans[i].Start, spans[i+w-1].End}) {
				return
			}
		}
	}
}

func (s *Shingler) locateUnits(text []byte) (units []uint64, spans []Span) {
	for span, word := range Words(text, s.config.Punct) {
		units = Units(units, word, s.config.Split)
		for len(spans) < len(units) {
			spans = append(spans, span)
		}
	}
	return units, spans
}

// collector keeps all values in the order in which they come.
type collector []uint64

func (c *collector) AddAll(values []uint64) { *c = append(*c, values...) }
