package tables

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
	"github.com/lshclust/lshclust/resemble"
)

// TestEqual checks that the table answers according to what was written.
func TestEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 300
	parents, relations := make([]uint32, n), make([]resemble.Relation, n)
	for id := range parents {
		parents[id] = uint32(id)
		if p := r.IntN(id + 1); p < id && r.IntN(3) > 0 {
			least := resemble.Identical
			if relations[p] != resemble.Alone {
				least = relations[p]
			}
			highest := int(resemble.Shingle)
			if relations[p] != resemble.Alone { // a page is eliminated before the one that eliminates it
				highest = int(least)
			}
			parents[id], relations[id] = uint32(p), resemble.Relation(1+r.IntN(highest))
		}
	}
	want, err := resemble.NewEqual(parents, relations)
	must(t, err)
	strip, err := resemble.NewBoilerplate(resemble.BoilerplateConfig{Least: 1})
	must(t, err, strip.Put(3, []uint64{2, 5}), strip.Put(8, []uint64{1}), strip.Put(9, []uint64{7, 8, 9}))
	path := filepath.Join(t.TempDir(), EqualFile)
	must(t, WriteEqual(path, want, strip))
	got, err := OpenEqual(path)
	must(t, err)
	defer got.Close()
	if got.Len() != n {
		t.Errorf("%d pages", got.Len())
	}
	stored, err := got.Boilerplate(resemble.BoilerplateConfig{Least: 1})
	must(t, err)
	represented := 0
	for a := range uint32(n) {
		if x, y := got.Representative(a), want.Representative(a); x != y {
			t.Fatalf("page %d is represented by %d, not %d", a, x, y)
		} else if x != a {
			represented++
		}
		for b := range a {
			x, okX := got.Between(a, b)
			if y, okY := want.Between(a, b); x != y || okX != okY {
				t.Fatalf("pages %d and %d: %v %v, not %v %v", a, b, x, okX, y, okY)
			}
		}
	}
	for host := range uint32(11) {
		if !slices.Equal(stored.Of(host), strip.Of(host)) {
			t.Errorf("host %d: %d, not %d", host, stored.Of(host), strip.Of(host))
		}
	}
	if represented < n/3 {
		t.Errorf("only %d pages are represented by others", represented)
	}
	must(t, got.Err())
}

// useEqual uses equal.lsh in every way, for the tests of damaged tables.
func useEqual(path string) error {
	t, err := OpenEqual(path)
	if err != nil {
		return err
	}
	strip, err := t.Boilerplate(resemble.BoilerplateConfig{})
	for _, id := range someIDs {
		if int64(id) < int64(t.Len()) {
			err = errors.Join(err, inside(t.Len(), t.Representative(id)))
		}
		t.Between(0, id)
		strip.Own(nil, id, []uint64{1, 2, 3, 4})
	}
	equal, errLoad := t.Load()
	strip, errStrip := t.LoadBoilerplate(resemble.BoilerplateConfig{})
	if err = errors.Join(err, errLoad, errStrip); err == nil {
		for page := range uint32(equal.Len()) {
			err = errors.Join(err, inside(equal.Len(), equal.Representative(page)))
			equal.Between(0, page)
			strip.Own(nil, page, []uint64{1, 2, 3, 4})
		}
	}
	return used(t, err)
}

// TestForgedEqual checks that impossible parents cause no endless loop, and that loading finds them.
func TestForgedEqual(t *testing.T) {
	equal, err := resemble.NewEqual([]uint32{0, 0, 1}, []resemble.Relation{resemble.Alone, resemble.Identical, resemble.Identical})
	must(t, err)
	sound, path := filepath.Join(t.TempDir(), EqualFile), filepath.Join(t.TempDir(), EqualFile)
	must(t, WriteEqual(sound, equal, nil))
	must(t, mappedtest.Forge(sound, path, func(section string, b []byte) {
		if section == "parent" {
			b[4] = 2 // page 1 equals page 2, which equals page 1
		}
	}))
	got, err := OpenEqual(path)
	must(t, err)
	defer got.Close()
	if rep := got.Representative(2); rep != 1 || got.Err() == nil {
		t.Errorf("page 2 is represented by %d, error %v", rep, got.Err())
	}
	if _, _, err := ReadEqual(path, resemble.BoilerplateConfig{}); err == nil {
		t.Error("it was loaded")
	}
}
