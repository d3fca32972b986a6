package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/framed"
	"pgregory.net/rapid"
)

// drawnPartition draws the records of a partition: each has its hash, a byte that says whether it is kept, and some
// more bytes.
func drawnPartition(t *rapid.T, low, high uint64) (records [][]byte) {
	hash := rapid.OneOf(
		rapid.Uint64Range(low, high), rapid.SampledFrom([]uint64{low, high, low + (high-low)/2}),
		rapid.Uint64Range(low, low+3), rapid.Uint64Range(high-3, high))
	for range rapid.IntRange(0, 80).Draw(t, "records") {
		b := binary.LittleEndian.AppendUint64(nil, hash.Draw(t, "hash"))
		b = append(b, byte(rapid.IntRange(0, 3).Draw(t, "kept")))
		records = append(records, append(b, make([]byte, headSize+rapid.IntRange(0, 400).Draw(t, "length"))...))
	}
	return records
}

// TestSpans checks that the spans of a partition are in order and contain each counted record once, and that only
// spans marked as large, of a single hash, exceed the limit.
func TestSpans(t *testing.T) {
	dir := t.TempDir()
	kept := func(body []byte) bool { return body[8] > 0 }
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(1, 8).Draw(t, "partitions")
		i := rapid.IntRange(0, n-1).Draw(t, "partition")
		low, high := partitionRange(i, n)
		records := drawnPartition(t, low, high)
		limit := int64(rapid.IntRange(1, 3000).Draw(t, "limit"))
		files := make([]*framed.Streams, rapid.IntRange(1, 2).Draw(t, "files"))
		pieces := make([]piece, len(files))
		for f := range files {
			pieces[f] = piece{path: filepath.Join(dir, fmt.Sprint(f)), streams: 2, stream: 1}
			var err error
			if files[f], err = framed.CreateStreams(pieces[f].path, 2); err != nil {
				t.Fatal(err)
			}
		}
		for j, r := range records {
			block := append(make([]byte, framed.BlockHead), append(binary.AppendUvarint(nil, uint64(len(r))), r...)...)
			if err := files[j%len(files)].Append(1, block); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range files {
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		spans, err := splitPartition(context.Background(), pieces, i, n, limit, kept)
		if err != nil {
			t.Fatal(err)
		}
		checkSpans(t, spans, records, limit, kept)
	})
}

func checkSpans(t *rapid.T, spans []span, records [][]byte, limit int64, kept func([]byte) bool) {
	whole := len(spans) == 1 && spans[0].records == 0 // the partition was not split
	for j, p := range spans {
		if p.low > p.high || j > 0 && p.low <= spans[j-1].high {
			t.Fatalf("span %d from %x to %x, after %x", j, p.low, p.high, spans[max(0, j-1)].high)
		}
		size, n, hashes := int64(0), 0, map[uint64]bool{}
		for _, r := range records {
			if h := anchors.TargetHash(r); p.has(h) && kept(r) {
				size, n, hashes[h] = size+int64(len(binary.AppendUvarint(nil, uint64(len(r)))))+int64(len(r)), n+1, true
			}
		}
		switch {
		case size > p.size:
			t.Fatalf("span %d takes %d bytes, said to be %d", j, size, p.size)
		case !whole && n != p.records:
			t.Fatalf("span %d of %d records, said to be %d", j, n, p.records)
		case p.large && (len(hashes) != 1 || p.size <= limit):
			t.Fatalf("span %d of %d hashes and %d bytes is large", j, len(hashes), p.size)
		case !p.large && p.size > limit:
			t.Fatalf("span %d takes %d bytes, limit %d", j, p.size, limit)
		}
	}
	for _, r := range records {
		in := 0
		for _, p := range spans {
			if p.has(anchors.TargetHash(r)) {
				in++
			}
		}
		if kept(r) && in != 1 || in > 1 {
			t.Fatalf("record of %x is in %d spans", bytes.Clone(r[:8]), in)
		}
	}
}
