package tables

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// must ends a test if its fixture cannot be made.
func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// writeAll writes every table into a new folder. There are four documents: two with the same bag, and the last without
// one.
func writeAll(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs := CreateDocuments(at(DocumentsFile), at(EvidenceFile))
	for i, g := range groups() {
		docs.Add(&g)
		if docs.Len() != i+1 {
			t.Errorf("%d documents after %d", docs.Len(), i+1)
		}
	}
	must(t, docs.Close())

	sources := CreateSources(at(SourcesFile))
	for _, n := range []uint64{2, 0, 1, 0} {
		sources.Add(n)
	}
	for _, hash := range []uint64{7, 1 << 63, 7} {
		sources.Sources(binary.LittleEndian.AppendUint64(nil, hash))
	}
	must(t, sources.Close())

	captures := CreateCaptures(at(CapturesFile))
	for _, input := range []uint32{0, 1, NoInput, 1} {
		captures.Add(input)
	}
	captures.AddCapture(Hash("b"), 0) // whose hash is smaller than that of "a"
	captures.AddCapture(Hash("b"), 1)
	captures.AddCapture(Hash("a"), 3)
	must(t, captures.Close())

	terms := CreateTerms(at(TermsFile), bags.Corpus{Links: 3, Content: 4})
	terms.Add(5, 2, "red")
	terms.Add(1<<40, 3, "blüe")
	must(t, terms.Close())

	b := CreateBags(at(BagsFile))
	for _, bag := range someBags {
		b.Add(bag)
	}
	must(t, b.Close(), WriteNodes(at(NodesFile), []uint32{0, 1, 0, None}, 2))

	w, rows := CreateSignatures(at(SignaturesFile), 2)
	rows.Bytes([]byte("abcdefABCDEF"))
	must(t, w.Close())

	iw := CreateInverted(at(InvertedFile))
	var builder inverted.Builder
	must(t, iw.Add(builder.Build(sliceBags(someBags[:2]), 0, 1)), iw.Add(builder.Build(sliceBags(someBags[:2]), 1, 2)), iw.Close())

	p := CreatePairs(at(PairsFile), 100)
	for from := range uint32(2) {
		block := NewPairsBlock(100)
		block.Add(from, []center.Edge{{To: 1 - from, Similarity: 0.5}})
		p.AddBlock(block)
	}
	must(t, p.Close(2))

	c := CreateClusters(at(ClustersFile), []uint32{0, 0, 0, 3}, []float32{1, 0.5, 1, 1})
	c.Label(0, []string{"red", "blüe"})
	must(t, c.Close())

	tree := CreateTree(at(TreeFile), []uint32{1, 1, 1, 2})
	tree.Add(TreeNode{Level: 2, Parent: None, Center: 0, Size: 4, Leaves: 2, End: 3, Label: []string{"colours"}})
	tree.Add(TreeNode{Parent: 0, Center: 0, Size: 3, Leaves: 1, End: 2, Label: []string{"red", "blüe"}})
	tree.Add(TreeNode{Parent: 0, Center: 3, Size: 1, Leaves: 1, End: 3})
	must(t, tree.Close())
	writeSyntactic(t, at)
	return dir
}

