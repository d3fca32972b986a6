package crawl_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
)

func FuzzGzipMembers(f *testing.F) {
	f.Add(Gzip("one", "", "three"), false)
	f.Add(append(Gzip("one"), make([]byte, 20)...), false)
	f.Add(append(Gzip("one"), "\x1f\x8b\x08noise"...), false)
	f.Add(Stored("one", string(Gzip("in it"))), false)
	f.Add([]byte("one\ntwo\n\nfour"), true)
	f.Fuzz(func(t *testing.T, in []byte, write bool) {
		if write { // what a writer writes is read back member by member
			lines := strings.Split(string(in), "\n")
			in = Gzip(lines...)
			list, _ := membersOf(t, in)
			for i := range min(len(lines), len(list)) {
				if list[i].err != nil || string(list[i].data) != lines[i] {
					t.Fatalf("member %d: %q, %v; want %q", i, list[i].data, list[i].err, lines[i])
				}
			}
			if len(in) < fuzzContent/8 && len(list) != len(lines) {
				t.Fatalf("%d members of %d", len(list), len(lines))
			}
		} else if !bytes.HasPrefix(in, payload.GzipMagic) {
			in = append(slices.Clone(payload.GzipMagic), in...)
		}
		n := Allocated(func() {
			checkMembers(t, in, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		})
		if n > 64<<20+uint64(len(in))<<10 {
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
	})
}

func FuzzZstdMembers(f *testing.F) {
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: [][]byte{[]byte(WarcPage(1)), []byte(WarcPage(2)), []byte(strings.Repeat("words of a page ", 40))}, History: []byte(WarcPage(3)), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(Zstd(nil, "one", "", "three"), false)
	f.Add(append(Skippable(0x184d2a5d, dict), Zstd(dict, WarcPage(1), WarcPage(2))...), false)
	f.Add(append(Skippable(0x184d2a5d, Zstd(nil, string(dict))), Zstd(dict, WarcPage(1))...), false)
	f.Add(append(Zstd(nil, "one"), "(\xb5/\xfdnoise"...), false)
	f.Add([]byte("(\xb5/\xfd\x00\x58\x05\x00\x00"), false) // without a checksum: the last block is one of zero bytes
	f.Add([]byte("one\ntwo\n\nfour"), true)
	f.Fuzz(func(t *testing.T, in []byte, write bool) {
		if len(in) > 1<<16 {
			return
		}
		if write {
			lines := strings.Split(string(in), "\n")
			in = Zstd(nil, lines...)
			list, _ := membersOf(t, in)
			if len(list) != len(lines) {
				t.Fatalf("%d members of %d", len(list), len(lines))
			}
			for i, one := range list {
				if one.err != nil || string(one.data) != lines[i] {
					t.Fatalf("member %d: %q, %v; want %q", i, one.data, one.err, lines[i])
				}
			}
		} else if !stream.IsZstd(in) {
			in = append(slices.Clone(payload.ZstdMagic), in...)
		}
		n := Allocated(func() {
			checkMembers(t, in, func(r io.Reader) (io.Reader, error) {
				return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderLowmem(true))
			})
		})
		if n > 1<<30+uint64(len(in))<<10 { // a frame may claim to need the window of 128 MiB, and is read three times
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
	})
}
