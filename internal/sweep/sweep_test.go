package sweep

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/mapped/mappedtest"
)

// kept is a record with its entry, and what it has in common with others.
type kept struct {
	Entry
	record []byte
	common []byte
}

// keyOf returns a key of a number.
func keyOf(n uint64) Key {
	var d Digester
	d.Number(n)
	return d.Key()
}

// keep writes records with several writers into a segment, and an index. It sets the places of the records.
func keep(t rapid.TB, dir, segment string, all []kept, writers int) {
	t.Helper()
	s, err := CreateSegment(filepath.Join(dir, segment))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var entries []Entry
	var running sync.WaitGroup
	for i := range writers {
		w := NewWriter(func(e Entry) error {
			mu.Lock()
			defer mu.Unlock()
			entries = append(entries, e)
			return nil
		})
		w.Use(s)
		running.Go(func() {
			var common []byte
			for n, j := 0, i; j < len(all); n, j = n+1, j+writers {
				if n%100 == 0 { // the next hundred have something else in common
					if err := w.Common(common); err != nil {
						t.Error(err)
					}
					common = fmt.Appendf(nil, "from %d", j)
				}
				all[j].common = common
				if err := w.Add(all[j].Entry, all[j].record); err != nil {
					t.Error(err)
				}
			}
			for range 2 { // the second time without records
				if err := w.Common(common); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	index(t, dir, entries, segment)
}

// index writes an index of entries in one segment.
func index(t rapid.TB, dir string, entries []Entry, segment string) {
	t.Helper()
	w, err := CreateIndex(filepath.Join(dir, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var raws []int
	number := w.Segment(segment)
	for i, e := range entries {
		e.Segment = number
		w.Add(e)
		if e.Raw != (Key{}) {
			raws = append(raws, i)
		}
	}
	slices.SortFunc(raws, func(a, b int) int { return bytes.Compare(entries[a].Raw[:], entries[b].Raw[:]) })
	for _, i := range raws {
		w.AddRaw(uint32(i))
	}
	if err := w.Close(About{Reader: 7, Generation: 2, Late: 99}); err != nil {
		t.Fatal(err)
	}
}

// some returns n records of random bytes, of which every third has no raw key.
func some(n int, r *rand.Rand, size int) []kept {
	all := make([]kept, n)
	for i := range all {
		all[i].Entry = Entry{Key: keyOf(uint64(i)), Hash: r.Uint64(), Millis: int64(i) - 5}
		if i%3 > 0 {
			all[i].Raw = keyOf(1<<40 + uint64(i))
		}
		all[i].record = make([]byte, r.IntN(size+1))
		for j := range all[i].record {
			all[i].record[j] = byte(r.IntN(7))
		}
	}
	return all
}

func opened(t rapid.TB, dir string) (*Store, *Fetcher) {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s, s.Fetcher()
}

// Every record is found by its key and by its raw key, in any order, and no other key is found.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "sweep")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		all := some(rapid.IntRange(0, 900).Draw(t, "records"), r, rapid.SampledFrom([]int{0, 10, 3000}).Draw(t, "size"))
		if len(all) > 0 {
			all[0].record = make([]byte, 3*blockBytes) // larger than a block
		}
		keep(t, dir, "segment.lsh", all, rapid.IntRange(1, 3).Draw(t, "writers"))
		if len(all) == 0 {
			if _, err := os.Stat(filepath.Join(dir, "segment.lsh")); err == nil {
				t.Fatal("there is a segment of no records")
			}
			return
		}
		s, f := opened(t, dir)
		defer s.Close()
		if s.About != (About{Reader: 7, Generation: 2, Late: 99}) || s.Len() != len(all) {
			t.Fatalf("%+v, %d entries", s.About, s.Len())
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i, k := range all {
			e, ok := s.Find(k.Key)
			raw, found := s.FindRaw(k.Raw)
			if !ok || e.Hash != k.Hash || e.Millis != k.Millis || e.Raw != k.Raw || e.State != Known {
				t.Fatalf("%+v is found as %+v: %v", k.Entry, e, ok)
			}
			if found != (k.Raw != Key{}) || found && raw != e {
				t.Fatalf("%+v is found by its raw key as %+v: %v", e, raw, found)
			}
			record, shared, err := f.Record(e)
			if err != nil || !bytes.Equal(record, k.record) {
				t.Fatalf("%d bytes, not %d: %v", len(record), len(k.record), err)
			}
			if common, err := f.Common(shared); err != nil || !bytes.Equal(common, k.common) {
				t.Fatalf("%q in common, not %q: %v", common, k.common, err)
			}
			for _, no := range []Key{keyOf(uint64(1<<50 + i)), {}, {255, 255, 255, 255, 255, 255, 255, 255}} {
				if _, ok := s.Find(no); ok {
					t.Fatalf("%x is found", no)
				}
				if _, ok := s.FindRaw(no); ok {
					t.Fatalf("raw %x is found", no)
				}
			}
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// Entries are the same after encoding, and their bytes sort by key and then by state.
func TestEntries(t *testing.T) {
	entry := rapid.Custom(func(t *rapid.T) Entry {
		return Entry{
			Key: keyOf(rapid.Uint64Range(0, 2).Draw(t, "key")), State: State(rapid.IntRange(0, 2).Draw(t, "state")), Hash: rapid.Uint64().Draw(t, "hash"),
			Millis: rapid.Int64().Draw(t, "millis"), Segment: rapid.Uint32().Draw(t, "segment"), Offset: rapid.Uint64().Draw(t, "offset"),
			Inside: rapid.Uint32().Draw(t, "inside"), Raw: keyOf(rapid.Uint64().Draw(t, "raw")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := entry.Draw(t, "a"), entry.Draw(t, "b")
		x, y := a.Append(nil), b.Append(nil)
		if len(x) != EntrySize || DecodeEntry(x) != a {
			t.Fatalf("%+v is decoded as %+v", a, DecodeEntry(x))
		}
		if want := cmp.Or(bytes.Compare(a.Key[:], b.Key[:]), cmp.Compare(a.State, b.State)); want != 0 && bytes.Compare(x, y) != want {
			t.Fatalf("%+v and %+v sort as %d, not %d", a, b, bytes.Compare(x, y), want)
		}
	})
}

// A key tells apart fields that are the same when put together.
func TestDigester(t *testing.T) {
	seen := map[Key]string{}
	for _, fields := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"b", "a"}} {
		var d, again Digester
		again.String("something else")
		again.Reset()
		for _, f := range fields {
			d.Add([]byte(f))
			again.String(f)
		}
		if k := d.Key(); k != again.Key() || seen[k] != "" {
			t.Errorf("%q has the key of %s", fields, seen[k])
		}
		seen[d.Key()] = fmt.Sprintf("%q", fields)
	}
}

// Damage is an error with the path of the damaged file, and never another record.
func TestDamage(t *testing.T) {
	whole := t.TempDir()
	all := some(400, rand.New(rand.NewPCG(1, 2)), 3000)
	keep(t, whole, "segment.lsh", all, 2)
	copied := func(change func(dir string)) string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		change(dir)
		return dir
	}
	read := func(dir string) error {
		s, err := Open(dir)
		if err != nil {
			return err
		}
		defer s.Close()
		f := s.Fetcher()
		for _, k := range all {
			e, ok := s.Find(k.Key)
			if err := s.Err(); err != nil {
				return err
			}
			if !ok {
				return nil
			}
			record, shared, err := f.Record(e)
			if err != nil {
				return err
			}
			common, err := f.Common(shared)
			if err != nil {
				return err
			}
			if !bytes.Equal(record, k.record) || !bytes.Equal(common, k.common) {
				return errors.New("another record")
			}
		}
		return nil
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{IndexFile, "segment.lsh"} {
		b, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			bad := bytes.Clone(b)
			at := r.IntN(len(bad))
			if bad[at] ^= 1 << r.IntN(8); r.IntN(3) == 0 {
				bad = bad[:at]
			}
			dir := copied(func(dir string) {
				if err := os.WriteFile(filepath.Join(dir, name), bad, 0o666); err != nil {
					t.Fatal(err)
				}
			})
			// A bit of the padding between two sections, or of something that is not read here, may go unnoticed.
			if err := read(dir); err != nil && !bytes.Contains([]byte(err.Error()), []byte(filepath.Join(dir, name))) {
				t.Errorf("%s, byte %d of %d: %v", name, at, len(b), err)
			}
		}
	}
	// Bytes whose checksums are right may be wrong too.
	for _, x := range []struct {
		section string
		change  func(b []byte)
	}{
		{"offset", func(b []byte) { fill(b, 0xff) }},
		{"offset", func(b []byte) { binary.LittleEndian.PutUint64(b, 3) }},
		{"inside", func(b []byte) { fill(b, 0xff) }},
		{"segment", func(b []byte) { fill(b, 0xff) }},
	} {
		dir := copied(func(dir string) {
			if err := mappedtest.Forge(filepath.Join(whole, IndexFile), filepath.Join(dir, IndexFile), func(section string, b []byte) {
				if section == x.section {
					x.change(b)
				}
			}); err != nil {
				t.Fatal(err)
			}
		})
		s, f := opened(t, dir)
		if _, _, err := f.Record(s.At(0)); !errors.Is(err, ErrDamaged) {
			t.Errorf("wrong %s: %v", x.section, err)
		}
		s.Close()
	}
}

func fill(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

// What is no index, or an index of segments that are not there, is refused.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNothingKept) {
		t.Errorf("no index: %v", err)
	}
	index(t, dir, nil, "missing.lsh")
	if _, err := Open(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no segment: %v", err)
	}
	index(t, dir, nil, "../missing.lsh")
	if _, err := Open(dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("a segment elsewhere: %v", err)
	}
	w, err := mapped.Create(filepath.Join(dir, IndexFile), indexKind, version-1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, mapped.ErrVersion) {
		t.Errorf("an older version: %v", err)
	}
}
