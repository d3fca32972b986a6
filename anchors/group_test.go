package anchors

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/bags"
	"pgregory.net/rapid"
)

// bucketOf returns the contents of a partition with the records.
func bucketOf(records ...Record) []byte {
	var b []byte
	for _, r := range records {
		b = r.Append(b)
	}
	return b
}

// groups returns copies of the groups of a partition.
func groups(t interface{ Fatal(...any) }, bucket []byte, lost ...uint64) []Group {
	return weighed(t, EveryPage, bucket, lost...)
}

func weighed(t interface{ Fatal(...any) }, hosts HostWeight, bucket []byte, lost ...uint64) []Group {
	by := Grouping{Hosts: hosts, Superseded: func(c uint64) bool { return slices.Contains(lost, c) }}
	return grouped(t, by, bucket)
}

func grouped(t interface{ Fatal(...any) }, by Grouping, bucket []byte) (out []Group) {
	if err := by.Groups(bucket, collect(&out)); err != nil {
		t.Fatal(err)
	}
	return out
}

// collect copies groups to a list.
func collect(to *[]Group) func(g *Group) error {
	return func(g *Group) error {
		own := *g
		own.Terms, own.Title, own.Content = slices.Clone(g.Terms), slices.Clone(g.Title), slices.Clone(g.Content)
		own.Evidence = append([]Quote(nil), g.Evidence...)
		*to = append(*to, own)
		return nil
	}
}

func link(target string, hash, source, host uint64, anchor string, terms ...bags.Weighted) Record {
	return Record{Kind: OfLink, TargetHash: hash, Source: source, Host: host, Capture: source, Target: []byte(target), Anchor: []byte(anchor), Terms: terms}
}

func page(url string, hash uint64, title string, terms ...bags.Weighted) Record {
	return Record{Kind: OfPage, TargetHash: hash, Source: hash, Capture: hash, Target: []byte(url), Page: Page{Title: []byte(title)}, Terms: terms}
}

func given(r Record) Record    { r.Kind = OfLinkRow; return r }
func ofSource(r Record) Record { r.Kind = OfSource; return r }

