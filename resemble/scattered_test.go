package resemble

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// largeFile is a Collection that checks how it is read.
type largeFile struct {
	Collection
	mu        sync.Mutex
	scattered bool
	turned    int
	fetched   map[uint32]bool
	early     int // sets that were announced while reading was not scattered
}

func (f *largeFile) Scattered(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scattered = on
	f.turned++
}

func (f *largeFile) Fetch(id uint32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fetched[id] = true
	if !f.scattered {
		f.early++
	}
}

// Sets that are read in no order are announced, reading is scattered for that long, and the results are those of sets in
// memory.
func TestScattered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var docs Collection
	for i := range 200 {
		set := []uint64{1 << 40, 2 << 40, 3 << 40, uint64(i%20+4) << 40}
		for range 30 {
			set = append(set, uint64(i%20)<<20|random.Uint64N(40))
		}
		slices.Sort(set)
		docs = append(docs, Document{Values: slices.Compact(set), Bytes: uint64(i), Lexical: uint64(i), Host: uint32(i % 3)})
	}
	r := Resources{Memory: 1 << 20, Workers: 2}
	c := Config{M: 1, MinShingles: 1, Floor: 0.3, Containment: 0.7, Miss: 1e-9, Resources: r}
	find := func(docs Documents, between func()) (pairs []Pair, found BoilerplateStats) {
		equal, err := FindEqual(background, docs, r)
		if err != nil {
			t.Fatal(err)
		}
		strip, found, err := FindBoilerplate(background, docs, equal, BoilerplateConfig{}, r)
		if err != nil {
			t.Fatal(err)
		}
		between()
		if _, err := Pairs(background, docs, equal, strip, c, collect(&pairs)); err != nil {
			t.Fatal(err)
		}
		return pairs, found
	}
	pairs, found := find(docs, func() {})
	f := &largeFile{Collection: docs, fetched: map[uint32]bool{}}
	check := func(what string) {
		if f.scattered || f.turned != 2 || f.early > 0 {
			t.Errorf("%s: scattered %v in the end, changed %d times, %d sets announced before", what, f.scattered, f.turned, f.early)
		}
		f.turned = 0
	}
	samePairs, sameFound := find(f, func() {
		check("boilerplate")
		if len(f.fetched) != len(docs) {
			t.Errorf("boilerplate: %d sets were announced", len(f.fetched))
		}
		clear(f.fetched)
	})
	check("pairs")
	for _, p := range pairs {
		if !f.fetched[p.B] {
			t.Fatalf("pairs: document %d was not announced", p.B)
		}
	}
	if len(pairs) == 0 || found.Values == 0 {
		t.Fatalf("%d pairs, %+v", len(pairs), found)
	}
	if d := cmp.Diff(pairs, samePairs) + cmp.Diff(found, sameFound); d != "" {
		t.Error(d)
	}
}
