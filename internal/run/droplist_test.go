package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// TestDropList checks that the list is sorted by place and does not depend on which worker drops what.
func TestDropList(t *testing.T) {
	inputs := []string{"/data/a.warc", "/data/b.jsonl"}
	var skips []*crawl.Skip
	for i := range 40 {
		for _, name := range inputs {
			at := crawl.Position{File: name, Offset: int64(1000 * i), Record: int64(i + 1)}
			skips = append(skips, &crawl.Skip{Pos: at, Reason: record.ReasonRecordType("metadata"), URL: fmt.Sprint("https://a.example/", i)})
		}
	}
	var want []byte
	for workers := 1; workers < 4; workers++ {
		l, err := NewDropList(t.TempDir(), inputs, 1<<20, workers)
		must(t, err)
		defer l.Close()
		drops := make([]Drops, workers)
		for i := range drops {
			drops[i] = l.Drops()
		}
		for i, s := range skips {
			must(t, drops[i%workers].Add(s))
		}
		page := crawl.Page{Warnings: []*crawl.Skip{{Pos: crawl.Position{File: inputs[0], Offset: 5, Record: 1}, Reason: record.ReasonOneMember}}}
		must(t, drops[0].AddPage(&page))
		if err := drops[0].Add(io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("an error that is no skip: %v", err)
		}
		total := crawl.Ledger{}
		for i := range drops {
			must(t, drops[i].Flush())
			total.Merge(&drops[i].Ledger)
		}
		path := filepath.Join(t.TempDir(), DroppedList)
		must(t, l.Write(t.Context(), path))
		got, err := os.ReadFile(path)
		must(t, err)
		if want == nil {
			want = got
		}
		if string(got) != string(want) {
			t.Errorf("another list with %d workers", workers)
		}
		n := int64(0)
		for _, x := range total.Tallies() {
			n += x.Count
		}
		checkDropList(t, path, n)
	}
}

func checkDropList(t *testing.T, path string, want int64) {
	t.Helper()
	n, last := int64(0), DroppedRow{}
	for row, err := range ReadDropped(path) {
		must(t, err)
		if n++; row.File < last.File || row.File == last.File && row.Record < last.Record {
			t.Errorf("%+v after %+v", row, last)
		}
		last = row
	}
	if n != want {
		t.Errorf("%d rows, counted %d", n, want)
	}
}

// TestDropListDamaged checks that a line that differs from what was written is reported as damage.
func TestDropListDamaged(t *testing.T) {
	dir := t.TempDir()
	l, err := NewDropList(dir, []string{"a"}, 1<<20, 1)
	must(t, err)
	defer l.Close()
	d := l.Drops()
	must(t, errors.Join(d.Add(&crawl.Skip{Pos: crawl.Position{File: "a"}, Reason: "x"}), d.Flush()))
	if _, err := l.file.WriteAt([]byte("?"), 3); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(t.Context(), filepath.Join(dir, "list")); err == nil {
		t.Error("no error")
	}
}
