package eval

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Intervals worked out by hand from the formula (Wilson 1927), and the ends.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n   int
		low, high float64
	}{
		{0, 0, 0, 1}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {81, 263, 0.2553, 0.3662},
	} {
		if got := Wilson(c.hits, c.n); math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
			t.Errorf("%d of %d: %+v, want %v to %v", c.hits, c.n, got, c.low, c.high)
		}
	}
	if f := (Proportion{}).Figure(); f.Defined() || f.Queries != nil {
		t.Errorf("a share of nothing: %+v", f)
	}
}

// Marks come back as they were written, whatever stands in the names.
func TestMarksRoundTrip(t *testing.T) {
	want := []Mark{
		{Query: "https://a.example", Neighbour: "https://b.example", Verdict: Good, Listed: []Listed{{"anchors", 1}, {"content", 3}}},
		{Query: "https://a.example", Neighbour: `tab	back\slash \t not a tab`, Verdict: Bad, Listed: []Listed{{"anchors", 2}}},
		{Query: "line\nfeed\r", Neighbour: "x", Verdict: DontKnow, Listed: []Listed{{"anchors", 10}}},
		{Query: "q", Neighbour: "n", Listed: []Listed{{"resemblance", 1}}},
	}
	var b bytes.Buffer
	if err := WriteMarks(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadMarks(fileOf(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Marks); d != "" || len(got.Skipped) > 0 {
		t.Errorf("%s %v", d, got.Skipped)
	}
}

func fileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "marks.tsv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every kind of damaged row is counted, with its line.
func TestReadMarksSkips(t *testing.T) {
	m, err := ReadMarks(fileOf(t, "# query\tneighbour\tmark\tmethods\r\n"+
		"q\tn\tGOOD\ta:1\r\n"+ // spreadsheets
		"q\tn\tbad\ta:1\n"+
		"q\tm\tperhaps\ta:1\n"+
		"q\tm\tgood\n"+
		"\tm\tgood\ta:1\n"+
		"q\tm\tgood\ta\n"+
		"q\tm\tgood\ta:0\n"+
		"q\tm\tgood\t\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Marks) != 1 || m.Marks[0].Verdict != Good {
		t.Errorf("%+v", m.Marks)
	}
	var got []string
	for _, s := range m.Skipped {
		got = append(got, s.Reason)
		if s.Reason == BadVerdict && !strings.HasPrefix(s.Examples[0], "marks.tsv:4:") {
			t.Error(s.Examples)
		}
		if s.Reason == BadRow && s.Count != 5 {
			t.Errorf("%d bad rows", s.Count)
		}
	}
	if want := []string{Twice, BadVerdict, BadRow}; !slices.Equal(got, want) {
		t.Errorf("skipped %v, want %v", got, want)
	}
	for _, none := range []string{"", "# query\n", "no row\n"} {
		if _, err := ReadMarks(fileOf(t, none)); err == nil {
			t.Errorf("%q: no error", none)
		}
	}
}

// Precision, its counts and the paired differences, counted by hand.
func TestScoreMarks(t *testing.T) {
	s := ScoreMarks([]Mark{
		{"q1", "a", Good, []Listed{{"x", 1}, {"y", 1}}},
		{"q1", "b", Bad, []Listed{{"y", 2}}},
		{"q1", "c", DontKnow, []Listed{{"x", 2}}},
		{"q2", "a", Bad, []Listed{{"x", 1}}},
		{"q2", "b", Good, []Listed{{"x", 2}, {"y", 1}}},
		{"q3", "a", "", []Listed{{"x", 1}, {"z", 1}}},
	}, Options{Bootstrap: 200, Seed: 1})
	if s.Queries != 2 || s.Rows != 6 || s.Marked != 5 || len(s.Methods) != 3 || len(s.Pairs) != 3 {
		t.Fatalf("%+v", s)
	}
	x, z := s.Methods[0], s.Methods[2]
	if x.Method != "x" || x.Queries != 3 || x.Listed != 5 || x.Good != 2 || x.Bad != 1 || x.DontKnow != 1 || x.Unmarked != 1 ||
		math.Abs(x.Precision.Value-2./3) > 1e-12 || x.Precision.N != 2 || x.Wilson == nil || x.Precision.Queries == nil {
		t.Errorf("%+v", x)
	}
	if z.Precision.Defined() || z.Wilson != nil {
		t.Errorf("nothing is judged: %+v", z)
	}
	// q1: 1 - 1/2, q2: 1/2 - 1.
	if p := s.Pairs[0]; p.A != "x" || p.B != "y" || p.Difference.Value != 0 || p.Better != 1 || p.Worse != 1 || p.Difference.N != 2 {
		t.Errorf("%+v", p)
	}
	if p := s.Pairs[1]; p.Difference.Defined() {
		t.Errorf("no query has both: %+v", p)
	}
	if again := ScoreMarks(nil, Options{Bootstrap: 10}); again.Rows != 0 || len(again.Methods) != 0 {
		t.Errorf("%+v", again)
	}
}
