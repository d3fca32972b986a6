package runs

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
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
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
		url := r.Docs.URL(id)
		h := tables.Hash(url)
		if url == "" || id > 0 && (h < lastHash || h == lastHash && url <= lastURL) {
			return fmt.Errorf("document %d (%q) is out of order", id, url)
		}
		lastHash, lastURL = h, url
		if got, ok := r.Docs.Find(url); !ok || got != id {
			return fmt.Errorf("document %d (%q) is not found by its URL", id, url)
		}
	}
	return ctx.Err()
}

// checkCaptures checks that the inputs of documents are in the manifest, and that the captures of URLs are sorted by
// (hash, document) and belong to their URL.
func checkCaptures(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		crawled, input := r.Docs.At(id).Crawled, r.Captures.Input(id)
		if crawled != (input != tables.NoInput) || crawled && int64(input) >= int64(len(r.Manifest.Inputs)) {
			return fmt.Errorf("document %d is of input %d of %d", id, input, len(r.Manifest.Inputs))
		}
	}
	lastHash, last := uint64(0), uint32(0)
	for i := range r.Captures.Rows() {
		hash, id := r.Captures.At(i)
		url, _, ok := capture.Cut(r.Docs.URL(id))
		if !ok || tables.Hash(url) != hash || i > 0 && (hash < lastHash || hash == lastHash && id <= last) {
			return fmt.Errorf("capture %d (document %d, %q) is out of order or of another URL", i, id, r.Docs.URL(id))
		}
		lastHash, last = hash, id
	}
	return ctx.Err()
}

