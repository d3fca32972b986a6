package shingles

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// goldPair is a line of pairs.tsv: exact figures by another tokeniser, of sets of 4 words.
type goldPair struct {
	a, b           string
	r, inB, inA    float64
	exact          Overlap
	mod, min, vary Overlap
}

func readPairs(t *testing.T, dir string) []goldPair {
	f, err := os.Open(filepath.Join(dir, "pairs.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pairs []goldPair
	for lines := bufio.NewScanner(f); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(c[0], "#") || len(c) < 6 {
			continue
		}
		p := goldPair{a: c[0], b: c[1]}
		for i, x := range []*float64{&p.r, &p.inB, &p.inA} {
			if *x, err = strconv.ParseFloat(c[3+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// sketched is the set of one document and the sketches of that set.
type sketched struct {
	set         Set
	mod, min, v Sketch
}

// measure compares all pairs. Those of which a document is missing are an error.
func measure(t *testing.T, docs map[string][]byte, pairs []goldPair, c Config) []goldPair {
	s := newShinglerT(t, c)
	done := map[string]*sketched{}
	of := func(url string) *sketched {
		if docs[url] == nil {
			t.Fatalf("%s is missing", url)
		}
		if done[url] == nil {
			d := &sketched{mod: Sketcher{}.New(), min: Sketcher{Kind: Min}.New(), v: Sketcher{Kind: Var}.New()}
			s.Sketch(&d.set, docs[url])
			for _, sketch := range []Sketch{d.mod, d.min, d.v} {
				sketch.AddAll(d.set.Values())
			}
			done[url] = d
		}
		return done[url]
	}
	for i := range pairs {
		p := &pairs[i]
		a, b := of(p.a), of(p.b)
		p.exact = a.set.Compare(&b.set)
		compare := func(s Sketcher, x, y Sketch) Overlap {
			return s.Overlap(Stored{x.Values(), a.set.Len()}, Stored{y.Values(), b.set.Len()})
		}
		p.mod, p.min, p.vary = compare(Sketcher{}, a.mod, b.mod), compare(Sketcher{Kind: Min}, a.min, b.min), compare(Sketcher{Kind: Var}, a.v, b.v)
	}
	return pairs
}

// scores sums up the differences of estimates from the exact figure, in standard errors.
type scores struct {
	n, none, far int
	squares      float64
	worst        float64
}

func (s *scores) add(estimate, exact float64, ok bool, samples, population int) {
	if !ok {
		s.none++
		return
	}
	s.worst = max(s.worst, math.Abs(estimate-exact))
	variance := 0.0
	if population > 1 {
		variance = withoutReplacement(exact, float64(samples), float64(population))
	}
	if variance < 1e-12 {
		s.far += one(math.Abs(estimate-exact) > 1e-9)
		return
	}
	z := (estimate - exact) / math.Sqrt(variance)
	s.n++
	s.squares += z * z
	s.far += one(math.Abs(z) > 4)
}

// check wants the errors that theory expects: a mean square of 1 in standard errors, and next to none over 4 of them.
// The pairs share documents and so are not independent; the bounds are wide.
func (s *scores) check(t *testing.T, what string) {
	t.Helper()
	mean := s.squares / float64(max(s.n, 1))
	t.Logf("%-26s %4d pairs, %3d without estimate, mean square %.2f standard errors, worst error %.3f, %d over 4", what, s.n, s.none, mean, s.worst, s.far)
	if mean < 0.6 || mean > 1.6 || s.far*50 > s.n {
		t.Errorf("%s: errors are not those of sampling", what)
	}
}

func TestLongRealResemblance(t *testing.T) {
	docs, dir := realDocuments(t, "neardup-rfc")
	for _, c := range []Config{{W: 4}, {W: 10, Split: true}} {
		var mod, least, vary, other scores
		for _, p := range measure(t, docs, readPairs(t, dir), c) {
			r, _ := p.exact.Resemblance()
			other.differ(r, p.r)
			mod.addResemblance(p.mod, r, p.exact)
			least.addResemblance(p.min, r, p.exact)
			vary.addResemblance(p.vary, r, p.exact)
		}
		t.Logf("w=%d, split %t: exact resemblance differs from pairs.tsv (w=4) by %.3f at most", c.W, c.Split, other.worst)
		if !c.Split && other.worst > 0.02 {
			t.Errorf("exact resemblance differs from pairs.tsv by %.3f", other.worst)
		}
		mod.check(t, "MOD_25")
		least.check(t, "MIN_200")
		vary.check(t, "V_i")
	}
}

func (s *scores) addResemblance(o Overlap, r float64, exact Overlap) {
	estimate, ok := o.Resemblance()
	s.add(estimate, r, ok, o.Union(), exact.Union())
}

// differ notes the difference of two exact figures.
func (s *scores) differ(x, y float64) {
	s.n++
	s.worst = max(s.worst, math.Abs(x-y))
	s.squares += (x - y) * (x - y)
}

// The pairs are not independent: of the occurrences of shingles that the whole lacks, 38 % are in several chapters at
// once, and whether such a one is sampled moves all of these pairs. The mean square of one permutation ranged from 0.63
// to 1.98 over 12 seeds, with a mean of 0.92; so the check is over several. The errors of V_i, with one sample or two,
// are too lumpy for such a check.
func TestLongRealContainment(t *testing.T) {
	docs, dir := realDocuments(t, "neardup-manuals")
	pairs := readPairs(t, dir)
	var mod, vary, other scores
	for seed := range uint64(4) {
		for _, p := range measure(t, docs, pairs, Config{W: 4, Seed: seed}) {
			c, _ := p.exact.Containment()
			other.differ(c, p.inB)
			mod.addContainment(p.mod, c, p.exact)
			vary.addContainment(p.vary, c, p.exact)
		}
	}
	t.Logf("exact containment differs from pairs.tsv by %.3f at most", other.worst)
	if other.worst > 0.02 {
		t.Errorf("exact containment differs from pairs.tsv by %.3f", other.worst)
	}
	mod.check(t, "MOD_25 containment")
	t.Logf("V_i containment: %d estimates, none for %d pairs", vary.n, vary.none)
	if vary.none < vary.n {
		t.Errorf("V_i has an estimate for %d pairs and none for %d: the comment on varSketch says otherwise", vary.n, vary.none)
	}
}

func (s *scores) addContainment(o Overlap, c float64, exact Overlap) {
	estimate, ok := o.Containment()
	s.add(estimate, c, ok, o.A, exact.A)
}
