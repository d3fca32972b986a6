package texts

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// crossPairs returns the pairs across two runs, in order.
func crossPairs(t testing.TB, a, b *runs.Run) (out []CrossPair) {
	t.Helper()
	stats, err := Across(t.Context(), a, b, func(p CrossPair) error {
		out = append(out, p)
		return nil
	})
	if err != nil || stats.Equal+stats.Pairs != len(out) {
		t.Fatal(stats, len(out), err)
	}
	slices.SortFunc(out, func(x, y CrossPair) int { return cmp.Or(cmp.Compare(x.URLA, y.URLA), cmp.Compare(x.URLB, y.URLB)) })
	return out
}

// pairsOfOne returns the pairs that crossPairs should find, from the stored pairs of a run over both inputs.
func pairsOfOne(one *runs.Run, inA func(url string) bool) (out []CrossPair) {
	type key struct {
		rep uint32
		a   bool
	}
	members := map[key][]uint32{}
	for page := range uint32(one.Pages.Len()) {
		k := key{one.Equal.Representative(page), inA(one.Docs.URL(one.Pages.Document(page)))}
		members[k] = append(members[k], page)
	}
	url := func(page uint32) string { return one.Docs.URL(one.Pages.Document(page)) }
	add := func(repA, repB uint32, p CrossPair) {
		a, b := members[key{repA, true}], members[key{repB, false}]
		if len(a) == 0 || len(b) == 0 {
			return
		}
		p.URLA, p.URLB, p.CopiesA, p.CopiesB = url(a[0]), url(b[0]), len(a)-1, len(b)-1
		if repA == repB {
			relation, _ := one.Equal.Between(a[0], b[0])
			p = CrossPair{Pair: p.Pair, CopiesA: p.CopiesA, CopiesB: p.CopiesB, Relation: relation.String(), Resemblance: 1, AInB: 1, BInA: 1}
		}
		out = append(out, p)
	}
	for page := range uint32(one.Pages.Len()) {
		if one.Equal.Representative(page) == page {
			add(page, page, CrossPair{})
		}
	}
	for p := range one.Similar.All() {
		add(p.A, p.B, crossPairOf(one, p))
		add(p.B, p.A, crossPairOf(one, p.Swap()))
	}
	slices.SortFunc(out, func(x, y CrossPair) int { return cmp.Or(cmp.Compare(x.URLA, y.URLA), cmp.Compare(x.URLB, y.URLB)) })
	return out
}

func samePairs(t *testing.T, what string, got, want []CrossPair) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: pair %d is %+v, in one run %+v", what, i, got[i], want[i])
		}
	}
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%s: %d pairs, in one run %d", what, len(got), len(want))
	}
}

// TestSketchFileOfShingles checks that whole sets of shingles yield the same file as the sketches that a run kept.
func TestSketchFileOfShingles(t *testing.T) {
	pages := runtest.SamplePages(t, 60)
	whole := runtest.Opened(t, runtest.Syntactic(t, nil), pages)
	for _, kind := range []config.Sketch{config.SketchVar, config.SketchMod, config.SketchMin, config.SketchMinMod} {
		kept := runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) {
			if c.Sketch = kind; kind == config.SketchMin || kind == config.SketchMinMod {
				c.Strip, c.LinkContain = config.StripNone, 0
			}
		}), pages)
		a, errA := os.ReadFile(runtest.SketchFile(t, whole, runs.SketchSettings{Kind: kind}))
		b, errB := os.ReadFile(runtest.SketchFile(t, kept, runs.SketchSettings{}))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes from shingles, %d from sketches, %v, %v", kind, len(a), len(b), errA, errB)
		}
		if _, err := runs.WriteSketches(t.Context(), kept, filepath.Join(t.TempDir(), "x"), runs.SketchSettings{Kind: config.SketchMod, Modulus: 7}); !errors.Is(err, runs.ErrSketches) {
			t.Errorf("%s as MOD_7: %v", kind, err)
		}
	}
	file := runtest.OpenedSketches(t, runtest.SketchFile(t, whole, runs.SketchSettings{}))
	if file.SketchFile == "" || file.Pages.Len() != whole.Pages.Len() || file.Len() != whole.Pages.Len() {
		t.Errorf("%q: %d pages of %d", file.SketchFile, file.Pages.Len(), whole.Pages.Len())
	}
	if err := file.Err(); err != nil {
		t.Error(err)
	}
}

