package shingles

import "testing"

func benchmarkSketch(b *testing.B, text []byte, c Config, sink interface {
	Sink
	Reset()
}) {
	s, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		sink.Reset()
		s.Sketch(sink, text)
	}
}

func BenchmarkTextToSketch(b *testing.B) {
	mod, english := Sketcher{}.New(), prose(1<<20)
	b.Run("ascii", func(b *testing.B) { benchmarkSketch(b, english, Config{}, mod) })
	b.Run("mixed", func(b *testing.B) { benchmarkSketch(b, mixedProse(1<<20), Config{}, mod) })
	b.Run("ascii-4KiB", func(b *testing.B) { benchmarkSketch(b, english[:1<<12], Config{}, mod) })
	b.Run("ascii-A", func(b *testing.B) { benchmarkSketch(b, english, Config{Option: OptionA}, mod) })
	b.Run("ascii-min", func(b *testing.B) { benchmarkSketch(b, english, Config{}, Sketcher{Kind: Min}.New()) })
	b.Run("ascii-min-4KiB", func(b *testing.B) { benchmarkSketch(b, english[:1<<12], Config{}, Sketcher{Kind: Min}.New()) })
	b.Run("ascii-var", func(b *testing.B) { benchmarkSketch(b, english, Config{}, Sketcher{Kind: Var}.New()) })
	b.Run("ascii-set", func(b *testing.B) { benchmarkSketch(b, english, Config{}, new(Set)) })
}

// randomValues returns distinct values of a stream that the seed selects: the from-th to the to-th.
func randomValues(seed uint64, from, to int) []uint64 {
	values := spreadValues(seed, from, to)
	for i := range values {
		values[i] >>= 24
	}
	return values
}

// spreadValues is randomValues with values of 64 bits.
func spreadValues(seed uint64, from, to int) []uint64 {
	values := make([]uint64, 0, to-from)
	for i := from; i < to; i++ {
		state := hashPart(0, seed, 2) + uint64(i)
		values = append(values, nextRandom(&state))
	}
	return values
}

// nextRandom advances SplitMix64.
func nextRandom(state *uint64) uint64 {
	*state += mixB
	z := *state
	z = (z ^ z>>30) * mixC
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
