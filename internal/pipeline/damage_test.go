package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// memory is a limit at which stages sort on disk.
const memory = 1 << 18

// runStages are the stages of a run in their order.
var runStages = []string{"read", "redirect", "group", "weigh", "shingle", "sign", "invert", "pair", "cluster", "tree", "index", "equal", "resemble", "union", "publish"}

// eventfulPages returns pages for which no intermediate file is empty: they have redirects, repeated pages, and URLs
// that were captured twice.
func eventfulPages(t testing.TB) []string {
	t.Helper()
	return eventfulLines(samplePages(t, 20))
}

func eventfulLines(lines []string) []string {
	lines = append(lines, lines[:5]...)
	for i := range 12 {
		for _, p := range []page{
			{URL: fmt.Sprintf("https://shell.example/%d", i), HTML: "<title>the same shell</title><p>few words that say nothing"},
			{URL: fmt.Sprintf("https://old.example/%d", i), HTML: fmt.Sprintf("<meta http-equiv=refresh content='0; url=https://new.example/%d'><title>moved</title>", i)},
			{URL: fmt.Sprintf("https://links.example/%d", i), HTML: fmt.Sprintf("<title>links</title><p>read of rivers and mountains on <a href=https://old.example/%d>page %d of old</a> and go on", i, i)},
		} {
			b, _ := json.Marshal(p) // which holds strings alone
			lines = append(lines, string(b))
		}
	}
	return lines
}

// receipts is the kind of the receipts of parts. Those of finished stages matter only if a part is damaged.
const receipts = "work/receipt"

// eventful builds a run of eventfulPages with the preset web, once.
var eventful = sync.OnceValues(func() (built, error) {
	lines, err := firstLines(20)
	if err != nil {
		return built{}, err
	}
	return buildShared(eventfulLines(lines))
})

// eventfulRun returns a run of eventfulPages with the preset web.
func eventfulRun(t testing.TB) built {
	t.Helper()
	b, err := eventful()
	must(t, err)
	return b
}

// stops holds copies of a run's directory that are stopped after each stage, and the stage that wrote each file.
type stops struct {
	dirs   []string
	writer map[string]string
}

// stoppedEverywhere copies the directory of the eventful run whenever a stage is done, once.
var stoppedEverywhere = sync.OnceValues(func() (stops, error) {
	folder, err := os.MkdirTemp("", "") // TestMain removes it
	if err != nil {
		return stops{}, err
	}
	whole, err := eventful()
	if err != nil {
		return stops{}, err
	}
	c, err := config.Preset("web")
	if err != nil {
		return stops{}, err
	}
	out, s := filepath.Join(folder, "run"), stops{writer: map[string]string{"work/state.json": ""}}
	o := pipeline.Options{Workers: 2, Memory: memory}
	for _, stage := range runStages {
		if err := pipeline.ClusterUntil(context.Background(), stage, out, []string{whole.in}, c, o); err != nil {
			return s, err
		}
		dir := filepath.Join(folder, stage)
		if err := copyFolder(out, dir); err != nil {
			return s, err
		}
		for name := range sizesIn(dir) {
			if _, ok := s.writer[name]; !ok {
				s.writer[name] = stage
			}
		}
		s.dirs = append(s.dirs, dir)
	}
	return s, nil
})

func stopEverywhere(t *testing.T) stops {
	t.Helper()
	s, err := stoppedEverywhere()
	must(t, err)
	return s
}

// kinds groups all files of the stopped runs, including intermediate ones that later stages removed.
func (s stops) kinds() map[string][]string {
	all := map[string]int{}
	for _, dir := range s.dirs {
		maps.Copy(all, sizesIn(dir))
	}
	return kindsIn(all)
}

// sizesIn returns the sizes of the files of a run directory that are not empty, by name.
func sizesIn(dir string) map[string]int {
	out := map[string]int{}
	for _, pattern := range []string{"*", "work/*"} {
		paths, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is right
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
				rel, _ := filepath.Rel(dir, p)
				out[filepath.ToSlash(rel)] = int(info.Size())
			}
		}
	}
	return out
}

var digits = regexp.MustCompile(`-\d+$`)

// kindsIn groups the files of a run directory. The partitions of one sort of record are one kind.
func kindsIn(sizes map[string]int) map[string][]string {
	kinds := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		kind := digits.ReplaceAllString(name, "")
		if strings.HasSuffix(name, ".receipt") {
			kind = receipts
		}
		kinds[kind] = append(kinds[kind], name)
	}
	return kinds
}

