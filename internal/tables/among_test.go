package tables

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/resemble"
	"pgregory.net/rapid"
)

// TestAmong compares Among with a look at all pairs.
func TestAmong(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		set := rapid.Custom(func(r *rapid.T) []uint32 {
			s := rapid.SliceOfNDistinct(rapid.Uint32Range(0, 60), 0, 50, func(p uint32) uint32 { return p }).Draw(r, "pages")
			slices.Sort(s)
			return s
		})
		path := filepath.Join(t.TempDir(), SimilarFile)
		w := CreateSimilar(path)
		var all []resemble.Pair
		for a := range uint32(60) {
			if !rapid.Bool().Draw(r, "has pairs") {
				continue
			}
			for _, b := range set.Draw(r, "others") {
				if b > a {
					p := resemble.Pair{A: a, B: b}
					p.Exact.Both = len(all)
					w.Add(p)
					all = append(all, p)
				}
			}
		}
		must(t, w.Close())
		s, err := OpenSimilar(path)
		must(t, err)
		defer s.Close()
		pages := set.Draw(r, "asked")
		var got []resemble.Pair
		for at, p := range s.Among(pages) {
			if s.At(at) != p {
				r.Fatalf("pair %d is %v, not %v", at, s.At(at), p)
			}
			got = append(got, p)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(p resemble.Pair) bool { return !slices.Contains(pages, p.A) || !slices.Contains(pages, p.B) })
		if !slices.Equal(got, want) {
			r.Fatalf("%v: %v, want %v", pages, got, want)
		}
	})
}
