package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTorture makes a trial of most suites; `make torture` makes thousands. The suites that are tests of other packages
// run there.
func TestTorture(t *testing.T) {
	b := newTestBench(t)
	for _, c := range []struct {
		suite string
		trial int // none that TestLongTorture makes
	}{
		{"kills", 7}, {"interrupts", 3}, {"rivals", 3}, {"disks", 1}, {"flips", 43}, {"tears", 25}, {"finished", 16}, {"outputs", 1}, {"mutants", 26},
	} {
		t.Run(c.suite, func(t *testing.T) {
			t.Parallel()
			b.sound(t, c.suite, options{trial: c.trial})
		})
	}
}

// newTestBench builds the command, and the world that the suites share.
func newTestBench(t *testing.T) *bench {
	t.Helper()
	b, err := newBench(&options{dir: t.TempDir()}, t.Output())
	if err == nil {
		err = needWorld(b)
	}
	if err == nil {
		_, err = b.world.answers(b) // before a fake is asked
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// run makes trials of a suite, and logs their table.
func (b *bench) run(t *testing.T, name string, o options) *table {
	t.Helper()
	o.dir = t.TempDir()
	if o.binary == "" {
		o.binary = b.binary
	}
	own, err := newBench(&o, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	own.world = b.world
	chosen, err := choose(name)
	if err != nil {
		t.Fatal(err)
	}
	own.suite(chosen[0])
	if err := own.print(t.Output()); err != nil {
		t.Fatal(err)
	}
	return &own.table
}

// sound fails the test if a trial of a suite fails.
func (b *bench) sound(t *testing.T, name string, o options) {
	t.Helper()
	o.seed = 1
	if n := b.run(t, name, o).failures(); n > 0 {
		t.Errorf("%d failures", n)
	}
}

// A fake is an lshclust that breaks a promise. It must be found out, because a test that cannot fail shows nothing.
type fake struct {
	name, suite string
	script      string // REAL stands for the real command
	promise     string
}

var fakes = []fake{
	{"check that finds nothing", "finished", `[ "$1" = info ] && [ "$3" = --check ] && exit 0; exec REAL "$@"`, promiseChecked},
	{"queries that make things up", "finished", `[ "$1" = related ] && [ -e run/run.json ] && date +%N && exit 0; exec REAL "$@"`, promiseQueried},
	{"a run that is not resumed", "kills", `[ -d run ] && [ ! -e run/run.json ] && exit 1; exec REAL "$@"`, promiseKilled},
	{"a run that differs", "kills", `REAL "$@"; c=$?; date +%N >> run/pages.parquet; exit $c`, promiseKilled},
	{"a full disk without advice", "disks", `REAL "$@" 2>/dev/null`, promiseFull},
	{"output that is lost", "outputs", `REAL "$@"; exit 0`, promiseOutput},
	{"a panic", "mutants", `echo "panic: oh" >&2; exit 2`, promiseMutants},
	{"a usage that is wrong", "mutants", `exec REAL "$@" --no-such-flag`, promiseMutants},
	{"a page lost", "mutants", `[ "$1" = cluster ] || exec REAL "$@"; echo '{"url":"https://a.example/","text":"a b"}' > only.jsonl; exec REAL cluster -q -o run only.jsonl`, promiseSound},
	{"a doctor who knows nothing", "mutants", `[ "$1" = doctor ] && echo '[]' && exit 0; exec REAL "$@"`, promiseDoctor},
}

func (b *bench) foundOut(t *testing.T, f fake) {
	path := filepath.Join(t.TempDir(), "lshclust")
	script := "#!/bin/sh\n" + strings.ReplaceAll(f.script, "REAL", "'"+b.binary+"'") + "\n"
	if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	r := b.run(t, f.suite, options{binary: path, trial: -1, trials: 1, seed: 3}).row(f.promise)
	if r.Failures == 0 && !strings.Contains(fmt.Sprint(r.Notes), "skipped") {
		t.Errorf("not found out: %+v", *r)
	}
}

// The number of a trial decides what it does.
func TestRepeatable(t *testing.T) {
	b := &bench{options: options{seed: 5}, home: t.TempDir()}
	for n := range 10 {
		var before []mutant
		for range 2 {
			tr, err := b.newTrial(&mutating, n)
			if err != nil {
				t.Fatal(err)
			}
			after := tr.mutants()
			for i := range before {
				if string(before[i].data) != string(after[i].data) {
					t.Errorf("%d: %s differs", n, before[i].name)
				}
			}
			before = after
		}
	}
}
