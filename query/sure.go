package query

import (
	"math"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Sure says how sure it is that Query finds a page. A page can be found only by its shingles that are in the index: all
// of a short page, and of a long page those that the modulus of the index divides. If the modulus is 1, every page that
// shares a shingle with the document is found.
type Sure struct {
	Shingles   int    `json:"shingles"`   // distinct shingles of the document
	LookedUp   int    `json:"looked_up"`  // of these, those by which a long page is found
	Modulus    uint64 `json:"modulus"`    // of the index: of long pages, one shingle in so many is in it
	Candidates int    `json:"candidates"` // pages that share a shingle that is in the index
	Compared   int    `json:"compared"`   // of these, those that share most: they were compared exactly

	// Sketches describes the sketches of a run that keeps those. The index then holds every sample of every page, and
	// Shingles and LookedUp count the samples of the document.
	Sketches string `json:"sketches,omitempty"`
}

// Sure returns how sure it is that Compare finds a page.
func (c *Candidates) Sure() Sure {
	s := Sure{Shingles: len(c.document.Values), Modulus: c.run.posts.Modulus(), Candidates: len(c.pages), Compared: len(c.compared()), Sketches: c.run.Sketches()}
	for _, v := range c.document.Values {
		if v%s.Modulus == 0 {
			s.LookedUp++
		}
	}
	return s
}

// Exact tells whether every page that shares a shingle with the document was compared with it.
func (s Sure) Exact() bool { return s.Modulus == 1 && s.Compared == s.Candidates }

// Probability is the probability, over the choice of the sample, that a page is among the candidates that has this
// share of the document's shingles, or more. It is that of a long page: a short one is always found.
func (s Sure) Probability(share float64) float64 {
	return resemble.AtLeastOne(s.Shingles, int(math.Ceil(share*float64(s.Shingles)-1e-9)), s.LookedUp)
}

// SureOfDuplicates is a lower bound of the probability with which a page that resembles a document as the run asks is
// among its Duplicates, if the shingles that the two share are a random choice of the document's. Of a long page only
// samples are compared, and a shingle that is in more than Config.MaxCommon pages is ignored. A sample counts only if it
// is certain that it was not ignored: in a run that ignored some, only if the index holds all its pages.
//
// Shared shingles are no random choice if they are a text that many pages repeat: that text may consist of shingles that
// were ignored, and the page is then not listed.
func (r *Run) SureOfDuplicates(id uint32) (float64, error) {
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

// paired returns a function that tells whether it is certain that all pages of a shingle were paired by it.
func (r *Run) paired(c resemble.Config) func(value uint64) bool {
	stage, ok := r.Manifest.Stage("resemble")
	inPart := !ok || stage.Counts["frequent_shingles_paired_in_part"] > 0
	if !inPart && stage.Dropped["shingles-in-too-many-pages"] == 0 && stage.Counts["shingles_of_short_pages_in_too_many_long_ones"] == 0 {
		return func(uint64) bool { return true }
	}
	most, m := c.PairedUpTo(inPart), r.posts.Modulus()
	var buffer []uint32
	return func(v uint64) bool {
		if v%m != 0 { // the index does not hold the long pages of it
			return false
		}
		buffer = r.posts.Pages(buffer[:0], v)
		return len(buffer) <= most
	}
}

// Candidates are the pages that share shingles of the index with a document, first those that seem to contain most of
// it, or to be contained in it most.
type Candidates struct {
	run      *Run
	document shingles.Stored // the set of its shingles, or its sketch
	pages    []uint32
}

// Candidates looks up a document, given by the set of its shingles. It need not be in the run.
func (r *Run) Candidates(document *shingles.Set) (*Candidates, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	return r.candidates(r.document(document)), nil
}

// CandidatesOf looks up a page of the run.
func (r *Run) CandidatesOf(id uint32) (*Candidates, error) {
	page, err := r.page(id)
	if err != nil {
		return nil, err
	}
	return r.candidates(r.stored(page, r.pages.Values(page))), nil
}

func (r *Run) candidates(document shingles.Stored) *Candidates {
	return &Candidates{r, document, r.hits(document.Values)}
}

// Size is the number of distinct shingles of the document.
func (c *Candidates) Size() int { return c.document.Size }

// compared are the candidates that Compare compares.
func (c *Candidates) compared() []uint32 { return c.pages[:min(len(c.pages), maxHits)] }
