package query

import (
	"math"

	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Sure says how sure it is that Query finds a page. A page finds itself by the shingles that are in the index: all of
// a short page, and of a long page those that the modulus of the index divides. If the modulus is 1, every page that
// shares a shingle with the document is found.
type Sure struct {
	Shingles   int    `json:"shingles"`   // distinct shingles of the document
	LookedUp   int    `json:"looked_up"`  // of these, those by which a long page is found
	Modulus    uint64 `json:"modulus"`    // of the index: of long pages, one shingle in so many is in it
	Candidates int    `json:"candidates"` // pages that share a shingle that is in the index
	Compared   int    `json:"compared"`   // of these, those that share most: they were compared exactly
}

// Sure returns how sure the answer of Query to a document is.
func (r *Run) Sure(document *shingles.Set) (Sure, error) {
	if err := r.Need(pipeline.Syntactic); err != nil {
		return Sure{}, err
	}
	found := len(r.hits(document))
	s := Sure{Shingles: document.Len(), Modulus: r.indexModulus(), Candidates: found, Compared: min(found, maxHits)}
	for _, v := range document.Values() {
		if v%s.Modulus == 0 {
			s.LookedUp++
		}
	}
	return s, nil
}

// indexModulus is the modulus by which long pages are in the index.
func (r *Run) indexModulus() uint64 {
	if m := r.posts.Modulus(); m > 0 {
		return m
	}
	return max(r.Config.Modulus, 1)
}

// Exact tells whether every page that shares a shingle with the document was compared with it.
func (s Sure) Exact() bool { return s.Modulus == 1 && s.Compared == s.Candidates }

// Probability is the probability, over the choice of the sample, that a page is among the candidates that has this
// share of the document's shingles, or more. It is that of a long page: a short one is always found.
func (s Sure) Probability(share float64) float64 {
	return resemble.AtLeastOne(s.Shingles, int(math.Ceil(share*float64(s.Shingles)-1e-9)), s.LookedUp)
}

// SureOfDuplicates is the least probability with which a page that resembles a document as the run asks is among its
// Duplicates: of a long page samples are compared, and a shingle that is in more pages than Config.MaxCommon is ignored.
func (r *Run) SureOfDuplicates(id uint32) (float64, error) {
	page, err := r.page(id)
	if err != nil {
		return 0, err
	}
	own, _ := r.strip.Own(nil, r.pages.Host(page), r.pages.Values(page))
	var buffer []uint32
	paired := func(v uint64) bool {
		buffer = r.posts.Pages(buffer[:0], v)
		return len(buffer) <= r.Config.MaxCommon
	}
	return resemble.Config{M: r.Config.Modulus, Floor: r.Config.Resemblance, MaxCommon: r.Config.MaxCommon}.Chance(own, r.Config.Resemblance, paired)
}
