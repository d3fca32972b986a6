package classify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func vote(e *Examples, near ...Neighbour) (out []string) {
	for _, l := range e.Vote(near) {
		path := e.Path(l.Category)
		out = append(out, fmt.Sprintf("%s %.2f", path[len(path)-1], l.Share))
	}
	return out
}

func TestVote(t *testing.T) {
	e := NewExamples([][][]string{
		0: {{"a", "x", "deep", "too deep"}}, 1: {{"a", "y"}}, 2: {{"b", "x"}}, 3: {{"a", "x"}, {"b", "z"}}, 4: {{"a"}},
		5: {{"a"}}, 6: {{"a"}}, 7: {{"a"}}, 8: {{"a"}}, 9: {{"a"}},
	}, 3)
	for _, c := range []struct {
		name string
		near []Neighbour
		want []string
	}{
		{"no neighbour", nil, nil},
		{"one path, cut to the depth", []Neighbour{{0, .5, false}}, []string{"a 1.00", "x 1.00", "deep 1.00"}},
		{"squares of similarities", []Neighbour{{2, .2, false}, {1, .1, false}}, []string{"b 0.80", "x 0.80"}},
		{"a large category does not win by size", []Neighbour{{1, .2, false}, {2, .2, false}}, []string{"b 0.50", "x 0.50"}},
		{"a page with two labels votes for both", []Neighbour{{2, .2, false}, {3, .2, false}}, []string{"b 1.00", "x 0.50"}},
		{"the path ends with the labels", []Neighbour{{4, .9, false}}, []string{"a 1.00"}},
	} {
		if got := vote(e, c.near...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := e.Paths(3); fmt.Sprint(got) != "[[a x] [b z]]" {
		t.Errorf("paths %v", got)
	}
}

// TestVoteIgnoresOrder: neither the order of the labels of an example nor additional voters change an answer.
func TestVoteIgnoresOrder(t *testing.T) {
	a := NewExamples([][][]string{{{"p", "q"}, {"m"}}, {{"m", "n"}}}, 2)
	b := NewExamples([][][]string{{{"m"}, {"p", "q"}}, {{"m", "n"}}}, 2)
	near := []Neighbour{{0, .3, false}, {1, .2, false}}
	if x, y := vote(a, near...), vote(b, near...); !slices.Equal(x, y) {
		t.Errorf("%q and %q", x, y)
	}
	var many []Neighbour
	for range K {
		many = append(many, Neighbour{1, .2, false})
	}
	if got := vote(a, append(many, Neighbour{0, .1, false})...); !slices.Equal(got, []string{"m 1.00", "n 1.00"}) {
		t.Errorf("more than K vote: %q", got)
	}
}

// TestCurve: the curve of answers that are right as often as a known function of their share is near that function.
func TestCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	truth := func(share float64) float64 { return share * share }
	var samples []sample
	for range 20_000 {
		s := rng.Float64()
		samples = append(samples, sample{s, rng.Float64() < truth(s)})
	}
	c := newCurve(samples)
	if !slices.IsSorted(c.rates) || !slices.IsSorted(c.shares) {
		t.Errorf("the curve falls: %v", c)
	}
	for share := .01; share < 1; share += .01 {
		if got := c.at(share); math.Abs(got-truth(share)) > .06 {
			t.Errorf("at %.2f: %.3f, want %.3f", share, got, truth(share))
		}
	}
	if got := newCurve(nil).at(.9); got != 0 {
		t.Errorf("without samples %v", got)
	}
	few := newCurve([]sample{{.5, true}, {1, true}})
	if got := few.at(1); got != .75 {
		t.Errorf("two right answers: %v, want 3/4", got)
	}
}

// TestCalibrate: documents that share a page with their neighbours have their own curve.
func TestCalibrate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 2000
	paths, lists := make([][][]string, n), make([]Lists, n)
	for i := range paths {
		paths[i] = [][]string{{fmt.Sprint(i % 2), fmt.Sprint(i % 4)}}
	}
	neighbour := func(i int, agree float64, together bool) []Neighbour {
		other := rng.IntN(n/4)*4 + i%4
		if rng.Float64() > agree {
			other = (other + 1) % n
		}
		return []Neighbour{{int32(other), .5, together}}
	}
	for i := range lists {
		lists[i] = Lists{All: neighbour(i, .9, true), Apart: neighbour(i, .6, false)}
	}
	m := NewExamples(paths, 2).Calibrate(lists)
	if together, apart := m.Samples(); together != n || apart != n {
		t.Errorf("%d and %d samples", together, apart)
	}
	for _, c := range []struct {
		together bool
		want     float64
	}{{true, .9}, {false, .6}} {
		a := m.Answer([]Neighbour{{5, .5, c.together}})
		if got := a.Levels[1].Confidence; math.Abs(got-c.want) > .04 || a.Together != c.together {
			t.Errorf("together %v: %.3f, want %.1f", c.together, got, c.want)
		}
		if len(a.Cut(c.want-.1)) != 2 || len(a.Cut(1)) != 0 || a.Levels[1].Confidence > a.Levels[0].Confidence {
			t.Errorf("%+v", a)
		}
	}
}
