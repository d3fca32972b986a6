package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/pipeline"
)

// The raw bags of Gather, once weighed, are the bags of a run, document by document; and the directory can be gone on
// with.
func TestGather(t *testing.T) {
	c := preset(t, "web")
	dir := filepath.Join(t.TempDir(), "run")
	input := write(t, samplePages(t, 60)...)
	gathered, err := pipeline.Gather(t.Context(), dir, []string{input}, c, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gathered.Close()
	other := filepath.Join(t.TempDir(), "other") // since the stage weigh removes the raw bags
	if err := pipeline.ClusterUntil(t.Context(), "weigh", other, []string{input}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	want, err := tables.OpenBags(filepath.Join(other, tables.BagsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	weigher, err := gathered.Weigher(c.BagWeighting())
	if err != nil {
		t.Fatal(err)
	}
	id := 0
	for raw, err := range gathered.RawBags(t.Context()) {
		if err != nil || id >= want.Len() {
			t.Fatalf("document %d of %d: %v", id, want.Len(), err)
		}
		got, want := weigher.Weigh(raw), want.At(uint32(id))
		if !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.Counts, want.Counts) {
			t.Fatalf("document %d: %v, want %v", id, got, want)
		}
		id++
	}
	if id != want.Len() || id != gathered.Len() || id == 0 {
		t.Errorf("%d raw bags of %d documents", id, want.Len())
	}
	if err := pipeline.ClusterUntil(t.Context(), "weigh", dir, []string{input}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	files := [2][]byte{}
	for i, dir := range []string{dir, other} {
		if files[i], err = os.ReadFile(filepath.Join(dir, tables.BagsFile)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the run that goes on has other bags")
	}
}

// Gather reports when it is cancelled.
func TestGatherCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := pipeline.Gather(ctx, filepath.Join(t.TempDir(), "run"), []string{write(t, samplePages(t, 3)...)}, preset(t, "web"), pipeline.Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
