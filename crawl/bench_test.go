package crawl_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

const blackbook = "warc/ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"

// runHeap is less than a run holds while it reads. If nothing else were live, the collector would run every 4 MB.
const runHeap = 64 << 20

// BenchmarkWARCFile reads the pages of one file of many members with one worker and with two. Workers both cut and
// decode. For comparison, it also decompresses the same file with only the library. MB/s is uncompressed content.
func BenchmarkWARCFile(b *testing.B) {
	raw, err := os.ReadFile(Path(b, blackbook))
	if err != nil {
		b.Fatal(err)
	}
	const copies = 20
	path := filepath.Join(b.TempDir(), "x.warc.gz")
	if err := os.WriteFile(path, bytes.Repeat(raw, copies), 0o666); err != nil {
		b.Fatal(err)
	}
	size := inflateFile(b, path)
	held := make([]byte, runHeap)
	defer runtime.KeepAlive(held)
	b.Run("library", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			if n := inflateFile(b, path); n != size {
				b.Fatalf("%d bytes", n)
			}
		}
	})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if n := readPages(b, path, workers); n != 94*copies {
					b.Fatalf("%d pages", n)
				}
			}
		})
	}
}

// inflateFile decompresses the members of a file with only the library.
func inflateFile(b *testing.B, path string) (n int64) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	in, buf := bufio.NewReaderSize(f, 256<<10), make([]byte, 64<<10)
	var z gzip.Reader
	for z.Reset(in) == nil {
		z.Multistream(false)
		for err = nil; err == nil; {
			var k int
			k, err = z.Read(buf)
			n += int64(k)
		}
	}
	return n
}

// readPages decodes on as many goroutines as it reads with. With one worker, the same goroutine does both.
func readPages(b *testing.B, path string, workers int) (pages int64) {
	src, err := crawl.Open(path, record.Options{Workers: workers})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	if workers == 1 {
		for rec, err := range src.Records(context.Background()) {
			if err == nil {
				if _, err = rec.Page(); err == nil {
					pages++
				}
			}
		}
		return pages
	}
	batches := make(chan []*record.Record, workers)
	var n atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for batch := range batches {
				for _, rec := range batch {
					if _, err := rec.Page(); err == nil {
						n.Add(1)
					}
				}
			}
		})
	}
	var batch []*record.Record
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			continue
		}
		if batch = append(batch, rec); len(batch) == 64 {
			batches <- batch
			batch = nil
		}
	}
	batches <- batch
	close(batches)
	wg.Wait()
	return n.Load()
}
