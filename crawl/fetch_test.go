package crawl_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func revisitOf(url, fields string) string {
	r := WarcRecord("revisit", url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
	return strings.Replace(r, "WARC-Date: ", fields+"WARC-Date: ", 1)
}

// TestFetcher reads every record again by its position, in ascending and descending order.
func TestFetcher(t *testing.T) {
	rev := revisitOf("http://example.org/r", "WARC-Payload-Digest: sha1:AA\r\nWARC-Refers-To-Target-URI: <http://www.example.org/1>\r\nWARC-Refers-To-Date: 2019-01-02T03:04:05Z\r\n")
	dict := Dictionary(t)
	for name, in := range map[string][]byte{
		"plain.warc": []byte(WarcPage(1) + rev + WarcPage(2)), "a.warc.gz": Gzip(WarcPage(1), rev, WarcPage(2)+WarcPage(3)), "one.warc.gz": Gzip(WarcPage(1) + rev + WarcPage(2)),
		"a.warc.zst": append(Skippable(0x184d2a5d, dict), Zstd(dict, WarcPage(1), rev, WarcPage(2))...), "a.arc.gz": Gzip(ArcHead, ArcPage(1), ArcPage(2)),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, in, 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := crawl.Open(path, record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			var records []*record.Record
			for rec, err := range src.Records(t.Context()) {
				if err == nil {
					records = append(records, rec)
				}
			}
			if len(records) < 2 {
				t.Fatal(len(records))
			}
			f := crawl.Fetcher{}
			defer f.Close()
			for i := range 2 * len(records) {
				want := records[min(i, 2*len(records)-1-i)]
				got, err := f.Record(want.Pos)
				if err != nil || got.URL != want.URL || !bytes.Equal(got.Data, want.Data) || got.Pos != want.Pos {
					t.Fatalf("%v: %v, %v", want.Pos, got, err)
				}
			}
			if _, err := f.Record(record.Position{File: path, Offset: 5}); err == nil {
				t.Error("a record where none begins")
			}
			if v, ok := records[1].Revisit(); strings.Contains(name, "warc") != ok {
				t.Error(ok)
			} else if want := (record.Revisit{
				URL: "http://example.org/r", Canonical: "https://example.org/r", Time: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Digest: "sha1:AA",
				RefersURL: "https://example.org/1", RefersTo: time.Date(2019, 1, 2, 3, 4, 5, 0, time.UTC),
			}); ok && v != want {
				t.Errorf("%+v, want %+v", v, want)
			}
		})
	}
}
