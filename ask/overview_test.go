package ask

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/ask/topics"
)

// TestTitle: the first topic keeps its phrase, a site names the topic of which it has half, unless it has half of another one.
func TestTitle(t *testing.T) {
	var areas []Area
	for _, x := range []struct {
		label, site string
		share       float64
	}{
		{"package, npm", "npmjs.com", 0.1},
		{"Package, CRAN", "r.example", 0.2},
		{"fix, add", "github.com/rust-lang/rust", 0.6},
		{"one", "big.example", 0.5},
		{"two, one", "big.example", 0.9},
		{"news", "news.example", 0.5},
	} {
		areas = append(areas, Area{Title: x.label, Site: x.site, SiteShare: x.share, Documents: 10, node: topics.TreeNode{Label: x.label}})
		a := &areas[len(areas)-1]
		a.Title, a.Also, _ = strings.Cut(x.label, ", ")
	}
	title(areas)
	var got [][2]string
	for _, a := range areas {
		got = append(got, [2]string{a.Title, a.Also})
	}
	want := [][2]string{{"package", "npm"}, {"CRAN", "Package"}, {"rust-lang/rust", "fix, add"}, {"one", ""}, {"two", "one"}, {"news.example", "news"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
