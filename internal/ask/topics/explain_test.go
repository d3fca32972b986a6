package topics

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/minhash"
)

// holdExplanation checks that an explanation adds up and agrees with the tables.
func holdExplanation(t *testing.T, r *runs.Run, a, b uint32, x *Explanation) {
	t.Helper()
	fields := map[By]Field{}
	for i, term := range x.Terms {
		p := fields[term.Field]
		p.SumMin, p.SumMax = p.SumMin+min(term.A, term.B), p.SumMax+max(term.A, term.B)
		p.A, p.B = p.A+term.A, p.B+term.B
		fields[term.Field] = p
		if term.Word == "" || term.DF < int(r.Config.MinDF) || i > 0 && min(term.A, term.B) > min(x.Terms[i-1].A, x.Terms[i-1].B) {
			t.Errorf("%d and %d: term %d is %+v", a, b, i, term)
		}
	}
	weighed := 0.0
	for by, said := range map[By]Field{ByLinks: x.Links, ByContent: x.Content} {
		want := fields[by]
		want.Similarity = bags.Similarity(OfField(r, r.Bags.At(a), by), OfField(r, r.Bags.At(b), by))
		if said != want {
			t.Errorf("%d and %d by %s: %+v, but the terms add up to %+v", a, b, by, said, want)
		}
		for _, sum := range [...]int{said.A, said.B} {
			if sum != 0 && sum != r.Config.Sum {
				t.Errorf("%d and %d: the sum %d of %s is neither 0 nor %d", a, b, sum, by, r.Config.Sum)
			}
		}
		weighed += said.Similarity * float64(said.SumMax)
	}
	similarity := bags.Similarity(r.Bags.At(a), r.Bags.At(b))
	if x.SumMin != x.Links.SumMin+x.Content.SumMin || x.SumMax != x.Links.SumMax+x.Content.SumMax || x.Similarity != similarity ||
		math.Abs(weighed-similarity*float64(x.SumMax)) > 1e-9 {
		t.Errorf("%d and %d: similarity %v is said to be %+v", a, b, similarity, x)
	}
	if links, content := Fields(r, a, b); links != x.Links || content != x.Content {
		t.Errorf("%d and %d: fields %v and %v, explained as %v and %v", a, b, links, content, x.Links.Similarity, x.Content.Similarity)
	}
	for _, k := range x.EqualKeys {
		if len(k.Signatures) != r.Config.KeySize {
			t.Errorf("%d and %d: key %+v", a, b, k)
		}
	}
	if x.Keys > 0 && x.Agreeing < r.Config.KeySize || x.Agreeing > x.Signatures {
		t.Errorf("%d and %d: %d keys with %d of %d equal signatures", a, b, x.Keys, x.Agreeing, x.Signatures)
	}
	if x.Together != (MembershipOf(r, a).Center == MembershipOf(r, b).Center) {
		t.Errorf("%d and %d: together %v", a, b, x.Together)
	}
}