// writeSyntactic writes the redirects and the tables of the syntactic view. There are five pages: two are equal, and
// two are similar.
func writeSyntactic(t testing.TB, at func(name string) string) {
	t.Helper()
	s := CreateShingles(at(ShinglesFile))
	for i, values := range [][]uint64{{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}, {}, {900}} {
		s.Add(ShinglePage{Document: uint32(2 * i), Host: uint32(i % 2), Bytes: uint64(i), Lexical: uint64(i), Shingles: 9, Values: values})
	}
	must(t, s.Close())

	equal, err := resemble.NewEqual([]uint32{0, 0, 2, 3, 4}, []resemble.Relation{resemble.Alone, resemble.Shingle, resemble.Alone, resemble.Alone, resemble.Alone})
	must(t, err)
	strip, err := resemble.NewBoilerplate(resemble.BoilerplateConfig{})
	must(t, err, strip.Put(1, []uint64{2, 3}), WriteEqual(at(EqualFile), equal, strip))

	pair := resemble.Pair{A: 0, B: 2, Exact: shingles.Overlap{A: 5, B: 5, Both: 4}, Sample: shingles.Overlap{A: 5, B: 5, Both: 4}}
	similar := CreateSimilar(at(SimilarFile))
	similar.Add(pair)
	must(t, similar.Close())
	clusters, err := resemble.Cluster(t.Context(), equal, func(yield func(resemble.Pair, error) bool) { yield(pair, nil) }, resemble.ClusterConfig{})
	must(t, err, WriteUnion(at(UnionFile), clusters))

	p, err := CreatePostings(at(PostingsFile), PostingsForm{Modulus: 1, Bits: 12, Pages: 5, Expected: 200})
	must(t, err)
	for v := range uint64(40) {
		p.Add(100*v, uint32(v%5))
	}
	must(t, p.Close())

	r := CreateRedirects(at(RedirectsFile))
	r.Add(Redirect{From: "https://e.example/", To: "https://a.example/", By: capture.ByHTTP, Hops: 1, Time: 5})
	must(t, r.Close())
}

// groups returns documents in the order of their ids.
func groups() []anchors.Group {
	gs := []anchors.Group{
		{URL: []byte("https://a.example/"), InLinks: 3, InHosts: 2, Evidence: []anchors.Quote{
			{Source: 7, Before: []byte("see"), Anchor: []byte("the manual"), After: []byte("")}, {Source: 8, Before: []byte{}, Anchor: []byte("ü"), After: []byte("."), Head: 2},
		}},
		{URL: []byte("https://b.example/"), Crawled: true, Page: anchors.Page{Title: []byte("B"), Time: -5, Digest: 1 << 63, Tokens: 9, Bytes: 99,
			Language: 3, Label: anchors.Consent, NoIndex: true, Canonical: []byte("https://b.example/c"), Languages: []byte("fr https://b.example/fr"), Opening: []byte("B begins so."),
			Heads: []byte("1Trees\n3Oak\n2Ash\n3\n3Elm\n")}},
		{URL: []byte("https://c.example/")},
		{URL: []byte("https://d.example/?q=ü"), Evidence: []anchors.Quote{{Source: 9, Before: []byte("x"), Anchor: []byte{}, After: []byte{}}}},
	}
	for i := range gs {
		gs[i].Hash = Hash(string(gs[i].URL))
	}
	slices.SortFunc(gs, func(a, b anchors.Group) int {
		if a.Hash < b.Hash {
			return -1
		}
		return 1
	})
	return gs
}

var someBags = []bags.Bag{
	{Terms: []uint32{0, 1}, Counts: []uint16{1, 65535}}, {Terms: []uint32{1}, Counts: []uint16{3}},
	{Terms: []uint32{0, 1}, Counts: []uint16{1, 65535}}, {Terms: []uint32{}, Counts: []uint16{}},
}

