package query

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// plantPostings writes the index again with the changes of change, without the postings for which it returns false.
func plantPostings(t *testing.T, r *Run, dir string, pages int, change func(i int, value *uint64, page *uint32) bool) {
	type posting struct {
		value uint64
		page  uint32
	}
	var all []posting
	for page := range uint32(r.pages.Len()) {
		for _, v := range r.pages.Values(page) {
			all = append(all, posting{v, page})
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.page, b.page)) })
	w, err := tables.CreatePostings(filepath.Join(dir, tables.PostingsFile),
		tables.PostingsForm{Modulus: r.posts.Modulus(), Bits: r.Config.Bits, Pages: pages, Expected: int64(len(all))})
	must(t, err)
	for i, p := range all {
		if change(i, &p.value, &p.page) {
			w.Add(p.value, p.page)
		}
	}
	must(t, w.Close())
}

// An index of a sample breaks no rule, and the check compares every shingle in it with the pages.
func TestCheckSampledIndex(t *testing.T) {
	c := preset(t, "web")
	c.Views, c.IndexOneIn = []string{"syntactic"}, 3
	whole := build(t, c, samplePages(t, 40))
	r, err := Open(whole)
	must(t, err)
	defer r.Close()
	if b := broken(t, whole); b != "" || r.posts.Modulus() != 3 {
		t.Errorf("modulus %d: %s", r.posts.Modulus(), b)
	}
	dir := copyRun(t, whole)
	plantPostings(t, r, dir, r.pages.Len(), func(int, *uint64, *uint32) bool { return true }) // with those that are not sampled
	if b := broken(t, dir); !strings.Contains(b, "for an index of modulus 3") {
		t.Error(b)
	}
}
