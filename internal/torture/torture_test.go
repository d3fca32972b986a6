package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTorture makes one trial of each kind, TestLongTorture more; `make torture` is the whole. The suites that are tests
// of other packages run there.
func TestTorture(t *testing.T) { torture(t, func(int) int { return 1 }) }

func TestLongTorture(t *testing.T) { torture(t, func(most int) int { return most }) }

func torture(t *testing.T, trials func(most int) int) {
	var said strings.Builder
	b, err := newBench(&options{binary: build(t), dir: t.TempDir(), trial: -1, seed: 1, jobs: 2}, &said)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		suite string
		most  int
	}{
		{"kills", 6}, {"interrupts", 2}, {"rivals", 2}, {"disks", 1}, {"flips", 30}, {"tears", 8}, {"finished", 16}, {"outputs", 26}, {"mutants", 25},
	} {
		t.Run(c.suite, func(t *testing.T) {
			b.trials = trials(c.most)
			b.table = table{}
			said.Reset()
			b.named(t, c.suite)
			if n := b.table.failures(); n > 0 {
				t.Errorf("%d failures:\n%s", n, said.String())
			}
		})
	}
}

// named runs a suite and logs its table.
func (b *bench) named(t *testing.T, suite string) {
	t.Helper()
	chosen, err := choose(suite)
	if err != nil {
		t.Fatal(err)
	}
	b.suite(chosen[0])
	var table strings.Builder
	if err := b.table.print(&table); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
}

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lshclust")
	out, err := exec.Command("go", "build", "-o", path, "github.com/lshclust/lshclust/cmd/lshclust").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// A fake lshclust that breaks promises must be found out, because a test that cannot fail shows nothing.
func TestLongFoundOut(t *testing.T) {
	real := build(t)
	for _, c := range []struct {
		name, suite string
		script      string // REAL stands for the real command
		promise     string
	}{
		{"check that finds nothing", "finished", `[ "$1" = check ] && exit 0; exec REAL "$@"`, promiseChecked},
		{"queries that make things up", "finished", `[ "$1" = related ] && [ -e run/run.json ] && date +%N && exit 0; exec REAL "$@"`, promiseQueried},
		{"a run that is not resumed", "kills", `[ -d run ] && [ ! -e run/run.json ] && exit 1; exec REAL "$@"`, promiseKilled},
		{"a run that differs", "kills", `REAL "$@"; c=$?; date +%N >> run/pages.parquet; exit $c`, promiseKilled},
		{"a full disk without advice", "disks", `REAL "$@" 2>/dev/null`, promiseFull},
		{"output that is lost", "outputs", `REAL "$@"; exit 0`, promiseOutput},
		{"a panic", "mutants", `echo "panic: oh" >&2; exit 2`, promiseMutants},
		{"a usage that is wrong", "mutants", `exec REAL "$@" --no-such-flag`, promiseMutants},
		{"a page lost", "mutants", `[ "$1" = cluster ] || exec REAL "$@"; echo '{"url":"https://a.example/","text":"a b"}' > only.jsonl; exec REAL cluster -q -o run only.jsonl`, promiseSound},
		{"a doctor who knows nothing", "mutants", `[ "$1" = doctor ] && echo '[]' && exit 0; exec REAL "$@"`, promiseDoctor},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lshclust")
			script := "#!/bin/sh\n" + strings.ReplaceAll(c.script, "REAL", real) + "\n"
			if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			o := options{binary: path, dir: t.TempDir(), trial: -1, trials: 3, seed: 3, jobs: 2}
			var said strings.Builder
			b, err := newBench(&o, &said)
			if err != nil {
				t.Fatal(err)
			}
			b.named(t, c.suite)
			r := b.table.row(c.promise)
			if r.Failures == 0 && !strings.Contains(fmt.Sprint(r.Notes), "skipped") {
				t.Errorf("not found out: %+v\n%s", *r, said.String())
			}
		})
	}
}

// The number of a trial decides what it does.
func TestRepeatable(t *testing.T) {
	b := &bench{options: options{seed: 5}, home: t.TempDir()}
	var before []mutant
	for range 2 {
		tr, err := b.newTrial(&mutating, 17)
		if err != nil {
			t.Fatal(err)
		}
		after := tr.mutants()
		for i := range before {
			if string(before[i].data) != string(after[i].data) {
				t.Errorf("%s differs", before[i].name)
			}
		}
		before = after
	}
}
