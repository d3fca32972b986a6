package rounds_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/rounds"
)

// aRun returns a run of the pages of the demo, or the one that LSHCLUST_ROUNDS_RUN names.
func aRun(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("LSHCLUST_ROUNDS_RUN"); dir != "" {
		return dir
	}
	in, out := filepath.Join(t.TempDir(), sample.Name), filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(in, sample.Pages(), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	c.Resemblance = 0.2 // so that there are components
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	return out
}

// open opens a table until the test ends.
func open[T tables.Table](t testing.TB, dir, name string, how func(string) (T, error)) T {
	t.Helper()
	table, err := how(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

const threshold = 0.1

func linksOf(pairs *tables.Pairs) func(first, end uint32) iter.Seq2[rounds.Link, error] {
	return func(first, end uint32) iter.Seq2[rounds.Link, error] {
		return func(yield func(rounds.Link, error) bool) {
			for u := first; u < end; u++ {
				for _, e := range pairs.Neighbours(u) {
					if e.Similarity >= threshold && !yield(rounds.Link{From: u, To: e.To}, nil) {
						return
					}
				}
			}
		}
	}
}

// partOf yields every parts-th stored pair.
func partOf(similar *tables.Similar, part, parts int) iter.Seq2[rounds.Weighted, error] {
	return func(yield func(rounds.Weighted, error) bool) {
		for i := part; i < similar.Len(); i += parts {
			p := similar.At(i)
			if !yield(rounds.Weighted{A: p.A, B: p.B, Weight: p.Resemblance()}, nil) {
				return
			}
		}
	}
}

// On the pairs of a run, the rounds give the centers of CENTER and the components and weakest links of union-find.
func TestOfRun(t *testing.T) {
	dir := aRun(t)
	pairs := open(t, dir, tables.PairsFile, tables.OpenPairs)
	want := center.Cluster(pairs, nil, threshold)
	similar := open(t, dir, tables.SimilarFile, tables.OpenSimilar)
	n := open(t, dir, tables.UnionFile, tables.OpenUnion).Len()
	equal, err := resemble.NewEqual(upTo(n), make([]resemble.Relation, n)) // nothing: the stored pairs are of representatives
	if err != nil {
		t.Fatal(err)
	}
	clusters, err := resemble.Cluster(t.Context(), equal, similar.All(), resemble.ClusterConfig{Policy: resemble.Policy{Threshold: 0.01}})
	if err != nil {
		t.Fatal(err)
	}
	if pairs.Count() < 1000 || len(clusters.Groups()) < 3 {
		t.Errorf("only %d pairs and %d components", pairs.Count(), len(clusters.Groups()))
	}
	for _, parts := range []int{1, 2, 5, 16, 256} {
		d := &rounds.Local{Parts: parts, Sort: extsort.Config{Memory: 1 << 20, Dir: t.TempDir()}}
		got, err := d.Center(t.Context(), pairs.Len(), linksOf(pairs))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d parts: other centers than those of the scan, error %v", parts, err)
		}
		t.Logf("center, %d nodes, %d pairs, %d parts: %d rounds, %d records sent", pairs.Len(), pairs.Count(), parts, d.Rounds, d.Sent)
		c, err := d.Components(t.Context(), n, func(part int) iter.Seq2[rounds.Weighted, error] { return partOf(similar, part, parts) })
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("components, %d pages, %d pairs, %d parts: %d rounds, %d records sent", n, similar.Len(), parts, d.Rounds, d.Sent)
		for _, g := range clusters.Groups() {
			members := clusters.Members(g)
			for _, m := range members {
				if c.Root[m] != members[0] || float32(c.Lowest[c.Root[m]]) != float32(g.Lowest) {
					t.Fatalf("%d parts: page %d is in the component of %d, whose weakest link is %g; want %d and %g",
						parts, m, c.Root[m], c.Lowest[c.Root[m]], members[0], g.Lowest)
				}
			}
		}
	}
}

func upTo(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

// Benchmark compares one task with rounds over parts.
func Benchmark(b *testing.B) {
	dir := aRun(b)
	pairs := open(b, dir, tables.PairsFile, tables.OpenPairs)
	similar := open(b, dir, tables.SimilarFile, tables.OpenSimilar)
	n := open(b, dir, tables.UnionFile, tables.OpenUnion).Len()
	per := func(b *testing.B, links int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(links), "ns/pair")
	}
	b.Run("center/scan", func(b *testing.B) {
		for b.Loop() {
			center.Cluster(pairs, nil, threshold)
		}
		per(b, pairs.Count())
	})
	for _, parts := range []int{1, 16, 256} {
		d := &rounds.Local{Parts: parts, Sort: extsort.Config{Memory: 64 << 20, Dir: b.TempDir()}}
		b.Run(fmt.Sprintf("center/parts=%d", parts), func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Center(b.Context(), pairs.Len(), linksOf(pairs)); err != nil {
					b.Fatal(err)
				}
			}
			per(b, pairs.Count())
			b.ReportMetric(float64(d.Rounds), "rounds")
			b.ReportMetric(float64(d.Sent), "records")
		})
		b.Run(fmt.Sprintf("components/parts=%d", parts), func(b *testing.B) {
			for b.Loop() {
				_, err := d.Components(b.Context(), n, func(part int) iter.Seq2[rounds.Weighted, error] { return partOf(similar, part, parts) })
				if err != nil {
					b.Fatal(err)
				}
			}
			per(b, similar.Len())
			b.ReportMetric(float64(d.Rounds), "rounds")
			b.ReportMetric(float64(d.Sent), "records")
		})
	}
}
