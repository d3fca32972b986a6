package shingles

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newShinglerT(t testing.TB, c Config) *Shingler {
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func setOf(s *Shingler, text string) *Set {
	set := new(Set)
	s.Sketch(set, []byte(text))
	return set
}

// The example of [S2] section 2.
func TestRose(t *testing.T) {
	const a, b = "a rose is a rose is a rose", "a rose is a flower which is a rose"
	for _, c := range []struct {
		option      Option
		w           int
		both, union int
	}{
		{OptionA, 1, 7, 10}, {OptionA, 2, 5, 10}, {OptionA, 3, 3, 10},
		{OptionB, 1, 3, 5}, {OptionB, 2, 3, 6}, {OptionB, 3, 3, 7},
	} {
		s := newShinglerT(t, Config{W: c.w, Option: c.option})
		o := setOf(s, a).Compare(setOf(s, b))
		if o.Both != c.both || o.Union() != c.union {
			t.Errorf("option %d, w=%d: %d/%d, want %d/%d", c.option, c.w, o.Both, o.Union(), c.both, c.union)
		}
	}
}

// The definition: words, hashes, a permutation of the sum of every w, labels by a map.
func definedValues(s *Shingler, text []byte) []uint64 {
	c := s.config
	values, _ := slowScan(text, c.W, c.Punct)
	count := map[uint64]int{}
	for i, f := range values {
		v := s.permute(f)
		if count[v]++; c.Option == OptionA && count[v] > 1 {
			v = s.permute(v + uint64(count[v]-1)*labelStep)
		}
		values[i] = v
	}
	return values
}

func TestShinglerEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := New(Config{
			W: rapid.SampledFrom([]int{1, 2, 3, 5, 10, 12, 64}).Draw(t, "w"), Bits: rapid.IntRange(16, 64).Draw(t, "bits"),
			Option: rapid.SampledFrom([]Option{OptionA, OptionB}).Draw(t, "option"),
			Punct:  rapid.Bool().Draw(t, "punct"),
			Seed:   rapid.Uint64().Draw(t, "seed"),
		})
		if err != nil {
			t.Fatal(err)
		}
		text := drawText(t)
		want := definedValues(s, text)
		var whole, located List
		s.Sketch(&whole, text)
		if d := cmp.Diff(want, []uint64(whole)); d != "" {
			t.Fatalf("whole: %s", d)
		}
		for v := range s.Locate(text) {
			located = append(located, v)
		}
		if !slices.Equal(whole, located) {
			t.Fatalf("whole %v, located %v", whole, located)
		}
	})
}

func TestShortDocuments(t *testing.T) {
	s := newShinglerT(t, Config{W: 10})
	for _, c := range []struct {
		text string
		n    int
	}{
		{"", 0}, {" ,.\n", 0}, {"\xff\xfe\x00", 0},
		{"one", 1}, {"one two three", 1},
		{"1 2 3 4 5 6 7 8 9 0", 1}, {"1 2 3 4 5 6 7 8 9 0 1", 2},
	} {
		if set := setOf(s, c.text); set.Len() != c.n {
			t.Errorf("%q: %d shingles, want %d", c.text, set.Len(), c.n)
		}
	}
	if o := setOf(s, "one two").Compare(setOf(s, "One, two!")); o.Both != 1 {
		t.Error("equal short documents differ")
	}
	for text, same := range map[string]bool{"A rose, is": true, "a Rose is": true, "a is rose": false, "a rose": false, "a rose is a": false} {
		s.Sketch(nil, []byte("a rose is"))
		digest := s.Digest()
		if s.Sketch(nil, []byte(text)); s.Digest() == digest != same {
			t.Errorf("the digest of %q: equal %t", text, !same)
		}
	}
	if o := setOf(s, "one two").Compare(setOf(s, "one two one")); o.Both != 0 {
		t.Error("different short documents are equal")
	}
}

