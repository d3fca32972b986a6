package pipeline_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/pipeline"
)

// The bags of the stage "weigh" are those of the raw bags, document by document.
func TestRawBags(t *testing.T) {
	c := preset(t, "web")
	dir := filepath.Join(t.TempDir(), "run")
	input := write(t, samplePages(t, 0)...)
	if _, err := pipeline.Cluster(context.Background(), dir, []string{input}, c, pipeline.Options{Until: "weigh"}); err != nil {
		t.Fatal(err)
	}
	terms, err := tables.OpenTerms(filepath.Join(dir, tables.TermsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer terms.Close()
	want, err := tables.OpenBags(filepath.Join(dir, tables.BagsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	how := bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
	dictionary, err := bags.NewDictionary(how, terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		t.Fatal(err)
	}
	weigher, id := bags.NewWeigher(how, dictionary), 0
	for raw, err := range pipeline.RawBags(dir) {
		if err != nil || id >= want.Len() {
			t.Fatalf("document %d of %d: %v", id, want.Len(), err)
		}
		got, want := weigher.Weigh(raw), want.At(uint32(id))
		if !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.Counts, want.Counts) {
			t.Fatalf("document %d: %v, want %v", id, got, want)
		}
		id++
	}
	if id != want.Len() || id == 0 {
		t.Errorf("%d raw bags of %d documents", id, want.Len())
	}
}

// A finished run has no raw bags any more.
func TestRawBagsGone(t *testing.T) {
	dir, _ := cluster(t, preset(t, "paper2000"), pipeline.Options{}, write(t, samplePages(t, 3)...))
	for _, err := range pipeline.RawBags(dir) {
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		t.Fatal(err)
	}
	t.Error("no error")
}
