package resemble

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"github.com/lshclust/lshclust/shingles"
	"github.com/zeebo/xxh3"
)

// withParagraphs returns the pages of a folder and, on a separate host, n paragraphs of the given number of words from
// random places of them. Each second one comes twice: the second time its last tenth is cut off.
func withParagraphs(t testing.TB, folder string, words, n int) (docs Collection, first int) {
	s, err := shingles.New(shingles.Config{W: 10})
	if err != nil {
		t.Fatal(err)
	}
	pages := realPages(t, folder)
	docs = slices.Clone(realDocuments(t, folder, 10))
	first = len(docs)
	r := rand.New(rand.NewPCG(7, uint64(words)))
	add := func(text []byte) {
		var set shingles.Set
		s.Sketch(&set, text)
		digest := xxh3.Hash(text)
		docs = append(docs, Document{slices.Clone(set.Values()), digest, digest, 1 << 20})
	}
	for i := 0; i < n; i++ {
		of := spoken(pages[r.IntN(len(pages))].text)
		if len(of) < words {
			i--
			continue
		}
		at := r.IntN(len(of) - words + 1)
		add(bytes.Join(of[at:at+words], []byte(" ")))
		if i%2 == 0 {
			add(bytes.Join(of[at:at+words*9/10], []byte(" ")))
		}
	}
	return docs, first
}

// spoken are the words of a text that have a letter or a digit.
func spoken(text []byte) [][]byte {
	return slices.DeleteFunc(bytes.Fields(slices.Clone(text)), func(w []byte) bool {
		return !bytes.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// TestLongShortPages measures by brute force which pairs of short pages are found, with one another and with the long pages
// that contain them. docs/quality.md has the result.
func TestLongShortPages(t *testing.T) {
	for _, folder := range []string{"neardup-rfc", "neardup-manuals"} {
		for _, words := range []int{20, 50, 100} {
			t.Run(fmt.Sprintf("%s/%d", folder, words), func(t *testing.T) {
				docs, first := withParagraphs(t, folder, words, 400)
				p := prepare(t, docs, true)
				found, stats := p.pairs(t, Config{})
				known := map[ids]bool{}
				for _, f := range found {
					known[ids{f.A, f.B}] = true
				}
				var short, across score
				for _, x := range p.exact(t, Config{}) {
					if int(x.B) < first || min(x.Exact.A, x.Exact.B) < 4 {
						continue
					}
					s := &across
					if int(x.A) >= first {
						s = &short
					}
					s.truth++
					s.right += toInt(known[ids{x.A, x.B}])
				}
				t.Logf("| %s | %d words | %d | %.3f | %d | %.3f |", folder, words, short.truth, short.recall(), across.truth, across.recall())
				t.Logf("%d sampled shingles, %d pairs compared", stats.SelfJoin.Records, stats.Compared)
				if short.recall() < 0.99 || across.recall() < 0.99 || short.truth < 100 || across.truth < 300 {
					t.Errorf("among short pages %v\nwith long pages %v", short, across)
				}
			})
		}
	}
}
