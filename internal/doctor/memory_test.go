package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/peak"
)

// TestExamineKeepsToMemory checks that a page that takes much memory is examined within the memory that is allowed, and
// that the report does not depend on the memory. Other shapes of pages are in lab/skew.
func TestExamineKeepsToMemory(t *testing.T) {
	const memory, free = 16 << 20, 16 << 20
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.html"), peak.Page(4<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	want := examined(t, dir, crawl.Options{})
	var got string
	if taken := peak.Of(func() { got = examined(t, dir, crawl.Options{Memory: memory, TempDir: t.TempDir()}) }); taken > free {
		t.Errorf("%d MiB of live memory", taken>>20)
	}
	if got != want {
		t.Errorf("%s\nis not %s", got, want)
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