// TestAcrossDamage checks that damage to a run with whole sets of shingles is reported even if sketches made from
// them are compared.
func TestAcrossDamage(t *testing.T) {
	pages := runtest.SamplePages(t, 60)
	path := runtest.CopyRun(t, runtest.Build(t, runtest.Syntactic(t, nil), pages))
	file := runtest.OpenedSketches(t, runtest.SketchFile(t, runtest.Opened(t, runtest.Syntactic(t, nil), pages), runs.SketchSettings{}))
	table := filepath.Join(path, tables.ShinglesFile)
	f, err := mapped.OpenAny(table)
	if err != nil {
		t.Fatal(err)
	}
	values, err := f.Info("value")
	f.Close()
	data, errRead := os.ReadFile(table)
	if err = cmp.Or(err, errRead); err != nil {
		t.Fatal(err)
	}
	data[values.Offset+values.Length/2] ^= 1
	if err := os.WriteFile(table, data, 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := runs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, pair := range [][2]*runs.Run{{r, file}, {file, r}} {
		if _, err := Across(t.Context(), pair[0], pair[1], func(CrossPair) error { return nil }); !errors.Is(err, mapped.ErrChecksum) {
			t.Errorf("%q and %q: %v", pair[0].SketchFile, pair[1].SketchFile, err)
		}
	}
}

// TestSketchesAcross splits inputs in two and compares runs, files, and a run with a file: the pairs are those of one
// run over both inputs.
func TestSketchesAcross(t *testing.T) {
	pages := append(runtest.SamplePages(t, 200), whoPages()...)
	for _, url := range []string{"https://copy.example/a", "https://copy.example/b", "https://copy.example/c"} {
		pages = append(pages, runtest.SitePage(url, "Copy", "", []string{runtest.MadeWords(5, 300)}))
	}
	acrossSplit(t, pages)
}

// acrossSplit is TestSketchesAcross for some pages.
func acrossSplit(t *testing.T, pages []string) {
	var half [2][]string
	for i, p := range pages {
		half[i%2] = append(half[i%2], p)
	}
	shingles := runtest.Syntactic(t, nil)
	sketches := runtest.Syntactic(t, func(c *config.Config) { c.Sketch = config.SketchVar })
	a, b := runtest.Opened(t, shingles, half[0]), runtest.Opened(t, shingles, half[1])
	inA := func(url string) bool { _, ok := a.Docs.Find(url); _, also := b.At(url); return ok && !also }
	samePairs(t, "runs with shingles", crossPairs(t, a, b), pairsOfOne(runtest.Opened(t, shingles, pages), inA))

	want := pairsOfOne(runtest.Opened(t, sketches, pages), inA)
	fileA, fileB := runtest.OpenedSketches(t, runtest.SketchFile(t, a, runs.SketchSettings{})), runtest.OpenedSketches(t, runtest.SketchFile(t, b, runs.SketchSettings{}))
	for _, x := range []struct {
		what string
		a, b *runs.Run
	}{{"files", fileA, fileB}, {"file and run", fileA, b}, {"run and file", a, fileB}} {
		samePairs(t, x.what, crossPairs(t, x.a, x.b), want)
	}
	t.Logf("%d pages, %d pairs across", len(pages), len(want))
}

// TestSketchFileWho asks a file, and the run of its sketches, the same questions.
func TestSketchFileWho(t *testing.T) {
	run := runtest.Opened(t, runtest.Syntactic(t, func(c *config.Config) { c.Sketch = config.SketchVar }), append(whoPages(), runtest.SamplePages(t, 100)...))
	file := runtest.OpenedSketches(t, runtest.SketchFile(t, run, runs.SketchSettings{}))
	asked := 0
	for page := range uint32(run.Pages.Len()) {
		url := run.Docs.URL(run.Pages.Document(page))
		id, err := file.LookupPage(url)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := WhoHas(run, run.Pages.Document(page), nil, DefaultWho)
		b, errB := WhoHas(file, id, nil, DefaultWho)
		if errA != nil || errB != nil || a.Texts != b.Texts || a.Copies != b.Copies || len(a.Items) != len(b.Items) {
			t.Fatalf("%s: %+v %v, in the file %+v %v", url, a, errA, b, errB)
		}
		for i, x := range a.Items {
			y := b.Items[i]
			if asked++; x.URL != y.URL || x.Resemblance != y.Resemblance || x.ThisInOther != y.ThisInOther || !x.From.Equal(y.From) {
				t.Fatalf("%s: %+v, in the file %+v", url, x, y)
			}
		}
	}
	if asked == 0 {
		t.Error("no page has a holder")
	}
}
