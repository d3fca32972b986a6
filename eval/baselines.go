package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/query"
)

// Baseline is another way to find related pages, to compare with the lists of a run.
type Baseline struct {
	Name       string
	About      string // one line of explanation
	Candidates string // AllDocuments or TargetsAlone
	Rank       func(ctx context.Context, s *Subject) (score.Ranking, error)
}

// The documents among which a baseline looks for neighbours. A run does not know about golds. It looks for neighbours
// among all its documents, and scoring skips those that are not targets. But these still fill the buckets, which are
// not paired in full if they are large, and take places among the nearest neighbours, of which a run stores only some.
const (
	AllDocuments = "all documents"
	TargetsAlone = "targets alone"
)

// AllBaselines returns all baselines.
func AllBaselines() []Baseline {
	return []Baseline{
		{"stored", "the nearest of what the index finds, which the run stores; related begins with these", AllDocuments, stored},
		{"exact", "the bags of the run, compared exactly; the most that its index can reach", TargetsAlone, exact},
		{"tfidf", "cosine of tf-idf over all words of the anchor windows, or of the pages if bags are of contents, as MoreLikeThis does", TargetsAlone, tfidf},
	}
}

// ParseBaselines returns the baselines with the given names in their usual order. "all" selects all of them.
func ParseBaselines(names []string) (out []Baseline, err error) {
	known := []string{"all"}
	for _, b := range AllBaselines() {
		known = append(known, b.Name)
		if slices.Contains(names, b.Name) || slices.Contains(names, "all") {
			out = append(out, b)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("baseline %q is not one of %s", n, strings.Join(known, ", "))
		}
	}
	return out, nil
}

// stored ranks by exact similarity over the stored pairs.
func stored(ctx context.Context, s *Subject) (score.Ranking, error) {
	return s.Related(ctx, query.Lookup{Stored: true})
}

// exact ranks by the exact similarity of the bags of the run.
func exact(ctx context.Context, s *Subject) (score.Ranking, error) {
	vectors := make([]Vector, len(s.IDs))
	for i, id := range s.IDs {
		if id == NoDocument {
			continue
		}
		bag := s.Run.Bag(id)
		for j, t := range bag.Terms {
			vectors[i].Add(t, float64(bag.Counts[j]))
		}
	}
	return s.Compare(ctx, vectors, jaccard(vectors))
}

// cosineWeights weighs by f·log(N/df) without normalising the sum. The dictionary decides which terms are used.
var cosineWeights = bags.Weighting{Scheme: bags.IDF, TF: bags.RawTF, Sum: 1, MinDF: 1, MaxDF: 1}

// tfidf ranks by the cosine of the raw bags, weighted by the document frequencies of all documents of the run.
func tfidf(ctx context.Context, s *Subject) (score.Ranking, error) {
	terms, err := s.Run.Dictionary(cosineWeights)
	if err != nil {
		return score.Ranking{}, err
	}
	raw, err := s.rawBags(ctx)
	if err != nil {
		return score.Ranking{}, err
	}
	vectors := make([]Vector, len(raw))
	for i, bag := range raw {
		for _, x := range bag {
			id, factor, ok := terms.Lookup(x.Term)
			if w := float64(x.Weight) / bags.Unit * factor; ok && w > 0 {
				vectors[i].Add(id, w)
			}
		}
	}
	normalise(vectors)
	return s.Compare(ctx, vectors, Dot)
}

// heldLink is the contribution of one page to the bag of a target, held until the number of pages of its host is known.
type heldLink struct {
	host  uint64
	terms []bags.Weighted
}

// rawBags reads the inputs of the run again and returns the bag of each target before weighting: the words around the
// links to it and of its title or, if the run has content bags, the words of the page.
func (s *Subject) rawBags(ctx context.Context) ([][]bags.Weighted, error) {
	cfg := s.Run.Config
	if cfg.Bags == config.FromBoth {
		cfg.Bags = config.FromLinks
	}
	read, err := capture.NewReader(&cfg)
	if err != nil {
		return nil, err
	}
	read.Wanted = func(url string) bool { _, ok := s.Directory.Index(url); return ok }
	read.Target = s.Run.RedirectTarget
	own, held := make([][]bags.Weighted, len(s.IDs)), make([][]heldLink, len(s.IDs))
	read.Emit = func(f *anchors.Record) error {
		t, _ := s.Directory.Index(string(f.Target))
		if f.Kind == anchors.OfPage {
			own[t] = append(own[t], f.Terms...)
		} else {
			held[t] = append(held[t], heldLink{f.Host, slices.Clone(f.Terms)})
		}
		return nil
	}
	seen := make([]bool, s.Run.Len())
	pages := 0
	err = s.Run.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		// Use only the capture that the run used for the page.
		if seen[id] || !s.Run.Document(id).Crawled || s.Run.Document(id).Digest != capture.Digest(p) {
			return nil
		}
		seen[id] = true
		pages++
		if v := read.Vocabulary(); v.Full() {
			v.Drain(func(bags.Term, string, uint64) error { return nil }) //nolint:errcheck // the function returns none
		}
		body, doc := read.Parse(p)
		read.Describe(p, body, doc, 0)
		_, err := read.Fragments(p, doc)
		return err
	})
	if err == nil && pages == 0 {
		err = errors.New("the inputs no longer hold any page of the run")
	}
	if err != nil {
		return nil, err
	}
	if n := s.crawled(); pages < n {
		s.Warnings = append(s.Warnings, fmt.Sprintf("only %d of the %d pages of the run are still in its inputs; the baseline tfidf is based on these", pages, n))
	}
	for t, links := range held {
		of := map[uint64]int{} // pages of a host
		for _, l := range links {
			of[l.host]++
		}
		for _, l := range links {
			cfg.Hosts.Damp(l.terms, of[l.host])
			own[t] = append(own[t], l.terms...)
		}
		held[t], own[t] = nil, bags.Sum(own[t])
	}
	return own, nil
}

// crawled returns the number of documents whose page the run read.
func (s *Subject) crawled() (n int) {
	for id := range uint32(s.Run.Len()) {
		if s.Run.Document(id).Crawled {
			n++
		}
	}
	return n
}