func TestOneWordAMillionTimes(t *testing.T) {
	text := bytes.Repeat([]byte("rose "), 1e6)
	for _, c := range []struct {
		option Option
		want   int
	}{{OptionB, 1}, {OptionA, 1e6 - 9}} {
		s := newShinglerT(t, Config{Option: c.option})
		s.Sketch(new(Set), text)
		sinks := []Sketch{new(Set)}
		for _, k := range Kinds() {
			sinks = append(sinks, Sketcher{Kind: k}.New())
		}
		for _, sink := range sinks {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if n := s.Sketch(sink, text); n != 1e6-9 {
				t.Errorf("%d shingles", n)
			}
			runtime.ReadMemStats(&after)
			used := after.TotalAlloc - before.TotalAlloc
			if _, exact := sink.(*Set); exact && len(sink.Values()) != c.want {
				t.Errorf("option %d: %d distinct, want %d", c.option, len(sink.Values()), c.want)
			} else if !exact && used > 2<<20 {
				t.Errorf("option %d, %T: %d bytes allocated", c.option, sink, used)
			}
		}
		if len(s.labels.slots) > minSlots {
			t.Errorf("%d slots for one shingle", len(s.labels.slots))
		}
	}
}

func TestLabelTableShrinksAgain(t *testing.T) {
	s := newShinglerT(t, Config{Option: OptionA, W: 1})
	sink := Sketcher{}.New()
	var b strings.Builder
	for i := range 200000 {
		fmt.Fprintf(&b, "%d ", i)
	}
	s.Sketch(sink, []byte(b.String()))
	if len(s.labels.slots) < 200000 {
		t.Fatalf("%d slots", len(s.labels.slots))
	}
	s.Sketch(sink, []byte("a"))
	s.Sketch(sink, []byte("a"))
	if len(s.labels.slots) > minSlots {
		t.Errorf("%d slots are kept for a small document", len(s.labels.slots))
	}
}

func TestBinaryNoise(t *testing.T) {
	noise := make([]byte, 1<<20)
	state := uint64(5)
	for i := range noise {
		noise[i] = byte(nextRandom(&state))
	}
	s := newShinglerT(t, Config{Option: OptionA})
	sketch := Sketcher{}.New()
	n := s.Sketch(sketch, noise)
	if got := float64(len(sketch.Values())) * DefaultM / float64(n); got < 0.95 || got > 1.05 {
		t.Errorf("%d samples of %d shingles", len(sketch.Values()), n)
	}
	long := bytes.Repeat([]byte("x"), 1<<20) // one word
	if got := setOf(newShinglerT(t, Config{}), string(long)).Len(); got != 1 {
		t.Errorf("%d distinct shingles of one endless word", got)
	}
}

// Chinese text without spaces: a change of one character costs w shingles.
func TestScriptsWithoutSpaces(t *testing.T) {
	s := newShinglerT(t, Config{W: 4})
	a := setOf(s, "从前有一座山山上有一座庙庙里有一个老和尚在给小和尚讲故事")
	b := setOf(s, "从前有一座山,山上有一座庙。庙里有一个老和尚在给小沙尚讲故事")
	o := a.Compare(b)
	if o.A != 25 || o.Both != 21 {
		t.Errorf("%+v", o)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []Config{{W: -1}, {W: 65}, {Bits: 15}, {Bits: 65}, {Option: 2}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func TestFeatures(t *testing.T) {
	s := newShinglerT(t, Config{})
	var a, b Set
	if n := s.FromFeatures(&a, "red", "round", "red", "1"); n != 4 || a.Len() != 3 {
		t.Errorf("%d features, %d distinct", n, a.Len())
	}
	s.FromFeatures(&b, "red", "2.5", "0")
	if o := a.Compare(&b); o != (Overlap{A: 3, B: 3, Both: 1}) {
		t.Errorf("%+v", o)
	}
	for _, v := range a.Values() {
		if v >= 1<<DefaultBits {
			t.Errorf("value %#x is wider than the fingerprints", v)
		}
	}
	labelled := newShinglerT(t, Config{Option: OptionA})
	var c Set
	if labelled.FromFeatures(&c, "red", "red"); c.Len() != 2 {
		t.Errorf("option A: %d features, want 2", c.Len())
	}
}

func TestSketchingDoesNotAllocate(t *testing.T) {
	text := prose(1 << 14)
	for _, c := range []Config{{}, {Option: OptionA}, {Punct: true}} {
		s := newShinglerT(t, c)
		mod, set := Sketcher{}.New(), new(Set)
		run := func() {
			mod.Reset()
			set.Reset()
			s.Sketch(mod, text)
			s.Sketch(set, text)
		}
		run()
		if n := testing.AllocsPerRun(10, run); n != 0 {
			t.Errorf("%+v: %v allocations a document", c, n)
		}
	}
}
