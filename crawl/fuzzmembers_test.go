package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The laws that fuzzing holds the cutting to: members of gzip and frames of zstd (what they hold, where they begin, that
// they can be read again), and archives (ranges and single records give what reading from the start gives).

// inMemory is an input that can be read at any place, as a file can.
func inMemory(name string, b []byte) *input {
	r := bytes.NewReader(b)
	in := newInput(name, memoryFile{r}, r, int64(len(b)))
	in.reopen = func() (*input, error) { return inMemory(name, b), nil }
	return in
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// allocated is the number of bytes that f takes from the heap in all, garbage included: no less than it held at any time.
func allocated(f func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	before := s[0].Value.Uint64()
	f()
	metrics.Read(s)
	return s[0].Value.Uint64() - before
}

// member is what was read of one.
type member struct {
	at   int64
	data []byte
	err  error
}

const fuzzContent = 1 << 20 // of all members, more is given up

// membersOf reads an input member by member, and behind damage from the next on.
func membersOf(t *testing.T, in []byte) (out []member, kind compression) {
	t.Helper()
	m, err := newMembers(inMemory("x", in))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	total := 0
	for err = m.next(); !isEOF(err); err = m.next() {
		for ; err == nil || !isEOF(err); _, err = m.resync(func([]byte) bool { return true }) {
			one := member{at: m.start, err: err}
			if err == nil {
				one.data, one.err = io.ReadAll(io.LimitReader(m.buf, int64(fuzzContent-total)))
			}
			if m.offset() > int64(len(in)) || one.at > m.offset() {
				t.Fatalf("member at %d, read to %d of %d", one.at, m.offset(), len(in))
			}
			out = append(out, one)
			if total += len(one.data); total >= fuzzContent {
				return out, m.kind
			}
			if one.err == nil {
				break
			}
		}
		if isEOF(err) {
			break
		}
	}
	return out, m.kind
}

// checkMembers holds the reading of an input to its laws; whole is another reader of the whole input.
func checkMembers(t *testing.T, in []byte, whole func(io.Reader) (io.Reader, error)) {
	t.Helper()
	list, kind := membersOf(t, in)
	var all []byte
	for i, one := range list {
		if i > 0 && one.at <= list[i-1].at {
			t.Fatalf("a member at %d behind one at %d", one.at, list[i-1].at)
		}
		all = append(all, one.data...)
		if one.err == nil && kind != plain {
			checkAgain(t, in, one)
		}
	}
	r, err := whole(bytes.NewReader(in))
	if err != nil || len(all) >= fuzzContent {
		return
	}
	want, err := io.ReadAll(io.LimitReader(r, fuzzContent))
	if err == nil && len(want) < fuzzContent && !bytes.Equal(all, want) {
		t.Fatalf("%d bytes in %d members, another reader has %d; %v", len(all), len(list), len(want), list)
	}
}

// checkAgain reads a member that was good from its place.
func checkAgain(t *testing.T, in []byte, one member) {
	t.Helper()
	if len(in) > 1<<16 || one.at == 0 {
		return
	}
	m, err := newMembers(inMemory("x", in))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	_ = m.next() // a dictionary stands before all else
	err = m.goTo(one.at)
	var b []byte
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(m.buf, fuzzContent))
	}
	if m.kind == zstandard && bytes.HasPrefix(in[one.at:], zstdMagic) && err == nil && bytes.Equal(b, one.data) {
		return
	}
	if m.kind == gzipped && err == nil && bytes.Equal(b, one.data) {
		return
	}
	t.Fatalf("the member at %d gave %d bytes, and from its place %d, %v", one.at, len(one.data), len(b), err)
}

