package eval

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
)

// Kinds of golds of pairs.
const (
	NearDuplicates = "near-duplicates"
	Containment    = "containment"
	Moved          = "moved"
)

// PairScores is the syntactic view against a gold of pairs.
type PairScores struct {
	Gold      string     `json:"gold"`
	Kind      string     `json:"kind"`
	Threshold float64    `json:"threshold"` // from which on the run has stored pairs
	Pairs     int        `json:"pairs"`     // of the gold
	Known     int        `json:"known"`     // both of whose pages the run has
	Unknown   []Skipped  `json:"unknown"`   // rows with a page that it has not
	Parts     []PairPart `json:"parts"`     // all, same host, cross host

	// How far the exact figures of the run are from those of the gold, over the pairs that have one.
	Differ     Figure  `json:"differ"` // mean absolute difference
	DifferMost float64 `json:"differ_most"`
}

// PairPart is the pairs of one kind of hosts.
type PairPart struct {
	Hosts string    `json:"hosts"` // all, same host, cross host
	Bins  []PairBin `json:"bins"`  // by the figure of the gold, or one for all if it has none; the last from the threshold on
	Own   PairBin   `json:"own"`   // the pairs whose exact figure in the run, by its own shingles, is at the threshold

	// Precision is the share of the pairs stored between pages that the gold names that are pairs of the gold. It means
	// little where the gold does not list all pairs.
	Precision Figure `json:"precision"`
}

