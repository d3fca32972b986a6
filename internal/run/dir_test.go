package run

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/internal/mapped"
)

type config struct {
	Preset string `json:"preset"`
	LSH    struct {
		K int `json:"k"`
		L int `json:"l"`
	} `json:"lsh"`
}

func testConfig(k int) config {
	c := config{Preset: "web"}
	c.LSH.K, c.LSH.L = k, 160
	return c
}

var testInputs = []Input{{"a.warc.gz", 10, "aa"}, {"b.warc.gz", 20, "bb"}}

// begin calls Create with the configuration of these tests.
func begin(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Create(path, testConfig(2), testInputs)
	must(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// buildPages is a stage that writes pages.parquet.
func buildPages(t *testing.T, d *Dir) {
	t.Helper()
	w, err := CreateTable[PageRow](d.Path(PagesTable))
	must(t, err)
	must(t, w.Write(pageRows(100)...))
	must(t, w.Close())
	must(t, d.Finish("pages", StartStage("pages").Stats(100, 100, nil), PagesTable))
}

// buildIndex is a stage that writes a mapped and an intermediate file under their temporary names.
func buildIndex(t *testing.T, d *Dir) {
	t.Helper()
	w := mapped.Create(d.Temp("ids.lsh"), "ids", 1)
	w.Section("id", 4).U32(7)
	must(t, w.Close())
	must(t, os.WriteFile(d.Temp("work/bags.bin"), []byte("bags"), 0o666))
	must(t, d.Finish("index", StageStats{In: 1, Out: 2}, "ids.lsh", "work/bags.bin"))
}

// finished builds a complete run.
func finished(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	buildPages(t, d)
	buildIndex(t, d)
	must(t, d.Publish(t.Context(), &Manifest{ToolVersion: "test", Seed: 1}))
	return path
}

func names(t *testing.T, path string) []string {
	t.Helper()
	list, err := os.ReadDir(path)
	must(t, err)
	out := []string{}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestPublish(t *testing.T) {
	path := finished(t)
	if diff := cmp.Diff([]string{"ids.lsh", "pages.parquet", "run.json"}, names(t, path)); diff != "" {
		t.Error(diff)
	}
	r, err := Open(path)
	must(t, err)
	m := r.Manifest
	got := []Table{}
	for _, x := range m.Tables {
		got = append(got, Table{Name: x.Name, Kind: x.Kind, Rows: x.Rows})
		if x.Bytes == 0 || len(x.Digest) != 32 {
			t.Errorf("%+v", x)
		}
	}
	if diff := cmp.Diff([]Table{{Name: "ids.lsh", Kind: "mapped"}, {Name: "pages.parquet", Kind: "parquet", Rows: 100}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(testInputs, m.Inputs); diff != "" {
		t.Error(diff)
	}
	var c config
	if err := json.Unmarshal(m.Config, &c); err != nil || c != testConfig(2) {
		t.Errorf("configuration %+v, %v", c, err)
	}
	s, ok := m.Stage("pages")
	if !ok || s.In != 100 || s.PeakAnon < 1<<20 || s.Finished.IsZero() || m.Tool != "lshclust" || m.Finished.Before(m.Started) {
		t.Errorf("%+v", m)
	}
	if _, err := Create(path, testConfig(2), testInputs); !errors.Is(err, ErrFinished) || !strings.Contains(err.Error(), "-o") {
		t.Errorf("Create on a finished run: %v", err)
	}
}

// TestResume stops after every step and continues with a new Dir. The tables have the same digests as those of a run
// that was not stopped.
func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	buildPages(t, d)
	must(t, os.WriteFile(d.Temp("ids.lsh"), []byte("half"), 0o666))
	dir, err := d.TempDir("sort")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "spilled"), []byte("x"), 0o666))
	d.Close() // like a process that died

	var unfinished *UnfinishedError
	if _, err := Open(path); !errors.Is(err, ErrUnfinished) || !errors.As(err, &unfinished) || len(unfinished.Done) != 1 {
		t.Fatalf("Open: %v", err)
	} else if text := err.Error(); !strings.Contains(text, `"pages"`) || !strings.Contains(text, path) {
		t.Error(text)
	}

	d = begin(t, path)
	if !d.Done("pages") || d.Done("index") {
		t.Fatalf("stages %+v", d.Stages())
	}
	if diff := cmp.Diff([]string{"state.json"}, names(t, filepath.Join(path, "work"))); diff != "" {
		t.Errorf("what was cut off is not removed: %s", diff)
	}
	buildIndex(t, d)
	d.Close()
	d = begin(t, path)
	must(t, d.Publish(t.Context(), &Manifest{ToolVersion: "test", Seed: 1}))
	a, _ := Open(path)
	b, _ := Open(finished(t))
	if diff := cmp.Diff(b.Manifest, a.Manifest, cmpopts.IgnoreFields(Manifest{}, "Started", "Finished", "Stages", "Digest")); diff != "" {
		t.Errorf("resumed and in one go differ:\n%s", diff)
	}
}

// TestLostOutput checks that a stage is done again, with all later ones, if one of its files is missing or has another
// size.
func TestLostOutput(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"gone": os.Remove,
		"cut":  func(path string) error { return os.Truncate(path, 5) },
	} {
		path := filepath.Join(t.TempDir(), "run")
		d := begin(t, path)
		buildPages(t, d)
		buildIndex(t, d)
		d.Close()
		must(t, lose(d.Path(PagesTable)))
		d = begin(t, path)
		if d.Done("pages") || d.Done("index") {
			t.Errorf("%s: stages %+v", name, d.Stages())
		}
	}
}

func TestMismatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	begin(t, path).Close()
	moved := []Input{{"elsewhere/a.warc.gz", 10, "aa"}, testInputs[1]}
	if d, err := Create(path, testConfig(2), moved); err != nil {
		t.Errorf("an input that was only moved: %v", err)
	} else {
		d.Close()
	}
	for _, c := range []struct {
		config config
		inputs []Input
		want   []string
	}{
		{testConfig(3), testInputs, []string{"lsh.k was 2, is 3"}},
		{testConfig(2), testInputs[:1], []string{"2 inputs then, 1 now"}},
		{testConfig(3), []Input{testInputs[0], {"b.warc.gz", 20, "cc"}}, []string{"lsh.k was 2", "input 2: b.warc.gz (20 bytes, digest bb) then"}},
	} {
		_, err := Create(path, c.config, c.inputs)
		var m *MismatchError
		if !errors.Is(err, ErrMismatch) || !errors.As(err, &m) {
			t.Errorf("%q expected: %v", c.want, err)
			continue
		}
		for _, w := range append(c.want, path, "-o", "remove") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q is not in %q", w, err)
			}
		}
	}
}

// TestOtherFormat checks that a run begun by another version of the program is refused for its format, whatever its
// settings are called.
func TestOtherFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	d.state.Format, d.state.Config = FormatVersion-1, []byte(`{"max_run":400}`)
	must(t, d.saveState())
	d.Close()
	_, err := Create(path, testConfig(2), testInputs)
	if !errors.Is(err, ErrFormat) || errors.Is(err, ErrMismatch) || strings.Contains(err.Error(), "max_run") {
		t.Errorf("error %v", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	d := begin(t, path)
	if _, err := Create(path, testConfig(2), testInputs); !errors.Is(err, ErrLocked) {
		t.Errorf("two at once: %v", err)
	}
	d.Close()
	if err := d.Finish("late", StageStats{}); err == nil {
		t.Error("Finish without the lock")
	}
	begin(t, path)
}

func TestForeignFolder(t *testing.T) {
	path := t.TempDir()
	must(t, os.WriteFile(filepath.Join(path, "thesis.txt"), nil, 0o666))
	if _, err := Create(path, 1, nil); !errors.Is(err, ErrNotRun) {
		t.Error(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrNotRun) {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"thesis.txt"}, names(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestFinishMisuse(t *testing.T) {
	d := begin(t, filepath.Join(t.TempDir(), "run"))
	for _, name := range []string{"../x", "/etc/passwd", "run.json", "missing"} {
		if err := d.Finish("s", StageStats{}, name); err == nil {
			t.Errorf("output %q accepted", name)
		}
	}
	buildIndex(t, d)
	if err := d.Finish("index", StageStats{}); err == nil {
		t.Error("a stage is done twice")
	}
}

func TestBrokenState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	begin(t, path).Close()
	must(t, os.WriteFile(filepath.Join(path, "work", "state.json"), []byte("{"), 0o666))
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "state.json") {
		t.Error(err)
	}
	d := begin(t, path)
	if damage, err := d.Verify(t.Context()); err != nil || len(damage) != 1 || damage[0].Stage != "" || !strings.Contains(damage[0].Err.Error(), "state.json") {
		t.Errorf("%v, %v", damage, err)
	}
}

// TestInside checks that Create refuses a directory inside another run, finished or not, and also behind symbolic
// links.
func TestInside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	begin(t, path).Close()
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(path, link))
	for _, in := range []string{filepath.Join(path, "a"), filepath.Join(path, "work", "a", "b"), filepath.Join(link, "a", "..", "c")} {
		d, err := Create(in, testConfig(2), testInputs)
		if !errors.Is(err, ErrInside) {
			t.Errorf("%s: %v", in, err)
		}
		if d != nil {
			d.Close()
		}
		if exists(in) {
			t.Errorf("%s was made", in)
		}
	}
	d, err := Create(link, testConfig(2), testInputs) // a link to the run itself is accepted
	must(t, err)
	d.Close()
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
