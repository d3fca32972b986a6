package texts

import (
	"math"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/resemble"
)

// Certainty describes how probable it is that a search finds a page. The search finds a page by its shingles in the
// index: all shingles of a short page, and the multiples of the modulus of a long page. If the modulus is 1, it finds
// every page that shares a shingle with the document.
type Certainty struct {
	Shingles   int    // distinct shingles of the document
	LookedUp   int    // how many of them can find a long page
	Modulus    uint64 // the index contains one in Modulus shingles of a long page
	Candidates int    // pages that share a shingle of the index with the document
	Compared   int    // candidates compared exactly: those that seem to share most
	Unindexed  bool   // the run has no index: every page was looked through
	Stripped   int    // pages that would be listed if they were compared with the boilerplate of their hosts
	LeftOut    int    // the most shingles of the document that are boilerplate of such a page

	// Sketches describes the sketches of a run that keeps sketches. The index then contains every sample of every
	// page; Shingles and LookedUp count the samples of the document.
	Sketches string
}

// certainty describes a search for a document that found the given number of pages.
func certainty(r *runs.Run, document []uint64, pages int) Certainty {
	s := Certainty{
		Shingles: len(document), Modulus: indexModulus(r), Candidates: pages, Compared: min(pages, maxHits),
		Unindexed: r.Posts == nil, Sketches: runs.Sketches(r),
	}
	for _, v := range document {
		if v%s.Modulus == 0 {
			s.LookedUp++
		}
	}
	return s
}

// indexModulus returns the modulus of the index, or 1 without an index: all pages are compared.
func indexModulus(r *runs.Run) uint64 {
	if r.Posts == nil {
		return 1
	}
	return r.Posts.Modulus()
}

// Exact reports whether the document was compared, by its whole text, with every page that shares a shingle with it.
func (c Certainty) Exact() bool {
	return c.Modulus == 1 && c.Compared == c.Candidates && c.Stripped == 0
}

// Probability returns the probability, over the choice of the sample, that the candidates include a long page with at
// least this share of the shingles of the document. They always include such a short page.
func (c Certainty) Probability(share float64) float64 {
	return resemble.AtLeastOne(c.Shingles, int(math.Ceil(share*float64(c.Shingles)-1e-9)), c.LookedUp)
}

// DuplicateProbability returns a lower bound on the probability that [Duplicates] lists a page whose resemblance
// to a document is Config.Resemblance. It assumes that the shingles that the two share are a random choice of those
// of the document. The run compares only samples of long pages, and pairs the pages of frequent shingles
// in part. The bound counts only samples of which all pages were certainly paired: in a run that paired some in part,
// these must be in the index with all their pages.
//
// The assumption fails if the shared shingles belong to a text that many pages repeat. The run may have paired
// the pages of all of them in part, and then Duplicates does not list the page.
func DuplicateProbability(r *runs.Run, id uint32) (float64, error) {
	page, err := r.PageOf(id)
	if err == nil {
		err = runs.NeedShingles(r, "the probability with which a page is found")
	}
	if err != nil {
		return 0, err
	}
	own, _ := r.Boilerplate.Own(nil, r.Pages.Host(page), r.Pages.Values(page))
	c := resemble.Config{M: r.Config.Modulus, Floor: r.Config.Resemblance, MaxCommon: r.Config.MaxCommon}
	return c.Chance(own, r.Config.Resemblance, certainlyCompared(r, c))
}

// certainlyCompared returns a function that reports whether the run certainly compared all pages with a shingle.
func certainlyCompared(r *runs.Run, c resemble.Config) func(value uint64) bool {
	stage, ok := r.Manifest.Stage("resemble")
	inPart := !ok || stage.Counts["frequent_shingles_paired_in_part"] > 0
	if !inPart {
		return func(uint64) bool { return true }
	}
	if r.Posts == nil {
		return func(uint64) bool { return false }
	}
	most, m := c.PairedUpTo(inPart), indexModulus(r)
	var buffer []uint32
	return func(v uint64) bool {
		if v%m != 0 { // the index lacks the long pages with this shingle
			return false
		}
		buffer = r.Posts.Pages(buffer[:0], v)
		return len(buffer) <= most
	}
}
