package crawl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
)

// itemsOf returns what a source yields, as text, and the positions of the records at which another source can begin, by
// the number of items before them.
func itemsOf(t *testing.T, src crawl.Source) (items []string, begins map[int]crawl.Position) {
	t.Helper()
	begins = map[int]crawl.Position{}
	from, _ := src.(crawl.Beginner)
	for r, err := range src.Records(t.Context()) {
		if err != nil {
			items = append(items, err.Error())
			continue
		}
		if from != nil && from.CanBegin(r.Pos) {
			begins[len(items)] = r.Pos
		}
		items = append(items, fmt.Sprintf("%s %x", r.Pos, xxh3.Hash(r.Data)))
		r.Release()
	}
	return items, begins
}

// A source that begins at a record yields what a source that begins at the start of the input yields from there on,
// even if the input is damaged.
func TestBegin(t *testing.T) {
	r, begun := rand.New(rand.NewPCG(3, 4)), map[string]int{}
	for _, s := range specimensOf(t) {
		for damaged := range 3 {
			b := s.bytes()
			for range 2 * damaged {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			path := filepath.Join(t.TempDir(), s.name)
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, o := range []crawl.Options{{}, {Workers: 3, Range: 600}} {
				open := func() crawl.Source {
					src, err := crawl.Open(path, o)
					if err != nil {
						return nil
					}
					t.Cleanup(func() { src.Close() })
					return src
				}
				src := open()
				if src == nil {
					continue
				}
				want, begins := itemsOf(t, src)
				for n, at := range begins {
					if n%3 != damaged {
						continue
					}
					src := open()
					if err := src.(crawl.Beginner).Begin(crawl.Position{Offset: at.Offset, Record: at.Record}); err != nil {
						t.Fatal(err)
					}
					if got, _ := itemsOf(t, src); !slices.Equal(got, want[n:]) {
						t.Errorf("%s with %d damaged bits, %d workers, from item %d at %v: %d items, want %d", s.name, 2*damaged, o.Workers, n, at, len(got), len(want)-n)
					}
					begun[s.name]++
				}
			}
		}
	}
	for _, name := range []string{"x.warc", "x.warc.gz", "x.warc.zst", "x.arc", "x.wet.gz", "x.jsonl", "line.json", "x.csv"} {
		if begun[name] < 40 {
			t.Errorf("%s: begun at %d records only", name, begun[name])
		}
	}
}
