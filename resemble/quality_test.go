package resemble

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/sets"
)

// prepared is a collection prepared for finding pairs.
type prepared struct {
	docs  Documents
	equal *Equal
	strip *Boilerplate
	found BoilerplateStats
}

func prepare(t testing.TB, docs Documents, strip bool) prepared {
	equal, err := FindEqual(background, docs, Resources{})
	if err != nil {
		t.Fatal(err)
	}
	p := prepared{docs: docs, equal: equal}
	if strip {
		if p.strip, p.found, err = FindBoilerplate(background, docs, equal, BoilerplateConfig{}, Resources{}); err != nil {
			t.Fatal(err)
		}
		if _, err := equal.Refine(background, docs, p.strip, Resources{}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p prepared) pairs(t testing.TB, c Config) ([]Pair, Stats) {
	var all []Pair
	stats, err := Pairs(background, p.docs, p.equal, p.strip, c, collect(&all))
	if err != nil {
		t.Fatal(err)
	}
	return all, stats
}

// exact returns what [Exact] finds.
func (p prepared) exact(c Config) (all []Pair) {
	if err := Exact(background, p.docs, p.equal, p.strip, c, collect(&all)); err != nil {
		panic(err)
	}
	return all
}

// score counts pairs over a threshold: the true ones, the emitted ones, the true ones among these, and those that the
// estimate alone would put there.
type score struct{ truth, found, right, estimated int }

func (s score) recall() float64 { return share(s.right, s.truth) }

func (s score) String() string {
	return fmt.Sprintf("%7d pairs  recall %.4f precision %.4f  recall without comparing %.3f", s.truth,
		s.recall(), share(s.right, s.found), share(s.estimated, s.truth))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// quality compares pairs with brute force. The first index is resemblance 0.5 and containment 0.8, the second fewer
// than 100 samples and at least 100.
func quality(found, truth []Pair, sketches func(Pair) Pair) (q [2][2]score) {
	count := func(list []Pair, add func(s *score, estimated bool)) {
		for _, p := range list {
			r, _ := p.Estimate()
			s := p.Sample
			inA, _ := s.Containment()
			inB, _ := s.Swap().Containment()
			if p.Resemblance() >= 0.5 {
				add(&q[0][sets.One(s.Union() >= 100)], r >= 0.5)
			}
			if p.ContainmentAB() >= 0.8 {
				add(&q[1][sets.One(s.A >= 100)], inA >= 0.8)
			}
			if p.ContainmentBA() >= 0.8 {
				add(&q[1][sets.One(s.B >= 100)], inB >= 0.8)
			}
		}
	}
	known := make(map[ids]bool)
	for _, p := range truth {
		known[ids{p.A, p.B}] = true
	}
	for i := range truth {
		truth[i] = sketches(truth[i])
	}
	count(truth, func(s *score, estimated bool) { s.truth++; s.estimated += sets.One(estimated) })
	count(found, func(s *score, _ bool) { s.found++ })
	right := slices.DeleteFunc(slices.Clone(found), func(p Pair) bool { return !known[ids{p.A, p.B}] })
	count(right, func(s *score, _ bool) { s.right++ })
	return q
}

// withSamples returns a function that sets the sketches of a pair from brute force.
func (p prepared) withSamples(m uint64) func(Pair) Pair {
	c := comparer{docs: p.docs, strip: p.strip}
	t := newTiers(m)
	return func(x Pair) Pair {
		own, _ := c.own(&c.a, p.docs.AppendValues(nil, x.A), p.docs.Host(x.A))
		tier := t.of(len(own))
		own, _ = c.own(&c.b, p.docs.AppendValues(nil, x.B), p.docs.Host(x.B))
		tier = min(tier, t.of(len(own)))
		c.lastOwn = nil
		as, bs := c.pair(x.A, x.B)
		x.Sample = overlap(t.sample(nil, as, tier), t.sample(nil, bs, tier))
		return x
	}
}

// TestLongQuality compares pairs with brute force. With LSHCLUST_TABLES=1 and -v it prints the table of lab/quality.md;
// otherwise only the manuals have all rows.
func TestLongQuality(t *testing.T) {
	for _, folder := range []string{"neardup-npm-licences", "neardup-manuals", "neardup-rfc", "versions-llvm"} {
		for _, w := range []int{10, 4} {
			for _, strip := range []bool{false, true} {
				if (w != 10 || !strip) && folder != "neardup-manuals" && os.Getenv("LSHCLUST_TABLES") == "" {
					continue
				}
				t.Run(fmt.Sprintf("%s/w=%d/strip=%t", folder, w, strip), func(t *testing.T) {
					measureQuality(t, realDocuments(t, folder, w), strip, Config{})
				})
			}
		}
	}
}

// The MIT licence is in some 500 of these files, all different, and all pairs of them are found. If fewer pairs may be
// formed, they hide one another, which the counts show.
func TestManyVersions(t *testing.T) {
	var docs Collection
	for id, d := range realDocuments(t, "neardup-npm-licences", 10) {
		if id%3 == 0 {
			docs = append(docs, d)
		}
	}
	found := measureQuality(t, docs, true, Config{})
	if s := found[0][0]; s.truth < 70_000 || s.recall() < 0.99 {
		t.Errorf("%v", s)
	}
	if _, stats := prepare(t, docs, true).pairs(t, Config{MaxPairs: 100_000}); stats.MostlyIgnored < 370 {
		t.Errorf("%d documents with most samples ignored, want those with the licence", stats.MostlyIgnored)
	}
}

func measureQuality(t *testing.T, docs Documents, strip bool, c Config) [2][2]score {
	p := prepare(t, docs, strip)
	found, stats := p.pairs(t, c)
	truth := p.exact(Config{})
	t.Logf("equal %+v", p.equal.Stats())
	t.Logf("boilerplate %+v", p.found)
	stats.SelfJoin.Common = nil
	t.Logf("%+v", stats)
	q := quality(found, truth, p.withSamples(25))
	for i, what := range []string{"resemblance 0.5", "containment 0.8"} {
		for j, samples := range []string{"fewer than 100 samples", "100 samples and more"} {
			s := q[i][j]
			t.Logf("%s, %-22s %v", what, samples, s)
			if j == 1 && (s.recall() < 0.99 || s.right < s.found) {
				t.Errorf("%s, %s: %v", what, samples, s)
			}
		}
	}
	return q
}
