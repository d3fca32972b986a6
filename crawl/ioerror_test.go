package crawl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
)

// badDisk gives an error for all that is behind its bytes, whoever asks how often.
type badDisk struct{ r io.Reader }

var errDisk = errors.New("input/output error")

func (b badDisk) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err != nil {
		err = errDisk
	}
	return n, err
}

// A file that cannot be read any further ends, for every source and compression.
func TestBadDisk(t *testing.T) {
	table := "source,target\nhttps://a.example/,https://b.example/\n"
	for name, in := range map[string][]byte{
		"x.warc": []byte(warcPage(1) + warcPage(2)), "x.warc.gz": gz(warcPage(1), warcPage(2)), "x.warc.zst": zst(nil, warcPage(1), warcPage(2)),
		"x.arc.gz": gz(arcHead, arcPage(1)), "x.jsonl.gz": gz(`{"url":"https://a.example/","html":"<p>"}` + "\n"), "x.csv.gz": gz(table), "x.csv.zst": zst(nil, table),
		"x.csv": []byte(table), "x.cdxj.gz": gz("!meta {}\n"), "x.parquet.gz": gz("PAR1"), "x.html.gz": gz("<html>"),
	} {
		for _, cut := range []int{0, 1, len(in) / 2} {
			src, err := NewSource(name, badDisk{bytes.NewReader(in[:len(in)-cut])}, Options{})
			if err != nil {
				t.Fatal(name, err)
			}
			damaged := 0
			for _, err := range src.Records(context.Background()) {
				var s *Skip
				if errors.As(err, &s) && s.Reason.Damage() {
					damaged++
				}
				if damaged > 3 {
					t.Fatalf("%s without %d bytes: it goes on with %v", name, cut, err)
				}
			}
			if damaged == 0 && name != "x.html.gz" { // its page tells
				t.Errorf("%s without %d bytes: the error is not told", name, cut)
			}
			src.Close()
		}
	}
}
