package pipeline_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/tables"
)

// built is a run that several tests compare with. They must not change it.
type built struct{ in, dir string }

// buildShared builds a run with the preset web that lasts until all tests have ended.
func buildShared(lines []string) (built, error) {
	folder, err := os.MkdirTemp("", "") // TestMain removes it
	if err != nil {
		return built{}, err
	}
	b := built{filepath.Join(folder, "pages.jsonl"), filepath.Join(folder, "run")}
	c, err := config.Preset("web")
	if err != nil {
		return b, err
	}
	if err := os.WriteFile(b.in, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		return b, err
	}
	_, err = pipeline.Cluster(context.Background(), b.dir, []string{b.in}, c, pipeline.Options{Workers: 2})
	return b, err
}

// sampledPages is the number of pages of the run that most tests share.
const sampledPages = 30

// sampled builds a run of the first pages of the sample with the preset web, once.
var sampled = sync.OnceValues(func() (built, error) {
	lines, err := firstLines(sampledPages)
	if err != nil {
		return built{}, err
	}
	return buildShared(lines)
})

// sampleRun returns the run of the first pages of the sample.
func sampleRun(t testing.TB) built {
	t.Helper()
	b, err := sampled()
	must(t, err)
	return b
}

// page is a line of JSONL input.
type page struct {
	URL   string `json:"url"`
	HTML  string `json:"html,omitempty"`
	Text  string `json:"text,omitempty"`
	Title string `json:"title,omitempty"` // of a text
	Time  string `json:"time,omitempty"`
}

func jsonl(t testing.TB, pages ...page) []string {
	t.Helper()
	var out []string
	for _, p := range pages {
		b, err := json.Marshal(p)
		must(t, err)
		out = append(out, string(b))
	}
	return out
}

// samplePages returns the first n lines of the embedded sample, all of them if n is 0.
func samplePages(t testing.TB, n int) []string {
	t.Helper()
	out, err := firstLines(n)
	must(t, err)
	return out
}

func firstLines(n int) (out []string, err error) {
	s := bufio.NewScanner(sample.Open())
	s.Buffer(nil, 1<<24)
	for (n == 0 || len(out) < n) && s.Scan() {
		out = append(out, s.Text())
	}
	if s.Err() == nil && len(out) < n {
		return nil, fmt.Errorf("%d pages in the sample", len(out))
	}
	return out, s.Err()
}

// write puts lines into a file in a new folder.
func write(t testing.TB, lines ...string) string {
	t.Helper()
	return writeBytes(t, "pages.jsonl", []byte(strings.Join(lines, "\n")))
}

func writeBytes(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, b, 0o666))
	return path
}

func zipped(t testing.TB, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func preset(t testing.TB, name string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	must(t, err)
	return c
}

// topicalOf returns the configuration of a preset with the topical view only.
func topicalOf(t testing.TB, name string) config.Config {
	t.Helper()
	c := preset(t, name)
	c.Views = []string{config.Topical}
	return c
}

// cluster builds a run and verifies it by all rules of check. It returns the directory and the manifest.
func cluster(t testing.TB, c config.Config, o pipeline.Options, inputs ...string) (string, *run.Manifest) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	r, err := pipeline.Cluster(context.Background(), out, inputs, c, o)
	must(t, err)
	check(t, out)
	return out, r.Manifest
}

func check(t testing.TB, dir string) {
	t.Helper()
	report, err := run.Check(context.Background(), dir, runs.Checks()...)
	must(t, err)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
}

// sums returns the checksums of the tables of a run, except those that name places in the input: captures.lsh, the
// column input of pages.parquet, the manifest and the list of what was dropped.
func sums(t testing.TB, dir string) map[string]uint32 {
	t.Helper()
	out := map[string]uint32{}
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		switch f.Name() {
		case run.ManifestName, run.DroppedList, tables.CapturesFile:
			continue
		case run.PagesTable:
			out[f.Name()] = sumPages(t, dir)
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		must(t, err)
		out[f.Name()] = crc32.ChecksumIEEE(b)
	}
	if len(out) < 11 {
		t.Fatalf("%s holds %d tables: %v", dir, len(out), out)
	}
	return out
}

func sumPages(t testing.TB, dir string) uint32 {
	t.Helper()
	h := crc32.NewIEEE()
	for row, err := range run.ReadTable[run.PageRow](filepath.Join(dir, run.PagesTable)) {
		must(t, err)
		row.Input = ""
		fmt.Fprintf(h, "%+v\n", row)
	}
	return h.Sum32()
}

// rows returns the rows of pages.parquet by URL.
func rows(t testing.TB, dir string) map[string]run.PageRow {
	t.Helper()
	out := map[string]run.PageRow{}
	for row, err := range run.ReadTable[run.PageRow](filepath.Join(dir, run.PagesTable)) {
		must(t, err)
		out[row.URL] = row
	}
	return out
}

// progress calls event with a stage and what happens to it: "stage", "at", "done", "resumed" or "damaged".
type progress struct {
	event func(stage, what string)
	stage string
}

func (p *progress) Stage(name, _ string, _ int64) {
	name, _, _ = strings.Cut(name, ",") // "pair, round 1" is a part of pair
	p.stage = name
	p.event(name, "stage")
}
func (p *progress) At(int64)                             { p.event(p.stage, "at") }
func (p *progress) Done(s run.StageStats)                { p.event(s.Name, "done") }
func (p *progress) Resumed(stage string)                 { p.event(stage, "resumed") }
func (p *progress) Continued(stage, _ string, _ float64) { p.event(stage, "continued") }
func (p *progress) Damaged(stage string, _ error)        { p.event(stage, "damaged") }

// standardInput makes a file the standard input until the test ends.
func standardInput(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	stdin := os.Stdin
	os.Stdin = f
	t.Cleanup(func() {
		os.Stdin = stdin
		f.Close()
	})
}

// must ends a test if a step of it fails.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
