package pages

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/ask/topics"
)

// shares are the parts of the union of two bags: in A only, in both, and in B only.
type shares struct {
	OnlyA, Shared, OnlyB int
	Union                int
	A, Both, B           float64 // widths in percent
	BothAt, BAt          float64 // where the second and the third part begin
}

// sharesOf returns the shares of two bags whose sums are a and b, and whose intersection is shared.
func sharesOf(a, b, shared int) shares {
	s := shares{OnlyA: a - shared, Shared: shared, OnlyB: b - shared, Union: a + b - shared}
	if s.Union <= 0 {
		return s
	}
	of := func(n int) float64 { return tenth(100 * float64(n) / float64(s.Union)) }
	s.A, s.Both, s.BothAt, s.BAt = of(s.OnlyA), of(shared), of(s.OnlyA), of(a)
	s.B = tenth(100 - s.BAt)
	return s
}

// termGroup is a part of the table of terms.
type termGroup struct {
	Name  string
	Terms []termBars
}

// termBars shows the counts of a term as two bars on both sides of an axis. Widths are percent of the room on one
// side.
type termBars struct {
	Word   string
	Own    bool // a word of the pages themselves, not of links
	DF     int
	A, B   int
	WideA  float64
	WideB  float64
	AtA    float64 // where the bar of A begins
	Shared float64 // width of the part, next to the axis, that both bars have
	FromA  float64 // where the shared part of the bar of A begins
}

// mostBars limits the number of terms shown in each group.
var mostBars = map[string]int{inBoth: 30, inA: 10, inB: 10}

// Names of the groups of terms.
const (
	inBoth = "Words for both"
	inA    = "Only for A"
	inB    = "Only for B"
)

// termGroups groups terms by which bags have them and keeps their order in each group. All bars have one scale.
func termGroups(terms []topics.Term) (out []termGroup) {
	shown, most := map[string][]topics.Term{}, 1
	for _, t := range terms {
		name := inBoth
		switch {
		case t.B == 0:
			name = inA
		case t.A == 0:
			name = inB
		}
		if len(shown[name]) < mostBars[name] {
			shown[name], most = append(shown[name], t), max(most, t.A, t.B)
		}
	}
	for _, name := range []string{inBoth, inA, inB} {
		g := termGroup{Name: name}
		for _, t := range shown[name] {
			g.Terms = append(g.Terms, newBars(t, most))
		}
		if g.Terms != nil {
			out = append(out, g)
		}
	}
	return out
}

func newBars(t topics.Term, most int) termBars {
	of := func(n int) float64 { return tenth(100 * float64(n) / float64(most)) }
	b := termBars{Word: t.Word, Own: t.Field == topics.ByContent, DF: t.DF, A: t.A, B: t.B, WideA: of(t.A), WideB: of(t.B), Shared: of(min(t.A, t.B))}
	b.AtA, b.FromA = tenth(100-b.WideA), tenth(100-b.Shared)
	return b
}

// restOf says how many terms the table omits.
func restOf(groups []termGroup, all int) string {
	for _, g := range groups {
		all -= len(g.Terms)
	}
	if all <= 0 {
		return ""
	}
	return fmt.Sprintf("The table leaves out %s lighter terms, which are in the JSON of this page.", count(all))
}
