package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// Checks returns the invariants of the tables of both views for run.Check. Checksums cannot detect their violation.
func Checks() []run.Checker {
	rule := func(name, view string, f func(context.Context, *Run) error) run.Checker {
		return run.Checker{Name: name, Func: func(ctx context.Context, of *run.Run) error {
			r, err := Open(of.Root())
			if err != nil {
				return err
			}
			defer r.Close()
			if view != "" && !r.Config.Has(view) {
				return nil
			}
			if err := f(ctx, r); err != nil {
				return err
			}
			return r.Err()
		}}
	}
	return []run.Checker{
		rule("documents in order", "", checkDocuments),
		rule("captures in order", "", checkCaptures),
		rule("redirects end", "", checkRedirects),
		rule("linking pages in order", "", checkSources),
		rule("bags in form", config.Topical, checkBags),
		rule("inverted lists in form", config.Topical, checkInverted),
		rule("pairs both ways", config.Topical, checkPairs),
		rule("clusters are stars", config.Topical, checkClusters),
		rule("tree of the clusters", config.Topical, checkTree),
		rule("shingles in form", config.Syntactic, checkShingles),
		rule("postings in form", config.Syntactic, checkPostings),
		rule("equal pages in form", config.Syntactic, checkEqual),
		rule("similar pairs compared again", config.Syntactic, checkSimilar),
	}
}

// checkDocuments checks that ids are in order of (hash, URL).
func checkDocuments(ctx context.Context, r *Run) error {
	lastHash, lastURL := uint64(0), ""
	for id := range uint32(r.Len()) {
		url := r.docs.URL(id)
		h := tables.Hash(url)
		if url == "" || id > 0 && (h < lastHash || h == lastHash && url <= lastURL) {
			return fmt.Errorf("document %d (%q) is out of order", id, url)
		}
		lastHash, lastURL = h, url
		if got, ok := r.docs.Find(url); !ok || got != id {
			return fmt.Errorf("document %d (%q) is not found by its URL", id, url)
		}
	}
	return ctx.Err()
}

// checkCaptures checks that the inputs of documents are in the manifest, and that the captures of URLs are sorted by
// (hash, document) and belong to their URL.
func checkCaptures(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		if crawled, input := r.docs.At(id).Crawled, r.captures.Input(id); crawled != (input != tables.NoInput) || crawled && int64(input) >= int64(len(r.Manifest.Inputs)) {
			return fmt.Errorf("document %d is of input %d of %d", id, input, len(r.Manifest.Inputs))
		}
	}
	lastHash, last := uint64(0), uint32(0)
	for i := range r.captures.Rows() {
		hash, id := r.captures.At(i)
		url, _, ok := capture.Cut(r.docs.URL(id))
		if !ok || tables.Hash(url) != hash || i > 0 && (hash < lastHash || hash == lastHash && id <= last) {
			return fmt.Errorf("capture %d (document %d, %q) is out of order or of another URL", i, id, r.docs.URL(id))
		}
		lastHash, last = hash, id
	}
	return ctx.Err()
}

// checkRedirects checks that redirects are sorted by the hash of the source, and that no target redirects further.
func checkRedirects(ctx context.Context, r *Run) error {
	last := uint64(0)
	for i := range r.redirects.Len() {
		at := r.redirects.At(i)
		h := tables.Hash(at.From)
		if i > 0 && h <= last {
			return fmt.Errorf("redirect %d (%q) is out of order", i, at.From)
		}
		if _, more := r.redirects.Find(at.To); more || at.Hops == 0 || at.By.String() == "" {
			return fmt.Errorf("redirect %d (%q) does not end at %q", i, at.From, at.To)
		}
		last = h
	}
	return ctx.Err()
}

// checkBags checks that bags have ascending terms of the dictionary and positive counts, and that each field is empty or
// has the common sum.
func checkBags(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		b := r.bags.At(id)
		links, content := b.Split(r.content)
		for _, field := range [...]bags.Bag{links, content} {
			if field.Len() > 0 && field.Sum() != r.Config.Sum {
				return fmt.Errorf("bag of document %d: a field has the sum %d, not %d", id, field.Sum(), r.Config.Sum)
			}
		}
		for i, t := range b.Terms {
			if int(t) >= r.terms.Len() || b.Counts[i] == 0 || i > 0 && t <= b.Terms[i-1] {
				return fmt.Errorf("bag of document %d: term %d out of order or range", id, t)
			}
		}
		if n := r.nodes.Of(id); (n == tables.None) != (b.Len() == 0) || n != tables.None && !slices.Contains(r.nodes.Members(n), id) {
			return fmt.Errorf("document %d is not a member of its node", id)
		}
	}
	return ctx.Err()
}

