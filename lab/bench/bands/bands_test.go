package bands

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// signedTexts are documents with their signatures.
type signedTexts struct {
	texts      [][]byte
	signatures []byte
	sizes      []int
}

func (s *signedTexts) add(t interface{ Fatal(...any) }, text []byte) {
	scanner, signer := newScan(t)
	found := scanner.Scan(signer, text)
	s.texts = append(s.texts, text)
	s.signatures = signer.AppendSignature(s.signatures)
	s.sizes = append(s.sizes, found.Words)
}

func newScan(t interface{ Fatal(...any) }) (*shingles.Scanner, *shingles.Signer) {
	scanner, err := shingles.NewScanner(3)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := shingles.NewSigner(64)
	if err != nil {
		t.Fatal(err)
	}
	return scanner, signer
}

func (s *signedTexts) size(id uint32) int { return s.sizes[id] }

// candidates returns the candidates, in the order in which they are emitted.
func (s *signedTexts) candidates(t interface{ Fatal(...any) }, c Config) (pairs []ids, stats Stats) {
	c.Workers, c.Memory = max(1, c.Workers), 1<<28
	stats, err := Candidates(context.Background(), s.signatures, s.size, c, func(a, b uint32) error {
		pairs = append(pairs, ids{a, b})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs, stats
}

// verified returns the pairs that Verify emits.
func (s *signedTexts) verified(t interface{ Fatal(...any) }, pairs []ids, c VerifyConfig) (found []resemble.Pair, stats VerifyStats) {
	scanners := make([]*shingles.Scanner, 8)
	for i := range scanners {
		scanners[i], _ = newScan(t)
	}
	fetch := func(worker int, id uint32, set *shingles.Set) error {
		scanners[worker].Scan(set, s.texts[id])
		return nil
	}
	c.Workers, c.Memory = max(1, c.Workers), cmp.Or(c.Memory, 1<<28)
	stats, err := Verify(context.Background(), all(pairs), Texts{s.size, fetch}, c, func(p resemble.Pair) error {
		found = append(found, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, stats
}

func all(pairs []ids) iter.Seq2[uint32, uint32] {
	return func(yield func(a, b uint32) bool) {
		for _, p := range pairs {
			if !yield(p.a, p.b) {
				return
			}
		}
	}
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

// Nearly all similar pairs are found, once each, and their figures are exact. The same candidates are found in the same
// order by any number of workers, and the same pairs are verified with little memory.
func TestCandidates(t *testing.T) {
	var s signedTexts
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s.family(t, r, 40+r.IntN(400), 0, 1, 2, 5)
	}
	pairs, stats := s.candidates(t, Config{Resources: resemble.Resources{Workers: 1}})
	again, _ := s.candidates(t, Config{Resources: resemble.Resources{Workers: 8}})
	if !slices.Equal(pairs, again) {
		t.Error("other candidates with more workers")
	}
	var every []ids
	for a := range uint32(len(s.texts)) {
		for b := a + 1; b < a/5*5+5; b++ {
			every = append(every, ids{a, b})
		}
	}
	want, _ := s.verified(t, every, VerifyConfig{})
	found, _ := s.verified(t, pairs, VerifyConfig{Resources: resemble.Resources{Workers: 8}})
	have := map[ids]resemble.Pair{}
	for _, p := range found {
		have[ids{p.A, p.B}] = p
	}
	if len(have) != len(found) || uint64(len(pairs)) != stats.Candidates {
		t.Errorf("%d pairs, %d different; %+v", len(found), len(have), stats)
	}
	missed := 0
	for _, p := range want {
		if got, ok := have[ids{p.A, p.B}]; !ok {
			missed++
		} else if got != p {
			t.Errorf("%+v, want %+v", got, p)
		}
	}
	if len(want) < 2000 || missed*500 > len(want) {
		t.Errorf("%d of %d pairs missed", missed, len(want))
	}
	few, small := s.verified(t, pairs, VerifyConfig{Resources: resemble.Resources{Workers: 3, Memory: 1 << 18}})
	if !slices.Equal(few, found) || small.Sets <= uint64(len(s.texts)) {
		t.Errorf("%d pairs with little memory, want %d; %+v", len(few), len(found), small)
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
	pairs, stats := s.candidates(t, Config{Reach: 4})
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
		got, _ := s.candidates(t, Config{Bins: bins, Reach: 100})
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

func TestConfig(t *testing.T) {
	for _, c := range []Config{{Bins: 6}, {Bins: 132}, {Floor: 2}, {Miss: 1}, {Reach: -1}} {
		if _, err := Candidates(t.Context(), nil, nil, c, nil); err == nil {
			t.Errorf("no error for %+v", c)
		}
	}
}
