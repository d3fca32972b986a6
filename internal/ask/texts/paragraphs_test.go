package texts

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unicode"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/shingles"
)

// TestParagraphs looks up paragraphs that were cut at random from the pages of the sample.
func TestParagraphs(t *testing.T) {
	findParagraphs(t, "sample", runtest.Opened(t, runtest.Syntactic(t, nil), runtest.SamplePages(t, 200)), 100, map[int]float64{20: 0.97, 50: 0.98, 100: 0.98})
}

// findParagraphs measures how many of n paragraphs of each length, cut at random from the pages of a run, a query
// finds in their page.
func findParagraphs(t *testing.T, name string, r *runs.Run, n int, floor map[int]float64) {
	t.Helper()
	texts := visibleTexts(t, r)
	for _, words := range []int{20, 50, 100} {
		found, certain := lookUp(t, r, cut(texts, words, n))
		recall := float64(found) / float64(n)
		t.Logf("| %s | %d words | %.3f | %.3f |", name, words, recall, certain/float64(n))
		if recall < floor[words] {
			t.Errorf("%d words: %d of %d paragraphs found", words, found, n)
		}
	}
}

// pageText is a page of the run with its words.
type pageText struct {
	id    uint32
	words [][]byte
}

// visibleTexts reads the texts of a run again.
func visibleTexts(t testing.TB, r *runs.Run) (texts []pageText) {
	t.Helper()
	err := r.EachPage(t.Context(), func(id uint32, p *crawl.Page) error {
		text, err := runs.VisibleText(r, p)
		texts = append(texts, pageText{id, spokenWords(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// spokenWords returns the words that have a letter or a digit, which excludes the dots of a table of contents.
func spokenWords(text []byte) [][]byte {
	return slices.DeleteFunc(bytes.Fields(slices.Clone(text)), func(w []byte) bool {
		return !bytes.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

// paragraph is some consecutive words of a page.
type paragraph struct {
	id   uint32
	text []byte
}

// cut cuts n paragraphs at random places from random pages that are long enough.
func cut(texts []pageText, words, n int) (out []paragraph) {
	r := rand.New(rand.NewPCG(7, uint64(words)))
	for len(out) < n {
		p := texts[r.IntN(len(texts))]
		if len(p.words) < words {
			continue
		}
		at := r.IntN(len(p.words) - words + 1)
		out = append(out, paragraph{p.id, bytes.Join(p.words[at:at+words], []byte(" "))})
	}
	return out
}

// lookUp counts the paragraphs for which query finds their page.
func lookUp(t *testing.T, r *runs.Run, list []paragraph) (found int, certain float64) {
	t.Helper()
	shingler, err := Shingler(r)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for _, p := range list {
		set := shingles.NewSet()
		shingler.Sketch(set, p.text)
		if slices.ContainsFunc(similar(t, r, set, 0.2), func(d Holder) bool { return d.figures.ID == p.id }) {
			found++
		}
		certain += certaintyOf(t, r, set).Probability(1)
	}
	t.Logf("%.2f ms a query", time.Since(start).Seconds()*1e3/float64(len(list)))
	return found, certain
}
