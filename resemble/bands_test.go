package resemble

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
	"pgregory.net/rapid"
)

// signedTexts are documents with their signatures. Their sets are made when they are asked for.
type signedTexts struct {
	Collection // of none but the number
	texts      [][]byte
	signatures []byte
	sizes      []int
}

func (s *signedTexts) add(t interface{ Fatal(...any) }, text []byte) {
	scanner, err := shingles.NewScanner(3)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := shingles.NewSigner(64)
	if err != nil {
		t.Fatal(err)
	}
	s.sizes = append(s.sizes, scanner.Scan(signer, text).Words)
	s.texts, s.signatures, s.Collection = append(s.texts, text), signer.AppendSignature(s.signatures), append(s.Collection, Document{})
}

// AppendValues scans a text.
func (s *signedTexts) AppendValues(dst []uint64, id uint32) []uint64 {
	scanner, _ := shingles.NewScanner(3)
	var set shingles.Set
	scanner.Scan(&set, s.texts[id])
	return append(dst, set.Values()...)
}

// candidates returns the candidates, in the order in which they are emitted.
func (s *signedTexts) candidates(t interface{ Fatal(...any) }, c BandConfig) (pairs []ids, stats BandStats) {
	stats, err := Candidates(background, s.signatures, func(id uint32) int { return s.sizes[id] }, c, func(a, b uint32) error {
		pairs = append(pairs, ids{a, b})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs, stats
}

// family appends a text and copies of it, each with a number of words replaced.
func (s *signedTexts) family(t interface{ Fatal(...any) }, r *rand.Rand, words int, replaced ...int) {
	text := make([]string, words)
	for i := range text {
		text[i] = fmt.Sprint(r.Uint32())
	}
	for _, n := range append([]int{0}, replaced...) {
		edited := slices.Clone(text)
		for range n {
			edited[r.IntN(words)] = fmt.Sprint(r.Uint32())
		}
		s.add(t, []byte(fmt.Sprint(edited)))
	}
}

// Nearly all similar pairs are found, once each, in the same order by any number of workers.
func TestCandidates(t *testing.T) {
	var s signedTexts
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s.family(t, r, 40+r.IntN(400), 0, 1, 2, 5)
	}
	pairs, stats := s.candidates(t, BandConfig{Resources: Resources{Workers: 1}})
	if again, _ := s.candidates(t, BandConfig{Resources: Resources{Workers: 8}}); !slices.Equal(pairs, again) {
		t.Error("other candidates with more workers")
	}
	found := map[ids]bool{}
	for _, p := range pairs {
		found[p] = true
	}
	if len(found) != len(pairs) || uint64(len(pairs)) != stats.Candidates {
		t.Errorf("%d candidates, %d different; %+v", len(pairs), len(found), stats)
	}
	want, missed := 0, 0
	for a := range uint32(len(s.texts)) {
		for b := a + 1; b < a/5*5+5; b++ {
			if Compare(&s, nil, a, b).Resemblance() >= 0.7 {
				want++
				missed += sets.One(!found[ids{a, b}])
			}
		}
	}
	if want < 2000 || missed*500 > want {
		t.Errorf("%d of %d pairs missed", missed, want)
	}
}

// Copies of one template: each is compared with the first ones only, and a pair that another band shows is not lost.
func TestCandidatesOfTemplate(t *testing.T) {
	var s signedTexts
	r := rand.New(rand.NewPCG(3, 4))
	var template []byte
	for range 300 {
		template = fmt.Appendf(template, "%d ", r.Uint32())
	}
	for i := range 2000 {
		s.add(t, fmt.Appendf(slices.Clone(template), "%d %d", i, i/2))
	}
	pairs, stats := s.candidates(t, BandConfig{Reach: 4})
	if len(pairs) < 2000 || len(pairs) > 4*16*2000 || stats.Limited == 0 {
		t.Errorf("%d candidates; %+v", len(pairs), stats)
	}
	seen := map[ids]bool{}
	for _, p := range pairs {
		if seen[p] || p.a >= p.b {
			t.Fatalf("%+v twice or in the wrong order", p)
		}
		seen[p] = true
	}
}

// Without a bound, the candidates are exactly the pairs with an equal band and enough equal bytes.
func TestCandidatesEqualDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bins := 4 * rapid.IntRange(1, 32).Draw(t, "bands")
		s := signedTexts{signatures: rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1}), 0, 30*bins).Draw(t, "signatures")}
		for range len(s.signatures) / bins {
			s.sizes = append(s.sizes, rapid.IntRange(0, 3).Draw(t, "size"))
		}
		got, _ := s.candidates(t, BandConfig{Bins: bins, Reach: 100})
		want := map[ids]bool{}
		for b := range s.sizes {
			for a := range b {
				if x, y := s.signatures[a*bins:], s.signatures[b*bins:]; s.sizes[a] > 0 && s.sizes[b] > 0 && shareBand(x[:bins], y[:bins]) {
					want[ids{uint32(a), uint32(b)}] = true
				}
			}
		}
		for _, p := range got {
			if !want[p] {
				t.Fatalf("%+v is no candidate, or emitted twice", p)
			}
			delete(want, p)
		}
		if len(want) > 0 {
			t.Fatalf("missed %v", want)
		}
	})
}

func shareBand(x, y []byte) bool {
	for i := 0; i < len(x); i += bandRows {
		if bytes.Equal(x[i:i+bandRows], y[i:i+bandRows]) {
			return true
		}
	}
	return false
}

func TestBandConfig(t *testing.T) {
	for _, c := range []BandConfig{{Bins: 6}, {Bins: 132}, {Floor: 2}, {Miss: 1}, {Reach: -1}} {
		if _, err := Candidates(t.Context(), nil, nil, c, nil); err == nil {
			t.Errorf("no error for %+v", c)
		}
	}
}
