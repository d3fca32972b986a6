package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// smallPart is a size of parts with which a few pages have many parts.
const smallPart = 4 << 10

// receiptsOfRead returns the receipts of the parts of the stage read.
func receiptsOfRead(t testing.TB, dir string) (out []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "work", "read-*.receipt"))
	for _, path := range paths {
		b, errRead := os.ReadFile(path)
		out, err = append(out, string(b)), errors.Join(err, errRead)
	}
	must(t, err)
	return out
}

// partFiles returns the times at which the files of parts were written, by name.
func partFiles(t testing.TB, dir string) map[string]time.Time {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "work", "read-??????"))
	must(t, err)
	times := map[string]time.Time{}
	for _, path := range paths {
		info, err := os.Stat(path)
		must(t, err)
		times[filepath.Base(path)] = info.ModTime()
	}
	return times
}

// TestRevisitsInParts checks that revisits are resolved in parts, too.
func TestRevisitsInParts(t *testing.T) {
	var records []string
	for i := range 20 {
		digest := fmt.Sprintf("WARC-Payload-Digest: sha1:%032d", i%7)
		url := fmt.Sprintf("https://a.example/%d", i)
		if i < 7 {
			records = append(records, warcResponse(url, t1, fmt.Sprintf("<title>%d</title>see <a href=/%d>the page %d of rivers</a>", i, i+1, i), digest))
		} else {
			records = append(records, warcRevisit(url, t2, digest))
		}
	}
	in, c := writeBytes(t, "a.warc", []byte(strings.Join(records, ""))), preset(t, "web")
	whole, m := cluster(t, c, pipeline.Options{}, in)
	if s, _ := m.Stage("read"); s.Counts["revisits"] != 13 {
		t.Fatalf("%d revisits", s.Counts["revisits"])
	}
	dir, o := filepath.Join(t.TempDir(), "run"), pipeline.Options{}.WithPartSize(60)
	must(t, pipeline.ClusterUntil(t.Context(), "read", dir, []string{in}, c, o))
	last := receiptsOfRead(t, dir)
	if n := len(last); n < 10 || !strings.Contains(last[n-1], `"again": 13`) || strings.Contains(last[n-2], `"again": 13`) {
		t.Fatalf("%d parts, the last is %s", n, last[n-1])
	}
	for _, damaged := range []int{0, 3, len(last) - 3, len(last) - 1} {
		must(t, flipEverywhere(filepath.Join(dir, "work", fmt.Sprintf("read-%06d", damaged))))
	}
	told, wrong := finishedAs(t, everything(t, whole), dir, in, c, o, func(string, string) {})
	if wrong != "" || len(told) == 0 || len(told) > 4 {
		t.Errorf("%q, %s", told, wrong)
	}
}

// TestStoppedWithinRead checks that a run that is stopped many times while it reads keeps the finished parts: their
// receipts remain, and their files are not written again.
func TestStoppedWithinRead(t *testing.T) {
	c, whole := preset(t, "web"), eventfulRun(t)
	in := whole.in
	dir, stops := filepath.Join(t.TempDir(), "run"), 0
	for ; ; stops++ {
		had, times := receiptsOfRead(t, dir), partFiles(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		at := 0
		o := pipeline.Options{Workers: 1 + stops%3, Progress: &progress{event: func(stage, what string) {
			if stage == "read" && what == "at" {
				if at++; len(receiptsOfRead(t, dir)) >= len(had)+2 {
					cancel()
				}
			}
		}}}
		_, err := pipeline.Cluster(ctx, dir, []string{in}, c, o.WithPartSize(smallPart))
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		have, now := receiptsOfRead(t, dir), partFiles(t, dir)
		if len(have) < len(had)+2 || !slices.Equal(had, have[:len(had)]) {
			t.Fatalf("stop %d: %d parts, then %d", stops, len(had), len(have))
		}
		for name, then := range times {
			if !now[name].Equal(then) {
				t.Errorf("stop %d: %s was written again", stops, name)
			}
		}
	}
	if stops < 5 {
		t.Errorf("stopped %d times", stops)
	}
	if d := cmp.Diff(everything(t, whole.dir), everything(t, dir)); d != "" {
		t.Error(d)
	}
}

// TestDamagedPart checks that a damaged part of the read stage is found and that it alone is made again.
func TestDamagedPart(t *testing.T) {
	lines := eventfulPages(t)
	third, c := len(lines)/3, preset(t, "web")
	c.Views = []string{config.Syntactic}
	inputs := []string{write(t, lines[:third]...), write(t, lines[third:2*third]...), write(t, lines[2*third:]...)}
	whole, _ := cluster(t, c, pipeline.Options{}, inputs...)
	o := pipeline.Options{Workers: 2}.WithPartSize(smallPart)
	for what, damage := range map[string]func(dir string) (again []string, err error){
		"found when the run goes on": func(dir string) ([]string, error) {
			return []string{"read-000001"}, flipEverywhere(filepath.Join(dir, "work", "read-000001"))
		},
		"missing": func(dir string) ([]string, error) {
			return []string{"read-000002", "read-000003"}, errors.Join(os.Remove(filepath.Join(dir, "work", "read-000002")), os.Remove(filepath.Join(dir, "work", "read-000003")))
		},
		"another file of the stage": func(dir string) ([]string, error) {
			return nil, os.Remove(filepath.Join(dir, "work", "superseded.lsh"))
		},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, pipeline.ClusterUntil(t.Context(), "group", dir, inputs, c, pipeline.Options{Workers: 9}.WithPartSize(smallPart)))
		before := partFiles(t, dir)
		again, err := damage(dir)
		if err != nil || len(before) < 8 {
			t.Fatalf("%d parts, %v", len(before), err)
		}
		must(t, pipeline.ClusterUntil(t.Context(), "group", dir, inputs, c, o))
		for name, now := range partFiles(t, dir) {
			if now.Equal(before[name]) == slices.Contains(again, name) {
				t.Errorf("%s: %s was written at %v, before at %v", what, name, now, before[name])
			}
		}
		if _, err := pipeline.Cluster(t.Context(), dir, inputs, c, o); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(everything(t, whole), everything(t, dir)); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
}

// TestMovedInputs checks that if the inputs were moved while the run was stopped, they are read from the start,
// because the parts contain their paths.
func TestMovedInputs(t *testing.T) {
	lines, c := append(samplePages(t, 30), "{broken"), preset(t, "web")
	in, moved := write(t, append(lines, "{broken too")...), filepath.Join(t.TempDir(), "moved.jsonl")
	dir, o := filepath.Join(t.TempDir(), "run"), pipeline.Options{}.WithPartSize(smallPart)
	must(t, pipeline.ClusterUntil(t.Context(), "read", dir, []string{in}, c, o))
	must(t, errors.Join(os.Rename(in, moved), os.Remove(filepath.Join(dir, "work", "superseded.lsh"))))
	if _, err := pipeline.Cluster(t.Context(), dir, []string{moved}, c, o); err != nil {
		t.Fatal(err)
	}
	whole, _ := cluster(t, c, pipeline.Options{}, moved)
	if want := everything(t, whole)[run.DroppedList]; want == "" || everything(t, dir)[run.DroppedList] != want {
		t.Error("the list of what was dropped names the file that was moved")
	}
}