func TestGroups(t *testing.T) {
	twice := page("a", 10, "newer")
	twice.Capture = 11
	for _, c := range []struct {
		name    string
		records []Record
		lost    []uint64
		want    []string
	}{
		{"none", nil, nil, nil},
		{"a page alone", []Record{page("a", 10, "A", bags.Weighted{Term: 1, Weight: 5})}, nil, []string{"10 a 0/0 A 1:5"}},
		{"never crawled", []Record{link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 5})}, nil, []string{"10 a 1/1 - 1:5 x"}},
		{
			"in the order of hash and URL, though the hashes are equal",
			[]Record{page("c", 10, "C"), page("b", 11, "B"), link("a", 10, 1, 1, "x"), page("z", 9, "Z")},
			nil, []string{"9 z 0/0 Z", "10 a 1/1 - x", "10 c 0/0 C", "11 b 0/0 B"},
		},
		{
			"terms are added up",
			[]Record{page("a", 10, "A", bags.Weighted{Term: 1, Weight: 5}, bags.Weighted{Term: 2, Weight: 1}), link("a", 10, 1, 1, "x", bags.Weighted{Term: 2, Weight: 3}), link("a", 10, 2, 1, "y", bags.Weighted{Term: 2, Weight: 3}, bags.Weighted{Term: 3, Weight: 1})},
			nil, []string{"10 a 2/1 A 1:5 2:7 3:1 x y"},
		},
		{
			"a link of a superseded capture is not used",
			[]Record{link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 5}), link("a", 10, 2, 2, "y", bags.Weighted{Term: 1, Weight: 1})},
			[]uint64{1}, []string{"10 a 1/1 - 1:1 y"},
		},
		{"all superseded: no target", []Record{link("a", 10, 1, 1, "x"), page("b", 11, "B")}, []uint64{1}, []string{"11 b 0/0 B"}},
		{
			"links of one source that were given one by one",
			[]Record{given(link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 5})), given(link("a", 10, 1, 1, "y", bags.Weighted{Term: 1, Weight: 2})), given(link("a", 10, 2, 1, "z"))},
			nil, []string{"10 a 2/1 - 1:7 x z"},
		},
		{
			"a link that is given and on the page",
			[]Record{given(link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 5})), link("a", 10, 1, 1, "y", bags.Weighted{Term: 1, Weight: 2}), given(link("a", 10, 2, 1, "z"))},
			nil, []string{"10 a 2/1 - 1:2 y z"},
		},
		{
			"a page and what is given of it",
			[]Record{ofSource(page("a", 10, "given", bags.Weighted{Term: 1, Weight: 5})), page("a", 10, "own", bags.Weighted{Term: 2, Weight: 5}), ofSource(page("b", 11, "given", bags.Weighted{Term: 1, Weight: 5})), page("b", 11, "")},
			nil, []string{"10 a 0/0 own 2:5", "11 b 0/0 given 1:5"},
		},
		{"given alone", []Record{ofSource(page("a", 10, "given", bags.Weighted{Term: 1, Weight: 5})), ofSource(page("a", 10, "given", bags.Weighted{Term: 1, Weight: 5}))}, nil, []string{"10 a 0/0 - 1:5"}},
		{"the title of a superseded capture", []Record{page("a", 10, "older"), twice}, []uint64{10}, []string{"10 a 0/0 newer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, g := range groups(t, bucketOf(c.records...), c.lost...) {
				got = append(got, describe(g))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// describe is "hash URL links/hosts title term:weight … anchor …".
func describe(g Group) string {
	title := "-"
	if g.Crawled {
		title = string(g.Page.Title)
	}
	s := []string{fmt.Sprintf("%d %s %d/%d %s", g.Hash, g.URL, g.InLinks, g.InHosts, title)}
	for _, x := range g.Terms {
		s = append(s, fmt.Sprintf("%d:%d", x.Term, x.Weight))
	}
	for _, q := range g.Evidence {
		s = append(s, string(q.Anchor))
	}
	return strings.Join(s, " ")
}

// The title of a document, whether it comes from its page or from its link rows, is apart from the words of links if
// its terms are terms of content. If bags are made of content, all words of the page are the terms.
func TestTitleOfGroup(t *testing.T) {
	own, linked := bags.Weighted{Term: bags.Term(1).OfContent(), Weight: 5}, bags.Weighted{Term: 1, Weight: 5}
	text := []bags.Weighted{{Term: bags.Term(2).OfContent(), Weight: 7}}
	for _, c := range []struct {
		name      string
		ofContent bool
		title     bags.Weighted
		want      bags.Raw
	}{
		{"of content", false, own, bags.Raw{Terms: []bags.Weighted{{Term: 1, Weight: 3}}, Title: []bags.Weighted{own}, Content: text}},
		{"like a link", false, linked, bags.Raw{Terms: []bags.Weighted{{Term: 1, Weight: 8}}, Content: text}},
		{"all words", true, own, bags.Raw{Terms: []bags.Weighted{{Term: 1, Weight: 3}, own}, Content: text}},
	} {
		crawled := page("a", 10, "A", c.title)
		crawled.Content = text
		for i, from := range [][]Record{{crawled}, {page("a", 10, ""), ofSource(page("a", 10, "A", c.title))}} {
			want := c.want
			if i > 0 {
				want.Content = nil
			}
			got := grouped(t, Grouping{OfContent: c.ofContent}, bucketOf(append(from, link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 3}))...))
			if d := cmp.Diff(want, got[0].Raw, cmpopts.EquateEmpty()); len(got) != 1 || d != "" {
				t.Errorf("%s: %d groups, %s", c.name, len(got), d)
			}
		}
	}
}

func TestEvidence(t *testing.T) {
	anchorsOf := func(records ...Record) string {
		var out []string
		for _, q := range groups(t, bucketOf(records...))[0].Evidence {
			out = append(out, string(q.Anchor))
		}
		return strings.Join(out, " ")
	}
	var oneHost, hosts, mixed []Record
	for i := range uint64(20) {
		oneHost = append(oneHost, link("a", 1, i, 7, fmt.Sprint("o", i)))
		hosts = append(hosts, link("a", 1, i, 100+i, fmt.Sprint("h", i)))
		mixed = append(mixed, link("a", 1, i, min(i/6, 2), fmt.Sprint("m", i)))
	}
	silent := link("a", 1, 0, 7, "")
	before := Record{Kind: OfLink, TargetHash: 1, Source: 2, Host: 7, Target: []byte("a"), Before: []byte("text")}
	for _, c := range []struct{ name, got, want string }{
		{"one host fills what there is", anchorsOf(oneHost...), "o0 o1 o2 o3 o4 o5 o6 o7"},
		{"as many hosts as there is room for", anchorsOf(hosts...), "h0 h1 h2 h3 h4 h5 h6 h7"},
		{"first one of each host", anchorsOf(mixed...), "m0 m6 m12 m1 m2 m3 m4 m5"},
		{"a host that comes last has its place", anchorsOf(append(oneHost, link("a", 1, 99, 8, "other"))...), "o0 other o1 o2 o3 o4 o5 o6"},
		{"no text, no quote", anchorsOf(silent, link("a", 1, 1, 7, "x")), "x"},
		{"text before is enough", fmt.Sprint(len(groups(t, bucketOf(before))[0].Evidence)), "1"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

// Groups do not depend on the order of the records, and their totals are those of the records.
func TestGroupsOfPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []Record
		terms := map[string]uint64{}
		links := map[string]uint64{}
		linked := map[string]bool{} // by source and target
		for i := range rapid.IntRange(0, 60).Draw(t, "records") {
			url := rapid.StringMatching("[a-d]").Draw(t, "target")
			r := link(url, uint64(url[0]/2), rapid.Uint64Range(0, 9).Draw(t, "source"), rapid.Uint64Range(0, 4).Draw(t, "host"),
				rapid.StringMatching("[xy]?").Draw(t, "anchor"), bags.Weighted{Term: bags.Term(rapid.IntRange(1, 4).Draw(t, "term")), Weight: uint64(i + 1)})
			records = append(records, r)
			terms[url] += uint64(i + 1)
			if pair := fmt.Sprint(r.Source, url); !linked[pair] {
				linked[pair] = true
				links[url]++
			}
		}
		want := groups(t, bucketOf(records...))
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		got := groups(t, bucketOf(records...))
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Group{})); d != "" {
			t.Fatal(d)
		}
		for _, g := range got {
			sum := uint64(0)
			for _, x := range g.Terms {
				sum += x.Weight
			}
			if sum != terms[string(g.URL)] || g.InLinks != links[string(g.URL)] {
				t.Fatalf("%s: weight %d of %d, links %d of %d", g.URL, sum, terms[string(g.URL)], g.InLinks, links[string(g.URL)])
			}
			delete(links, string(g.URL))
		}
		if len(links) > 0 {
			t.Fatalf("without a group: %v", links)
		}
	})
}

