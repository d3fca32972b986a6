package query

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Explanation is everything that a run knows about a pair of documents.
type Explanation struct {
	A          Side    `json:"a"`
	B          Side    `json:"b"`
	Terms      []Term  `json:"terms"`       // of either bag, those with the largest shared count first
	SumMin     int     `json:"sum_min"`     // sum of the smaller counts
	SumMax     int     `json:"sum_max"`     // sum of the larger counts
	Similarity float64 `json:"similarity"`  // SumMin / SumMax
	Signatures int     `json:"signatures"`  // m
	Agreeing   int     `json:"agreeing"`    // signatures that are equal
	Floor      float64 `json:"floor"`       // smallest agreement of a stored pair
	Keys       []Key   `json:"keys"`        // that are equal
	AllKeys    int     `json:"all_keys"`    // l
	Chance     float64 `json:"chance"`      // probability that a pair of this similarity becomes a candidate and passes the filter
	Found      bool    `json:"found"`       // whether they are neighbours in the run
	Why        string  `json:"why"`         // the reason, in words
	Together   bool    `json:"together"`    // whether they are in one topical cluster
	Threshold  float64 `json:"threshold"`   // smallest similarity of a member to its center
	CoLinked   int     `json:"colinked_by"` // kept linking sentences of B on pages that have one of A too
}

// Side is one document of an Explanation.
type Side struct {
	ID      uint32   `json:"id"`
	URL     string   `json:"url"`
	Title   string   `json:"title,omitempty"`
	Crawled bool     `json:"crawled"`
	InLinks uint32   `json:"inlinks"`
	InHosts uint32   `json:"inlink_hosts"`
	Bag     int      `json:"bag_sum"` // sum of the counts
	Terms   int      `json:"bag_terms"`
	From    Origins  `json:"bag_from"` // parts of Bag
	Cluster string   `json:"cluster_id,omitempty"`
	Label   []string `json:"cluster_label,omitempty"`
	Quotes  []Quote  `json:"quotes"`

	Captures []Capture `json:"captures,omitempty"` // of the plain URL, in a run with all captures
}

// Term is a word with its count in either bag.
type Term struct {
	Word string `json:"word"`
	DF   uint32 `json:"df"` // document frequency
	A    int    `json:"a"`
	B    int    `json:"b"`

	AFrom Origins `json:"a_from"` // parts of A
	BFrom Origins `json:"b_from"` // parts of B
}

// Key is one of the l keys, a choice of the m signatures.
type Key struct {
	Number     int   `json:"number"`
	Signatures []int `json:"signatures"`
}

// Explain tells why two documents are related in the topical view, or why they are not.
func (r *Run) Explain(a, b uint32) *Explanation {
	x := &Explanation{
		A: r.side(a), B: r.side(b), Signatures: r.Config.Signatures, Floor: r.Config.Floor,
		AllKeys: r.Config.Keys, Threshold: r.Config.Threshold,
	}
	r.compareBags(x)
	r.compareSignatures(x)
	x.Together = x.A.Cluster == x.B.Cluster
	x.Chance = lsh.Found(r.Config.Signatures, r.Config.KeySize, r.Config.Keys, r.Config.Floor, x.Similarity)
	x.Found, x.Why = r.why(x)
	sources := map[string]bool{}
	for _, q := range x.A.Quotes {
		sources[q.Source] = true
	}
	for _, q := range x.B.Quotes {
		if sources[q.Source] {
			x.CoLinked++
		}
	}
	return x
}

func (r *Run) side(id uint32) Side {
	d, c, bag := r.docs.At(id), r.TopicalMembership(id), r.bags.At(id)
	return Side{
		Captures: r.capturesOf(d.URL),
		ID:       id, URL: d.URL, Title: d.Title, Crawled: d.Crawled, InLinks: d.InLinks, InHosts: d.InHosts,
		Bag: bag.Sum(), Terms: bag.Len(), Cluster: c.ID, Label: c.Label, Quotes: r.Quotes(id),
	}
}

func (r *Run) compareBags(x *Explanation) {
	fromA, fromB := r.originsOf(x.A.ID), r.originsOf(x.B.ID)
	eachTerm(r.bags.At(x.A.ID), r.bags.At(x.B.ID), func(t uint32, a, b int) {
		term := Term{Word: r.terms.Word(t), DF: r.terms.DF(t), A: a, B: b, AFrom: fromA(t, a), BFrom: fromB(t, b)}
		x.A.From.add(term.AFrom)
		x.B.From.add(term.BFrom)
		x.Terms = append(x.Terms, term)
		x.SumMin, x.SumMax = x.SumMin+min(a, b), x.SumMax+max(a, b)
	})
	slices.SortStableFunc(x.Terms, func(s, t Term) int {
		return cmp.Or(cmp.Compare(min(t.A, t.B), min(s.A, s.B)), cmp.Compare(max(t.A, t.B), max(s.A, s.B)))
	})
	if x.SumMax > 0 {
		x.Similarity = float64(x.SumMin) / float64(x.SumMax)
	}
}

