package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// child says what another process of this test does: a part, or a whole run of an input if Input is set.
type child struct {
	Dir, Stage, Input string
	Part, Of          int
	Kill              int // kill the process when this many parts of Stage are recorded or, of a part, when it has told this often what it does
}

const childVariable = "LSHCLUST_TEST_CHILD"

func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		os.Exit(runTests(m))
	}
	var c child
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		err = c.do()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runTests runs the tests with a folder for temporary files that is removed in the end.
func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pipeline-test-")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	return m.Run()
}

func (c child) do() error {
	var told atomic.Int64
	o := pipeline.Options{Workers: 2, SmallParts: true, Progress: &progress{event: func(stage, what string) {
		if c.Kill == 0 || c.Input != "" && (what != "at" || stage != c.Stage || recorded(c.Dir) < c.Kill) ||
			c.Input == "" && told.Add(1) != int64(c.Kill) {
			return
		}
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Kill()
		}
		select {}
	}}}
	if c.Input == "" {
		return pipeline.DoParts(context.Background(), c.Dir, c.Stage, pipeline.PartRange{First: c.Part, Last: c.Part, Of: c.Of}, o.WithTables(shareRows))
	}
	settings, err := config.Preset("web")
	if err == nil {
		_, err = pipeline.Cluster(context.Background(), c.Dir, []string{c.Input}, settings, o)
	}
	return err
}

// recorded returns the number of parts that the unfinished stage has recorded.
func recorded(dir string) int {
	var unfinished *run.UnfinishedError
	if _, err := run.Open(dir); errors.As(err, &unfinished) {
		return unfinished.Parts
	}
	return 0
}

// start starts a process that does what c says.
func start(t *testing.T, c child) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(c)
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), childVariable+"="+string(text)), os.Stderr
	must(t, cmd.Start())
	return cmd
}

// ended waits for a process, which must end as expected.
func ended(t *testing.T, cmd *exec.Cmd, killed bool) {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if !killed && err != nil || killed && (!errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL) {
		t.Fatalf("a process that is to be killed: %v; it ended with %v", killed, err)
	}
}

// figures returns what a run reports about its stages, without times and memory.
func figures(t *testing.T, dir string) []run.StageStats {
	t.Helper()
	r, err := run.Open(dir)
	must(t, err)
	return r.Manifest.Stages
}

var untimed = cmpopts.IgnoreFields(run.StageStats{}, "WallSeconds", "CPUSeconds", "PeakAnon", "PeakFile", "PeakDisk", "Finished")

// TestTasks checks that every part of every stage, including shares of tables, can be done by itself, in any order,
// twice, by two processes at once, and again after a process that was killed. The tables and counts are those of an
// ordinary run, even if shares are damaged before it is finished.
func TestTasks(t *testing.T) {
	tasks(t, func(step string) bool { return step == "group" || step == "pair-search" || step == "publish-pages" })
}

