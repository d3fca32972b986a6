package resemble

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
	"pgregory.net/rapid"
)

// of yields pairs as a stored table would.
func of(pairs []Pair) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for _, p := range pairs {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// pairOf returns a pair of the given resemblance in hundredths.
func pairOf(a, b uint32, percent int) Pair {
	return Pair{A: a, B: b, Exact: shingles.Overlap{A: 100, B: percent, Both: percent}}
}

// distinct returns n documents without equals.
func distinct(n int) *Equal {
	e := &Equal{make([]uint32, n), make([]Relation, n)}
	for i := range e.parent {
		e.parent[i] = uint32(i)
	}
	return e
}

func drawPairs(t *rapid.T, n int) (pairs []Pair) {
	for a := range uint32(n) {
		for b := a + 1; b < uint32(n); b++ {
			if percent := rapid.IntRange(-150, 99).Draw(t, "percent"); percent > 30 {
				pairs = append(pairs, pairOf(a, b, percent))
			}
		}
	}
	return pairs
}

// distances returns the least number of links between any two nodes, by the algorithm of Floyd and Warshall; far if
// they are not connected.
func distances(n int, pairs []Pair, links func(Pair) bool) [][]int {
	d := make([][]int, n)
	for i := range d {
		d[i] = slices.Repeat([]int{far}, n)
		d[i][i] = 0
	}
	for _, p := range pairs {
		if links(p) {
			d[p.A][p.B], d[p.B][p.A] = 1, 1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

const far = 1 << 20

// Clusters at any threshold are the components of the pairs at or above it, with the right figures.
func TestClusterLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "documents")
		pairs := drawPairs(t, n)
		threshold := float64(rapid.IntRange(30, 100).Draw(t, "threshold")) / 100
		weights := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "weights")
		c := ClusterConfig{Policy: Policy{Threshold: threshold}, Weight: func(id uint32) float64 { return float64(weights[id]) }}
		out, err := Cluster(background, distinct(n), of(pairs), c)
		if err != nil {
			t.Fatal(err)
		}
		d := distances(n, pairs, func(p Pair) bool { return p.Resemblance() >= threshold })
		for i := range uint32(n) {
			for j := range uint32(n) {
				if (out.Representative(i) == out.Representative(j)) != (d[i][j] < far) {
					t.Fatalf("%d and %d: representatives %d and %d, %d links apart", i, j, out.Representative(i), out.Representative(j), d[i][j])
				}
			}
			checkMember(t, out, i, d, weights)
		}
		for _, g := range out.Groups() {
			checkGroup(t, out, g, d, pairs, threshold)
		}
	})
}

func checkMember(t *rapid.T, out *Clusters, id uint32, d [][]int, weights []int) {
	m := out.Member(id)
	rep := m.Representative
	want := []Via{ViaSelf, ViaPair, ViaChain}[min(d[id][rep], 2)]
	if m.Via != want || (m.Relation == Similar) != (want != ViaSelf) {
		t.Fatalf("%d is tied to %d, %d links apart, by %v (%v)", id, rep, d[id][rep], m.Via, m.Relation)
	}
	if weights[id] > weights[rep] || weights[id] == weights[rep] && id < rep {
		t.Fatalf("%d of weight %d is represented by %d of weight %d", id, weights[id], rep, weights[rep])
	}
}

func checkGroup(t *rapid.T, out *Clusters, g Group, d [][]int, pairs []Pair, threshold float64) {
	members := out.Members(g)
	far, chained := 0, 0
	for _, i := range members {
		chained += sets.One(d[i][g.Representative] > 1)
		for _, j := range members {
			far = max(far, d[i][j])
		}
	}
	if g.DiameterLow != far || g.DiameterHigh != far || g.Chained != chained || len(members) != g.Documents || g.Distinct != g.Documents {
		t.Fatalf("%+v: diameter %d, %d chained, %d members", g, far, chained, len(members))
	}
	// The lowest link: above it the members are no longer all together, at it they are.
	at := distances(len(d), pairs, func(p Pair) bool { return float32(p.Resemblance()) >= float32(g.Lowest) })
	above := distances(len(d), pairs, func(p Pair) bool { return float32(p.Resemblance()) > float32(g.Lowest) })
	together, apart := true, false
	for _, i := range members {
		together = together && at[i][members[0]] <= 1<<10
		apart = apart || above[i][members[0]] > 1<<10
	}
	if !together || !apart || g.Lowest < threshold-1e-6 {
		t.Fatalf("%+v: lowest link at %v; together there %t, apart above %t", g, g.Lowest, together, apart)
	}
	if got, ok := out.Group(g.Representative); !ok || got != g {
		t.Fatalf("group of %d: %+v", g.Representative, got)
	}
}