func TestRoundTrip(t *testing.T) {
	dir := writeAll(t)
	at := func(name string) string { return filepath.Join(dir, name) }

	docs, err := OpenDocuments(at(DocumentsFile))
	must(t, err)
	defer docs.Close()
	evidence, err := OpenEvidence(at(EvidenceFile))
	must(t, err)
	defer evidence.Close()
	for i, g := range groups() {
		id := uint32(i)
		want := Document{
			URL: string(g.URL), Title: string(g.Page.Title), InLinks: uint32(g.InLinks), InHosts: uint32(g.InHosts),
			Crawled: g.Crawled, Time: g.Page.Time, Digest: g.Page.Digest, Tokens: uint32(g.Page.Tokens),
			Language: g.Page.Language, Label: g.Page.Label, NoIndex: g.Page.NoIndex, Canonical: string(g.Page.Canonical), Languages: string(g.Page.Languages),
			Opening: string(g.Page.Opening),
		}
		if d := cmp.Diff(want, docs.At(id)); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(append([]anchors.Quote{}, g.Evidence...), evidence.Of(id)); d != "" {
			t.Error(d)
		}
		if found, ok := docs.Find(want.URL); found != id || !ok {
			t.Errorf("%s: found %d, %v", want.URL, found, ok)
		}
		if found, ok := docs.ByHash(g.Hash); found != id || !ok {
			t.Errorf("%x: found %d, %v", g.Hash, found, ok)
		}
	}
	b, _ := docs.Find("https://b.example/")
	for head, want := range [][]string{nil, {"Trees"}, {"Oak", "Trees"}, {"Ash", "Trees"}, {"", "Ash", "Trees"}, {"Elm", "Ash", "Trees"}, nil} {
		if d := cmp.Diff(want, docs.Trail(b, head)); d != "" {
			t.Errorf("heading %d: %s", head, d)
		}
	}
	if id, ok := docs.Find("https://e.example/"); ok || id != None || docs.Len() != 4 {
		t.Errorf("found %d, %v among %d", id, ok, docs.Len())
	}

	captures, err := OpenCaptures(at(CapturesFile))
	must(t, err)
	defer captures.Close()
	url, id := captures.At(1)
	if d := cmp.Diff([]any{4, 3, uint32(1), NoInput, NoInput, Hash("b"), uint32(1), []uint32{3}, []uint32{0, 1}, []uint32{}},
		[]any{captures.Len(), captures.Rows(), captures.Input(3), captures.Input(2), captures.Input(4), url, id, captures.Of("a"), captures.Of("b"), captures.Of("c")}); d != "" {
		t.Error(d)
	}

	sources, err := OpenSources(at(SourcesFile))
	must(t, err)
	defer sources.Close()
	if d := cmp.Diff([][]uint64{{7, 1 << 63}, {}, {7}, {}, {}}, [][]uint64{sources.Of(0), sources.Of(1), sources.Of(2), sources.Of(3), sources.Of(4)}, cmpopts.EquateEmpty()); d != "" || sources.Len() != 4 {
		t.Errorf("%d documents: %s", sources.Len(), d)
	}

	terms, err := OpenTerms(at(TermsFile))
	must(t, err)
	defer terms.Close()
	if d := cmp.Diff([]any{[]uint64{5, 1 << 40}, []uint32{2, 3}, bags.Corpus{Links: 3, Content: 4}, "red", "blüe"}, []any{terms.Hashes(), terms.DFs(), terms.Bags, terms.Word(0), terms.Word(1)}); d != "" {
		t.Error(d)
	}

	bag, err := OpenBags(at(BagsFile))
	must(t, err)
	defer bag.Close()
	for i, want := range someBags {
		if d := cmp.Diff(want, bag.At(uint32(i)), cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	}
	if bag.Hash(0) != bag.Hash(2) || bag.Hash(0) == bag.Hash(1) || bag.Hash(1) == bag.Hash(3) || bag.Len() != 4 {
		t.Errorf("hashes of %d bags: %x %x %x %x", bag.Len(), bag.Hash(0), bag.Hash(1), bag.Hash(2), bag.Hash(3))
	}

	nodes, err := OpenNodes(at(NodesFile))
	must(t, err)
	defer nodes.Close()
	if d := cmp.Diff([]any{2, 4, uint32(1), None, []uint32{0, 2}, []uint32{1}},
		[]any{nodes.Len(), nodes.Documents(), nodes.Of(1), nodes.Of(3), nodes.Members(0), nodes.Members(1)}); d != "" {
		t.Error(d)
	}

	sigs, err := OpenSignatures(at(SignaturesFile))
	must(t, err)
	defer sigs.Close()
	if string(sigs.Row(1)) != "ABCDEF" || sigs.Len() != 2 || sigs.M != 2 {
		t.Errorf("row %q of %d, m %d", sigs.Row(1), sigs.Len(), sigs.M)
	}

	pairs, err := OpenPairs(at(PairsFile))
	must(t, err)
	defer pairs.Close()
	if d := cmp.Diff([]any{2, 1, []center.Edge{{To: 1, Similarity: 0.5}}, []center.Edge{{To: 0, Similarity: 0.5}}},
		[]any{pairs.Len(), pairs.Count(), pairs.Neighbours(0), pairs.Neighbours(1)}); d != "" {
		t.Error(d)
	}

	clusters, err := OpenClusters(at(ClustersFile))
	must(t, err)
	defer clusters.Close()
	c, s := clusters.Center(1)
	if d := cmp.Diff([]any{4, uint32(0), float32(0.5), []string{"red", "blüe"}, []string(nil), []uint32{0, 0, 0, 3}},
		[]any{clusters.Len(), c, s, clusters.Label(0), clusters.Label(3), clusters.Centers()}); d != "" {
		t.Error(d)
	}
}

// TestEqualHashes checks that documents are found even if the hashes of their URLs are equal.
func TestEqualHashes(t *testing.T) {
	dir := t.TempDir()
	w := CreateDocuments(filepath.Join(dir, "d"), filepath.Join(dir, "e"))
	h := Hash("b")
	for _, url := range []string{"a", "b", "c"} {
		w.Add(&anchors.Group{Hash: h, URL: []byte(url)})
	}
	must(t, w.Close())
	docs, err := OpenDocuments(filepath.Join(dir, "d"))
	must(t, err)
	defer docs.Close()
	if id, ok := docs.Find("b"); id != 1 || !ok {
		t.Errorf("b is found at %d, %v", id, ok)
	}
	if id, ok := docs.ByHash(h); id != 0 || !ok {
		t.Errorf("the hash is found at %d, %v", id, ok)
	}
	if _, ok := docs.Find("d"); ok {
		t.Error("d is found")
	}
}

// TestEmptyTables checks that tables without documents and pairs can be written and read.
func TestEmptyTables(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs := CreateDocuments(at(DocumentsFile), at(EvidenceFile))
	must(t, docs.Close())
	captures := CreateCaptures(at(CapturesFile))
	must(t, captures.Close())
	sources := CreateSources(at(SourcesFile))
	must(t, sources.Close())
	terms := CreateTerms(at(TermsFile), bags.Corpus{})
	must(t, terms.Close())
	b := CreateBags(at(BagsFile))
	must(t, b.Close(), WriteNodes(at(NodesFile), nil, 0))
	lists := CreateInverted(at(InvertedFile))
	must(t, lists.Close())
	w, _ := CreateSignatures(at(SignaturesFile), 80)
	must(t, w.Close())
	p := CreatePairs(at(PairsFile), 100)
	must(t, p.Close(0))
	c := CreateClusters(at(ClustersFile), nil, nil)
	must(t, c.Close())
	tree := CreateTree(at(TreeFile), nil)
	must(t, tree.Close())
	s := CreateShingles(at(ShinglesFile))
	must(t, s.Close())
	equal, err := resemble.NewEqual(nil, nil)
	must(t, err, WriteEqual(at(EqualFile), equal, nil))
	similar := CreateSimilar(at(SimilarFile))
	must(t, similar.Close())
	clusters, err := resemble.Cluster(t.Context(), equal, func(func(resemble.Pair, error) bool) {}, resemble.ClusterConfig{})
	must(t, err, WriteUnion(at(UnionFile), clusters))
	posts, err := CreatePostings(at(PostingsFile), PostingsForm{Modulus: 1, Bits: 40})
	must(t, err, posts.Close())
	moved := CreateRedirects(at(RedirectsFile))
	must(t, moved.Close())
	for name, use := range uses {
		if err := use(at(name)); err != nil {
			t.Error(err)
		}
	}
}

// TestWrongKind checks that a table of another kind is refused.
func TestWrongKind(t *testing.T) {
	dir := writeAll(t)
	for name, use := range uses {
		for other := range uses {
			if other != name && use(filepath.Join(dir, other)) == nil {
				t.Errorf("%s is taken for %s", other, name)
			}
		}
		if use(filepath.Join(dir, "absent")) == nil {
			t.Errorf("%s: no error for a file that there is not", name)
		}
	}
}
