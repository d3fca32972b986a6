package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sweep"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
	"github.com/zeebo/xxh3"
)

// sweepOf builds a run over some lines that a later run can build upon, after another one unless that is "".
func sweepOf(t *testing.T, c config.Config, o pipeline.Options, after string, lines ...string) (string, *run.Manifest) {
	t.Helper()
	c.Sweep, c.After = true, after
	return cluster(t, c, o, write(t, lines...))
}

// likeFromNothing fails unless a run has all tables of one from nothing over the same input.
func likeFromNothing(t *testing.T, c config.Config, dir string) {
	t.Helper()
	var m struct{ Inputs []run.Input }
	b, err := os.ReadFile(filepath.Join(dir, run.ManifestName))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := cluster(t, c, pipeline.Options{}, m.Inputs[0].Path)
	sameFiles(t, whole, dir, nil)
}

// A chain of sweeps over random subsets of pages has the tables of runs from nothing, with any number of workers and any
// memory, and with parts of any size.
func TestSweepsOfRandomSplits(t *testing.T) { sweepsOfSplits(t, 0, 2, 10, samplePages(t, 40)) }

// sweepsOfSplits makes a number of sweeps, of which the later ones take at least known pages from earlier ones.
func sweepsOfSplits(t *testing.T, seed uint64, sweeps, known int, all []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	c, after, taken := preset(t, []string{"web", "paper2000", "paper2002"}[seed%3]), "", int64(0)
	if seed == 3 {
		c.Views = []string{config.Syntactic}
	}
	if seed == 4 {
		c.Keep, c.Sketch, c.Captures = config.KeepSketches, config.SketchMod, config.CapturesAll
	}
	for range sweeps {
		var lines []string
		for _, l := range all {
			if r.IntN(3) > 0 {
				lines = append(lines, l)
			}
		}
		o := pipeline.Options{Workers: 1 + r.IntN(3), Memory: 4 << 20 << r.IntN(4), SmallParts: true}
		dir, m := sweepOf(t, c, o, after, lines...)
		if after != "" {
			likeFromNothing(t, c, dir)
		}
		after, taken = dir, taken+m.Counts["pages_from_earlier_run"]
	}
	if taken < int64(known) {
		t.Errorf("seed %d: only %d pages were taken from earlier runs", seed, taken)
	}
}

