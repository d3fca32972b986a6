package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/skew"
)

// inDefault reports whether the default trial has a kind of pages. Links take the most memory, 56 bytes each.
func inDefault(kind string) bool { return kind == "links" || kind == "new words" || kind == "title" }

// TestExamineKeepsToMemory checks that any page is examined within the memory that is allowed, and that the report does
// not depend on the memory.
func TestExamineKeepsToMemory(t *testing.T) {
	keepsToMemory(t, inDefault)
}

// TestLongExamineKeepsToMemory tries the other kinds of pages.
func TestLongExamineKeepsToMemory(t *testing.T) {
	keepsToMemory(t, func(kind string) bool { return !inDefault(kind) })
}

func keepsToMemory(t *testing.T, tried func(kind string) bool) {
	t.Helper()
	const memory, free, size = 16 << 20, 16 << 20, 4 << 20
	for name, write := range skew.PageKinds {
		if !tried(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := os.Create(filepath.Join(dir, "page.html"))
			if err != nil {
				t.Fatal(err)
			}
			if err := write(f, size); err != nil {
				t.Fatal(err)
			}
			f.Close()
			want := examined(t, dir, crawl.Options{})
			var got string
			peak := skew.Peak(func() { got = examined(t, dir, crawl.Options{Memory: memory, TempDir: t.TempDir()}) })
			t.Logf("%.1f MiB", float64(peak)/(1<<20))
			if peak > free {
				t.Errorf("%d MiB of live memory", peak>>20)
			}
			if got != want {
				t.Errorf("%s\nis not %s", got, want)
			}
		})
	}
}

func examined(t *testing.T, path string, o crawl.Options) string {
	r, err := Examine(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(r)
	return string(b)
}