// flipBit flips a random bit of a file and returns a description of it.
func flipBit(r *rand.Rand, path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	at, bit := r.IntN(len(b)), r.IntN(8)
	b[at] ^= 1 << bit
	return fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(b)), os.WriteFile(path, b, 0o666)
}

// flipEverywhere flips a bit in each 16 bytes of a file.
func flipEverywhere(path string) error {
	b, err := os.ReadFile(path)
	for i := 0; i < len(b); i += 16 {
		b[i] ^= 1
	}
	return errors.Join(err, os.WriteFile(path, b, 0o666))
}

// finishedAs continues a run and compares the result with the expected one. It returns the stages that were reported as
// damaged, and the differences.
func finishedAs(t *testing.T, want map[string]string, dir, in string, c config.Config, o pipeline.Options, then func(stage, what string)) (told []string, wrong string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprintf("panic: %v", r)
		}
	}()
	var mu sync.Mutex
	p := &progress{event: func(stage, what string) {
		mu.Lock()
		defer mu.Unlock()
		if what == "damaged" {
			told = append(told, stage)
		}
		then(stage, what)
	}}
	o.Workers, o.Memory, o.Progress = 2, memory, p
	if _, err := pipeline.Cluster(context.Background(), dir, []string{in}, c, o); err != nil {
		return told, "error: " + err.Error()
	}
	report, err := run.Check(t.Context(), dir)
	if err != nil || !report.OK() {
		return told, fmt.Sprintf("check: %v, %v", err, report.Err())
	}
	if diff := cmp.Diff(want, everything(t, dir)); diff != "" {
		return told, "wrong tables: " + diff
	}
	return told, ""
}

// TestDamagedWhileStopped checks that a flipped bit is found in files of a stopped run: the stage that wrote the file
// is reported and done again, and the tables are those of a run without damage.
func TestDamagedWhileStopped(t *testing.T) {
	damagedWhileStopped(t, func(i int) bool { return i%16 == 8 })
}

// damagedWhileStopped flips a bit in a file of each kind whose number is chosen.
func damagedWhileStopped(t *testing.T, chosen func(i int) bool) {
	c, whole := preset(t, "web"), eventfulRun(t)
	want, s := everything(t, whole.dir), stopEverywhere(t)
	all := s.kinds()
	if len(all) < 33 {
		t.Fatalf("only %d kinds of files: %v", len(all), slices.Sorted(maps.Keys(all)))
	}
	for i, kind := range slices.Sorted(maps.Keys(all)) {
		if !chosen(i) {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(i), 5))
		stop := r.IntN(len(s.dirs))
		for kindsIn(sizesIn(s.dirs[stop]))[kind] == nil {
			stop = (stop + 1) % len(s.dirs)
		}
		names := kindsIn(sizesIn(s.dirs[stop]))[kind]
		name := names[r.IntN(len(names))]
		dir := filepath.Join(t.TempDir(), "run")
		copyTree(t, s.dirs[stop], dir)
		where, err := flipBit(r, filepath.Join(dir, filepath.FromSlash(name)))
		must(t, err)
		told, wrong := finishedAs(t, want, dir, whole.in, c, pipeline.Options{}, func(string, string) {})
		if wrong == "" && !rightlyTold(told, s.writer[name]) && (len(told) > 0 || !strings.HasSuffix(name, ".receipt")) {
			wrong = fmt.Sprintf("not told: %q, want %q", told, s.writer[name])
		}
		if wrong != "" {
			t.Errorf("stopped after %s, %s, %s: %s", runStages[stop], name, where, wrong)
		}
		os.RemoveAll(dir)
	}
}

// rightlyTold reports whether the stage that wrote a damaged file was reported as the first one to be done again. The
// stages whose removed files it needs may follow.
func rightlyTold(told []string, writer string) bool {
	if len(told) == 0 || told[0] != writer {
		return false
	}
	for i, stage := range told[1:] {
		if slices.Index(runStages, stage) >= slices.Index(runStages, told[i]) {
			return false
		}
	}
	return true
}

// unread lists the files that no later stage reads. If they are damaged while a run is built, check finds it.
var unread = []string{
	run.DroppedList, tables.PostingsFile, run.PagesTable, run.RedirectsTable, run.TopicalTreeTable, run.SyntacticPairsTable,
	run.SyntacticClustersTable,
}

// TestDamagedWhileBuilt checks that a bit that is flipped after a stage wrote a file is found by the stage that reads
// the file.
func TestDamagedWhileBuilt(t *testing.T) { damagedWhileBuilt(t, 0, 1) }