func FuzzGzipMembers(f *testing.F) {
	f.Add(gz("one", "", "three"), false)
	f.Add(append(gz("one"), make([]byte, 20)...), false)
	f.Add(append(gz("one"), "\x1f\x8b\x08noise"...), false)
	f.Add(stored("one", string(gz("in it"))), false)
	f.Add([]byte("one\ntwo\n\nfour"), true)
	f.Fuzz(func(t *testing.T, in []byte, write bool) {
		if write { // what a writer writes is read, a member for a member
			lines := strings.Split(string(in), "\n")
			in = gz(lines...)
			list, _ := membersOf(t, in)
			for i := range min(len(lines), len(list)) {
				if list[i].err != nil || string(list[i].data) != lines[i] {
					t.Fatalf("member %d: %q, %v; want %q", i, list[i].data, list[i].err, lines[i])
				}
			}
			if len(in) < fuzzContent/8 && len(list) != len(lines) {
				t.Fatalf("%d members of %d", len(list), len(lines))
			}
		} else if !bytes.HasPrefix(in, gzipMagic) {
			in = append(slices.Clone(gzipMagic), in...)
		}
		n := allocated(func() {
			checkMembers(t, in, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		})
		if n > 64<<20+uint64(len(in))<<10 {
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
	})
}

func FuzzZstdMembers(f *testing.F) {
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: [][]byte{[]byte(warcPage(1)), []byte(warcPage(2)), []byte(strings.Repeat("words of a page ", 40))}, History: []byte(warcPage(3)), Offsets: [3]int{1, 4, 8}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(zst(nil, "one", "", "three"), false)
	f.Add(append(skippable(zstdDictFrame, dict), zst(dict, warcPage(1), warcPage(2))...), false)
	f.Add(append(skippable(zstdDictFrame, zst(nil, string(dict))), zst(dict, warcPage(1))...), false)
	f.Add(append(zst(nil, "one"), "(\xb5/\xfdnoise"...), false)
	f.Add([]byte("(\xb5/\xfd\x00\x58\x05\x00\x00"), false) // without a checksum: a block of zero bytes is the last
	f.Add([]byte("one\ntwo\n\nfour"), true)
	f.Fuzz(func(t *testing.T, in []byte, write bool) {
		if len(in) > 1<<16 {
			return
		}
		if write {
			lines := strings.Split(string(in), "\n")
			in = zst(nil, lines...)
			list, _ := membersOf(t, in)
			if len(list) != len(lines) {
				t.Fatalf("%d members of %d", len(list), len(lines))
			}
			for i, one := range list {
				if one.err != nil || string(one.data) != lines[i] {
					t.Fatalf("member %d: %q, %v; want %q", i, one.data, one.err, lines[i])
				}
			}
		} else if !isZstd(in) {
			in = append(slices.Clone(zstdMagic), in...)
		}
		n := allocated(func() {
			checkMembers(t, in, func(r io.Reader) (io.Reader, error) {
				return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
			})
		})
		if n > 1<<30+uint64(len(in))<<10 { // a frame may say that it needs the window of 128 MiB, and is read three times
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
	})
}

// toldBy is all that a source says, in its order.
func toldBy(t *testing.T, src Source) (out []string, again []*Record) {
	t.Helper()
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		var skip *Skip
		switch {
		case err == nil:
			line := fmt.Sprintf("%v %s %s %v %q", rec.Pos, rec.kind, rec.url, rec.time, rec.data)
			for _, n := range rec.notes {
				line += n.Error()
			}
			out = append(out, line)
			if rec.Again() {
				again = append(again, rec)
			}
		case !errors.As(err, &skip) || skip.Pos.File == "":
			t.Fatalf("%v is no located *Skip", err)
		default:
			out = append(out, err.Error())
		}
		if src.Offset() > src.Size() {
			t.Fatalf("%d of %d bytes read", src.Offset(), src.Size())
		}
	}
	return out, again
}

// FuzzArchive: whatever is in an archive, several workers and any cuts say what one says who reads it from its start, and
// every record that was read can be read again by its place.
func FuzzArchive(f *testing.F) {
	three := warcPage(1) + "garbage\r\n" + warcPage(2) + warcPage(3)
	for _, b := range [][]byte{
		[]byte(three), gz(warcPage(1), warcPage(2), warcPage(3)), gz(three), stored(warcPage(1), string(gz(warcPage(2))), warcPage(3)),
		gz(warcPage(1)[:100], warcPage(1)[100:]+warcPage(2)), zst(nil, warcPage(1), warcPage(2)), []byte(arcHead + arcPage(1) + arcPage(2)), gz(arcHead, arcPage(1), arcPage(2)),
	} {
		f.Add(b, uint16(50))
		f.Add(b, uint16(300))
	}
	f.Fuzz(func(t *testing.T, in []byte, step uint16) {
		if len(in) <= 1<<15 {
			checkArchive(t, in, max(int64(step)%2048, int64(len(in)/64)+20))
		}
	})
}

// checkArchive reads an archive from its start, in ranges, and record by record.
func checkArchive(t *testing.T, in []byte, step int64) {
	t.Helper()
	open := func(workers int) Source {
		src, err := sniff(inMemory("x.warc", in), Options{MaxPage: 1 << 14, Workers: workers, step: step}.withDefaults())
		if err != nil {
			return nil
		}
		archive, ok := src.(*archiveSource)
		if !ok {
			src.Close()
			return nil
		}
		return archive.inRanges()
	}
	alone := open(1)
	if alone == nil {
		return
	}
	want, again := toldBy(t, alone)
	got, _ := toldBy(t, open(3))
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("three workers: %s", d)
	}
	archive, _ := open(1).(*archiveSource)
	fetch := Fetcher{src: archive}
	defer fetch.Close()
	for i, first := range again[:min(len(again), 20)] {
		if i%3 == 2 { // out of order
			if _, err := fetch.Record(again[0].Pos); err != nil {
				t.Fatalf("the first again: %v", err)
			}
		}
		rec, err := fetch.Record(first.Pos)
		if err != nil || rec.url != first.url || rec.kind != first.kind || !bytes.Equal(rec.data, first.data) {
			t.Fatalf("%v read again: %+v, %v; want %+v", first.Pos, rec, err, first)
		}
	}
}

// TestLawsOfFixtures holds the reading of real archives to the laws that fuzzing tests.
func TestLawsOfFixtures(t *testing.T) {
	dir := dataPath(t, "warc")
	for name := range warcFixtures {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 1<<17 {
			continue // TestRangesOfFixtures has them
		}
		checkArchive(t, b, max(int64(len(b)/9), 20))
		if bytes.HasPrefix(b, gzipMagic) {
			checkMembers(t, b, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		}
	}
}
