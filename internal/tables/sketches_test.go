package tables

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

var _ resemble.Sketches = (*Shingles)(nil)

func writeSketches(t *testing.T) (path string, pages []ShinglePage) {
	t.Helper()
	path = filepath.Join(t.TempDir(), ShinglesFile)
	w := CreateSketches(path, shingles.Sketcher{Kind: shingles.MinMod, M: 3, S: 7})
	for i, values := range [][]uint64{{3, 6, 9}, {6}, nil} {
		p := ShinglePage{Document: uint32(i), Bytes: 1, Lexical: 2, Shingles: 50, Values: values, Distinct: uint32(40 - i), Digest: uint64(i) << 60}
		w.Add(p)
		pages = append(pages, p)
	}
	must(t, w.Close())
	return path, pages
}

// TestSketches checks that a table of sketches returns what was written, and how the sketches were made.
func TestSketches(t *testing.T) {
	path, pages := writeSketches(t)
	s, err := OpenShingles(path)
	must(t, err)
	defer s.Close()
	if !s.Sketched() || s.Sketcher() != (shingles.Sketcher{Kind: shingles.MinMod, M: 3, S: 7}) {
		t.Errorf("sketched %v, by %v", s.Sketched(), s.Sketcher())
	}
	for i, p := range pages {
		got := ShinglePage{
			Document: s.Document(uint32(i)), Bytes: s.Bytes(uint32(i)), Lexical: s.Lexical(uint32(i)), Shingles: s.Count(uint32(i)),
			Values: append([]uint64(nil), s.Values(uint32(i))...), Distinct: uint32(s.Size(uint32(i))), Digest: s.Digest(uint32(i)),
		}
		if d := cmp.Diff(p, got); d != "" {
			t.Error(d)
		}
	}
	must(t, s.Err())
}

// TestDamagedSketches checks that every flipped bit is found and none causes a panic.
func TestDamagedSketches(t *testing.T) {
	path, _ := writeSketches(t)
	good, err := os.ReadFile(path)
	must(t, err)
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		must(t, os.WriteFile(path, bad, 0o666))
		s, err := OpenShingles(path)
		if err != nil {
			continue
		}
		for page := range uint32(s.Len() + 1) {
			_ = s.Sketcher().Valid(shingles.Stored{Values: s.Values(page), Size: s.Size(page)})
			s.Digest(page)
		}
		if s.Err() == nil && s.Verify() == nil {
			t.Errorf("a bit of byte %d was flipped", i)
		}
		s.Close()
	}
}
