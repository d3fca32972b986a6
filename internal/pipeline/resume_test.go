package pipeline_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// moment is an event in the progress of a stage.
type moment struct{ stage, what string }

// stopped runs Cluster until a moment comes and then cancels it. It returns the moments that came, without
// consecutive repeats.
func stopped(t *testing.T, out string, c config.Config, o pipeline.Options, at moment, inputs ...string) ([]moment, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var mu sync.Mutex
	var came []moment
	o.Progress = &progress{event: func(stage, what string) {
		mu.Lock()
		defer mu.Unlock()
		if m := (moment{stage, what}); len(came) == 0 || came[len(came)-1] != m {
			came = append(came, m)
		}
		if at == (moment{stage, what}) {
			cancel()
		}
	}}
	_, err := pipeline.Cluster(ctx, out, inputs, c, o)
	return came, err
}

// TestStoppedAfterStream checks that a run that was stopped after reading standard input continues if standard input
// is empty. Its bytes are those of a run over a file, although standard input has no length, so that there are many
// times as many partitions.
func TestStoppedAfterStream(t *testing.T) {
	in, c := write(t, samplePages(t, 20)...), preset(t, "web")
	whole, _ := cluster(t, c, pipeline.Options{}, in)
	out := filepath.Join(t.TempDir(), "run")
	standardInput(t, in)
	if _, err := stopped(t, out, c, pipeline.Options{}, moment{"weigh", "at"}, "-"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	standardInput(t, in)
	if _, err := pipeline.Cluster(t.Context(), out, []string{"-"}, c, pipeline.Options{}); !errors.Is(err, pipeline.ErrStream) {
		t.Fatalf("%v; a stream cannot be told from another one", err)
	}
	standardInput(t, os.DevNull)
	if _, err := pipeline.Cluster(t.Context(), out, []string{"-"}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sums(t, whole), sums(t, out)); diff != "" {
		t.Error(diff)
	}
}

// TestInterrupted checks that a run that is stopped repeatedly in every stage, and continued each time with other
// workers and memory, has the same bytes as a run that is not stopped, and repeats no finished stage.
func TestInterrupted(t *testing.T) {
	in, c := sampleRun(t).in, preset(t, "web")
	whole, out := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "run")
	all, err := stopped(t, whole, c, pipeline.Options{}, moment{}, in)
	must(t, err)
	done, attempts := map[string]int{}, 0
	for _, m := range all {
		if done[m.stage] == 0 { // otherwise it ended before it saw the cancellation
			attempts++
			o := pipeline.Options{Workers: 1 + attempts%3, Memory: 1 << (18 + attempts%3*6)}
			came, err := stopped(t, out, c, o, m, in)
			for _, m := range came {
				if m.what == "done" {
					done[m.stage]++
				}
			}
			if err == nil && m.stage == "publish" {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled at %v: error %v, after %v", m, err, came)
			}
			if _, err := run.Open(out); !errors.Is(err, run.ErrUnfinished) {
				t.Fatalf("stopped at %v: opening it gives %v", m, err)
			}
		}
	}
	if _, err := run.Open(out); err != nil {
		came, err := stopped(t, out, c, pipeline.Options{}, moment{}, in)
		must(t, err)
		if slices.ContainsFunc(came, func(m moment) bool { return m.what == "stage" }) {
			t.Errorf("all stages were done, and still: %v", came)
		}
	}
	check(t, out)
	if d := cmp.Diff(sums(t, whole), sums(t, out)); d != "" {
		t.Error(d)
	}
	for _, m := range all {
		if done[m.stage] != 1 {
			t.Errorf("stage %s was done %d times", m.stage, done[m.stage])
		}
	}
}

// copyTree copies what it can of a folder that is being written to.
func copyTree(t *testing.T, from, to string) {
	if err := copyFolder(from, to); err != nil {
		t.Error(err)
	}
}

func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		b, err := os.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, os.WriteFile(filepath.Join(to, rel), b, 0o666))
	})
}

// tree returns the contents of all files of a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		out[p] = string(b)
		return err
	})
	must(t, err)
	return out
}

// TestRefused checks that a refused run leaves the directory unchanged.
func TestRefused(t *testing.T) {
	lines, c := samplePages(t, 20), preset(t, "web")
	in, other := write(t, lines...), write(t, lines[:19]...)
	out := filepath.Join(t.TempDir(), "run")
	if _, err := stopped(t, out, c, pipeline.Options{}, moment{"pair", "stage"}, in); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	seeded, foreign := c, t.TempDir()
	seeded.Seed++
	must(t, os.WriteFile(filepath.Join(foreign, "thesis.tex"), []byte("years of work"), 0o666))
	refuse := func(what, out string, c config.Config, want error, names string, inputs ...string) {
		t.Helper()
		before := tree(t, out)
		_, err := pipeline.Cluster(context.Background(), out, inputs, c, pipeline.Options{})
		if !errors.Is(err, want) || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: error %v, want %v that names %s", what, err, want, names)
		}
		if d := cmp.Diff(before, tree(t, out)); d != "" {
			t.Errorf("%s: the directory has changed: %s", what, d)
		}
	}
	refuse("another seed", out, seeded, run.ErrMismatch, "seed", in)
	refuse("another preset", out, preset(t, "paper2000"), run.ErrMismatch, "key_size", in)
	refuse("another input", out, c, run.ErrMismatch, filepath.Base(other), other)
	refuse("one input more", out, c, run.ErrMismatch, "1 inputs then, 2 now", in, other)
	refuse("a folder of something else", foreign, c, run.ErrNotRun, "thesis.tex", in)
	var locked error
	_, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{Progress: &progress{event: func(stage, what string) {
		if stage == "cluster" && what == "stage" {
			_, locked = pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{})
		}
	}}})
	if err != nil || !errors.Is(locked, run.ErrLocked) {
		t.Errorf("gone on with: %v; while at it: %v", err, locked)
	}
	check(t, out)
	refuse("a finished run of another seed", out, seeded, run.ErrFinished, "--replace", in)
}

// TestWrongUse checks that a run that cannot begin creates no directory.
func TestWrongUse(t *testing.T) {
	in, good, out := write(t, samplePages(t, 3)...), preset(t, "web"), filepath.Join(t.TempDir(), "run")
	wrong := good
	wrong.Language = "klingon"
	var setting *config.SettingError
	if _, err := pipeline.Cluster(t.Context(), out, []string{in}, wrong, pipeline.Options{}); !errors.As(err, &setting) {
		t.Errorf("a wrong setting: %v", err)
	}
	if _, err := pipeline.Cluster(t.Context(), out, []string{in + ".absent"}, good, pipeline.Options{}); !errors.Is(err, record.ReasonUnreadableFile) {
		t.Errorf("an input that there is not: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a directory was made")
	}
}
