package query

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestOpenReadsNoPages checks that Open does not read the table of equal pages, which would take longer the more
// pages there are: damage in it is found only when a question needs it.
func TestOpenReadsNoPages(t *testing.T) {
	dir := copyRun(t, build(t, preset(t, "web"), copies(samplePages(t, 40))))
	path := filepath.Join(dir, tables.EqualFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	f, err := mapped.OpenAny(path)
	must(t, err)
	sections := f.Sections()
	must(t, f.Close())
	spoiled := 0
	for _, s := range sections {
		if s.Length == 0 {
			continue
		}
		spoiled++
		b := append([]byte(nil), whole...)
		b[s.Offset] ^= 1
		must(t, os.WriteFile(path, b, 0o666))
		r, err := Open(dir)
		if err != nil {
			t.Fatalf("section %s: %v", s.Name, err)
		}
		if err := r.Err(); err != nil {
			t.Errorf("section %s was read: %v", s.Name, err)
		}
		must(t, r.Close())
		if !strings.Contains(broken(t, dir), "equal pages in form: ") {
			t.Errorf("section %s: the checks find nothing", s.Name)
		}
	}
	if spoiled < 3 {
		t.Errorf("%d sections", spoiled)
	}
}

// TestCheckEqual checks that a table of equal pages with impossible numbers but correct checksums fails a check.
func TestCheckEqual(t *testing.T) {
	dir := copyRun(t, build(t, preset(t, "web"), copies(samplePages(t, 40))))
	if b := broken(t, dir); b != "" {
		t.Fatal(b)
	}
	path := filepath.Join(dir, tables.EqualFile)
	sound := filepath.Join(t.TempDir(), "sound")
	must(t, os.Rename(path, sound), mappedtest.Forge(sound, path, func(section string, b []byte) {
		if section == "relation" {
			b[0] = 1 // the first page equals one before it
		}
	}))
	if b := broken(t, dir); !strings.Contains(b, "equal pages in form: ") {
		t.Errorf("broken: %q", b)
	}
}

// TestRefused checks that questions to a view that a run lacks are refused, and that long ones end with their context
// or with the error of a function that they call.
func TestRefused(t *testing.T) {
	whole, c := opened(t, preset(t, "web"), samplePages(t, 60)), preset(t, "web")
	c.Views = []string{config.Syntactic}
	texts := opened(t, c, samplePages(t, 60))
	c.Views = []string{config.Topical}
	links := opened(t, c, samplePages(t, 60))
	for name, err := range map[string]error{
		"clusters": second(texts.TopicalClusters()), "cluster": second(texts.TopicalCluster(0)), "branch": second(texts.TopicalBranch("x")),
		"exact": second(texts.Exact(t.Context(), []uint32{0}, 5, ByBoth, nil)), "words": second(texts.Words("word")),
		"resembling": second(links.Resembling(t.Context(), []uint32{0}, 1)), "who": second(links.Who([]byte("x"), defaultWho)),
	} {
		if !errors.Is(err, ErrNoView) {
			t.Errorf("%s without the view: %v", name, err)
		}
	}
	if near := texts.Related(0, Lookup{Top: 10}); len(near) > 0 {
		t.Error(near)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"exact":   second(whole.Exact(ctx, []uint32{0, 1}, 5, ByBoth, nil)),
		"related": whole.EachRelated(ctx, Lookup{Top: 10}, func(uint32, []Neighbour) error { return nil }),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
	stop := errors.New("stop")
	if err := whole.EachRelated(t.Context(), Lookup{Top: 3}, func(uint32, []Neighbour) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

// second returns the error of a question.
func second[T any](_ T, err error) error { return err }
