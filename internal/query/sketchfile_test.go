package query

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// syntactic returns the settings of a run with the syntactic view alone.
func syntactic(t testing.TB, change func(*config.Config)) config.Config {
	c := preset(t, config.DefaultPreset)
	c.Views = []string{config.Syntactic}
	if change != nil {
		change(&c)
	}
	return c
}

// sketchFile writes the sketches of a run to a file and returns its path.
func sketchFile(t testing.TB, r *Run, o SketchSettings) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "holdings.sketches")
	if n, err := r.WriteSketches(t.Context(), path, o, resemble.Resources{}); err != nil || n != r.pages.Len() {
		t.Fatal(n, err)
	}
	return path
}

func openedSketches(t testing.TB, path string) *Run {
	t.Helper()
	r, err := OpenSketches(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// crossPairs returns the pairs across two runs, in order.
func crossPairs(t testing.TB, a, b *Run) (out []CrossPair) {
	t.Helper()
	stats, err := Across(t.Context(), a, b, resemble.Resources{}, func(p CrossPair) error {
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
func pairsOfOne(one *Run, inA func(url string) bool) (out []CrossPair) {
	type key struct {
		rep uint32
		a   bool
	}
	members := map[key][]uint32{}
	for page := range uint32(one.pages.Len()) {
		k := key{one.equal.Representative(page), inA(one.docs.URL(one.pages.Document(page)))}
		members[k] = append(members[k], page)
	}
	url := func(page uint32) string { return one.docs.URL(one.pages.Document(page)) }
	add := func(repA, repB uint32, p CrossPair) {
		a, b := members[key{repA, true}], members[key{repB, false}]
		if len(a) == 0 || len(b) == 0 {
			return
		}
		p.URLA, p.URLB, p.CopiesA, p.CopiesB = url(a[0]), url(b[0]), len(a)-1, len(b)-1
		if repA == repB {
			relation, _ := one.equal.Between(a[0], b[0])
			p = CrossPair{URLA: p.URLA, URLB: p.URLB, CopiesA: p.CopiesA, CopiesB: p.CopiesB, Relation: relation.String(), Resemblance: 1, AInB: 1, BInA: 1}
		}
		out = append(out, p)
	}
	for page := range uint32(one.pages.Len()) {
		if one.equal.Representative(page) == page {
			add(page, page, CrossPair{})
		}
	}
	for p := range one.similar.All() {
		add(p.A, p.B, one.crossPair(p))
		add(p.B, p.A, one.crossPair(p.Swap()))
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
	pages := samplePages(t, 60)
	whole := opened(t, syntactic(t, nil), pages)
	for _, kind := range []config.Sketch{config.SketchVar, config.SketchMod, config.SketchMin, config.SketchMinMod} {
		kept := opened(t, syntactic(t, func(c *config.Config) {
			if c.Keep, c.Sketch = config.KeepSketches, kind; kind == config.SketchMin || kind == config.SketchMinMod {
				c.Strip, c.LinkContain = config.StripNone, 0
			}
		}), pages)
		a, errA := os.ReadFile(sketchFile(t, whole, SketchSettings{Kind: kind}))
		b, errB := os.ReadFile(sketchFile(t, kept, SketchSettings{}))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes from shingles, %d from sketches, %v, %v", kind, len(a), len(b), errA, errB)
		}
		if _, err := kept.WriteSketches(t.Context(), filepath.Join(t.TempDir(), "x"), SketchSettings{Kind: config.SketchMod, Modulus: 7}, resemble.Resources{}); !errors.Is(err, ErrSketches) {
			t.Errorf("%s as MOD_7: %v", kind, err)
		}
	}
	file := openedSketches(t, sketchFile(t, whole, SketchSettings{}))
	if file.SketchFile() == "" || file.pages.Len() != whole.pages.Len() || file.Len() != whole.pages.Len() {
		t.Errorf("%q: %d pages of %d", file.SketchFile(), file.pages.Len(), whole.pages.Len())
	}
	if err := file.set.Err(); err != nil {
		t.Error(err)
	}
}

// TestAcrossDamage checks that damage to a run with whole sets of shingles is reported even if sketches made from
// them are compared.
func TestAcrossDamage(t *testing.T) {
	pages := samplePages(t, 60)
	path := copyRun(t, build(t, syntactic(t, nil), pages))
	file := openedSketches(t, sketchFile(t, opened(t, syntactic(t, nil), pages), SketchSettings{}))
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
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, pair := range [][2]*Run{{r, file}, {file, r}} {
		if _, err := Across(t.Context(), pair[0], pair[1], resemble.Resources{}, func(CrossPair) error { return nil }); !errors.Is(err, mapped.ErrChecksum) {
			t.Errorf("%q and %q: %v", pair[0].file, pair[1].file, err)
		}
	}
}

// TestSketchFileHasNoTexts checks that questions about texts fail for a file of sketches, rather than finding
// nothing.
func TestSketchFileHasNoTexts(t *testing.T) {
	c := syntactic(t, nil)
	a, b := opened(t, c, sitePages(siteOld, "", "", 30)), opened(t, c, sitePages(siteNew, "", "", 30))
	file := openedSketches(t, sketchFile(t, b, SketchSettings{}))
	l, err := NewCrawls(t.Context(), a, file)
	if err != nil {
		t.Fatal(err)
	}
	lost, err := l.Moves(t.Context())
	if err != nil || len(lost) == 0 {
		t.Fatal(lost, err)
	}
	_, err = l.Anchors(t.Context(), lost)
	if err == nil || !strings.Contains(err.Error(), "a file of sketches holds no texts") {
		t.Error(err)
	}
	if _, err := file.SiteAsWritten(t.Context(), ""); err == nil {
		t.Error("a file of sketches has forms of URLs")
	}
}

// TestSketchesAcross splits inputs in two and compares runs, files, and a run with a file: the pairs are those of one
// run over both inputs.
func TestSketchesAcross(t *testing.T) {
	pages := append(samplePages(t, 200), whoPages()...)
	for _, url := range []string{"https://copy.example/a", "https://copy.example/b", "https://copy.example/c"} {
		pages = append(pages, sitePage(url, "Copy", "", []string{madeWords(5, 300)}))
	}
	acrossSplit(t, pages)
}

// acrossSplit is TestSketchesAcross for some pages.
func acrossSplit(t *testing.T, pages []string) {
	var half [2][]string
	for i, p := range pages {
		half[i%2] = append(half[i%2], p)
	}
	shingles := syntactic(t, nil)
	sketches := syntactic(t, func(c *config.Config) { c.Keep, c.Sketch = config.KeepSketches, config.SketchVar })
	a, b := opened(t, shingles, half[0]), opened(t, shingles, half[1])
	inA := func(url string) bool { _, ok := a.docs.Find(url); _, also := b.at(url); return ok && !also }
	samePairs(t, "runs with shingles", crossPairs(t, a, b), pairsOfOne(opened(t, shingles, pages), inA))

	want := pairsOfOne(opened(t, sketches, pages), inA)
	fileA, fileB := openedSketches(t, sketchFile(t, a, SketchSettings{})), openedSketches(t, sketchFile(t, b, SketchSettings{}))
	for _, x := range []struct {
		what string
		a, b *Run
	}{{"files", fileA, fileB}, {"file and run", fileA, b}, {"run and file", a, fileB}} {
		samePairs(t, x.what, crossPairs(t, x.a, x.b), want)
	}
	t.Logf("%d pages, %d pairs across", len(pages), len(want))
}

// TestSketchFileWho asks a file, and the run of its sketches, the same questions.
func TestSketchFileWho(t *testing.T) {
	run := opened(t, syntactic(t, func(c *config.Config) { c.Keep, c.Sketch = config.KeepSketches, config.SketchVar }), append(whoPages(), samplePages(t, 100)...))
	file := openedSketches(t, sketchFile(t, run, SketchSettings{}))
	asked := 0
	for page := range uint32(run.pages.Len()) {
		url := run.docs.URL(run.pages.Document(page))
		id, err := file.LookupPage(url)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := run.WhoHas(run.pages.Document(page), nil, defaultWho)
		b, errB := file.WhoHas(id, nil, defaultWho)
		if errA != nil || errB != nil || a.Texts != b.Texts || a.Copies != b.Copies || len(a.Items) != len(b.Items) {
			t.Fatalf("%s: %+v %v, in the file %+v %v", url, a, errA, b, errB)
		}
		for i, x := range a.Items {
			y := b.Items[i]
			if asked++; x.URL != y.URL || x.Resemblance != y.Resemblance || x.OfThis != y.OfThis || !x.From.Equal(y.From) {
				t.Fatalf("%s: %+v, in the file %+v", url, x, y)
			}
		}
	}
	if asked == 0 {
		t.Error("no page has a holder")
	}
}

// TestSketchFileMoved finds the new places of a site in a file, from a file, and in a run that keeps shingles.
func TestSketchFileMoved(t *testing.T) {
	c := syntactic(t, nil)
	a, b := opened(t, c, sitePages(siteOld, "", "", 30)), opened(t, c, sitePages(siteNew, "", "", 30))
	fileA, fileB := openedSketches(t, sketchFile(t, a, SketchSettings{})), openedSketches(t, sketchFile(t, b, SketchSettings{}))
	for _, pair := range [][2]*Run{{fileA, fileB}, {a, fileB}, {fileA, b}} {
		c, err := NewCrawls(t.Context(), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Newest()
		if err != nil {
			t.Fatal(err)
		}
		found := verdicts(t, s)
		for old, v := range found {
			if want := "moved " + strings.Replace(old, "a.example", "b.example", 1); v != want {
				t.Errorf("%q and %q: %s: %s", pair[0].file, pair[1].file, old, v)
			}
		}
		if len(found) != 30 {
			t.Errorf("%d verdicts", len(found))
		}
	}
}

// TestSketchFileSettings refuses files of other settings and names the setting.
func TestSketchFileSettings(t *testing.T) {
	pages := samplePages(t, 60)
	base := opened(t, syntactic(t, nil), pages)
	file := openedSketches(t, sketchFile(t, base, SketchSettings{}))
	for want, other := range map[string]*Run{
		"shingle":   opened(t, syntactic(t, func(c *config.Config) { c.Shingle = 5 }), pages),
		"seed":      opened(t, syntactic(t, func(c *config.Config) { c.Seed = 7 }), pages),
		"url_rules": opened(t, syntactic(t, func(c *config.Config) { c.URLRules = []string{"-www"} }), pages),
		"strip":     opened(t, syntactic(t, func(c *config.Config) { c.Strip = config.StripNone }), pages),
		"sketch":    openedSketches(t, sketchFile(t, base, SketchSettings{Kind: config.SketchMod})),
	} {
		_, err := Across(t.Context(), file, other, resemble.Resources{}, func(CrossPair) error { return nil })
		var settings *SettingsError
		if !errors.As(err, &settings) || settings.Setting != want || settings.SketchesOnly() != (want == "sketch") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