// damagedWhileBuilt flips bits in files of some kinds, in a random but fixed order.
func damagedWhileBuilt(t *testing.T, from, to int) {
	c, whole := preset(t, "web"), eventfulRun(t)
	in, want, s := whole.in, everything(t, whole.dir), stopEverywhere(t)
	all := s.kinds()
	maps.DeleteFunc(all, func(kind string, _ []string) bool {
		return kind == "work/state.json" || kind == receipts || slices.Contains(unread, kind)
	})
	kinds := shuffle(slices.Sorted(maps.Keys(all)), 1)
	for i := from; i < to; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 6))
		names := all[kinds[i%len(kinds)]]
		name := names[r.IntN(len(names))]
		dir := filepath.Join(t.TempDir(), "run")
		where, flipped := "", false
		told, wrong := finishedAs(t, want, dir, in, c, pipeline.Options{}, func(stage, what string) {
			if what != "done" || stage != s.writer[name] || flipped {
				return
			}
			var err error
			path := filepath.Join(dir, filepath.FromSlash(name))
			if where, err = flipBit(r, path); err == nil && strings.HasPrefix(name, "work/read-") { // no later stage reads all of it
				err = flipEverywhere(path)
			}
			if err != nil {
				t.Error(err)
			}
			flipped = true
		})
		if wrong == "" && !rightlyTold(told, s.writer[name]) && (len(told) > 0 || !strings.HasSuffix(name, ".receipt")) {
			wrong = fmt.Sprintf("not told: %q, want %q", told, s.writer[name])
		}
		if wrong != "" {
			t.Errorf("%s, %s: %s", name, where, wrong)
		}
	}
}

// TestDamagedAlways checks that the run ends with an error if a disk damages files again and again, or if data read
// from a stream is damaged.
func TestDamagedAlways(t *testing.T) {
	in, c := write(t, samplePages(t, 10)...), preset(t, "web")
	dir := filepath.Join(t.TempDir(), "run")
	r := rand.New(rand.NewPCG(1, 7))
	spoil := func(stage, what string) {
		if what == "done" && stage == "read" {
			if _, err := flipBit(r, filepath.Join(dir, "work", "words")); err != nil {
				t.Error(err)
			}
		}
	}
	told, wrong := finishedAs(t, nil, dir, in, c, pipeline.Options{}, spoil)
	if len(told) != 3 || !strings.HasPrefix(wrong, "error:") || !strings.Contains(wrong, "disk cannot be trusted") || !strings.Contains(wrong, "work/words at byte") {
		t.Errorf("%q, %s", told, wrong)
	}
	standardInput(t, in)
	dir = filepath.Join(t.TempDir(), "run")
	if told, wrong := finishedAs(t, nil, dir, "-", c, pipeline.Options{}, spoil); len(told) > 0 || !strings.Contains(wrong, pipeline.ErrStream.Error()) {
		t.Errorf("%q, %s", told, wrong)
	}
}

// TestDamagedWhileSorted checks that a bit that is flipped in the sorted files of a running stage is found, and that
// the stage is done again.
func TestDamagedWhileSorted(t *testing.T) {
	in, c := write(t, pagesOf(1100, 150)...), preset(t, "web")
	c.Views = []string{config.Syntactic}
	whole, _ := cluster(t, c, pipeline.Options{}, in)
	r, seen := rand.New(rand.NewPCG(1, 8)), 0
	dir := filepath.Join(t.TempDir(), "run")
	told, wrong := finishedAs(t, everything(t, whole), dir, in, c, pipeline.Options{}, func(stage, what string) {
		if stage != "index" || what != "at" {
			return
		}
		if seen++; seen == 2 { // after 1024 pages the sorters have written to disk
			path, size := spilledRun(filepath.Join(dir, "work", "sort-index.tmp"))
			flipInPlace(t, path, r.Int64N(size))
		}
	})
	if wrong != "" || !slices.Equal(told, []string{"index"}) {
		t.Errorf("%q, %s", told, wrong)
	}
}

// spilledRun waits until a sorter has written to a file of a folder, and returns the file and its size.
func spilledRun(dir string) (path string, size int64) {
	for ; ; time.Sleep(time.Millisecond) { // the limit of the test run ends it if nothing is ever written
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if len(files) == 0 {
			continue
		}
		if info, err := os.Stat(files[0]); err == nil && info.Size() > 0 {
			return files[0], info.Size()
		}
	}
}

func flipInPlace(t *testing.T, path string, at int64) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Error(err)
	}
	b[0] ^= 4
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Error(err)
	}
}
