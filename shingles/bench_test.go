package shingles

import "testing"

// realProse returns RFC texts if the shared data is there.
func realProse(b *testing.B) []byte {
	docs, _ := realDocuments(b, "neardup-rfc")
	var text []byte
	for _, url := range []string{"https://www.rfc-editor.org/rfc/rfc2616.txt", "https://www.rfc-editor.org/rfc/rfc7230.txt", "https://www.rfc-editor.org/rfc/rfc3261.txt", "https://www.rfc-editor.org/rfc/rfc5246.txt"} {
		text = append(text, docs[url]...)
	}
	if len(text) < 1<<18 {
		for _, d := range docs {
			if text = append(text, d...); len(text) > 1<<20 {
				break
			}
		}
	}
	return text
}

// loop runs f and reports the rate by processor time in addition to the rate by the clock.
func loop(b *testing.B, size int, f func()) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	f()
	start := cpuTime()
	for b.Loop() {
		f()
	}
	if used := cpuTime() - start; used > 0 {
		b.ReportMetric(float64(size)*float64(b.N)/used.Seconds()/1e6, "MB/cpu-s")
	}
}

func benchmarkSketch(b *testing.B, text []byte, c Config, sink interface {
	Sink
	Reset()
}) {
	s, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	loop(b, len(text), func() {
		sink.Reset()
		s.Sketch(sink, text)
	})
}

func BenchmarkTextToSketch(b *testing.B) {
	b.Run("ascii", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(ModSketch)) })
	b.Run("rfc", func(b *testing.B) { benchmarkSketch(b, realProse(b), Config{}, new(ModSketch)) })
	b.Run("mixed", func(b *testing.B) { benchmarkSketch(b, mixedProse(1<<20), Config{}, new(ModSketch)) })
	b.Run("ascii-4KiB", func(b *testing.B) { benchmarkSketch(b, prose(1<<12), Config{}, new(ModSketch)) })
	b.Run("ascii-A", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{Option: OptionA}, new(ModSketch)) })
	b.Run("ascii-split", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{Split: true}, new(ModSketch)) })
	b.Run("ascii-punct", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{Punct: true}, new(ModSketch)) })
	b.Run("ascii-64bits", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{Bits: 64}, new(ModSketch)) })
	b.Run("ascii-min", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(MinSketch)) })
	b.Run("ascii-min-4KiB", func(b *testing.B) { benchmarkSketch(b, prose(1<<12), Config{}, new(MinSketch)) })
	b.Run("ascii-tree", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(TreeMinSketch)) })
	b.Run("ascii-tree-4KiB", func(b *testing.B) { benchmarkSketch(b, prose(1<<12), Config{}, new(TreeMinSketch)) })
	b.Run("ascii-minmod", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(MinModSketch)) })
	b.Run("ascii-var", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(VarSketch)) })
	b.Run("ascii-set", func(b *testing.B) { benchmarkSketch(b, prose(1<<20), Config{}, new(Set)) })
	b.Run("ascii-groups", func(b *testing.B) { benchmarkSketch(b, prose(1<<18), Config{}, new(GroupedMinima)) })
	b.Run("ascii-plain", func(b *testing.B) {
		s, _ := New(Config{})
		var sink ModSketch
		text := prose(1 << 18)
		loop(b, len(text), func() {
			sink.Reset()
			s.SketchPlain(&sink, text)
		})
	})
}

// The same text as tokens split elsewhere, and in pieces as from HTML.
func BenchmarkPieces(b *testing.B) {
	s, _ := New(Config{})
	text := prose(1 << 20)
	var words, lines [][]byte
	for span := range Words(text, false) {
		words = append(words, text[span.Start:span.End])
	}
	for len(text) > 0 {
		n := min(len(text), 32)
		lines = append(lines, text[:n])
		text = text[n:]
	}
	var sink ModSketch
	run := func(write func(p []byte), pieces [][]byte) func() {
		return func() {
			sink.Reset()
			s.Begin(&sink)
			for _, p := range pieces {
				write(p)
			}
			s.End()
		}
	}
	b.Run("tokens", func(b *testing.B) { loop(b, 1<<20, run(s.WriteToken, words)) })
	b.Run("32bytes", func(b *testing.B) { loop(b, 1<<20, run(s.write, lines)) })
}