// checkRedirects checks that redirects are sorted by the hash of the source, and that no target redirects further.
func checkRedirects(ctx context.Context, r *Run) error {
	last := uint64(0)
	for i := range r.Redirects.Len() {
		at := r.Redirects.At(i)
		h := tables.Hash(at.From)
		if i > 0 && h <= last {
			return fmt.Errorf("redirect %d (%q) is out of order", i, at.From)
		}
		if _, more := r.Redirects.Find(at.To); more || at.Hops == 0 || at.By.String() == "" {
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
		b := r.Bags.At(id)
		links, content := b.Split(r.Content)
		for _, field := range [...]bags.Bag{links, content} {
			if field.Len() > 0 && field.Sum() != r.Config.Sum {
				return fmt.Errorf("bag of document %d: a field has the sum %d, not %d", id, field.Sum(), r.Config.Sum)
			}
		}
		for i, t := range b.Terms {
			if int(t) >= r.Terms.Len() || b.Counts[i] == 0 || i > 0 && t <= b.Terms[i-1] {
				return fmt.Errorf("bag of document %d: term %d out of order or range", id, t)
			}
		}
		if n := r.Nodes.Of(id); (n == tables.None) != (b.Len() == 0) || n != tables.None && !slices.Contains(r.Nodes.Members(n), id) {
			return fmt.Errorf("document %d is not a member of its node", id)
		}
	}
	return ctx.Err()
}

// checkPairs checks that every pair is stored in both directions, with the exact similarity of the bags.
func checkPairs(ctx context.Context, r *Run) error {
	for u := range uint32(r.Pairs.Len()) {
		last := -1
		for _, e := range r.Pairs.Neighbours(u) {
			if int(e.To) <= last || int(e.To) >= r.Pairs.Len() || e.To == u {
				return fmt.Errorf("node %d: neighbour %d out of order or range", u, e.To)
			}
			last = int(e.To)
			if err := checkPair(r, u, e); err != nil {
				return err
			}
		}
		if u%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func checkPair(r *Run, u uint32, e center.Edge) error {
	if s, ok := r.Pairs.Find(e.To, u); !ok || s != e.Similarity {
		return fmt.Errorf("pair of nodes %d and %d is not the same both ways", u, e.To)
	}
	if e.To < u {
		return nil // the similarity is checked in the other direction
	}
	a, b := r.Nodes.Members(u), r.Nodes.Members(e.To)
	if len(a) == 0 || len(b) == 0 {
		return fmt.Errorf("pair of nodes %d and %d: one of them has no document", u, e.To)
	}
	s := bags.Similarity(r.Bags.At(a[0]), r.Bags.At(b[0]))
	if float32(s) != e.Similarity {
		return fmt.Errorf("pair of nodes %d and %d: similarity %g, but that of the bags is %g", u, e.To, e.Similarity, s)
	}
	return nil
}

// checkClusters checks that clusters are stars: a center is its own center, and each member has an edge to its
// center.
func checkClusters(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		c, s := r.Clusters.Center(id)
		if cc, _ := r.Clusters.Center(c); cc != c {
			return fmt.Errorf("document %d has document %d for a center, which is not a center", id, c)
		}
		if c == id || r.Nodes.Of(id) == r.Nodes.Of(c) && s == 1 {
			continue
		}
		if !HasEdge(r, r.Nodes.Of(id), r.Nodes.Of(c), s) {
			return fmt.Errorf("document %d has no edge to its center %d", id, c)
		}
	}
	return errors.Join(ctx.Err(), checkRows(r))
}

// HasEdge reports whether the run stores a pair of nodes with a similarity that forms clusters.
func HasEdge(r *Run, u, v uint32, similarity float32) bool {
	s, ok := r.Pairs.Find(u, v)
	return ok && s == similarity && s >= float32(r.Config.Threshold)
}

// checkRows compares the numbers of rows with the manifest.
func checkRows(r *Run) error {
	if n := r.Manifest.Counts["documents"]; n != int64(r.Len()) {
		return fmt.Errorf("%d documents, but the manifest says %d", r.Len(), n)
	}
	if n := r.Manifest.Counts["topical_pairs"]; n != int64(r.Pairs.Count()) {
		return fmt.Errorf("%d pairs, but the manifest says %d", r.Pairs.Count(), n)
	}
	return nil
}

// checkShingles checks that sets are ascending and that pages belong to crawled documents.
func checkShingles(ctx context.Context, r *Run) error {
	for page := range uint32(r.Pages.Len()) {
		if d := r.Pages.Document(page); !r.Docs.At(d).Crawled || page > 0 && d <= r.Pages.Document(page-1) {
			return fmt.Errorf("page %d is document %d, which is out of order or was not crawled", page, d)
		}
		last := uint64(0)
		for i, v := range r.Pages.Values(page) {
			if i > 0 && v <= last {
				return fmt.Errorf("page %d: shingles out of order", page)
			}
			last = v
		}
		if err := checkSketch(r, page); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// checkPostings checks the order of the index, and that it contains exactly the shingles that its modulus chooses.
func checkPostings(ctx context.Context, r *Run) error {
	if r.Posts == nil {
		return nil
	}
	got, err := r.Posts.Check(ctx, r.Pages.Len())
	if err != nil {
		return err
	}
	n, want, m := 0, uint64(0), r.Posts.Modulus()
	for page := range uint32(r.Pages.Len()) {
		values := r.Pages.Values(page)
		whole := tables.IndexedWhole(len(values), m)
		for _, v := range values {
			if whole || v%m == 0 {
				n, want = n+1, want+r.Posts.Digest(v, page)
			}
		}
		if page%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if n != r.Posts.Len() {
		return fmt.Errorf("%d postings, but the pages have %d shingles for an index of modulus %d", r.Posts.Len(), n, m)
	}
	if got != want {
		return fmt.Errorf("the %d postings are not those of the pages' shingles", n)
	}
	return nil
}

// checkEqual checks that the representative of equal pages is the first of them, and that boilerplate is sorted.
func checkEqual(ctx context.Context, r *Run) error {
	_, err := r.Equal.Load()
	if err == nil {
		_, err = r.Equal.LoadBoilerplate(r.Config.Boilerplate())
	}
	return cmp.Or(err, ctx.Err())
}

// checkSimilar compares the pages of every stored pair again.
func checkSimilar(ctx context.Context, r *Run) error {
	for p, err := range r.Similar.All() {
		if err != nil {
			return err
		}
		if p.A >= p.B || int(p.B) >= r.Pages.Len() {
			return fmt.Errorf("pair of pages %d and %d is out of range", p.A, p.B)
		}
		if got := resemble.Compare(r.Pages, r.Boilerplate, p.A, p.B); got.Exact != p.Exact || r.Sketched() && got.Sample != p.Sample {
			return fmt.Errorf("pair of pages %d and %d: %+v, but their shingles give %+v", p.A, p.B, p.Overlap(), got.Overlap())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// checkSketch checks that the sketch of a page is of the kind that the run keeps.
func checkSketch(r *Run, page uint32) error {
	if s := (shingles.Stored{Values: r.Pages.Values(page), Size: r.Pages.Size(page)}); r.Sketched() && !r.Pages.Sketcher().Valid(s) {
		return fmt.Errorf("page %d: its %d samples of %d shingles are no sketch %s", page, len(s.Values), s.Size, Sketches(r))
	}
	return nil
}