// tasks builds a run part by part. Several processes do some of the steps, and one of them is killed.
func tasks(t *testing.T, killed func(step string) bool) {
	lines, c := eventfulPages(t), preset(t, "web")
	var in []string
	for some := range slices.Chunk(lines, len(lines)/3+1) {
		in = append(in, write(t, some...))
	}
	whole, _ := cluster(t, c, pipeline.Options{Workers: 2}.WithTables(shareRows), in...)
	dir, broken := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
	o := pipeline.Options{Workers: 2, SmallParts: true}.WithTables(shareRows)
	must(t, pipeline.Begin(t.Context(), dir, in, c, o))
	r, steps := rand.New(rand.NewPCG(1, 2)), []string{}
	for {
		next, err := pipeline.NextTasks(dir, o)
		if errors.Is(err, run.ErrFinished) {
			break
		}
		must(t, err)
		if next.Step != "" {
			steps = append(steps, next.Step)
			doParts(t, dir, next, r, killed(next.Step))
			continue
		}
		if next.Stage == "publish" {
			copyTree(t, dir, broken)
		}
		must(t, pipeline.FinishStage(t.Context(), dir, next.Stage, o))
	}
	want := []string{"read", "redirect", "group", "weigh", "shingle", "sign-nodes", "sign", "invert", "pair-choose", "pair-order", "pair-buckets", "pair-large", "pair-search", "pair-select"}
	for round := range c.Rounds {
		want = append(want, fmt.Sprintf("pair-round-%d", round+1))
	}
	want = append(want, "pair-sort", "cluster-centers", "cluster-labels", "tree-build", "tree-labels", "index", "equal", "resemble", "union",
		"publish-pages", "publish-pages-join", "publish")
	if !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	check(t, dir)
	if d := cmp.Diff(sums(t, whole), sums(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(figures(t, whole), figures(t, dir), untimed); d != "" {
		t.Error(d)
	}
	for name := range sizesIn(broken) {
		if strings.HasPrefix(name, "work/publish-pages-") && strings.HasSuffix(name, "1") {
			must(t, flipEverywhere(filepath.Join(broken, name)))
		}
	}
	if _, err := pipeline.Cluster(t.Context(), broken, in, c, o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sums(t, whole), sums(t, broken)); d != "" {
		t.Error(d)
	}
}

// doParts does the parts of a step in random order: two at a time, and one of them twice. Another process does the
// first of them, too. If there are several and killed is set, the last one is done again after a process that was
// killed.
func doParts(t *testing.T, dir string, next pipeline.Tasks, r *rand.Rand, killed bool) {
	t.Helper()
	if many := map[string]bool{"read": true, "publish": true, "publish-pages": true, "group": true, "weigh": true, "sign": true, "pair-buckets": true, "pair-search": true, "pair-sort": true, "cluster-labels": true, "tree-labels": true}; many[next.Step] && next.Parts < 3 {
		t.Errorf("step %s has only %d parts", next.Step, next.Parts)
	}
	parts := slices.Clone(next.Missing)
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	of := func(part int) child { return child{Dir: dir, Stage: next.Step, Part: part, Of: next.Parts} }
	last := of(parts[len(parts)-1])
	switch last.Kill = 2; next.Step {
	case "sign-nodes", "pair-choose", "pair-order", "pair-buckets", "pair-large", "cluster-centers", "tree-build", "union": // which do not tell how far they are
		last.Kill = 1
	}
	var first *exec.Cmd
	if killed && len(parts) > 1 {
		ended(t, start(t, last), true)
		first = start(t, of(parts[0]))
	}
	for pair := range slices.Chunk(parts, 2) {
		var running sync.WaitGroup
		for _, p := range pair {
			running.Go(func() {
				if err := of(p).do(); err != nil {
					t.Errorf("step %s, part %d: %v", next.Step, p, err)
				}
			})
		}
		running.Wait()
	}
	if first != nil {
		ended(t, first, false)
	}
	if err := of(parts[len(parts)/2]).do(); err != nil { // again
		t.Error(err)
	}
}

// TestWrongTask checks that a part that does not exist or is not next is refused.
func TestWrongTask(t *testing.T) {
	in, c := write(t, samplePages(t, 20)...), preset(t, "web")
	dir, o := filepath.Join(t.TempDir(), "run"), pipeline.Options{Workers: 1, SmallParts: true}
	must(t, pipeline.ClusterUntil(t.Context(), "shingle", dir, []string{in}, c, o))
	next, err := pipeline.NextTasks(dir, o)
	if want := (pipeline.Tasks{Stage: "sign", Step: "sign-nodes", Parts: 1, Missing: []int{0}, Several: 1}); err != nil || cmp.Diff(want, next) != "" {
		t.Fatalf("next: %+v, error %v", next, err)
	}
	for _, wrong := range []struct {
		stage    string
		part, of int
	}{{"pair", 0, 1}, {"weigh", 0, 16}, {"sign-nodes", 1, 1}, {"sign-nodes", 0, 2}, {"sign-nodes", -1, 1}, {"pair-search", 0, 1}, {"", 0, 1}} {
		if err := pipeline.DoParts(t.Context(), dir, wrong.stage, pipeline.PartRange{First: wrong.part, Last: wrong.part, Of: wrong.of}, o); !errors.Is(err, pipeline.ErrTask) {
			t.Errorf("%+v: error %v", wrong, err)
		}
	}
	for _, stage := range []string{"weigh", "pair", "cluster", ""} {
		if err := pipeline.FinishStage(t.Context(), dir, stage, o); !errors.Is(err, pipeline.ErrTask) {
			t.Errorf("finishing %q: error %v", stage, err)
		}
	}
	if _, err := pipeline.NextTasks(t.TempDir(), o); !errors.Is(err, run.ErrNotRun) {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, o); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.NextTasks(dir, o); !errors.Is(err, run.ErrFinished) {
		t.Errorf("a finished run: %v", err)
	}
}

// reported keeps the first progress that a stage reported.
type reported struct {
	progress
	stage   string
	total   int64
	first   int64 // -1 until then
	percent float64
}

func (r *reported) Continued(stage, _ string, percent float64) {
	if stage == r.stage {
		r.percent = percent
	}
}

func (r *reported) Stage(name, unit string, total int64) {
	r.progress.Stage(name, unit, total)
	if r.total == 0 && r.progress.stage == r.stage {
		r.total = total
	}
}

func (r *reported) At(done int64) {
	if r.first < 0 && r.progress.stage == r.stage {
		r.first = done
	}
}

// TestKilledInside checks that a process that is killed inside a stage loses only its unfinished parts: the next one
// begins after the recorded parts, and makes the same bytes.
func TestKilledInside(t *testing.T) { killedInside(t, "pair") }

// killedInside kills runs inside stages.
func killedInside(t *testing.T, stages ...string) {
	c, whole := preset(t, "web"), sampleRun(t)
	in := whole.in
	for _, stage := range stages {
		dir := filepath.Join(t.TempDir(), "run")
		ended(t, start(t, child{Dir: dir, Stage: stage, Input: in, Kill: 2}), true)
		var unfinished *run.UnfinishedError
		if _, err := run.Open(dir); !errors.As(err, &unfinished) || unfinished.Stage != stage || unfinished.Parts < 2 {
			t.Fatalf("killed in %s: %v", stage, err)
		}
		next, err := pipeline.NextTasks(dir, pipeline.Options{SmallParts: true})
		if err != nil || next.Parts == 0 {
			t.Fatalf("killed in %s: %+v, %v", stage, next, err)
		}
		told := &reported{progress: progress{event: func(string, string) {}}, stage: stage, first: -1}
		if _, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, pipeline.Options{Workers: 5, Memory: 1 << 20, SmallParts: true, Progress: told}); err != nil {
			t.Fatal(err)
		}
		if want := told.total * int64(next.Parts-len(next.Missing)) / int64(next.Parts); told.first != want {
			t.Errorf("killed in %s after %d of %d parts: it went on at %d of %d, want %d", stage, next.Parts-len(next.Missing), next.Parts, told.first, told.total, want)
		}
		if want := 100 * float64(next.Parts-len(next.Missing)) / float64(next.Parts); told.percent != want {
			t.Errorf("killed in %s: resumed at %v %%, want %v", stage, told.percent, want)
		}
		if d := cmp.Diff(sums(t, whole.dir), sums(t, dir)); d != "" {
			t.Errorf("killed in %s: %s", stage, d)
		}
	}
}

// TestSameBytesOfSmallParts checks that the division of the work into parts changes no byte, whatever the workers and
// the memory.
func TestSameBytesOfSmallParts(t *testing.T) {
	sameInSmallParts(t, "web", preset(t, "web"), sampleRun(t).dir, pipeline.Options{Workers: 5, Memory: 1 << 20})
}

// sameInSmallParts compares a run of the first pages with others that are made in small parts.
func sameInSmallParts(t *testing.T, name string, c config.Config, whole string, options ...pipeline.Options) {
	for _, o := range options {
		o.SmallParts = true
		dir, _ := cluster(t, c, o, sampleRun(t).in)
		if d := cmp.Diff(sums(t, whole), sums(t, dir)); d != "" {
			t.Errorf("%s, %+v: %s", name, o, d)
		}
		if d := cmp.Diff(figures(t, whole), figures(t, dir), untimed); d != "" {
			t.Errorf("%s, %+v: %s", name, o, d)
		}
	}
}
