package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// Open reads nothing of the table of equal pages, which would take longer the more pages there are: bytes that are
// damaged there do not show before a question needs them.
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

// A table of equal pages with impossible numbers, but correct checksums, breaks a rule.
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
