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
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// shareRows is the number of rows of a share with which a few pages have several.
const shareRows = 100

// Tables that are written in shares have the rows of tables that are not, and always the same bytes: with any workers and
// memory, killed between any two parts, and with shares and tables that are damaged while the run is stopped.
func TestSharesOfTables(t *testing.T) { sharesOfTables(t, 2) }

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
	if err != nil {
		t.Fatal(err)
	}
	check(t, whole)
	if d := cmp.Diff(figures(t, undivided), figures(t, whole), untimed); d != "" {
		t.Error(d)
	}
	for table, same := range map[string]bool{
		run.PagesTable:           reflect.DeepEqual(rowsOf[run.PageRow](t, undivided, run.PagesTable), rowsOf[run.PageRow](t, whole, run.PagesTable)),
		run.TopicalClustersTable: reflect.DeepEqual(rowsOf[run.TopicalClusterRow](t, undivided, run.TopicalClustersTable), rowsOf[run.TopicalClusterRow](t, whole, run.TopicalClustersTable)),
		run.TopicalPairsTable:    reflect.DeepEqual(rowsOf[run.TopicalPairRow](t, undivided, run.TopicalPairsTable), rowsOf[run.TopicalPairRow](t, whole, run.TopicalPairsTable)),
	} {
		if !same {
			t.Errorf("%s has other rows when it is written in shares", table)
		}
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
	same("one worker", filepath.Join(t.TempDir(), "run"), pipeline.Options{Workers: 1, Memory: memory})
	if len(left) != 4 {
		t.Fatalf("the stage has %d steps, want 4", len(left))
	}
	for _, i := range steps {
		dir := left[i]
		tables := filepath.Join(t.TempDir(), "run")
		copyTree(t, dir, tables)
		damaged := 0
		for name := range sizesIn(t, tables) {
			if strings.HasSuffix(name, ".parquet") {
				if err := flipEverywhere(filepath.Join(tables, name)); err != nil {
					t.Fatal(err)
				}
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

// Shares are tasks like other parts. A process that is killed between them leaves a run that another one finishes, whether
// the shares are intact or damaged.
func TestTasksOfShares(t *testing.T) {
	in, c := sampleRun(t).in, preset(t, "web")
	dir, o := filepath.Join(t.TempDir(), "run"), pipeline.Options{Workers: 2}.WithTables(shareRows)
	whole, _ := cluster(t, c, o, in)
	if err := pipeline.ClusterUntil(t.Context(), "union", dir, []string{in}, c, o); err != nil {
		t.Fatal(err)
	}
	var steps []string
	for {
		next, err := pipeline.NextTasks(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if next.Step == "" {
			break
		}
		steps = append(steps, next.Step)
		if err := pipeline.DoParts(t.Context(), dir, next.Step, pipeline.PartRange{Last: next.Parts - 1, Of: next.Parts}, o); err != nil {
			t.Fatal(err)
		}
		if next.Step != "publish" && next.Parts < 3 {
			t.Errorf("step %s has %d parts", next.Step, next.Parts)
		}
	}
	if want := []string{"publish-pairs", "publish-pages", "publish-clusters", "publish"}; !reflect.DeepEqual(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	broken := filepath.Join(t.TempDir(), "run")
	copyTree(t, dir, broken)
	if err := pipeline.FinishStage(t.Context(), dir, "publish", o); err != nil {
		t.Fatal(err)
	}
	check(t, dir)
	if d := cmp.Diff(sums(t, whole), sums(t, dir)); d != "" {
		t.Error(d)
	}
	for name := range sizesIn(t, broken) {
		if strings.HasPrefix(name, "work/publish-pages-") && strings.HasSuffix(name, "1") {
			if err := flipEverywhere(filepath.Join(broken, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := pipeline.Cluster(t.Context(), broken, []string{in}, c, o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sums(t, whole), sums(t, broken)); d != "" {
		t.Error(d)
	}
}
