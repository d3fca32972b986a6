package resemble

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/shingles"
	"github.com/zeebo/xxh3"
)

// edited returns n paragraphs of the given number of words from random pages of a folder, as documents of w-shingles:
// each as it is, and after it a copy in which some words are replaced by others of the folder.
func edited(t testing.TB, folder string, words, n, w int, change func(r *rand.Rand, i int) bool) (docs Collection) {
	s, err := shingles.New(shingles.Config{W: w})
	if err != nil {
		t.Fatal(err)
	}
	pages := realPages(t, folder)
	r := rand.New(rand.NewPCG(11, uint64(words)))
	add := func(text [][]byte) {
		var set shingles.Set
		joined := bytes.Join(text, []byte(" "))
		s.Sketch(&set, joined)
		digest := xxh3.Hash(joined)
		docs = append(docs, Document{slices.Clone(set.Values()), digest, digest, uint32(len(docs))})
	}
	for len(docs) < 2*n {
		of := spoken(pages[r.IntN(len(pages))].text)
		if len(of) < words {
			continue
		}
		at := r.IntN(len(of) - words + 1)
		text := slices.Clone(of[at : at+words])
		add(text)
		for i := range text {
			if change(r, i) {
				text[i] = of[r.IntN(len(of))]
			}
		}
		add(text)
	}
	return docs
}

// TestLongEditedTexts measures which short texts are found again after an edit, with shingles of several widths: the table
// of lab/quality.md, with -v. Other pairs are of paragraphs that have no five words in a row in common.
func TestLongEditedTexts(t *testing.T) {
	edits := []struct {
		name   string
		change func(r *rand.Rand, i int) bool
	}{
		{"three words", func(_ *rand.Rand, i int) bool { return i == 5 || i == 11 || i == 17 }},
		{"each word with probability 1/20", func(r *rand.Rand, _ int) bool { return r.IntN(20) == 0 }},
		{"every 8th word", func(_ *rand.Rand, i int) bool { return i%8 == 4 }},
	}
	const n = 300
	for _, words := range []int{20, 50, 100, 200} {
		for _, e := range edits {
			by5 := edited(t, "neardup-manuals", words, n, 5, e.change)
			for _, w := range []int{10, 5, 3, 2} {
				p := prepare(t, edited(t, "neardup-manuals", words, n, w, e.change), false)
				at5, other5 := p.again(t, by5, Config{})
				at3, other3 := p.again(t, by5, Config{Floor: 0.3})
				t.Logf("| %d | %s | %d | %.3f, %d | %.3f, %d |", words, e.name, w, at5, other5, at3, other3)
				if all, _ := p.again(t, by5, Config{M: 1}); all != at5 {
					t.Errorf("%d words, %s: %g found with modulus 25, %g with 1", words, e.name, at5, all)
				}
				if w == 3 && words >= 50 && (at3 < 0.97 || other3 > n/10) {
					t.Errorf("%d words, %s: %g found at 0.3, %d other pairs", words, e.name, at3, other3)
				}
			}
		}
	}
}

// again is the share of paragraphs that are found with their copies, and the number of other pairs.
func (p prepared) again(t *testing.T, by5 Collection, c Config) (share float64, other int) {
	found, _ := p.pairs(t, c)
	right, n := 0, p.docs.Len()/2
	for i := range n {
		right += toInt(p.equal.Relation(uint32(2*i+1)) != Alone)
	}
	for _, f := range found {
		if f.A/2 == f.B/2 {
			right++
		} else {
			other += toInt(overlap(by5[f.A].Values, by5[f.B].Values).Both == 0)
		}
	}
	return float64(right) / float64(n), other
}
