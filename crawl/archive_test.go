package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// The laws that fuzzing checks for cutting. They concern gzip members and zstd frames (what they contain, where they
// begin, that they can be read again), and archives (ranges and single records give the same as reading from the
// start).

// toldBy returns everything that a source returns, in order.
func toldBy(t *testing.T, src record.Source) (out []string, again []*record.Record) {
	t.Helper()
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		var skip *record.Skip
		switch {
		case err == nil:
			line := fmt.Sprintf("%v %s %s %v %q", rec.Pos, rec.About().Type, rec.URL, rec.Time, rec.Data)
			for _, n := range rec.Notes {
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

// FuzzArchive checks that for any archive several workers and any ranges give the same as one worker that reads from
// the start, and that every record can be read again by its position.
func FuzzArchive(f *testing.F) {
	three := WarcPage(1) + "garbage\r\n" + WarcPage(2) + WarcPage(3)
	for _, b := range [][]byte{
		[]byte(three), Gzip(WarcPage(1), WarcPage(2), WarcPage(3)), Gzip(three), Stored(WarcPage(1), string(Gzip(WarcPage(2))), WarcPage(3)),
		Gzip(WarcPage(1)[:100], WarcPage(1)[100:]+WarcPage(2)), Zstd(nil, WarcPage(1), WarcPage(2)), []byte(ArcHead + ArcPage(1) + ArcPage(2)), Gzip(ArcHead, ArcPage(1), ArcPage(2)),
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
	open := func(workers int) record.Source {
		src, err := crawl.Sniff(InMemory("x.warc", in), record.Options{MaxPage: 1 << 14, Workers: workers, Range: step}.WithDefaults())
		if err != nil {
			return nil
		}
		archive, ok := src.(*warc.Source)
		if !ok {
			src.Close()
			return nil
		}
		return archive.InRanges()
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
	archive, _ := open(1).(*warc.Source)
	fetch := crawl.FetcherOf(archive)
	defer fetch.Close()
	for i, first := range again[:min(len(again), 20)] {
		if i%3 == 2 { // not in order
			if _, err := fetch.Record(again[0].Pos); err != nil {
				t.Fatalf("the first again: %v", err)
			}
		}
		rec, err := fetch.Record(first.Pos)
		if err != nil || rec.URL != first.URL || rec.About().Type != first.About().Type || !bytes.Equal(rec.Data, first.Data) {
			t.Fatalf("%v read again: %+v, %v; want %+v", first.Pos, rec, err, first)
		}
	}
}
