package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/skew"
)

// Reading any input takes little more than Options.Memory allows for its buffers, and gives the same result as with
// unlimited memory.
func TestReadersKeepToMemory(t *testing.T) { readersKeepToMemory(t, 16<<20, 2<<20) }

func TestLongReadersKeepToMemory(t *testing.T) { readersKeepToMemory(t, 128<<20, 16<<20) }

func readersKeepToMemory(t *testing.T, size, memory int64) {
	const free = 4 << 20
	for _, in := range skew.Inputs {
		if in.Size < 1<<30 {
			continue // many small records
		}
		t.Run(in.Name, func(t *testing.T) {
			path := writeSkewed(t, in, size)
			want, wantSkips := readAll(t, path, crawl.Options{})
			var got, skips int64
			peak := skew.Peak(func() { got, skips = readAll(t, path, crawl.Options{Memory: memory, TempDir: t.TempDir()}) })
			if peak > free {
				t.Errorf("%d MiB of live memory", peak>>20)
			}
			if got != want || skips != wantSkips {
				t.Errorf("%d bytes of pages and %d skips, without a bound %d and %d", got, skips, want, wantSkips)
			}
		})
	}
}

func writeSkewed(t *testing.T, in skew.Input, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), in.File)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := in.Write(f, size); err != nil {
		t.Fatal(err)
	}
	return path
}

func readAll(t *testing.T, path string, o crawl.Options) (bytes, skips int64) {
	src, err := crawl.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			skips++
			continue
		}
		p, err := rec.Page()
		if err != nil {
			skips++
		}
		skips += int64(len(p.Warnings))
		bytes += int64(len(p.HTML) + len(p.Text))
		rec.Release()
	}
	return bytes, skips
}