func BenchmarkTokenizer(b *testing.B) {
	for name, text := range map[string][]byte{"ascii": prose(1 << 20), "mixed": mixedProse(1 << 20)} {
		b.Run(name, func(b *testing.B) {
			var tok Tokenizer
			var dst [batch]uint64
			loop(b, len(text), func() {
				for p := text; len(p) > 0; {
					_, read := tok.Next(dst[:], p)
					p = p[read:]
				}
				tok.End(dst[:])
			})
		})
	}
}

// Bytes are those of the units, 8 a token.
func BenchmarkRabinWindow(b *testing.B) {
	for _, bits := range []int{40, 64} {
		b.Run(map[int]string{40: "40bits", 64: "64bits"}[bits], func(b *testing.B) {
			p, _ := ChoosePoly(bits, 0)
			r, _ := NewRabin(p, UnitPower)
			win, _ := NewWindow(r, 10)
			units := slowTokens(prose(1<<16), false, false)
			values := make([]uint64, 0, len(units))
			loop(b, 8*len(units), func() { win.Append(values, units) })
		})
	}
}

func BenchmarkRabinBytes(b *testing.B) {
	p, _ := ChoosePoly(40, 0)
	for name, power := range map[string]int{"by8": UnitPower, "by1": 40} {
		b.Run(name, func(b *testing.B) {
			r, _ := NewRabin(p, power)
			text := prose(1 << 16)
			loop(b, len(text), func() { r.Fingerprint(text) })
		})
	}
}

func BenchmarkMixer(b *testing.B) {
	m := NewMixer(40, 0)
	values := make([]uint64, 512)
	loop(b, 8*len(values), func() { m.MixAll(values) })
}

// One document of 10,000 shingles against another, of resemblance 1/3.
func BenchmarkEstimate(b *testing.B) {
	x, y := randomValues(1, 0, 10000), randomValues(1, 5000, 15000)
	b.Run("mod25", func(b *testing.B) {
		var s, t ModSketch
		s.AddAll(x)
		t.AddAll(y)
		for b.Loop() {
			s.Estimate(&t)
		}
	})
	b.Run("min200", func(b *testing.B) {
		var s, t MinSketch
		s.AddAll(x)
		t.AddAll(y)
		for b.Loop() {
			s.Estimate(&t)
		}
	})
	b.Run("var", func(b *testing.B) {
		var s, t VarSketch
		s.AddAll(x)
		t.AddAll(y)
		for b.Loop() {
			s.Estimate(&t)
		}
	})
	b.Run("minima84", func(b *testing.B) {
		var s, t GroupedMinima
		s.AddAll(x)
		t.AddAll(y)
		for b.Loop() {
			s.Estimate(&t)
		}
	})
	b.Run("exact", func(b *testing.B) {
		s, t := NewSet(x...), NewSet(y...)
		for b.Loop() {
			s.Compare(t)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		values := randomValues(1, 0, n)
		name := map[int]string{1000: "1000", 100000: "100000"}[n]
		add := func(name string, s interface {
			Sink
			Reset()
		}) {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					s.Reset()
					s.AddAll(values)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
			})
		}
		add("mod25/"+name, new(ModSketch))
		add("min200-heap/"+name, new(MinSketch))
		add("min200-tree/"+name, new(TreeMinSketch))
		add("var/"+name, new(VarSketch))
		add("minima84/"+name, new(GroupedMinima))
	}
}

// randomValues returns distinct values of a stream that the seed selects: the from-th to the to-th.
func randomValues(seed uint64, from, to int) []uint64 {
	m := NewMixer(40, seed)
	values := make([]uint64, 0, to-from)
	for i := from; i < to; i++ {
		values = append(values, m.Mix(uint64(i)))
	}
	return values
}