func (r *Run) compareSignatures(x *Explanation) {
	a, b := r.nodes.Of(x.A.ID), r.nodes.Of(x.B.ID)
	if a == tables.None || b == tables.None {
		return
	}
	rowA, rowB := r.sigs.Row(int(a)), r.sigs.Row(int(b))
	x.Agreeing = minhash.Agreement(rowA, rowB)
	agree := minhash.Mask(rowA, rowB)
	for j, subset := range r.index.Subsets {
		k := Key{Number: j}
		for _, s := range subset {
			if agree.Has(int(s)) {
				k.Signatures = append(k.Signatures, int(s))
			}
		}
		if len(k.Signatures) == len(subset) {
			x.Keys = append(x.Keys, k)
		}
	}
}

// why reports whether the pair is in the run, with the reason.
func (r *Run) why(x *Explanation) (bool, string) {
	a, b := r.nodes.Of(x.A.ID), r.nodes.Of(x.B.ID)
	switch {
	case x.A.ID == x.B.ID:
		return true, "both are the same document"
	case a == tables.None || b == tables.None:
		return false, "a bag is empty: no link to the document, and neither its title nor its content, has a term of the run"
	case a == b:
		return true, "their bags are identical"
	}
	for _, e := range r.pairs.Neighbours(a) {
		if e.To == b && len(x.Keys) == 0 {
			return true, fmt.Sprintf("no key in common, but expansion met the pair: %d of %d signatures agree", x.Agreeing, x.Signatures)
		} else if e.To == b {
			return true, fmt.Sprintf("they collide in %d of %d keys, and %d of %d signatures agree", len(x.Keys), x.AllKeys, x.Agreeing, x.Signatures)
		}
	}
	if r.Config.Neighbours > 0 {
		return false, r.whyNotNearest(x, a, b)
	}
	if x.Similarity < r.Config.Similarity && len(x.Keys) > 0 && !r.belowFloor(x) {
		return false, r.tooUnlike(x)
	}
	return false, r.whyNoCandidate(x)
}

// belowFloor reports whether too few signatures agree for a candidate.
func (r *Run) belowFloor(x *Explanation) bool {
	return float64(x.Agreeing)/float64(max(1, x.Signatures)) < x.Floor
}

func (r *Run) tooUnlike(x *Explanation) string {
	return fmt.Sprintf("candidates in %d keys, but only pairs with a similarity of %.3g or more are stored", len(x.Keys), r.Config.Similarity)
}

// whyNoCandidate tells why the index did not find a pair.
func (r *Run) whyNoCandidate(x *Explanation) string {
	switch {
	case len(x.Keys) == 0:
		return fmt.Sprintf("no key in common (%d of %d signatures agree; a pair as similar as this is found with probability %.3f)", x.Agreeing, x.Signatures, x.Chance)
	case r.belowFloor(x):
		return fmt.Sprintf("candidates in %d keys, but only %d of %d signatures agree and the floor is %.3g", len(x.Keys), x.Agreeing, x.Signatures, x.Floor)
	}
	return fmt.Sprintf("they collide only in buckets of more than %d nodes, where not every pair is formed", r.Config.MaxBucket)
}

// whyNotNearest tells why a run that stores the nearest neighbours does not have a pair of nodes.
func (r *Run) whyNotNearest(x *Explanation, a, b uint32) string {
	c := r.Config
	switch {
	case x.Similarity < c.Similarity:
		return fmt.Sprintf("only pairs with a similarity of %.3g or more are stored", c.Similarity)
	case r.crowded(a, b, x.Similarity) && r.crowded(b, a, x.Similarity):
		apart := ""
		if c.Apart > 0 {
			apart = fmt.Sprintf(" and the %d nearest that no page lists together with it", c.Apart)
		}
		return fmt.Sprintf("keys in common: %d, but the run stores the %d nearest of a document%s, and both have nearer ones", len(x.Keys), c.Neighbours, apart)
	}
	why := r.whyNoCandidate(x)
	if len(x.Keys) > 0 && !r.belowFloor(x) {
		why = fmt.Sprintf("candidates in %d keys, but only in buckets of more than %d nodes, where not every pair is formed, or behind others that agree in more signatures, which are compared first",
			len(x.Keys), c.MaxBucket)
	}
	if c.Rounds > 0 {
		why += "; expansion did not add the pair either"
	}
	return why
}

// crowded reports whether the run has no place for another node of this similarity among the neighbours of a node: it
// stores Config.Neighbours that are as near or nearer, and if no page links to both nodes, also Config.Apart of these to
// which no page links together with the node.
func (r *Run) crowded(node, other uint32, similarity float64) bool {
	c, list := r.Config, r.pairs.Neighbours(node)
	if c.Neighbours == 0 {
		return false
	}
	near := 0
	for _, e := range list {
		if e.Similarity >= float32(similarity) {
			near++
		}
	}
	if near < c.Neighbours {
		return false
	}
	if c.Apart == 0 || r.linkedTogether(node, other) {
		return true
	}
	apart := 0
	for _, e := range list {
		if e.Similarity >= float32(similarity) && !r.linkedTogether(node, e.To) {
			if apart++; apart == c.Apart {
				return true
			}
		}
	}
	return false
}

// linkedTogether reports whether a page links to the first documents of both nodes.
func (r *Run) linkedTogether(a, b uint32) bool {
	return r.Together(r.nodes.First(a), r.nodes.First(b)) > 0
}
