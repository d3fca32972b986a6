package resemble

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/shingles"
)

// sketchedDocs are Sketches in memory.
type sketchedDocs struct {
	Collection
	sketcher shingles.Sketcher
	whole    Collection
}

func (s sketchedDocs) Sketched() bool              { return true }
func (s sketchedDocs) Sketcher() shingles.Sketcher { return s.sketcher }
func (s sketchedDocs) Size(id uint32) int          { return len(s.whole[id].Values) }
func (s sketchedDocs) Digest(id uint32) uint64     { return Digest(s.whole[id].Values) }

func sketchAll(whole Collection, s shingles.Sketcher) sketchedDocs {
	out := sketchedDocs{sketcher: s, whole: whole}
	for _, d := range whole {
		sketch := s.New()
		sketch.AddAll(d.Values)
		d.Values = slices.Clone(sketch.Values())
		out.Collection = append(out.Collection, d)
	}
	return out
}

// edits returns families of documents of very different sizes: versions of one another, parts, and equal ones, on two
// hosts with a template each.
func edits(r *rand.Rand) Collection {
	var out Collection
	digest := uint64(0)
	template := [2][]uint64{values(r, 200), values(r, 300)}
	add := func(host int, set []uint64) {
		digest++
		set = append(slices.Clone(set), template[host]...)
		slices.Sort(set)
		out = append(out, Document{Values: slices.Compact(set), Bytes: digest, Lexical: digest, Host: uint32(host)})
	}
	for family := range 40 {
		base := values(r, 30<<(family%7))
		for version := range 4 {
			kept := base[:len(base)-version*len(base)/8]
			add((family+version)%2, append(slices.Clone(kept), values(r, version*len(base)/10)...))
		}
		add(family%2, base[:len(base)/3])
		add(family%2, base)
	}
	return out
}

func values(r *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() >> 24
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestSketchPairs: sorting samples finds the same pairs as comparing all sketches with one another.
func TestSketchPairs(t *testing.T) {
	docs := edits(rand.New(rand.NewPCG(7, 8)))
	for _, s := range []shingles.Sketcher{{M: 4}, {Kind: shingles.Min, S: 50}, {Kind: shingles.MinMod, M: 4, S: 50}, {Kind: shingles.Var}} {
		t.Run(s.String(), func(t *testing.T) {
			sketches := sketchAll(docs, s)
			equal, err := FindEqual(t.Context(), sketches, Resources{})
			if err != nil {
				t.Fatal(err)
			}
			if n := equal.Stats().Shingle; n != 40 {
				t.Errorf("%d documents with the same shingles, not 40", n)
			}
			var strip *Boilerplate
			if s.Kind.Drops() {
				if strip, _, err = FindBoilerplate(t.Context(), sketches, equal, SketchBoilerplate(s), Resources{}); err != nil {
					t.Fatal(err)
				}
				if len(strip.Of(0)) < 20 || len(strip.Of(1)) < 30 {
					t.Errorf("boilerplate of %d and %d samples", len(strip.Of(0)), len(strip.Of(1)))
				}
			}
			c := Config{MinShingles: 4, Floor: 0.5, Containment: 0.8}
			var got []Pair
			stats, err := Pairs(t.Context(), sketches, equal, strip, c, func(pairs []Pair) error {
				got = append(got, pairs...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := bruteSketches(sketches, equal, strip, c)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if len(got) < 100 || int(stats.Similar+stats.Contained) != len(got) || s.Kind.Containment() != (stats.Contained > 0) {
				t.Errorf("%d pairs, %+v", len(got), stats)
			}
			for _, p := range got {
				whole := sketches.Size(p.A) == len(sketches.AppendValues(nil, p.A)) && sketches.Size(p.B) == len(sketches.AppendValues(nil, p.B))
				if p.Estimated() == whole {
					t.Fatalf("%+v, whole %v", p, whole)
				}
			}
		})
	}
}

// bruteSketches compares the sketches of all representatives.
func bruteSketches(docs Sketches, equal *Equal, strip *Boilerplate, c Config) (out []Pair) {
	for a := range uint32(docs.Len()) {
		for b := a + 1; b < uint32(docs.Len()); b++ {
			if equal.Relation(a) != Alone || equal.Relation(b) != Alone {
				continue
			}
			p := Compare(docs, strip, a, b)
			o := p.Overlap()
			contained := p.ContainmentAB() >= c.Containment && o.A >= c.MinShingles || p.ContainmentBA() >= c.Containment && o.B >= c.MinShingles
			contained = contained && (docs.Sketcher().Kind.Containment() || !p.Estimated())
			if p.Resemblance() >= c.Floor && o.Union() >= c.MinShingles || contained {
				out = append(out, p)
			}
		}
	}
	return out
}

// TestSketchResources: workers and memory change neither pairs nor counts.
func TestSketchResources(t *testing.T) {
	docs := sketchAll(edits(rand.New(rand.NewPCG(9, 10))), shingles.Sketcher{Kind: shingles.Var})
	var want string
	for i, r := range []Resources{{Workers: 1}, {Workers: 4, Memory: 1 << 16, Dir: t.TempDir()}} {
		equal, err := FindEqual(t.Context(), docs, r)
		if err != nil {
			t.Fatal(err)
		}
		strip, found, err := FindBoilerplate(t.Context(), docs, equal, SketchBoilerplate(docs.sketcher), r)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%+v %+v", equal.Stats(), found)
		stats, err := Pairs(t.Context(), docs, equal, strip, Config{MaxCommon: 30, Resources: r}, func(pairs []Pair) error {
			got += fmt.Sprint(pairs)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%+v", stats)
		if i > 0 && got != want {
			t.Errorf("%+v differs: %d and %d bytes", r, len(want), len(got))
		}
		want = got
	}
}

// TestPairSwap: a swapped pair has the same resemblance and swapped containments.
func TestPairSwap(t *testing.T) {
	p := Pair{A: 1, B: 2, Sample: shingles.Overlap{A: 10, B: 20, Both: 8}}
	q := p.Swap()
	if q.Resemblance() != p.Resemblance() || q.ContainmentAB() != p.ContainmentBA() || !q.Estimated() || q.A != 2 {
		t.Errorf("%+v", q)
	}
	if p.Relation(0.3) != "similar" || p.Relation(0.5) != "contained" {
		t.Error(p.Relation(0.3), p.Relation(0.5))
	}
}
