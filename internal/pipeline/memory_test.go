package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/peak"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestMemoryError checks that if not even the keys of the links to one URL fit into memory, the error says how much
// they need, and the run continues with that.
func TestMemoryError(t *testing.T) {
	var lines []string
	for i := range 400 {
		lines = append(lines, fmt.Sprintf(`{"url":"https://h%d.example/%d","html":"<p>All link to <a href=\"https://target.example/\">one target</a> of %d"}`, i%50, i, i))
	}
	in, out, c := write(t, lines...), filepath.Join(t.TempDir(), "run"), preset(t, "web")
	_, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{Workers: 2, Memory: 16 << 10})
	var little *pipeline.MemoryError
	if !errors.As(err, &little) || little.Memory != 16<<10 || little.Least <= little.Memory {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{Workers: 2, Memory: little.Least}); err != nil {
		t.Fatal(err)
	}
	want, _ := cluster(t, c, pipeline.Options{Workers: 1}, in)
	for name, sum := range sums(t, want) {
		if got := sums(t, out)[name]; got != sum {
			t.Errorf("%s differs", name)
		}
	}
}

func TestWorkersFor(t *testing.T) {
	for _, c := range []struct {
		workers int
		memory  int64
		want    int
	}{{2, pipeline.LeastMemory, 1}, {2, 64 << 20, 2}, {16, 64 << 20, 4}, {16, 1 << 30, 16}, {1, 1 << 20, 1}} {
		if got := pipeline.WorkersFor(c.workers, c.memory); got != c.want {
			t.Errorf("%d workers in %d bytes: %d, want %d", c.workers, c.memory, got, c.want)
		}
	}
	if pipeline.WorkersFor(0, 1<<40) < 1 {
		t.Error("no worker")
	}
}

// TestReadKeepsToMemory checks that pages of shapes that take much memory are read within the limit.
func TestReadKeepsToMemory(t *testing.T) {
	const memory, free, size = 32 << 20, 36 << 20, 4 << 20
	input, out := t.TempDir(), filepath.Join(t.TempDir(), "run")
	must(t, os.WriteFile(filepath.Join(input, "page.html"), peak.Page(size), 0o600))
	taken := peak.Of(func() {
		must(t, pipeline.ClusterUntil(t.Context(), "read", out, []string{input}, preset(t, "web"), pipeline.Options{Workers: 1, Memory: memory}))
	})
	if taken > free {
		t.Errorf("%d MiB of live memory", taken>>20)
	}
}
