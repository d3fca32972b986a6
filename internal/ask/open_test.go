package ask

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestOpenReadsNoPages checks that Open does not read the table of equal pages, which would take longer the more
// pages there are: damage in it is found only when a question needs it.
func TestOpenReadsNoPages(t *testing.T) {
	dir := runtest.CopyRun(t, runtest.Build(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40))))
	path := filepath.Join(dir, tables.EqualFile)
	whole, err := os.ReadFile(path)
	runtest.Must(t, err)
	f, err := mapped.OpenAny(path)
	runtest.Must(t, err)
	sections := f.Sections()
	runtest.Must(t, f.Close())
	spoiled := 0
	for _, s := range sections {
		if s.Length == 0 {
			continue
		}
		spoiled++
		b := append([]byte(nil), whole...)
		b[s.Offset] ^= 1
		runtest.Must(t, os.WriteFile(path, b, 0o666))
		r, err := runs.Open(dir)
		if err != nil {
			t.Fatalf("section %s: %v", s.Name, err)
		}
		if err := r.Err(); err != nil {
			t.Errorf("section %s was read: %v", s.Name, err)
		}
		runtest.Must(t, r.Close())
		if !strings.Contains(runtest.Broken(t, dir), "equal pages in form: ") {
			t.Errorf("section %s: the checks find nothing", s.Name)
		}
	}
	if spoiled < 3 {
		t.Errorf("%d sections", spoiled)
	}
}

// TestCheckEqual checks that a table of equal pages with impossible numbers but correct checksums fails a check.
func TestCheckEqual(t *testing.T) {
	dir := runtest.CopyRun(t, runtest.Build(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40))))
	if b := runtest.Broken(t, dir); b != "" {
		t.Fatal(b)
	}
	path := filepath.Join(dir, tables.EqualFile)
	sound := filepath.Join(t.TempDir(), "sound")
	runtest.Must(t, os.Rename(path, sound), mappedtest.Forge(sound, path, func(section string, b []byte) {
		if section == "relation" {
			b[0] = 1 // the first page equals one before it
		}
	}))
	if b := runtest.Broken(t, dir); !strings.Contains(b, "equal pages in form: ") {
		t.Errorf("broken: %q", b)
	}
}

// TestRefused checks that questions to a view that a run lacks are refused, and that long ones end with their context
// or with the error of a function that they call.
func TestRefused(t *testing.T) {
	whole, c := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60)), runtest.Preset(t, "web")
	c.Views = []string{config.Syntactic}
	syntactic := runtest.Opened(t, c, runtest.SamplePages(t, 60))
	c.Views = []string{config.Topical}
	topical := runtest.Opened(t, c, runtest.SamplePages(t, 60))
	for name, err := range map[string]error{
		"clusters": second(topics.Clusters(syntactic)), "cluster": second(topics.ClusterOf(syntactic, 0)), "branch": second(topics.Branch(syntactic, "x")),
		"exact": second(topics.Exact(t.Context(), syntactic, []uint32{0}, 5, topics.ByBoth, nil)), "words": second(topics.ParseWords(syntactic, "word")),
		"resembling": second(texts.Resembling(t.Context(), topical, []uint32{0}, 1)), "who": second(texts.Who(topical, []byte("x"), defaultWho)),
	} {
		if !errors.Is(err, runs.ErrNoView) {
			t.Errorf("%s without the view: %v", name, err)
		}
	}
	if near := topics.Related(syntactic, 0, topics.Lookup{Top: 10}); len(near) > 0 {
		t.Error(near)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"exact":   second(topics.Exact(ctx, whole, []uint32{0, 1}, 5, topics.ByBoth, nil)),
		"related": topics.EachRelated(ctx, whole, topics.Lookup{Top: 10}, func(uint32, []topics.Neighbour) error { return nil }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
	stop := errors.New("stop")
	if err := topics.EachRelated(t.Context(), whole, topics.Lookup{Top: 3}, func(uint32, []topics.Neighbour) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

// second returns the error of a question.
func second[T any](_ T, err error) error { return err }
