package workload

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
)

// topicalOf returns the configuration of a preset with the topical view only.
func topicalOf(t testing.TB, name string) config.Config {
	c, err := config.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	c.Views = []string{config.Topical}
	return c
}

// clusterBags builds a run from bags and verifies it by all rules of check.
func clusterBags(t testing.TB, s *Bags, c config.Config, o pipeline.Options) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	if err := s.Cluster(t.Context(), out, c, o); err != nil {
		t.Fatal(err)
	}
	check(t, out)
	return out
}

// cluster builds a run of an input and verifies it.
func cluster(t testing.TB, c config.Config, name string, content []byte) (string, *run.Manifest) {
	t.Helper()
	in, out := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(in, content, 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.Cluster(t.Context(), out, []string{in}, c, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, out)
	return out, r.Manifest
}

func check(t testing.TB, dir string) {
	t.Helper()
	report, err := run.Check(t.Context(), dir, runs.Checks()...)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Err(); err != nil {
		t.Error(err)
	}
}

// TestBagRecall builds a run from bags and looks for the planted pairs. Every bag is the one that was generated, and the
// share of the pairs that are stored is what the formula says.
func TestBagRecall(t *testing.T) {
	c := topicalOf(t, "paper2000")
	s, err := newWorld(t, Config{Seed: 5, Pages: 6000, Planted: .6}).Bags(c.Sum)
	if err != nil {
		t.Fatal(err)
	}
	dir := clusterBags(t, s, c, pipeline.Options{})
	docs, nodes, pairs, of := openBagRun(t, dir)
	bins := map[int]*[4]float64{} // pairs, found, expected, variance
	for p, err := range s.BagPairs() {
		if err != nil {
			t.Fatal(err)
		}
		a, okA := docs.Find(p.A)
		b, okB := docs.Find(p.B)
		if !okA || !okB || bags.Similarity(of.At(a), of.At(b)) != p.Similarity {
			t.Fatalf("%+v: documents %d, %d", p, a, b)
		}
		na := nodes.Of(a)
		nb := nodes.Of(b)
		if na == nb {
			continue
		}
		e := lsh.Found(c.Signatures, c.KeySize, c.Keys, c.Floor, p.Similarity)
		bin := bins[int(p.Similarity*10)]
		if bin == nil {
			bin = &[4]float64{}
			bins[int(p.Similarity*10)] = bin
		}
		bin[0], bin[2], bin[3] = bin[0]+1, bin[2]+e, bin[3]+e*(1-e)
		if i := slices.IndexFunc(pairs.Neighbours(na), func(e center.Edge) bool { return e.To == nb }); i >= 0 {
			bin[1]++
			if got := pairs.Neighbours(na)[i].Similarity; got != float32(p.Similarity) {
				t.Errorf("%+v: stored with %v", p, got)
			}
		}
	}
	for i := range 11 {
		if b := bins[i]; b != nil {
			t.Logf("similarity %.1f: %4.0f pairs, found %.4f, formula %.4f", float64(i)/10, b[0], b[1]/b[0], b[2]/b[0])
			if math.Abs(b[1]-b[2]) > 4*math.Sqrt(b[3])+1 {
				t.Errorf("similarity %.1f: %.0f pairs found, the formula says %.1f", float64(i)/10, b[1], b[2])
			}
		}
	}
	if len(bins) < 7 {
		t.Errorf("similarities in %d bins", len(bins))
	}
}

func openBagRun(t testing.TB, dir string) (*tables.Documents, *tables.Nodes, *tables.Pairs, *tables.Bags) {
	t.Helper()
	var set tables.Set
	docs := tables.Open(&set, filepath.Join(dir, tables.DocumentsFile), tables.OpenDocuments)
	nodes := tables.Open(&set, filepath.Join(dir, tables.NodesFile), tables.OpenNodes)
	pairs := tables.Open(&set, filepath.Join(dir, tables.PairsFile), tables.OpenPairs)
	of := tables.Open(&set, filepath.Join(dir, tables.BagsFile), tables.OpenBags)
	if err := set.Ready(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return docs, nodes, pairs, of
}

// TestBagsSameBytes checks that workers and interruptions do not change a run from bags, and that a stopped run is not
// continued with other bags.
func TestBagsSameBytes(t *testing.T) {
	c := topicalOf(t, "web")
	source := func(seed uint64) *Bags {
		s, err := newWorld(t, Config{Seed: seed, Pages: 1500, Planted: .1, Template: 40, Common: true}).Bags(c.Sum)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want := fileSums(t, clusterBags(t, source(1), c, pipeline.Options{Workers: 1}))
	if got := fileSums(t, clusterBags(t, source(1), c, pipeline.Options{Workers: 5})); got != want {
		t.Errorf("five workers:\n%s\none:\n%s", got, want)
	}
	out := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	if err := source(1).Cluster(ctx, out, c, pipeline.Options{Progress: stopAt{"pair", cancel}}); err == nil {
		t.Fatal("not stopped")
	}
	if err := source(2).Cluster(t.Context(), out, c, pipeline.Options{}); err == nil {
		t.Fatal("continued with other bags")
	}
	if err := source(1).Cluster(t.Context(), out, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := fileSums(t, out); got != want {
		t.Errorf("resumed:\n%s\nwhole:\n%s", got, want)
	}
}

// stopAt stops a run when a stage begins.
type stopAt struct {
	stage string
	stop  func()
}

func (p stopAt) Stage(name, _ string, _ int64) {
	if strings.HasPrefix(name, p.stage) {
		p.stop()
	}
}
func (p stopAt) At(int64)                         {}
func (p stopAt) Done(run.StageStats)              {}
func (p stopAt) Resumed(string)                   {}
func (p stopAt) Continued(_, _ string, _ float64) {}
func (p stopAt) Damaged(string, error)            {}

// fileSums lists the tables of a run with the digests in its manifest.
func fileSums(t testing.TB, dir string) string {
	t.Helper()
	r, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range r.Manifest.Tables {
		fmt.Fprintln(&b, f.Name, f.Digest)
	}
	return b.String()
}

// TestLinkWorkload clusters a generated table of links. The bags of planted targets have the similarity that was
// planted: with unweighted words and a sum that the number of words divides, nothing is rounded.
func TestLinkWorkload(t *testing.T) {
	w := newWorld(t, Config{Seed: 3, Pages: 700, Planted: .3, Hub: 50})
	var b bytes.Buffer
	if err := w.WriteLinks(t.Context(), &b, 0, w.Pages()); err != nil {
		t.Fatal(err)
	}
	c := topicalOf(t, "paper2000")
	c.Weighting, c.MinDF, c.MaxDF, c.Sum, c.Title = bags.Unweighted, 1, 1, 90, false
	dir, m := cluster(t, c, "links.tsv", b.Bytes())
	if n := int64(bytes.Count(b.Bytes(), []byte("\n")) - 1); m.Counts["links"] != n || len(m.Dropped) > 0 {
		t.Errorf("%d links of %d, dropped %v", m.Counts["links"], n, m.Dropped)
	}
	docs, _, _, of := openBagRun(t, dir)
	n := 0
	for p, err := range w.LinkPairs() {
		if err != nil {
			t.Fatal(err)
		}
		x, okX := docs.Find(p.A)
		y, okY := docs.Find(p.B)
		if got := bags.Similarity(of.At(x), of.At(y)); !okX || !okY || got != p.Similarity {
			t.Fatalf("%+v: similarity %v", p, got)
		}
		n++
	}
	if n < 70 {
		t.Errorf("%d planted pairs", n)
	}
	if id, ok := docs.Find("https://hub.example"); !ok || docs.InLinks(id) != 50 {
		t.Errorf("the hub has %d links", docs.InLinks(id))
	}
}

// TestPageWorkload clusters generated pages. The run stores the planted pairs with their exact resemblance, and few others:
// pages with planted links of one group.
func TestPageWorkload(t *testing.T) {
	w := newWorld(t, Config{Seed: 4, Pages: 400, Planted: .4})
	var warc, lines bytes.Buffer
	if err := w.WriteWARC(t.Context(), &warc, 0, w.Pages()); err != nil {
		t.Fatal(err)
	}
	if err := w.WritePages(t.Context(), &lines, 0, w.Pages()); err != nil {
		t.Fatal(err)
	}
	c := topicalOf(t, "web")
	c.Views = []string{config.Syntactic}
	dir, m := cluster(t, c, "pages.warc", warc.Bytes())
	if m.Counts["documents"] < 400 || m.Counts["pages"] != 400 || len(m.Dropped) > 0 {
		t.Errorf("%v, dropped %v", m.Counts, m.Dropped)
	}
	asLines, _ := cluster(t, c, "pages.jsonl", lines.Bytes())
	stored := syntacticPairs(t, dir)
	if fromLines := syntacticPairs(t, asLines); len(fromLines) != len(stored) {
		t.Errorf("%d pairs in WARC, %d in JSON Lines", len(stored), len(fromLines))
	}
	seen := map[[2]string]bool{}
	planted, found, equal := 0, 0, map[string]string{} // to the original of an unchanged copy, which represents both or is represented
	for p, err := range w.PagePairs(c.Shingles()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Similarity == 1 {
			equal[p.A], equal[p.B] = p.B, p.A
		}
		got, ok := 0.0, false
		for _, a := range []string{p.A, equal[p.A]} {
			for _, b := range []string{p.B, equal[p.B]} {
				pair := [2]string{min(a, b), max(a, b)}
				if x, is := stored[pair]; is {
					got, ok, seen[pair] = x, true, true
				}
			}
		}
		if ok && math.Abs(got-p.Similarity) > 1e-6 {
			t.Errorf("%+v: stored with %v", p, got)
		}
		if p.Similarity < c.Resemblance {
			continue
		}
		if planted++; ok {
			found++
		}
	}
	t.Logf("%d of %d planted pairs found; %d pairs stored, of these %d planted", found, planted, len(stored), len(seen))
	if planted < 40 || found < planted || len(seen) < len(stored)*9/10 {
		t.Errorf("%d of %d planted pairs found; %d pairs stored, of these %d planted", found, planted, len(stored), len(seen))
	}
}

// syntacticPairs returns the resemblance of the stored pairs of different pages by their URLs.
func syntacticPairs(t testing.TB, dir string) map[[2]string]float64 {
	t.Helper()
	pairs := map[[2]string]float64{}
	for row, err := range run.ReadTable[run.SyntacticPairRow](filepath.Join(dir, run.SyntacticPairsTable)) {
		if err != nil {
			t.Fatal(err)
		}
		pairs[[2]string{min(row.URLA, row.URLB), max(row.URLA, row.URLB)}] = float64(row.Resemblance)
	}
	return pairs
}