func TestGroupsStops(t *testing.T) {
	stop := fmt.Errorf("stop")
	calls := 0
	err := Grouping{}.Groups(bucketOf(page("a", 1, "A"), page("b", 2, "B")), func(*Group) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

// TestHostWeight: the pages of one host share the weight of the host, in any order and without superseded captures. A
// page with several link rows is one page. The weight of a page's own title does not depend on the links.
func TestHostWeight(t *testing.T) {
	w := func(term bags.Term) bags.Weighted { return bags.Weighted{Term: term, Weight: 6 * bags.Unit} }
	lost := link("a", 1, 9, 7, "x", w(9))
	records := []Record{
		page("a", 1, "A", w(1)),
		link("a", 1, 2, 7, "x", w(2)), given(link("a", 1, 3, 7, "x", w(3))), given(link("a", 1, 3, 7, "y", w(4))), link("a", 1, 4, 7, "x", w(5)), lost,
		link("a", 1, 5, 8, "x", w(6)),
	}
	for hosts, want := range map[HostWeight][6]uint64{
		EveryPage: {6, 6, 6, 6, 6, 6}, "": {6, 6, 6, 6, 6, 6}, OnePage: {6, 2, 2, 2, 2, 6}, Harmonic: {6, 3, 3, 3, 3, 6},
	} {
		slices.Reverse(records)
		for i, x := range weighed(t, hosts, bucketOf(records...), 9)[0].Terms {
			if got := float64(x.Weight) / bags.Unit; i >= len(want) || math.Abs(got-float64(want[i])) > 0.7 {
				t.Errorf("%q: term %d weighs %g, want %d", hosts, x.Term, got, want[i])
			}
		}
	}
}

// TestMoved: links to a target that redirects are left out, because the partition of the other URL also has them.
func TestMoved(t *testing.T) {
	by := Grouping{Redirected: func(hash uint64, url []byte) bool { return hash == 10 && string(url) == "a" }}
	bucket := bucketOf(
		page("a", 10, "A", bags.Weighted{Term: 1, Weight: 5}), link("a", 10, 1, 1, "x", bags.Weighted{Term: 1, Weight: 5}), given(link("a", 10, 2, 1, "x")),
		link("b", 10, 1, 1, "y"), link("c", 11, 1, 1, "z", bags.Weighted{Term: 2, Weight: 3}), link("c", 11, 1, 1, "from a", bags.Weighted{Term: 2, Weight: 4}), link("c", 11, 2, 1, "from a"),
	)
	var got []string
	for _, g := range grouped(t, by, bucket) {
		got = append(got, describe(g))
	}
	if want := []string{"10 a 0/0 A 1:5", "10 b 1/1 - y", "11 c 2/1 - 2:7 z from a"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHostWeightOfParts: several records of one source weigh as much as one record, rounded once.
func TestHostWeightOfParts(t *testing.T) {
	part := func(w uint64) Record { return given(link("a", 10, 1, 7, "x", bags.Weighted{Term: 1, Weight: w})) }
	other := given(link("a", 10, 2, 7, "y", bags.Weighted{Term: 1, Weight: 1}))
	for _, hosts := range []HostWeight{EveryPage, Harmonic, OnePage} {
		whole := weighed(t, hosts, bucketOf(part(9), other, given(link("a", 10, 3, 7, "z"))))
		parts := weighed(t, hosts, bucketOf(part(1), part(3), part(5), other, given(link("a", 10, 3, 7, "z"))))
		if got, want := parts[0].Terms, whole[0].Terms; !slices.Equal(got, want) {
			t.Errorf("%s: %v in parts, %v whole", hosts, got, want)
		}
	}
}
