package score

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// randomClusters puts the targets of d into clusters; some are unknown.
func randomClusters(d *Directory, seed uint64) Clusters {
	rng := rand.New(rand.NewPCG(seed, 5))
	c := Clusters{Name: "random", Of: make([]uint32, d.Len()), Size: make([]int, d.Len())}
	for i := range c.Of {
		c.Of[i] = uint32(rng.IntN(4) * rng.IntN(d.Len()))
		if rng.IntN(10) == 0 {
			c.Of[i] = NoCluster
		}
	}
	size := map[uint32]int{}
	for _, of := range c.Of {
		size[of]++
	}
	for i, of := range c.Of {
		if of != NoCluster {
			c.Size[i] = size[of]
		}
	}
	return c
}

// TestClustersWorked: clusters {a b d} {c} {e f}, in X/L X/L X/M X/L Y/N, f in Y/N and X/M.
func TestClustersWorked(t *testing.T) {
	d, _ := worked(t)
	s := d.ScoreClusters(Clusters{Of: []uint32{0, 0, 2, 0, 4, 4}, Size: []int{3, 3, 1, 3, 2, 2}}, Options{})
	l := s.Levels[1] // together: a b c, d f, e f
	for _, c := range []struct {
		name string
		got  Figure
		want float64
	}{
		{"coverage", s.Coverage, 5. / 6},
		{"B-cubed precision", l.BCubed.Precision, (2./3 + 2./3 + 1 + 1./3 + 1 + 1) / 6},
		{"B-cubed recall", l.BCubed.Recall, (2./3 + 2./3 + 1./3 + 1./2 + 1 + 2./3) / 6},
	} {
		if math.Abs(c.got.Value-c.want) > 1e-12 || !c.got.Defined() {
			t.Errorf("%s is %v, worked out %v", c.name, c.got.Value, c.want)
		}
	}
	if s.Clusters != 3 || s.Largest != 3 || s.Singletons != 1 || s.Alone != 1 || l.Targets != 6 {
		t.Errorf("counts: %+v", s)
	}
}

// TestClustersAgainstDefinition compares B-cubed with sums over all pairs of targets.
func TestClustersAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		d, _, _ := random(seed, rapid.IntRange(2, 40).Draw(t, "targets"), rapid.IntRange(1, 4).Draw(t, "categories"))
		c := randomClusters(d, seed)
		s := d.ScoreClusters(c, Options{})
		for k := 1; k <= 3; k++ {
			var elements []int
			for i := range d.Len() {
				if d.Shared(i, i) >= k && c.Of[i] != NoCluster {
					elements = append(elements, i)
				}
			}
			var precision, recall float64
			for _, a := range elements {
				var in, with, both float64
				for _, b := range elements {
					x, y := c.Of[a] == c.Of[b], d.Shared(a, b) >= k
					if x {
						in++
					}
					if y {
						with++
					}
					if x && y {
						both++
					}
				}
				precision, recall = precision+both/in, recall+both/with
			}
			n := float64(len(elements))
			l := s.Levels[k-1]
			for _, x := range []struct {
				name     string
				got      Figure
				num, den float64
			}{
				{"precision", l.BCubed.Precision, precision, n}, {"recall", l.BCubed.Recall, recall, n},
			} {
				if x.got.Defined() != (x.den > 0) || x.den > 0 && math.Abs(x.got.Value-x.num/x.den) > 1e-9 {
					t.Fatalf("level %d: %s is %+v, by its definition %v/%v", k, x.name, x.got, x.num, x.den)
				}
			}
		}
	})
}

// TestClustersByChance compares the chance levels with random clusterings.
func TestClustersByChance(t *testing.T) {
	d, _, _ := random(11, 200, 3)
	c := randomClusters(d, 11)
	for i := range c.Of {
		if c.Of[i] == NoCluster {
			c.Of[i] = 0
		}
	}
	want := d.ScoreClusters(c, Options{}).Levels[1]
	// Only targets with a category of the level change places, so the sizes among them stay the same.
	var places []int
	for i := range d.Len() {
		if d.Shared(i, i) >= 2 {
			places = append(places, i)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	const draws = 300
	got := map[string]float64{}
	for range draws {
		rng.Shuffle(len(places), func(i, j int) {
			a, b := places[i], places[j]
			c.Of[a], c.Of[b] = c.Of[b], c.Of[a]
		})
		l := d.ScoreClusters(c, Options{}).Levels[1]
		for name, f := range map[string]Figure{"p": l.BCubed.Precision, "r": l.BCubed.Recall} {
			got[name] += f.Value / draws
		}
	}
	for name, f := range map[string]Figure{"p": want.BCubed.ChancePrecision, "r": want.BCubed.ChanceRecall} {
		if !f.Defined() || math.Abs(f.Value-got[name]) > .006 {
			t.Errorf("%s by chance: %v, random clusterings have %v", name, f.Value, got[name])
		}
	}
}

// TestNothingToTell: with one category, one target, or nothing known, there is no NaN, which JSON would refuse.
func TestNothingToTell(t *testing.T) {
	for name, labels := range map[string][]Label{
		"one category": {{URL: "a", Path: []string{"X"}}, {URL: "b", Path: []string{"X"}}, {URL: "c", Path: []string{"X"}}},
		"one target":   {{URL: "a", Path: []string{"X", "Y", "Z"}}},
		"all apart":    {{URL: "a", Path: []string{"X"}}, {URL: "b", Path: []string{"Y"}}},
	} {
		d, err := NewDirectory(labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		of, size := make([]uint32, d.Len()), make([]int, d.Len())
		for _, unknown := range []bool{false, true} {
			for i := range of {
				size[i] = d.Len()
				if unknown {
					of[i] = NoCluster
				}
			}
			o := Options{Bootstrap: 20}
			s, r := d.ScoreClusters(Clusters{Of: of, Size: size}, o), d.ScoreRanking(Ranking{Lists: make([][]Neighbour, d.Len())}, o)
			if _, err := json.Marshal([]any{s, r}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if l := s.Levels[2]; name != "one target" && (l.Targets != 0 || l.BCubed.F.Defined()) {
				t.Errorf("%s: figures of a level without targets: %+v", name, l)
			}
			if r.Levels[0].Agree.Defined() || r.Levels[0].Hit.Value != 0 || !r.Levels[0].Hit.Defined() {
				t.Errorf("%s: %+v of empty lists", name, r.Levels[0])
			}
		}
	}
	if _, err := NewDirectory(nil, 3); err == nil {
		t.Error("a directory of nothing")
	}
	if _, err := NewDirectory([]Label{{URL: "a", Path: nil}}, 3); err == nil {
		t.Error("a label without a category")
	}
	if _, err := NewDirectory([]Label{{URL: "a", Path: []string{"X"}}}, 0); err == nil {
		t.Error("a directory of depth 0")
	}
}