// A run that is stopped in the stage read, and continued with other workers, has the tables of a run from nothing.
func TestSweepInterrupted(t *testing.T) {
	lines := samplePages(t, 30)
	c := preset(t, "web")
	first, _ := sweepOf(t, c, pipeline.Options{SmallParts: true}, "", lines[:20]...)
	in, out := write(t, lines[5:]...), filepath.Join(t.TempDir(), "run")
	c.Sweep, c.After = true, first
	for _, what := range []string{"at", "done"} {
		if _, err := stopped(t, out, c, pipeline.Options{Workers: 2, SmallParts: true}, moment{"read", what}, in); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if _, err := stopped(t, out, c, pipeline.Options{Workers: 3, SmallParts: true}, moment{}, in); err != nil {
		t.Fatal(err)
	}
	check(t, out)
	c.Sweep, c.After = false, ""
	likeFromNothing(t, c, out)
}

// A run that is stopped in the stage read does not go on after another run in place of the one with which it was begun:
// its parts have places in the files of that one. It goes on if that one is back, and if no part is done.
func TestSweepAfterAnother(t *testing.T) {
	lines, small := samplePages(t, 60), pipeline.Options{SmallParts: true}
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	first, _ := sweepOf(t, c, small, "", lines[:40]...)
	other, _ := sweepOf(t, c, small, "", lines[20:]...)
	c.Sweep, c.After = true, first
	put := func(dir string) { // in the place of the first run
		t.Helper()
		if err := os.RemoveAll(first); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(first, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	old := filepath.Join(t.TempDir(), "old")
	if err := os.CopyFS(old, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	in, out := write(t, lines[10:]...), filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	halfway := func(stage, what string) {
		if stage == "read" && what == "at" && partsDone(out) > 0 {
			cancel()
		}
	}
	if _, err := pipeline.Cluster(ctx, out, []string{in}, c, pipeline.Options{Workers: 1, SmallParts: true, Progress: &progress{event: halfway}}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	put(other)
	_, err := stopped(t, out, c, small, moment{}, in)
	if !errors.Is(err, pipeline.ErrRebuilt) || !strings.Contains(err.Error(), "remove this run and give the same command again") {
		t.Errorf("after another run: %v", err)
	}
	put(old)
	if _, err := stopped(t, out, c, small, moment{}, in); err != nil {
		t.Errorf("after the same run again: %v", err)
	}
	c.Sweep, c.After = false, ""
	likeFromNothing(t, c, out)

	c.Sweep, c.After, out = true, first, filepath.Join(t.TempDir(), "run")
	if _, err := stopped(t, out, c, small, moment{"read", "stage"}, in); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := partsDone(out); n > 0 {
		t.Fatalf("%d parts were done before the run was stopped", n)
	}
	put(other)
	if _, err := stopped(t, out, c, small, moment{}, in); err != nil {
		t.Errorf("no part was done: %v", err)
	}
}

// partsDone returns the number of parts that are done of the stage at which a run was stopped.
func partsDone(dir string) int {
	var u *run.UnfinishedError
	if _, err := run.Open(dir); errors.As(err, &u) {
		return u.Parts
	}
	return 0
}

func goneFrom(t *testing.T, dir string) (out []string) {
	t.Helper()
	for row, err := range run.ReadTable[run.GoneRow](filepath.Join(dir, run.GoneTable)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %d", row.URL, row.LastSeen/86400000))
	}
	slices.Sort(out)
	return out
}

// dated returns a page as of a day since 1970.
func dated(day int, name, text string) page {
	return page{URL: "https://a.example/" + name, Text: strings.Repeat(text+" and all that ", 9), Time: fmt.Sprintf("1970-01-%02dT00:00:00Z", day+1)}
}

// A page that is gone is known with its last date, also by later runs, until it is back or forgotten.
func TestGoneAndBack(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	first, _ := sweepOf(t, c, pipeline.Options{}, "", jsonl(t, dated(1, "x", "one"), dated(1, "y", "two"), dated(1, "z", "three"))...)
	second, _ := sweepOf(t, c, pipeline.Options{}, first, jsonl(t, dated(2, "x", "one"), dated(2, "z", "changed"))...)
	if got := goneFrom(t, second); !slices.Equal(got, []string{"https://a.example/y 1"}) {
		t.Error(got)
	}
	third, m := sweepOf(t, c, pipeline.Options{}, second, jsonl(t, dated(3, "y", "two"))...)
	if got := goneFrom(t, third); !slices.Equal(got, []string{"https://a.example/x 2", "https://a.example/z 2"}) || m.Counts["pages_from_earlier_run"] != 1 {
		t.Error(got, m.Counts)
	}
	forgetful := c
	forgetful.Forget = "1970-01-03"
	fourth, _ := sweepOf(t, forgetful, pipeline.Options{}, third, jsonl(t, dated(4, "z", "three"))...)
	if got := goneFrom(t, fourth); !slices.Equal(got, []string{"https://a.example/x 2", "https://a.example/y 3"}) {
		t.Error(got)
	}
	if s, err := sweep.Open(fourth); err != nil || s.Len() != 4 || s.Close() != nil { // x, y, z changed, z again
		t.Errorf("%v: %d entries", err, s.Len())
	}
}

// Times before 1970 are times like others: nothing is forgotten that was not asked for.
func TestGoneSinceLongAgo(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	old := page{URL: "https://a.example/old", Text: strings.Repeat("from the time before the web ", 9), Time: "1969-07-20T00:00:00Z"}
	first, _ := sweepOf(t, c, pipeline.Options{}, "", jsonl(t, dated(1, "x", "one"), old)...)
	second, m := sweepOf(t, c, pipeline.Options{}, first, jsonl(t, dated(2, "x", "one"))...)
	if got := goneFrom(t, second); len(got) != 1 || !strings.HasPrefix(got[0], "https://a.example/old -") {
		t.Error(got, m.Counts)
	}
}

// A page with too much text is not kept, but read again, and it is known when it is gone.
func TestTooLongPages(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	tooLong(t, c, page{URL: "https://a.example/text", Text: randomText(320_000)})
}

// randomText returns n words.
func randomText(n int) string {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "%c%c%c%c%c ", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return b.String()
}

// tooLong makes sweeps of a page that is too long and another one.
func tooLong(t *testing.T, c config.Config, long page) {
	one := dated(1, "x", "one")
	long.Time = one.Time
	lines := jsonl(t, long, one)
	first, _ := sweepOf(t, c, pipeline.Options{Workers: 2, Memory: 8 << 20}, "", lines...) // a record may have a megabyte
	for _, f := range segmentsOf(t, first) {
		if info, err := os.Stat(f); err != nil || info.Size() > 64<<10 {
			t.Errorf("%s has %d bytes: %v", f, info.Size(), err)
		}
	}
	second, _ := sweepOf(t, c, pipeline.Options{}, first, lines...)
	likeFromNothing(t, c, second)
	if got := goneFrom(t, second); len(got) != 0 {
		t.Error(got)
	}
	third, _ := sweepOf(t, c, pipeline.Options{}, second, jsonl(t, dated(2, "x", "one"))...)
	if got := goneFrom(t, third); !slices.Equal(got, []string{long.URL + " 1"}) {
		t.Error(got)
	}
}

// segmentsOf returns the paths of the segments of a run.
func segmentsOf(t *testing.T, dir string) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(dir, sweep.SegmentPrefix+"*"))
	if err != nil || len(out) == 0 {
		t.Fatal(out, err)
	}
	return out
}

// An empty second sweep makes all pages gone, and a third one takes them up again.
func TestEmptySweep(t *testing.T) {
	c := preset(t, "web")
	lines := jsonl(t, dated(1, "x", "one"), dated(1, "y", "two"))
	first, _ := sweepOf(t, c, pipeline.Options{}, "", lines...)
	second, m := sweepOf(t, c, pipeline.Options{}, first)
	if got := goneFrom(t, second); len(got) != 2 || m.Counts["pages"] != 0 {
		t.Error(got, m.Counts)
	}
	third, m := sweepOf(t, c, pipeline.Options{}, second, lines...)
	if m.Counts["pages_from_earlier_run"] != 2 || len(goneFrom(t, third)) != 0 {
		t.Error(m.Counts)
	}
	likeFromNothing(t, c, third)
}

// A page with a wrong time keeps no later sweep from being made, and none that is really older is taken for a newer one.
func TestSweepsWithWrongTimes(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	wrong := dated(1, "w", "wrong")
	wrong.Time = "2099-01-01T00:00:00Z"
	first, _ := sweepOf(t, c, pipeline.Options{}, "", jsonl(t, dated(3, "x", "one"), dated(3, "y", "two"), wrong)...)
	second, _ := sweepOf(t, c, pipeline.Options{}, first, jsonl(t, dated(4, "x", "one"), dated(4, "y", "two"), dated(9, "z", "three"))...)
	third, m := sweepOf(t, c, pipeline.Options{}, second, jsonl(t, dated(5, "x", "one"), dated(5, "y", "two"))...)
	if m.Counts["pages_from_earlier_run"] != 2 {
		t.Error(m.Counts)
	}
	c.Sweep, c.After = true, third
	older := write(t, jsonl(t, dated(2, "x", "one"), dated(2, "y", "two"), wrong)...)
	if _, err := pipeline.Cluster(context.Background(), filepath.Join(t.TempDir(), "run"), []string{older}, c, pipeline.Options{}); !errors.Is(err, sweep.ErrOrder) {
		t.Errorf("an older crawl: %v", err)
	}
}

func TestSweepRefused(t *testing.T) {
	c := preset(t, "web")
	lines := jsonl(t, dated(5, "x", "one"))
	first, _ := sweepOf(t, c, pipeline.Options{}, "", lines...)
	nothing, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
	window, www, seed, forget := c, c, c, c
	window.Window, www.URLRules, seed.Seed, forget.Forget = 9, []string{"-www"}, 5, "1970"
	threshold, nonsense := c, c
	threshold.Threshold, nonsense.Forget = 0.3, "nonsense"
	for _, x := range []struct {
		c     config.Config
		after string
		lines []string
		want  []string
	}{
		{window, first, lines, []string{"window is 32 there and 9 here", "--window=32", "lshclust cluster -o NEWRUN --sweep"}},
		{www, first, lines, []string{"url_rules", "--url-rules="}},
		{seed, first, lines, []string{"seed is 1 there and 5 here", "--seed=1"}},
		{c, nothing, lines, []string{sweep.ErrNothingKept.Error(), "lshclust cluster -o NEWRUN --sweep"}},
		{c, t.TempDir(), lines, []string{run.ErrNotRun.Error()}},
		{c, first, jsonl(t, dated(1, "x", "one")), []string{sweep.ErrOrder.Error(), "1970-01-06"}},
		{forget, "", lines, []string{"--after"}},
		{nonsense, first, lines, []string{`forget "nonsense"`, "must be a time such as 2020"}},
		{threshold, first, lines, nil},
	} {
		x.c.After = x.after
		_, err := pipeline.Cluster(context.Background(), filepath.Join(t.TempDir(), "run"), []string{write(t, x.lines...)}, x.c, pipeline.Options{})
		if (err == nil) != (x.want == nil) {
			t.Errorf("%q: error %v", x.want, err)
		}
		for _, want := range x.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in error %v", want, err)
			}
		}
	}
}

// TestReaderVersion fails if the records of the same pages change, so that a run must not build upon those of another
// version. If you meant to change them, raise readerVersion.
func TestReaderVersion(t *testing.T) {
	const want = "2: cf5f4cfcbe20be99"
	dir, _ := sweepOf(t, preset(t, "web"), pipeline.Options{Workers: 1}, "", samplePages(t, 40)...)
	s, err := sweep.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	fetch := s.Fetcher()
	h := xxh3.New()
	for i := range s.Len() {
		record, shared, err := fetch.Record(s.At(i))
		if err != nil {
			t.Fatal(err)
		}
		words, err := fetch.Common(shared)
		if err != nil || len(words) == 0 {
			t.Fatal(len(words), err)
		}
		h.Write(record)
		h.Write(words)
	}
	if got := fmt.Sprintf("%d: %016x", s.Reader, h.Sum64()); got != want {
		t.Errorf("version and digest of the records are %s, not %s", got, want)
	}
}

// A run whose pages an older version kept is refused, with the command that builds it again.
func TestSweepOfAnotherVersion(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	lines := jsonl(t, dated(1, "x", "one"))
	first, _ := sweepOf(t, c, pipeline.Options{}, "", lines...)
	path := filepath.Join(first, sweep.IndexFile)
	w, err := mapped.Create(path, "sweepidx", 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c.After = first
	_, err = pipeline.Cluster(t.Context(), filepath.Join(t.TempDir(), "run"), []string{write(t, lines...)}, c, pipeline.Options{})
	if !errors.Is(err, mapped.ErrVersion) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "lshclust cluster -o NEWRUN --sweep ") {
		t.Error(err)
	}
}
