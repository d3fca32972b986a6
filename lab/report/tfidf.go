package report

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// TFIDF is a baseline that knows nothing of sets and signatures.
var TFIDF = evaluate.Baseline{
	Name: "tfidf", About: "cosine of tf-idf over all words of the anchor windows, or of the pages if bags are of contents, as MoreLikeThis does",
	Candidates: evaluate.TargetsAlone, Rank: tfidf,
}

// cosineWeights weighs by f·log(N/df) without normalising the sum. The dictionary decides which terms are used.
var cosineWeights = bags.Weighting{Scheme: bags.IDF, TF: bags.RawTF, Sum: 1, MinDF: 1, MaxDF: 1}

// weight is the weight of a term in the vector of a target, or the weight of a target in the list of a term.
type weight struct {
	of uint32
	w  float64
}

// tfidf ranks by the cosine of the raw bags, weighted by the document frequencies of all documents of the run.
func tfidf(ctx context.Context, s *evaluate.Subject) (score.Ranking, error) {
	terms, err := bags.NewDictionary(cosineWeights, s.Run.Terms.Bags, s.Run.Terms.Hashes(), s.Run.Terms.DFs())
	if err != nil {
		return score.Ranking{}, err
	}
	raw, err := rawBags(ctx, s)
	if err != nil {
		return score.Ranking{}, err
	}
	vectors, lists := make([][]weight, len(raw)), map[uint32][]weight{}
	for i, bag := range raw {
		sum := 0.0
		for _, x := range bag {
			id, factor, ok := terms.Lookup(x.Term)
			if w := float64(x.Weight) / bags.Unit * factor; ok && w > 0 {
				vectors[i], sum = append(vectors[i], weight{id, w}), sum+w*w
			}
		}
		for j := range vectors[i] {
			v := &vectors[i][j]
			v.w /= math.Sqrt(sum)
			lists[v.of] = append(lists[v.of], weight{uint32(i), v.w})
		}
	}
	out := score.Ranking{Lists: make([][]score.Neighbour, len(vectors))}
	err = parallel.Each(ctx, len(vectors), runtime.GOMAXPROCS(0), func(_, q int) error {
		out.Lists[q] = near(q, vectors[q], lists, len(vectors))
		return nil
	})
	return out, err
}

// near returns the other targets by falling cosine. The sums are in the order of the terms, and so the same both ways.
func near(q int, v []weight, lists map[uint32][]weight, targets int) (out []score.Neighbour) {
	sums := make([]float64, targets)
	for _, x := range v {
		for _, t := range lists[x.of] {
			sums[t.of] += float64(x.w * t.w) // the conversion forces rounding on machines with fused multiply-add
		}
	}
	for t, sum := range sums {
		if t != q && sum > 0 {
			out = append(out, score.Neighbour{Target: int32(t), Similarity: sum})
		}
	}
	slices.SortStableFunc(out, func(a, b score.Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out
}

// heldLink is the contribution of one page to the bag of a target, held until the number of pages of its host is known.
type heldLink struct {
	host  uint64
	terms []bags.Weighted
}

// rawBags reads the inputs of the run again and returns the bag of each target before weighting: the words around the
// links to it and of its title or, if the run has content bags, the words of the page.
func rawBags(ctx context.Context, s *evaluate.Subject) ([][]bags.Weighted, error) {
	cfg := s.Run.Config
	if cfg.Bags == config.FromBoth {
		cfg.Bags = config.FromLinks
	}
	read, err := capture.NewReader(&cfg)
	if err != nil {
		return nil, err
	}
	source := "" // the page whose records are emitted
	own, held := make([][]bags.Weighted, len(s.IDs)), make([][]heldLink, len(s.IDs))
	read.Emit = func(f *anchors.Record) error {
		to := string(f.Target)
		if f.Kind != anchors.OfPage {
			to = s.Run.RedirectTarget(to)
		}
		t, ok := s.Directory.Index(to)
		if !ok || f.Kind != anchors.OfPage && to == source {
			return nil
		}
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
		source = p.Canonical
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
