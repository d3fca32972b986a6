package topics

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// TestFound checks what is found by its name, and that the bags follow.
func TestFound(t *testing.T) {
	var pages [][2]string
	link := func(to, text string, from ...int) {
		for _, n := range from {
			pages = append(pages, [2]string{fmt.Sprintf("https://from%d.example/%d", n, len(pages)), fmt.Sprintf(`<p>one of the engines is <a href="%s">%s</a> which keeps tables`, to, text)})
		}
	}
	link("https://www.zebradb.org/", "ZebraDB", 1, 2, 3)
	link("https://docs.zebradb.org/", "manual", 1)
	link("https://code.example/tools/zebradb", "zebradb", 1, 2, 3)
	link("https://zebradbclient.example/", "ZebraDB client", 1)
	link("https://rust-lang.org/", "Rust", 1, 2)
	link("https://code.example/rust", "corrosion", 1)
	link("https://ёлка.example/", "Ёлка", 1)
	link("https://code.example/%D0%B6%D1%83%D0%BA.html", "here", 1)
	link("https://a.example/x", "tie", 1)
	link("https://b.example/x", "tie", 1)
	pages = append(pages, [2]string{"https://titled.example/deep/page", "<title>Wombat - a home</title><p>zebradb engines tables"})
	c := runtest.Preset(t, "web")
	c.MinDF, c.MaxDF = 1, 1
	r := runtest.Opened(t, c, runtest.Lines(t, pages...))
	at := func(url string) uint32 {
		id, err := r.Lookup(url)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	ties := []uint32{at("https://a.example/x"), at("https://b.example/x")}
	slices.Sort(ties)
	for _, x := range []struct {
		asked string
		kind  names.Kind
		want  []string // that come first, in order
	}{
		{"zebradb", names.Whole, []string{"https://zebradb.org", "https://code.example/tools/zebradb"}},
		{"ZEBRA-DB!", names.Whole, []string{"https://zebradb.org", "https://code.example/tools/zebradb"}},
		{"zebrabd", names.Typo, []string{"https://zebradb.org"}},
		{"zebr", names.Beginning, []string{"https://zebradb.org"}},
		{"rust lang", names.Whole, []string{"https://rust-lang.org"}},
		{"rust", names.Whole, []string{"https://rust-lang.org", "https://code.example/rust"}},
		{"ёлка", names.Whole, []string{"https://ёлка.example"}},
		{"ёлла", names.Typo, []string{"https://ёлка.example"}},
		{"жук", names.Whole, []string{"https://code.example/%D0%B6%D1%83%D0%BA.html"}},
		{"Rust home page", names.Whole, []string{"https://rust-lang.org", "https://code.example/rust"}},
		{"zebradb official website", names.Whole, []string{"https://zebradb.org", "https://code.example/tools/zebradb"}},
		{"tie", names.Whole, []string{r.URL(ties[0]), r.URL(ties[1])}},
		{"Wombat", names.Whole, []string{"https://titled.example/deep/page"}},
		{"engines tables", 0, nil},
	} {
		w, _ := ParseWords(r, x.asked)
		found := Find(r, x.asked, w, 100)
		var got []string
		for _, m := range found {
			got = append(got, r.URL(m.ID))
		}
		if len(found) == 0 || len(got) < len(x.want) || found[0].Called != x.kind {
			t.Errorf("%s: %+v %q", x.asked, found, got)
			continue
		}
		for i, want := range x.want {
			if canonical, err := r.Canonical(want); err != nil || got[i] != canonical {
				t.Errorf("%s: %q, want %q", x.asked, got, x.want)
				break
			}
		}
		bag := slices.IndexFunc(found, func(m WordMatch) bool { return m.Called == 0 })
		for i, m := range found {
			if (m.Called == 0) != (bag >= 0 && i >= bag) || !(m.Score > 0 && m.Score <= 1) || slices.Contains(got[:i], got[i]) {
				t.Errorf("%s: %d of %+v", x.asked, i, found)
			}
		}
		for _, top := range []int{0, 1, 2} {
			if part := Find(r, x.asked, w, top); !slices.Equal(part, found[:min(top, len(found))]) {
				t.Errorf("%s: top %d is %+v of %+v", x.asked, top, part, found)
			}
		}
	}
	for _, none := range []string{"", "--", "zqxj", strings.Repeat("long", 30), "\xff"} {
		w, _ := ParseWords(r, none)
		if found := Find(r, none, w, 5); len(found) > 0 {
			t.Errorf("%q: %+v", none, found)
		}
	}
}

// TestLeastHosts checks that the index of names holds no more documents than it may.
func TestLeastHosts(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	for _, n := range []int{0, 1, 10, 50, r.Len()} {
		least, held := leastHosts(r, n), 0
		for id := range uint32(r.Len()) {
			if r.Docs.InHosts(id) >= least {
				held++
			}
		}
		if held > n || n == r.Len() && held < n {
			t.Errorf("%d: %d with %d hosts", n, held, least)
		}
	}
}
