package skew

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/doctor"
	"github.com/lshclust/lshclust/internal/peak"
)

// Every input can be read, holds what it should, and is the same when it is written again.
func TestInputs(t *testing.T) {
	pages := map[string]int{"captures": 50, "links": 50, "tiny": 50, "rows": 50, "common": 50, "template": 50}
	for _, in := range Inputs {
		t.Run(in.Name, func(t *testing.T) {
			size := int64(1_000_000)
			if pages[in.Name] > 0 {
				size = int64(pages[in.Name])
			}
			var b, again bytes.Buffer
			if err := in.Write(&b, size); err != nil {
				t.Fatal(err)
			}
			if err := in.Write(&again, size); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Errorf("not the same twice (%v)", err)
			}
			path := filepath.Join(t.TempDir(), in.File)
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if n, _, skips := read(t, path, crawl.Options{}); n != max(1, pages[in.Name]) || skips > 0 {
				t.Errorf("%d pages, %d skips", n, skips)
			}
		})
	}
}

// TestKeepToMemory checks that reading a bomb and examining a page take little more memory than is allowed, and give the
// same result as with much memory.
func TestKeepToMemory(t *testing.T) {
	for _, in := range Inputs {
		size, memory, free := int64(16<<20), int64(2<<20), int64(4<<20)
		what := func(t *testing.T, path string, o crawl.Options) string {
			pages, bytes, skips := read(t, path, o)
			return fmt.Sprint(pages, bytes, skips)
		}
		switch {
		case in.Size == pageSize:
			// A page that is one token takes up to 48 MiB since pages are read by x/net/html; below 16 before.
			size, memory, free, what = in.Size, 16<<20, 64<<20, examined
		case in.Size < pageSize:
			continue // many small records
		}
		t.Run(in.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), in.File)
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := in.Write(f, size); err != nil {
				t.Fatal(err)
			}
			want, got := what(t, path, crawl.Options{}), ""
			taken := peak.Of(func() { got = what(t, path, crawl.Options{Memory: memory, TempDir: t.TempDir()}) })
			if taken > free {
				t.Errorf("%d MiB of live memory", taken>>20)
			}
			if got != want {
				t.Errorf("%s, without a limit %s", got, want)
			}
		})
	}
}

func examined(t *testing.T, path string, o crawl.Options) string {
	r, err := doctor.Examine(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v", r)
}

// read returns the numbers of records that have a page, of the bytes of all pages, and of what is left out.
func read(t *testing.T, path string, o crawl.Options) (pages, bytes, skips int) {
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
		pages, bytes = pages+1, bytes+len(p.HTML)+len(p.Text)
		rec.Release()
	}
	return pages, bytes, skips
}
