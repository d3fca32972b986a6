package pipeline_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

func rowsOf[T run.Row](t *testing.T, dir, table string) (out []T) {
	t.Helper()
	for row, err := range run.ReadTable[T](filepath.Join(dir, table)) {
		must(t, err)
		out = append(out, row)
	}
	return out
}

// shareRows is a number of rows with which the tables of a few pages have several shares.
const shareRows = 100

// TestSharesOfTables checks that tables written in shares have the rows of undivided tables, and always the same
// bytes: with any workers and memory, killed between any two parts, and with shares and tables that are damaged while
// the run is stopped.
func TestSharesOfTables(t *testing.T) { sharesOfTables(t, 1) }

// sharesOfTables kills runs before some of the steps that write tables.
func sharesOfTables(t *testing.T, steps ...int) {
	in, c, undivided := sampleRun(t).in, preset(t, "web"), sampleRun(t).dir
	var mu sync.Mutex
	var left []string
	whole := filepath.Join(t.TempDir(), "run")
	_, err := pipeline.Cluster(t.Context(), whole, []string{in}, c, pipeline.Options{Workers: 2, Progress: &progress{event: func(stage, what string) {
		mu.Lock()
		defer mu.Unlock()
		if stage == "publish" && what == "stage" {
			left = append(left, filepath.Join(t.TempDir(), "run"))
			copyTree(t, whole, left[len(left)-1])
		}
	}}}.WithTables(shareRows))
	must(t, err)
	check(t, whole)
	if d := cmp.Diff(figures(t, undivided), figures(t, whole), untimed); d != "" {
		t.Error(d)
	}
	if !reflect.DeepEqual(rowsOf[run.PageRow](t, undivided, run.PagesTable), rowsOf[run.PageRow](t, whole, run.PagesTable)) {
		t.Errorf("%s has other rows when it is written in shares", run.PagesTable)
	}
	want := sums(t, whole)
	same := func(how, dir string, o pipeline.Options) {
		t.Helper()
		if _, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, o.WithTables(shareRows)); err != nil {
			t.Errorf("%s: %v", how, err)
		} else if d := cmp.Diff(want, sums(t, dir)); d != "" {
			t.Errorf("%s: %s", how, d)
		}
	}
	if len(steps) > 1 {
		same("one worker", filepath.Join(t.TempDir(), "run"), pipeline.Options{Workers: 1, Memory: memory})
	}
	if len(left) != 2 {
		t.Fatalf("the stage has %d steps, want 2", len(left))
	}
	for _, i := range steps {
		dir := left[i]
		tables := filepath.Join(t.TempDir(), "run")
		copyTree(t, dir, tables)
		damaged := 0
		for name := range sizesIn(tables) {
			if strings.HasSuffix(name, ".parquet") {
				must(t, flipEverywhere(filepath.Join(tables, name)))
				damaged++
			}
		}
		if damaged != i {
			t.Errorf("before step %d there are %d tables", i, damaged)
		}
		same(fmt.Sprintf("killed before step %d", i), dir, pipeline.Options{Workers: 3})
		same(fmt.Sprintf("tables damaged before step %d", i), tables, pipeline.Options{Workers: 1})
	}
}
