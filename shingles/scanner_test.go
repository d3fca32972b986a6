package shingles

import (
	"encoding/json"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slowScan is the definition of what a Scanner finds.
func slowScan(text []byte, w int, punct bool) (values []uint64, found Scanned) {
	hashes := slowHashes(text, punct)
	found.Words = len(hashes)
	for _, h := range hashes {
		found.Digest = (bits.RotateLeft64(found.Digest, 5) ^ h) * digestFactor
	}
	for i := min(w, len(hashes)); i > 0 && i <= len(hashes); i++ {
		sum := uint64(0)
		for _, h := range hashes[max(0, i-w):i] {
			sum = bits.RotateLeft64(sum, 1) ^ h
		}
		v := sum * shingleFactor
		values = append(values, v)
		found.Sum += (v ^ v>>32) * sumFactor
	}
	return values, found
}

// checkScan compares a Scanner with its definition, on a text and on the same as a JSON string.
func checkScan(t interface{ Fatalf(string, ...any) }, s *Scanner, text []byte) {
	var got List
	want, wantFound := slowScan(text, s.w, false)
	if found := s.Scan(&got, text); found != wantFound || !slices.Equal(got, want) {
		t.Fatalf("Scan(%q) by %d: %x %v, want %x %v", text, s.w, got, found, want, wantFound)
	}
	raw, err := json.Marshal(string(text))
	if err != nil {
		t.Fatalf("%v", err)
	}
	got = got[:0]
	raw = raw[1 : len(raw)-1]
	if found := s.ScanJSON(&got, raw); found != wantFound || !slices.Equal(got, want) {
		t.Fatalf("ScanJSON(%q) by %d: %x %v, want %x %v", raw, s.w, got, found, want, wantFound)
	}
}

func newScanner(t interface{ Fatalf(string, ...any) }, w int) *Scanner {
	s, err := NewScanner(w)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

func TestScannerEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScanner(t, rapid.SampledFrom([]int{1, 2, 5, 10, 63, 64}).Draw(t, "w"))
		for range 2 { // the second text finds what the first one left behind
			text := drawText(t)
			if rapid.Bool().Draw(t, "noise") {
				text = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
			}
			checkScan(t, s, text)
		}
	})
}

func FuzzScanner(f *testing.F) {
	for _, text := range []string{"", "A rose is a rose", "naïve “quotes” – e\u0301", "我爱 Go1语言。x", strings.Repeat("x", 70) + "\u2019s", "\xff\xc3a"} {
		f.Add([]byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, w int) {
		checkScan(t, newScanner(t, 1+(w&63)), text)
	})
}

// Words, separators and runes of every kind at every place of a block, and long words.
func TestScannerBlocks(t *testing.T) {
	s := newScanner(t, 3)
	for _, part := range []string{"a", "Rose is. ", "’", "don’t ", "naïve ", "é", "我", "“x” ", "\u00ad", "a\u0301", "\xff", "\U0001D400 ", "x\u2014y", "\\ \"\n"} {
		for shift := range 66 {
			checkScan(t, s, []byte(strings.Repeat("x", shift)+part+strings.Repeat(" y", shift%3)))
			checkScan(t, s, []byte(strings.Repeat(" ", shift)+strings.Repeat(part, 40)))
		}
		checkScan(t, s, []byte(strings.Repeat(part, 3*canonicalPiece/len(part))))
	}
	checkScan(t, s, mixedProse(100<<10))
	checkScan(t, s, prose(100<<10))
}

// AppendUnescaped finds what the standard library finds.
func TestUnescaped(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "漢", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u0000`, `\u00e9`, `\ud83d`, `\ude00`, `\uD83D\uDE00`, `\uDE00`, "u0041", "xude00", "💡"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		var want string
		if err := json.Unmarshal([]byte(`"`+s+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got, valid := AppendUnescaped([]byte("before"), []byte(s)); string(got) != "before"+want || !valid {
			t.Errorf("AppendUnescaped(%q) = %q, %v, want %q", s, got, valid, want)
		}
	})
	for raw, want := range map[string]string{`\u00`: "u00", `\u+123`: "u+123", `\x`: "x", `a\`: "a"} {
		if got, valid := AppendUnescaped(nil, []byte(raw)); string(got) != want || valid {
			t.Errorf("%s: %q, %v, want %q", raw, got, valid, want)
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	texts := map[string][]byte{"ascii": prose(1 << 20), "mixed": mixedProse(1 << 20), "ascii-4KiB": prose(1 << 12)}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			s := newScanner(b, 5)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s.Scan(nil, text)
			}
		})
	}
}
