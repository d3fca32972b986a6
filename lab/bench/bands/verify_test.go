package bands

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

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
func (s *signedTexts) candidates(t interface{ Fatal(...any) }, c resemble.BandConfig) (pairs []ids) {
	_, err := resemble.Candidates(context.Background(), s.signatures, s.size, c, func(a, b uint32) error {
		pairs = append(pairs, ids{a, b})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs
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

// The candidates that are similar are emitted with exact figures, and the same ones with little memory.
func TestVerify(t *testing.T) {
	var s signedTexts
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s.family(t, r, 40+r.IntN(400), 0, 1, 2, 5)
	}
	pairs := s.candidates(t, resemble.BandConfig{})
	found, _ := s.verified(t, pairs, VerifyConfig{Resources: resemble.Resources{Workers: 8}})
	scanner, _ := newScan(t)
	set := func(id uint32) *shingles.Set {
		var set shingles.Set
		scanner.Scan(&set, s.texts[id])
		return &set
	}
	for _, p := range found {
		if want := set(p.A).Compare(set(p.B)); p.Exact != want {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
	if len(found) < 2000 {
		t.Errorf("%d pairs", len(found))
	}
	few, small := s.verified(t, pairs, VerifyConfig{Resources: resemble.Resources{Workers: 3, Memory: 1 << 18}})
	if !slices.Equal(few, found) || small.Sets <= uint64(len(s.texts)) {
		t.Errorf("%d pairs with little memory, want %d; %+v", len(few), len(found), small)
	}
}

// ids are the numbers of two documents.
type ids struct{ a, b uint32 }
