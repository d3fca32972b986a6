package crawls

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestSketchFileDamage checks that errors name the file and the place of damage, wherever it is, and recognize other
// files.
func TestSketchFileDamage(t *testing.T) {
	r := runtest.Opened(t, runtest.Syntactic(t, nil), runtest.SamplePages(t, 60))
	path := runtest.SketchFile(t, r, runs.SketchSettings{})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed")
	try := func(data []byte) error {
		if err := os.WriteFile(changed, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return useSketches(t, changed)
	}
	if err := try(whole); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += len(whole)/40 + 1 {
		bad := slices.Clone(whole)
		bad[at] ^= 0x40
		var place *mapped.FormatError
		if err := try(bad); !errors.As(err, &place) && !errors.Is(err, tables.ErrNoSketchFile) || !strings.Contains(fmt.Sprint(err), changed) {
			t.Errorf("byte %d: %v", at, err)
		}
		if err := try(whole[:at]); err == nil || !strings.Contains(err.Error(), changed) {
			t.Errorf("cut at byte %d: %v", at, err)
		}
	}
	newer := slices.Clone(whole)
	newer[16]++
	if err := try(newer); !errors.Is(err, mapped.ErrVersion) || !strings.Contains(err.Error(), "another version of lshclust") {
		t.Error(err)
	}
	for _, data := range []string{"", "https://a.example/\n"} {
		if err := try([]byte(data)); err == nil {
			t.Errorf("%q opens", data)
		}
	}
}

// useSketches opens a file of sketches, asks what can be asked, and verifies all of it.
func useSketches(t testing.TB, path string) error {
	r, err := runs.OpenSketches(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for page := range uint32(min(r.Pages.Len(), 3)) {
		if _, err := texts.WhoHas(r, r.Pages.Document(page), nil, texts.WhoOptions{By: "host", Min: 0.2, Words: 30, Limit: 20, Pages: 5, Passages: 2}); err != nil {
			return err
		}
	}
	if _, err := texts.Across(t.Context(), r, r, func(texts.CrossPair) error { return nil }); err != nil {
		return err
	}
	s, err := NewTwoCrawls(r, r)
	if err != nil {
		return err
	}
	if _, err := s.Moves(t.Context()); err != nil {
		return err
	}
	f, err := mapped.OpenAny(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return cmp.Or(r.Err(), f.Verify())
}

// FuzzSketchFile opens files with a changed range of bytes: whatever they are, nothing panics.
func FuzzSketchFile(f *testing.F) {
	r := runtest.Opened(f, runtest.Syntactic(f, nil), runtest.SamplePages(f, 12))
	whole, err := os.ReadFile(runtest.SketchFile(f, r, runs.SketchSettings{}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(24, []byte("{}"))
	f.Add(len(whole)/2, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(len(whole)-60, []byte{1})
	f.Fuzz(func(t *testing.T, at int, change []byte) {
		bad := slices.Clone(whole)
		if at >= 0 && at < len(bad) {
			copy(bad[at:], change)
		}
		path := filepath.Join(t.TempDir(), "fuzzed")
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := useSketches(t, path); bytes.Equal(bad, whole) != (err == nil) {
			t.Errorf("%d bytes changed at %d: %v", len(change), at, err)
		}
	})
}