// TestUnionFind compares with a walk from node to node.
func TestUnionFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "nodes")
		next := make([][]uint32, n)
		u := NewUnionFind(n)
		for range rapid.IntRange(0, 40).Draw(t, "links") {
			a, b := uint32(rapid.IntRange(0, n-1).Draw(t, "a")), uint32(rapid.IntRange(0, n-1).Draw(t, "b"))
			next[a], next[b] = append(next[a], b), append(next[b], a)
			u.Union(a, b)
		}
		seen := make([]bool, n)
		for i := range uint32(n) {
			if seen[i] {
				continue
			}
			for queue := []uint32{i}; len(queue) > 0; queue = queue[1:] {
				if at := queue[0]; !seen[at] {
					seen[at] = true
					queue = append(queue, next[at]...)
					if u.Find(at) != i {
						t.Fatalf("%d is in the component of %d, want %d", at, u.Find(at), i)
					}
				}
			}
		}
	})
}

// Equal documents follow their representative; the representative of a cluster may be one of them.
func TestClusterOfEquals(t *testing.T) {
	e, err := NewEqual([]uint32{0, 0, 2, 2, 2, 5, 6, 6}, []Relation{Alone, Identical, Alone, Lexical, Shingle, Alone, Alone, Identical})
	if err != nil {
		t.Fatal(err)
	}
	pairs := []Pair{pairOf(0, 2, 60), pairOf(2, 5, 70)}
	out, err := Cluster(background, e, of(pairs), ClusterConfig{Weight: func(id uint32) float64 { return float64(sets.One(id == 1)) }})
	if err != nil {
		t.Fatal(err)
	}
	var got []Member
	for id := range uint32(8) {
		m := out.Member(id)
		m.Resemblance = float64(int(m.Resemblance*100 + 0.5))
		got = append(got, m)
	}
	want := []Member{
		{1, ViaEqual, Identical, 100}, {1, ViaSelf, Alone, 100},
		{1, ViaPair, Similar, 60}, {1, ViaPair, Similar, 60}, {1, ViaPair, Similar, 60},
		{1, ViaChain, Similar, 0},
		{6, ViaSelf, Alone, 100}, {6, ViaEqual, Identical, 100},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("members:", d)
	}
	g := out.Groups()
	if len(g) != 2 || g[0].Documents != 6 || g[0].Distinct != 3 || g[0].Chained != 1 || g[0].DiameterHigh != 2 || g[1].Lowest != 1 || g[1].DiameterHigh != 0 {
		t.Errorf("%+v", g)
	}
}

func TestContainmentPolicy(t *testing.T) {
	small := Pair{A: 0, B: 1, Exact: shingles.Overlap{A: 10, B: 1000, Both: 9}}
	for _, c := range []struct {
		policy Policy
		want   int
	}{{Policy{}, 0}, {Policy{Containment: 0.8}, 1}, {Policy{Containment: 0.95}, 0}} {
		out, err := Cluster(background, distinct(2), of([]Pair{small}), ClusterConfig{Policy: c.policy})
		if err != nil || len(out.Groups()) != c.want {
			t.Errorf("%+v: %d clusters (%v), want %d", c.policy, len(out.Groups()), err, c.want)
		}
	}
}

func TestClusterErrors(t *testing.T) {
	if _, err := Cluster(background, distinct(2), of([]Pair{pairOf(0, 7, 90)}), ClusterConfig{}); !errors.Is(err, ErrTable) {
		t.Errorf("pair of no documents: %v", err)
	}
	bad := errors.New("bad")
	_, err := Cluster(background, distinct(2), func(yield func(Pair, error) bool) { yield(Pair{}, bad) }, ClusterConfig{})
	if !errors.Is(err, bad) {
		t.Errorf("error of the pairs: %v", err)
	}
}

// Beyond the effort the diameter is bounded.
func TestDiameterBounds(t *testing.T) {
	var links []ids
	for i := range uint32(1000) {
		links = append(links, ids{i, i + 1})
	}
	if low, high := diameter(links, 0, 1<<30); low != 1000 || high != 1000 {
		t.Errorf("a path of 1000 links: %d to %d", low, high)
	}
	if low, high := diameter(links, 500, 1000); low > 1000 || high < 1000 || low < 500 {
		t.Errorf("a path of 1000 links: bounds %d to %d", low, high)
	}
	var pairs []Pair
	for i := range uint32(99) {
		pairs = append(pairs, pairOf(i, i+1, 80))
	}
	out, err := Cluster(background, distinct(100), of(pairs), ClusterConfig{Effort: 50})
	if err != nil {
		t.Fatal(err)
	}
	if g := out.Groups()[0]; g.Links != 99 || g.DiameterLow > 99 || g.DiameterHigh < 99 {
		t.Errorf("%+v", g)
	}
}