// checkPairs checks that every pair is stored in both directions, with the exact similarity of the bags.
func checkPairs(ctx context.Context, r *Run) error {
	for u := range uint32(r.pairs.Len()) {
		last := -1
		for _, e := range r.pairs.Neighbours(u) {
			if int(e.To) <= last || int(e.To) >= r.pairs.Len() || e.To == u {
				return fmt.Errorf("node %d: neighbour %d out of order or range", u, e.To)
			}
			last = int(e.To)
			if err := r.checkPair(u, e); err != nil {
				return err
			}
		}
		if u%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (r *Run) checkPair(u uint32, e center.Edge) error {
	if s, ok := r.edge(e.To, u); !ok || s != e.Similarity {
		return fmt.Errorf("pair of nodes %d and %d is not the same both ways", u, e.To)
	}
	if e.To < u {
		return nil // the similarity is checked in the other direction
	}
	a, b := r.nodes.Members(u), r.nodes.Members(e.To)
	if len(a) == 0 || len(b) == 0 {
		return fmt.Errorf("pair of nodes %d and %d: one of them has no document", u, e.To)
	}
	s := bags.Similarity(r.bags.At(a[0]), r.bags.At(b[0]))
	if float32(s) != e.Similarity {
		return fmt.Errorf("pair of nodes %d and %d: similarity %g, but that of the bags is %g", u, e.To, e.Similarity, s)
	}
	return nil
}

// checkClusters checks that clusters are stars: a center is its own center, and each member has an edge to its
// center.
func checkClusters(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		c, s := r.clusters.Center(id)
		if cc, _ := r.clusters.Center(c); cc != c {
			return fmt.Errorf("document %d has document %d for a center, which is not a center", id, c)
		}
		if c == id || r.nodes.Of(id) == r.nodes.Of(c) && s == 1 {
			continue
		}
		if !r.hasEdge(r.nodes.Of(id), r.nodes.Of(c), s) {
			return fmt.Errorf("document %d has no edge to its center %d", id, c)
		}
	}
	return errors.Join(ctx.Err(), r.checkRows())
}

func (r *Run) hasEdge(u, v uint32, similarity float32) bool {
	if u == tables.None || v == tables.None || similarity < float32(r.Config.Threshold) {
		return false
	}
	return slices.Contains(r.pairs.Neighbours(u), center.Edge{To: v, Similarity: similarity})
}

// checkRows compares the numbers of rows with the manifest.
func (r *Run) checkRows() error {
	if n := r.Manifest.Counts["documents"]; n != int64(r.Len()) {
		return fmt.Errorf("%d documents, but the manifest says %d", r.Len(), n)
	}
	if n := r.Manifest.Counts["topical_pairs"]; n != int64(r.pairs.Count()) {
		return fmt.Errorf("%d pairs, but the manifest says %d", r.pairs.Count(), n)
	}
	return nil
}

// checkShingles checks that sets are ascending and that pages belong to crawled documents.
func checkShingles(ctx context.Context, r *Run) error {
	for page := range uint32(r.pages.Len()) {
		if d := r.pages.Document(page); !r.docs.At(d).Crawled || page > 0 && d <= r.pages.Document(page-1) {
			return fmt.Errorf("page %d is document %d, which is out of order or was not crawled", page, d)
		}
		last := uint64(0)
		for i, v := range r.pages.Values(page) {
			if i > 0 && v <= last {
				return fmt.Errorf("page %d: shingles out of order", page)
			}
			last = v
		}
		if err := r.checkSketch(page); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// checkPostings checks the order of the index, and that it contains exactly the shingles that its modulus chooses.
func checkPostings(ctx context.Context, r *Run) error {
	if r.posts == nil {
		return nil
	}
	got, err := r.posts.Check(ctx, r.pages.Len())
	if err != nil {
		return err
	}
	n, want, m := 0, uint64(0), r.posts.Modulus()
	for page := range uint32(r.pages.Len()) {
		values := r.pages.Values(page)
		whole := tables.IndexedWhole(len(values), m)
		for _, v := range values {
			if whole || v%m == 0 {
				n, want = n+1, want+r.posts.Digest(v, page)
			}
		}
		if page%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if n != r.posts.Len() {
		return fmt.Errorf("%d postings, but the pages have %d shingles for an index of modulus %d", r.posts.Len(), n, m)
	}
	if got != want {
		return fmt.Errorf("the %d postings are not those of the pages' shingles", n)
	}
	return nil
}

// checkEqual checks that the representative of equal pages is the first of them, and that boilerplate is sorted.
func checkEqual(ctx context.Context, r *Run) error {
	_, err := r.equal.Load()
	if err == nil {
		_, err = r.equal.LoadBoilerplate(r.Config.Boilerplate())
	}
	return cmp.Or(err, ctx.Err())
}

// checkSimilar compares the pages of every stored pair again.
func checkSimilar(ctx context.Context, r *Run) error {
	for p, err := range r.similar.All() {
		if err != nil {
			return err
		}
		if p.A >= p.B || int(p.B) >= r.pages.Len() {
			return fmt.Errorf("pair of pages %d and %d is out of range", p.A, p.B)
		}
		if got := r.pair(p.A, p.B); got.Exact != p.Exact || r.sketched() && got.Sample != p.Sample {
			return fmt.Errorf("pair of pages %d and %d: %+v, but their shingles give %+v", p.A, p.B, p.Overlap(), got.Overlap())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
