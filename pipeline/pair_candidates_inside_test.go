package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/extsort"
)

// TestCandidateFiles: the candidates of each place come out of the files of several parts in the order of the records,
// for ranges of places and places without candidates.
func TestCandidateFiles(t *testing.T) {
	const size = 10
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 11, 5000} {
		k := newPacking(n)
		c := candidateFiles{packing: k, places: n, size: size}
		want := make([][]uint64, n)
		for part := range 3 {
			var packed []uint64
			for range r.IntN(4 * n) {
				a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
				if r.IntN(2) == 0 {
					b = uint32(min(n-1, int(a)+r.IntN(5)))
				}
				packed = append(packed, k.candidate(a, b, r.IntN(129)))
			}
			slices.Sort(packed)
			packed = slices.Compact(packed)
			for _, p := range packed {
				a, _ := k.places(p)
				want[a] = append(want[a], p)
			}
			c.files = append(c.files, candidatesOf(t, filepath.Join(t.TempDir(), fmt.Sprint(part)), n, size, packed))
		}
		for from := 0; from < n; from += size {
			to := min(n, from+size)
			got := c.of(places{uint32(from), uint32(to)})
			for place := from; place < to; place++ {
				slices.Sort(want[place])
				var others []uint32
				for _, p := range want[place] {
					_, b := k.places(p)
					others = append(others, b)
				}
				if found := got.next(uint32(place)); !slices.Equal(found, others) {
					t.Fatalf("%d places: place %d has %v, want %v", n, place, found, others)
				}
			}
		}
		if err := c.err(); err != nil {
			t.Error(err)
		}
		c.close()
	}
}

// TestDamagedCandidates: no damage of a file of candidates stops the program, and all of it is reported.
func TestDamagedCandidates(t *testing.T) {
	const n = 60
	k := newPacking(n)
	var packed []uint64
	for a := range uint32(n) {
		for b := range uint32(5) {
			packed = append(packed, k.candidate(a, (a+b*97+1)%n, int(b)))
		}
	}
	path := filepath.Join(t.TempDir(), "candidates")
	candidatesOf(t, path, n, n, packed).file.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := openCandidateFile(path)
		if err != nil {
			continue
		}
		c := candidateFiles{packing: k, places: n, size: n, files: []candidateFile{f}}
		got := c.of(places{0, n})
		for place := range uint32(n) {
			for _, b := range got.next(place) {
				if int(b) >= n {
					t.Fatalf("byte %d: place %d", at, b)
				}
			}
		}
		if c.err() == nil && f.file.Verify() == nil {
			t.Errorf("byte %d: damage was not reported", at)
		}
		c.close()
	}
}

// candidatesOf writes packed candidates to a file and opens it.
func candidatesOf(t *testing.T, path string, places, size int, packed []uint64) candidateFile {
	t.Helper()
	s, err := extsort.New(extsort.Config{Size: packedSize, Memory: 1 << 20, Dir: t.TempDir(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	to := s.Appender()
	for _, p := range packed {
		if err := to.Append(binary.BigEndian.AppendUint64(nil, p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := writeCandidates(context.Background(), path, places, size, s); err != nil {
		t.Fatal(err)
	}
	f, err := openCandidateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
