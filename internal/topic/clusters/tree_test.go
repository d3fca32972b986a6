package clusters

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// TestMixed: a large topic of several subjects is named by the heading that most of it has, if that is less than half, and by
// those of its parts that have others, not by a heading that some members of each part have. The parts keep their names.
func TestMixed(t *testing.T) {
	english := text.Analysis{Language: "english", Stem: true, Stop: "snowball"}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var groups []anchors.Group
	part := map[uint64]uint32{} // of each document, 0 for pages that link
	page := func(heads string) (hash uint64) {
		url := fmt.Sprintf("https://list%d.example/", len(groups))
		groups = append(groups, anchors.Group{URL: []byte(url), Hash: tables.Hash(url), Crawled: true, Page: anchors.Page{Heads: []byte(heads)}})
		return tables.Hash(url)
	}
	sizes := []int{0, 5000, 1600, 3800}
	for i, subject := range []string{"", "2Zig\n", "2Perl\n", "2\n"} {
		plain, spring := page("1\n"+subject), page("1Spring\n"+subject)
		for k := range sizes[i] {
			from := plain
			if i > 1 && k%20 < 9 {
				from = spring
			}
			url := fmt.Sprintf("https://site%d-%d.example/", i, k)
			quote := anchors.Quote{Source: from, Anchor: fmt.Appendf(nil, "number %d", k), Head: 2}
			groups = append(groups, anchors.Group{URL: []byte(url), Hash: tables.Hash(url), Evidence: []anchors.Quote{quote}})
			part[tables.Hash(url)] = uint32(i)
		}
	}
	slices.SortFunc(groups, func(a, b anchors.Group) int { return cmp.Compare(a.Hash, b.Hash) })

	docs, b := tables.CreateDocuments(at(tables.DocumentsFile), at(tables.EvidenceFile)), tables.CreateBags(at(tables.BagsFile))
	nodes, f := make([]uint32, len(groups)), &Forest{LeafOf: make([]uint32, len(groups))}
	for i := range groups {
		docs.Add(&groups[i])
		b.Add(bags.Bag{})
		nodes[i], f.LeafOf[i] = uint32(i), max(1, part[groups[i].Hash])
	}
	check(docs.Close())
	check(b.Close())
	check(tables.WriteNodes(at(tables.NodesFile), nodes, len(nodes)))
	voc, err := text.NewVocabulary(english)
	check(err)
	words := []string{"zig", "perl", "spring"}
	slices.SortFunc(words, func(a, b string) int { return cmp.Compare(voc.Term([]byte(a)), voc.Term([]byte(b))) })
	terms := tables.CreateTerms(at(tables.TermsFile), bags.Corpus{Links: 1e6})
	for _, word := range words {
		terms.Add(uint64(voc.Term([]byte(word))), 10, word)
	}
	check(terms.Close())

	f.of = &Tables{}
	var errs [5]error
	f.of.Nodes, errs[0] = tables.OpenNodes(at(tables.NodesFile))
	f.of.Bags, errs[1] = tables.OpenBags(at(tables.BagsFile))
	f.of.Terms, errs[2] = tables.OpenTerms(at(tables.TermsFile))
	f.of.Documents, errs[3] = tables.OpenDocuments(at(tables.DocumentsFile))
	f.of.Evidence, errs[4] = tables.OpenEvidence(at(tables.EvidenceFile))
	for _, err := range errs {
		check(err)
	}
	f.nodes = []tree.Node{{Level: 1, Parent: tree.NoParent, Size: len(groups), End: 4}, {Size: 5008, End: 2}, {Size: 1600, End: 3}, {Size: 3800, End: 4}}
	f.fill()
	l, err := f.of.NewLabeller(english)
	check(err)
	by := l.NewTreeLabeller(f)
	for i, want := range [][]string{{"Zig", "Perl"}, nil, {"Perl"}} {
		got := by.Label(uint32(i))
		if want != nil && !slices.Equal(got[:min(len(got), len(want))], want) || len(want) == 2 && len(got) > 2 || want == nil && len(got) > 0 && got[0] == "Zig" {
			t.Errorf("topic %d: %q, want %q", i, got, want)
		}
	}
}