// PairBin is the pairs of the gold whose figure is in a range. Intervals are Wilson's: they take pairs as independent.
type PairBin struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`       // inclusive in the last bin
	Found    Figure  `json:"found"`    // share of the pairs that the run has stored at its threshold
	Together Figure  `json:"together"` // that are in one cluster
}

// pairEdges are the bins of the figures of golds; the threshold of the run parts one more.
var pairEdges = []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9, 1}

// hostKinds are the parts of a score.
var hostKinds = []string{"all", "same host", "cross host"}

// scoredPair is a pair of the gold in the run.
type scoredPair struct {
	a, b            uint32
	sameHost        bool
	figure          float64 // of the gold, -1 unknown
	own             float64 // of the run, exact
	found, together bool
}

// pairScorer scores a gold of one kind against one run.
type pairScorer struct {
	run       *query.Run
	kind      string
	threshold float64
	near      map[uint32][]query.Duplicate
}

// ScorePairs compares the stored pairs of a run with a gold of near-duplicates or of containment.
func ScorePairs(ctx context.Context, g *GoldPairs, r *query.Run, kind string) (*PairScores, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	if kind == Containment {
		if err := r.NeedContainment(); err != nil {
			return nil, err
		}
	}
	s := pairScorer{run: r, kind: kind, near: map[uint32][]query.Duplicate{}, threshold: r.Config.Resemblance}
	if kind == Containment {
		s.threshold = r.Config.Containment
	}
	out := &PairScores{Gold: g.Name, Kind: kind, Threshold: s.threshold, Pairs: len(g.Pairs), Unknown: []Skipped{}}
	var unknown Gold
	var pairs []scoredPair
	differ := 0.0
	for _, p := range g.Pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, missing := s.find(p)
		if missing != "" {
			unknown.skipAt("unknown-url", p.At, missing)
			continue
		}
		if err := s.score(&x); err != nil {
			return nil, err
		}
		pairs = append(pairs, x)
		if x.figure >= 0 {
			out.Differ.N++
			differ += math.Abs(x.own - x.figure)
			out.DifferMost = max(out.DifferMost, math.Abs(x.own-x.figure))
		}
	}
	if out.Known = len(pairs); out.Known == 0 {
		return nil, fmt.Errorf("%s: %w: of %d pairs, the first is %s, %s", g.Name, ErrNoOverlap, len(g.Pairs), g.Pairs[0].A, g.Pairs[0].B)
	}
	out.Unknown = append(out.Unknown, unknown.Skipped...)
	out.Differ.Value = differ / float64(max(1, out.Differ.N))
	precise, err := s.precision(pairs)
	if err != nil {
		return nil, err
	}
	for i, hosts := range hostKinds {
		some := slices.DeleteFunc(slices.Clone(pairs), func(x scoredPair) bool { return i > 0 && x.sameHost != (i == 1) })
		own := bin(some, s.threshold, 1, func(x scoredPair) bool { return x.own >= s.threshold })
		out.Parts = append(out.Parts, PairPart{hosts, s.bins(some), own, precise[i].Figure()})
	}
	return out, nil
}

// skipAt counts a row that is left out, at a place that is known as a whole.
func (g *Gold) skipAt(reason, at, what string) {
	g.skip(reason, "", 0, "")
	i := slices.IndexFunc(g.Skipped, func(s Skipped) bool { return s.Reason == reason })
	if s := &g.Skipped[i]; s.Count <= skippedExamples {
		s.Examples[len(s.Examples)-1] = at + ": " + clip(what)
	}
}

// find looks both pages up, or tells which URL has none.
func (s *pairScorer) find(p GoldPair) (x scoredPair, missing string) {
	var ids [2]uint32
	for i, u := range []string{p.A, p.B} {
		id, err := s.run.Lookup(u)
		if err != nil || !s.run.Document(id).Crawled {
			return x, u
		}
		ids[i] = id
	}
	x = scoredPair{a: ids[0], b: ids[1], figure: p.Resemblance, sameHost: s.sameHost(ids[0], ids[1])}
	if s.kind == Containment {
		x.figure = p.Containment
	}
	return x, ""
}

func (s *pairScorer) sameHost(a, b uint32) bool {
	x, errX := url.Parse(s.run.Document(a).URL)
	y, errY := url.Parse(s.run.Document(b).URL)
	return errX == nil && errY == nil && x.Host == y.Host
}

// figure is what the kind of gold is about.
func (s *pairScorer) figure(d query.Duplicate) float64 {
	if s.kind == Containment {
		return max(d.OfThis, d.OfOther)
	}
	return d.Resemblance
}

// duplicates are what the run stored of a document.
func (s *pairScorer) duplicates(id uint32) ([]query.Duplicate, error) {
	list, ok := s.near[id]
	if !ok {
		var err error
		if list, err = s.run.Duplicates(id); err != nil {
			return nil, err
		}
		s.near[id] = list
	}
	return list, nil
}

// stored tells whether a duplicate is a stored pair at the threshold: one of a chain was not stored.
func (s *pairScorer) stored(d query.Duplicate) bool {
	return d.Relation != "chain" && s.figure(d) >= s.threshold
}

// score asks what the run has of a pair.
func (s *pairScorer) score(x *scoredPair) error {
	list, err := s.duplicates(x.a)
	if err != nil {
		return err
	}
	x.found = slices.ContainsFunc(list, func(d query.Duplicate) bool { return d.ID == x.b && s.stored(d) })
	if x.together, err = s.run.SameText(x.a, x.b); err != nil {
		return err
	}
	d, err := s.run.Overlap(x.a, x.b)
	x.own = s.figure(d)
	return err
}

// precision counts the stored pairs between pages that the gold names, for each kind of hosts.
func (s *pairScorer) precision(pairs []scoredPair) (out [3]Proportion, err error) {
	listed, named := map[[2]uint32]bool{}, map[uint32]bool{}
	for _, x := range pairs {
		listed[[2]uint32{min(x.a, x.b), max(x.a, x.b)}] = true
		named[x.a], named[x.b] = true, true
	}
	for id := range named {
		list, err := s.duplicates(id)
		if err != nil {
			return out, err
		}
		for _, d := range list {
			if d.ID <= id || !named[d.ID] || !s.stored(d) {
				continue
			}
			right := listed[[2]uint32{id, d.ID}]
			out[0].Count(right)
			if s.sameHost(id, d.ID) {
				out[1].Count(right)
			} else {
				out[2].Count(right)
			}
		}
	}
	return out, nil
}

// bins counts pairs by the figure of the gold.
func (s *pairScorer) bins(pairs []scoredPair) (out []PairBin) {
	if !slices.ContainsFunc(pairs, func(x scoredPair) bool { return x.figure >= 0 }) {
		return []PairBin{bin(pairs, 0, 1, func(scoredPair) bool { return true })}
	}
	edges := slices.Clone(pairEdges)
	if !slices.Contains(edges, s.threshold) {
		edges = append(edges, s.threshold)
		slices.Sort(edges)
	}
	for i, from := range edges[:len(edges)-1] {
		to, last := edges[i+1], i == len(edges)-2
		out = append(out, bin(pairs, from, to, func(x scoredPair) bool { return x.figure >= from && (x.figure < to || last) }))
	}
	return append(out, bin(pairs, s.threshold, 1, func(x scoredPair) bool { return x.figure >= s.threshold }))
}

// bin counts what became of some pairs.
func bin(pairs []scoredPair, from, to float64, in func(scoredPair) bool) PairBin {
	var found, together Proportion
	for _, x := range pairs {
		if in(x) {
			found.Count(x.found)
			together.Count(x.together)
		}
	}
	return PairBin{from, to, found.Figure(), together.Figure()}
}
