package bags

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// DecodeTerms returns the terms that AppendTerms wrote, and what follows them; a truncated encoding is an error.
func TestTermsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []Weighted
		for _, x := range rapid.SliceOfN(rapid.Uint64(), 0, 8).Draw(t, "terms") {
			want = append(want, Weighted{Term(x), rapid.Uint64().Draw(t, "weight")})
		}
		whole := AppendTerms(nil, want)
		got, rest, err := DecodeTerms(nil, append(whole, "rest"...))
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || string(rest) != "rest" || err != nil {
			t.Fatalf("%s, rest %q, error %v", d, rest, err)
		}
		if _, _, err := DecodeTerms(nil, whole[:rapid.IntRange(0, len(whole)-1).Draw(t, "length")]); err == nil {
			t.Fatal("terms that are cut off are accepted")
		}
	})
}

// A word has one term around links and one in contents, whatever its hash; no term stays none.
func TestTermKinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := TermOf(rapid.Uint64Min(1).Draw(t, "hash"))
		y := x.OfContent()
		if x.IsContent() || x.OfLinks() != x || x != 0 && (!y.IsContent() || y.OfLinks() != x || y.OfContent() != y || y <= x) || x == 0 && y != 0 {
			t.Fatalf("terms %x and %x", x, y)
		}
	})
}
