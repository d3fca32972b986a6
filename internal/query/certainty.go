package query

import (
	"math"

	"github.com/lshclust/lshclust/resemble"
)

// Certainty holds the probability that a search finds a page. It finds a page only by the shingles that are in the
// index: all shingles of a short page, and those of a long page that are multiples of the modulus of the index. If the
// modulus is 1, the search finds every page that shares a shingle with the document.
type Certainty struct {
	Shingles   int    // distinct shingles of the document
	LookedUp   int    // of these, those that can find a long page
	Modulus    uint64 // of the index, which holds one in Modulus shingles of a long page
	Candidates int    // pages that share a shingle of the index
	Compared   int    // of these, those that were compared exactly, because they seem to share most

	// Sketches describes the sketches of a run that keeps sketches. The index then holds every sample of every page,
	// and Shingles and LookedUp count the samples of the document.
	Sketches string
}

// certainty tells how likely the pages that share shingles of the index with a document hold a page.
func (r *Run) certainty(document []uint64, pages int) Certainty {
	s := Certainty{Shingles: len(document), Modulus: r.indexModulus(), Candidates: pages, Compared: min(pages, maxHits), Sketches: r.Sketches()}
	for _, v := range document {
		if v%s.Modulus == 0 {
			s.LookedUp++
		}
	}
	return s
}

// indexModulus returns the modulus of the index. A file of sketches has no index; all its sketches are compared.
func (r *Run) indexModulus() uint64 {
	if r.posts == nil {
		return 1
	}
	return r.posts.Modulus()
}

// Exact reports whether every page that shares a shingle with the document was compared with it.
func (c Certainty) Exact() bool { return c.Modulus == 1 && c.Compared == c.Candidates }

// Probability returns the probability, over the choice of the sample, that a long page with at least this share of the
// shingles of the document is among the candidates. A short page always is.
func (c Certainty) Probability(share float64) float64 {
	return resemble.AtLeastOne(c.Shingles, int(math.Ceil(share*float64(c.Shingles)-1e-9)), c.LookedUp)
}

// DuplicateProbability returns a lower bound of the probability that [Run.Duplicates] lists a page whose resemblance to
// a document is Config.Resemblance. It assumes that the shingles that the two share are a random choice of those of the
// document. The run compared only samples of long pages, and ignored shingles that are in more than Config.MaxCommon
// pages. The bound counts a sample only if it was certainly not ignored: in a run that ignored some, only if the index
// holds all pages of the sample.
//
// Shared shingles are not a random choice if they are a text that many pages repeat. All shingles of such a text may
// have been ignored, and then Duplicates does not list the page.
func (r *Run) DuplicateProbability(id uint32) (float64, error) {
	page, err := r.page(id)
	if err == nil {
		err = r.NeedShingles("the probability with which a page is found")
	}
	if err != nil {
		return 0, err
	}
	own, _ := r.strip.Own(nil, r.pages.Host(page), r.pages.Values(page))
	c := resemble.Config{M: r.Config.Modulus, Floor: r.Config.Resemblance, MaxCommon: r.Config.MaxCommon}
	return c.Chance(own, r.Config.Resemblance, r.paired(c))
}

// paired returns a function that reports whether a shingle certainly made pairs of all its pages.
func (r *Run) paired(c resemble.Config) func(value uint64) bool {
	stage, ok := r.Manifest.Stage("resemble")
	inPart := !ok || stage.Counts["frequent_shingles_paired_in_part"] > 0
	if !inPart && stage.Dropped["shingles-in-too-many-pages"] == 0 && stage.Counts["shingles_of_short_pages_in_too_many_long_ones"] == 0 {
		return func(uint64) bool { return true }
	}
	most, m := c.PairedUpTo(inPart), r.indexModulus()
	var buffer []uint32
	return func(v uint64) bool {
		if v%m != 0 { // the index does not hold its long pages
			return false
		}
		buffer = r.posts.Pages(buffer[:0], v)
		return len(buffer) <= most
	}
}
