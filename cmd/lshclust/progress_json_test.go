package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/run"
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProgressJSON checks that every stage of the manifest begins and ends, in order, and that nothing else is on
// standard output.
func TestProgressJSON(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	write(t, in, numberPages)
	r := inProcess(t, "", "cluster", "-q", "--progress", "json", "-o", out, in)
	if r.code != exitDone || r.stderr != "" {
		t.Fatal(r.code, r.stderr)
	}
	var done []string
	begun := ""
	for l := range strings.Lines(r.stdout) {
		var x event
		if err := json.Unmarshal([]byte(l), &x); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		switch {
		case x.Event == "stage" && x.Stage != "" && x.Unit != "":
			begun, _, _ = strings.Cut(x.Stage, ", ") // what follows is the step of the stage
		case x.Event == "done" && x.In != nil && x.Out != nil && (x.Stage == begun || begun == ""):
			done, begun = append(done, x.Stage), ""
		case x.Event == "at" && strings.HasPrefix(x.Stage, begun) && x.Done != nil:
		default:
			t.Errorf("after %v, begun %q: %s", done, begun, l)
		}
	}
	opened, err := run.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range opened.Manifest.Stages {
		want = append(want, s.Name)
	}
	if !slices.Equal(done, want) {
		t.Errorf("done %v, want %v", done, want)
	}
}

// TestEvents has the lines that docs/format.md shows.
func TestEvents(t *testing.T) {
	var b strings.Builder
	e := &events{show: func(x event) { writeLine(&b, x) }}
	e.Resumed("read")
	e.Stage("group", "partitions", 256)
	e.At(31)
	e.Done(run.StageStats{Name: "group", In: 7, Out: 0, WallSeconds: 1.5, CPUSeconds: 2})
	e.Stage("read", "B", 0)
	e.Damaged("weigh", errors.New("x\x1b"))
	e.Damaged("", errors.New("y"))
	const want = `{"event":"resumed","stage":"read"}
{"event":"stage","stage":"group","unit":"partitions","total":256}
{"event":"at","stage":"group","done":31}
{"event":"done","stage":"group","in":7,"out":0,"wall_seconds":1.5,"cpu_seconds":2}
{"event":"stage","stage":"read","unit":"B"}
{"event":"damaged","stage":"weigh","message":"x\u001b; stage weigh and those after it are done again"}
{"event":"damaged","stage":"","message":"y; the run starts again from the beginning"}
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}