// TestExplain checks that Explain explains every pair of documents of a run, and agrees with Related on which pairs
// are found.
func TestExplain(t *testing.T) {
	c := runtest.Preset(t, "paper2000")
	r := runtest.Opened(t, c, runtest.SamplePages(t, 20))
	found := 0
	for a := range uint32(r.Len()) {
		related := map[uint32]Neighbour{}
		for _, n := range Related(r, a, Lookup{Top: r.Len(), Stored: true}) {
			related[n.ID] = n
		}
		for b := a % 3; b < uint32(r.Len()); b += 3 {
			x := Explain(r, a, b)
			holdExplanation(t, r, a, b, x)
			n, ok := related[b]
			if ok && n.Similarity != float32(x.Similarity) {
				t.Errorf("%d and %d: related by %v, explained by %v", a, b, n.Similarity, x.Similarity)
			}
			if ok {
				found++
			}
			// Without a limit, and apart from documents with one bag, a pair is related if and only if explain finds
			// it.
			if r.Nodes.Of(a) != r.Nodes.Of(b) && ok != x.Found {
				t.Errorf("%d and %d: related %v, explained as %v (%s)", a, b, ok, x.Found, x.Why)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d pairs were found: too few to say anything", found)
	}
}

// TestWhy checks that Explain gives the right reason for each pair, and each reason occurs.
func TestWhy(t *testing.T) {
	pages := append(runtest.SamplePages(t, 40), runtest.Lines(t, [2]string{"https://empty.example/", "the"},
		[2]string{"https://one.example/", "<title>identical twins</title>"}, [2]string{"https://two.example/", "<title>identical twins</title>"})...)
	strict, capped, wide := runtest.Preset(t, "web"), runtest.Preset(t, "web"), runtest.Preset(t, "web")
	strict.Neighbours, strict.Apart, strict.Rounds, strict.Width = 4, 2, 1, 2
	strict.KeySize, strict.Keys, strict.MaxBucket, strict.Similarity, strict.Floor = 2, 30, 10, 0.05, 0.15
	wide.Keys, wide.KeySize, wide.MaxBucket, wide.Rounds = 40, 2, 2, 0
	capped.Neighbours, capped.Similarity, capped.Floor, capped.KeySize, capped.Keys, capped.MaxBucket = 0, 0.05, 0.05, 2, 60, 2
	for _, c := range []struct {
		config  config.Config
		reasons []string
	}{
		{strict, []string{"the same document", "is empty", "identical", "they collide in", "no key in common, but expansion met", "signatures agree; a pair", "the floor is", "only pairs with a similarity of", "the 2 nearest that no page lists together with it"}},
		{wide, []string{"only pairs with a similarity of", "signatures agree; a pair", "or behind others"}},
		{capped, []string{"the same document", "is empty", "identical", "they collide in", "signatures agree; a pair", "the floor is", "only pairs with a similarity of", "buckets of more than 2 nodes"}},
	} {
		r := runtest.Opened(t, c.config, pages)
		came := map[string]int{}
		for a := range uint32(r.Len()) {
			for b := range uint32(r.Len()) {
				if (a+b)%19 != 0 && r.Nodes.Of(a) != r.Nodes.Of(b) {
					continue
				}
				x := Explain(r, a, b)
				holdExplanation(t, r, a, b, x)
				reason := reasonOf(r, a, b, x)
				came[reason]++
				if !strings.Contains(x.Why, reason) {
					t.Errorf("%d and %d: %q, want %q", a, b, x.Why, reason)
				}
			}
		}
		for _, reason := range c.reasons {
			if came[reason] == 0 {
				t.Errorf("the reason %q was not reached: %v", reason, came)
			}
		}
	}
}

// reasonOf derives from the tables why a pair is stored or not.
func reasonOf(r *runs.Run, idA, idB uint32, x *Explanation) string {
	a, b := r.Nodes.Of(idA), r.Nodes.Of(idB)
	switch {
	case idA == idB:
		return "the same document"
	case a == tables.None || b == tables.None:
		return "is empty"
	case a == b:
		return "identical"
	}
	family := minhash.NewFamily(r.Config.Signatures, r.Config.Seed)
	rowA, rowB := family.Signature(bagOf(r, a)), family.Signature(bagOf(r, b))
	collide := false
	for j := range r.Index.L {
		collide = collide || r.Index.Key(j, rowA) == r.Index.Key(j, rowB)
	}
	for _, e := range r.Pairs.Neighbours(a) {
		if e.To == b && collide {
			return "they collide in"
		} else if e.To == b {
			return "no key in common, but expansion met"
		}
	}
	agrees := float64(minhash.Agreement(rowA, rowB)) >= r.Config.Floor*float64(r.Config.Signatures)
	limited := r.Config.Neighbours > 0
	switch {
	case x.Similarity < r.Config.Similarity && (limited || collide && agrees):
		return "only pairs with a similarity of"
	case limited && nearerHeld(r, a, b, x.Similarity) && nearerHeld(r, b, a, x.Similarity):
		return fmt.Sprintf("the %d nearest that no page lists together with it", r.Config.Apart)
	case !collide:
		return "signatures agree; a pair"
	case !agrees:
		return "the floor is"
	case limited:
		return "or behind others"
	}
	return fmt.Sprintf("buckets of more than %d nodes", r.Config.MaxBucket)
}

// nearerHeld reports whether the stored neighbours of a node leave no place for another node.
func nearerHeld(r *runs.Run, node, other uint32, similarity float64) bool {
	common := func(b uint32) bool {
		for _, s := range r.Sources.Of(r.Nodes.First(node)) {
			if slices.Contains(r.Sources.Of(r.Nodes.First(b)), s) {
				return true
			}
		}
		return false
	}
	near, apart := 0, 0
	for _, e := range r.Pairs.Neighbours(node) {
		if e.Similarity >= float32(similarity) {
			near++
			if !common(e.To) {
				apart++
			}
		}
	}
	return near >= r.Config.Neighbours && (common(other) || apart >= r.Config.Apart)
}
