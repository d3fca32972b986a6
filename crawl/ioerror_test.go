package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// badDisk returns an error for everything after its bytes, however often it is read.
type badDisk struct{ r io.Reader }

var errDisk = errors.New("input/output error")

func (b badDisk) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil {
		err = errDisk
	}
	return n, err
}

// TestBadDisk checks for every source and compression that reading ends at an error of the file.
func TestBadDisk(t *testing.T) {
	table := "source,target\nhttps://a.example/,https://b.example/\n"
	for name, in := range map[string][]byte{
		"x.warc": []byte(WarcPage(1) + WarcPage(2)), "x.warc.gz": Gzip(WarcPage(1), WarcPage(2)), "x.warc.zst": Zstd(nil, WarcPage(1), WarcPage(2)),
		"x.arc.gz": Gzip(ArcHead, ArcPage(1)), "x.jsonl.gz": Gzip(`{"url":"https://a.example/","html":"<p>"}` + "\n"), "x.csv.gz": Gzip(table), "x.csv.zst": Zstd(nil, table),
		"x.csv": []byte(table), "x.cdxj.gz": Gzip("!meta {}\n"), "x.parquet.gz": Gzip("PAR1"), "x.html.gz": Gzip("<html>"),
	} {
		for _, cut := range []int{0, 1, len(in) / 2} {
			src, err := crawl.NewSource(name, badDisk{bytes.NewReader(in[:len(in)-cut])}, record.Options{})
			if err != nil {
				t.Fatal(name, err)
			}
			damaged := 0
			for _, err := range src.Records(context.Background()) {
				var s *record.Skip
				if errors.As(err, &s) && s.Reason.Damage() {
					damaged++
				}
				if damaged > 3 {
					t.Fatalf("%s without %d bytes: it goes on with %v", name, cut, err)
				}
			}
			if damaged == 0 && name != "x.html.gz" { // decoding the page reports it
				t.Errorf("%s without %d bytes: the error is not reported", name, cut)
			}
			src.Close()
		}
	}
}
