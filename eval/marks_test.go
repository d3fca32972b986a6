package eval

import (
	"math"
	"testing"

	"github.com/lshclust/lshclust/eval/gold"
)

// Precision, its counts and the paired differences, counted by hand.
func TestScoreMarks(t *testing.T) {
	s := ScoreMarks([]gold.Mark{
		{Query: "q1", Neighbour: "a", Verdict: gold.Good, Listed: []gold.Listed{{Method: "x", Rank: 1}, {Method: "y", Rank: 1}}},
		{Query: "q1", Neighbour: "b", Verdict: gold.Bad, Listed: []gold.Listed{{Method: "y", Rank: 2}}},
		{Query: "q1", Neighbour: "c", Verdict: gold.DontKnow, Listed: []gold.Listed{{Method: "x", Rank: 2}}},
		{Query: "q2", Neighbour: "a", Verdict: gold.Bad, Listed: []gold.Listed{{Method: "x", Rank: 1}}},
		{Query: "q2", Neighbour: "b", Verdict: gold.Good, Listed: []gold.Listed{{Method: "x", Rank: 2}, {Method: "y", Rank: 1}}},
		{Query: "q3", Neighbour: "a", Verdict: "", Listed: []gold.Listed{{Method: "x", Rank: 1}, {Method: "z", Rank: 1}}},
	}, ResampleOptions{Bootstrap: 200, Seed: 1})
	if s.Queries != 2 || s.Rows != 6 || s.Marked != 5 || len(s.Methods) != 3 || len(s.Pairs) != 3 {
		t.Fatalf("%+v", s)
	}
	x, z := s.Methods[0], s.Methods[2]
	if x.Method != "x" || x.Queries != 3 || x.Listed != 5 || x.Good != 2 || x.Bad != 1 || x.DontKnow != 1 || x.Unmarked != 1 ||
		math.Abs(x.Precision.Value-2./3) > 1e-12 || x.Precision.N != 2 || x.Precision.Queries == nil {
		t.Errorf("%+v", x)
	}
	if z.Precision.Defined() {
		t.Errorf("nothing is judged: %+v", z)
	}
	// q1: 1 - 1/2, q2: 1/2 - 1.
	if p := s.Pairs[0]; p.A != "x" || p.B != "y" || p.Difference.Value != 0 || p.Better != 1 || p.Worse != 1 || p.Difference.N != 2 {
		t.Errorf("%+v", p)
	}
	if p := s.Pairs[1]; p.Difference.Defined() {
		t.Errorf("no query has both: %+v", p)
	}
	if again := ScoreMarks(nil, ResampleOptions{Bootstrap: 10}); again.Rows != 0 || len(again.Methods) != 0 {
		t.Errorf("%+v", again)
	}
}
