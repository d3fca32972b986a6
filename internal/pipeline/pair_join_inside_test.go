package pipeline

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// TestJoinedRanges checks that the table has the pairs of all files in order, whatever the ranges of nodes are,
// including nodes without pairs and one with more pairs than a range may have.
func TestJoinedRanges(t *testing.T) {
	const nodes, files = 300, 5
	r := rand.New(rand.NewPCG(1, 1))
	of := make([][]uint64, files)
	want := []uint64{1<<32 | 2, 7<<32 | 299, 298 << 32}
	for to := uint64(100); to < 250; to++ {
		want = append(want, 40<<32|to)
	}
	for range 2000 {
		want = append(want, r.Uint64N(nodes-20)<<32|r.Uint64N(nodes))
	}
	slices.Sort(want)
	want = slices.Compact(want)
	for _, pair := range want {
		i := r.IntN(files - 1) // the last file is empty
		of[i] = append(of[i], pair)
	}
	sorted := writeSortedPairs(t, of)
	for _, most := range []int{1, 10, 100, 1 << 20} {
		path := filepath.Join(t.TempDir(), tables.PairsFile)
		w := tables.CreatePairs(path, 1000)
		var j joiner
		ranges, end := 0, uint32(0)
		sorted.whole(nodes).split(sorted, most, func(r joinRange, _ error) bool {
			if r.from != end || r.records() > most && r.to-r.from > 1 {
				t.Fatalf("at most %d: after %d the nodes %d to %d with %d records", most, end, r.from, r.to, r.records())
			}
			w.AddBlock(j.join(r, sorted, 1000))
			ranges, end = ranges+1, r.to
			return true
		})
		if err := w.Close(nodes); err != nil {
			t.Fatal(err)
		}
		if got := readPairs(t, path); end != nodes || !slices.Equal(got, want) {
			t.Errorf("at most %d, %d ranges up to node %d: %d pairs, want %d", most, ranges, end, len(got), len(want))
		}
	}
}

// writeSortedPairs writes files of records, whose similarity follows from the nodes.
func writeSortedPairs(t *testing.T, of [][]uint64) (sorted sortedFiles) {
	dir := t.TempDir()
	for i, pairs := range of {
		path := filepath.Join(dir, strconv.Itoa(i))
		err := create(path, func(w io.Writer) error {
			for _, p := range pairs {
				rec := binary.BigEndian.AppendUint64(nil, p)
				if _, err := w.Write(binary.LittleEndian.AppendUint32(rec, uint32(p))); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := openWork[dataColumn](path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		sorted = append(sorted, sortedFile{f.of.data, pairSize})
	}
	return sorted
}

// readPairs returns the pairs of a table and checks their similarities.
func readPairs(t *testing.T, path string) (got []uint64) {
	table, err := tables.OpenPairs(path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for node := range uint32(table.Len()) {
		for _, e := range table.Neighbours(node) {
			if math.Float32bits(e.Similarity) != e.To {
				t.Fatalf("nodes %d and %d: similarity %x", node, e.To, math.Float32bits(e.Similarity))
			}
			got = append(got, uint64(node)<<32|uint64(e.To))
		}
	}
	return got
}
