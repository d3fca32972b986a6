//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

const okayLine = `{"url":"https://a.example/ok","html":"<p>fine"}` + "\n"

func linePage(html string) string {
	b, _ := json.Marshal(map[string]string{"url": "https://a.example/", "html": html})
	return string(b) + "\n"
}

func warcOf(i int, head, body string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + "\r\n" + body
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
}

// longRecord writes a record whose page is n bytes long.
func longRecord(w io.Writer, n int64) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"
	fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/long\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s", int64(len(head))+n, head)
	fill(w, "x", n)
	io.WriteString(w, "\r\n\r\n")
}

// fill writes a text again and again, n bytes in all.
func fill(w io.Writer, text string, n int64) {
	block := []byte(strings.Repeat(text, max(1, 64<<10/len(text))))
	for n > 0 {
		b := block[:min(n, int64(len(block)))]
		if _, err := w.Write(b); err != nil {
			return // its reader has gone
		}
		n -= int64(len(b))
	}
}

func gzipped(f func(w io.Writer)) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	f(z)
	z.Close()
	return b.Bytes()
}

func frame(f func(w io.Writer)) []byte {
	var b bytes.Buffer
	z, _ := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	f(z)
	z.Close()
	return b.Bytes()
}

func zipped(t *testing.T, entries map[string]func(w io.Writer)) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		entries[name](w)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func saying(s string) func(w io.Writer) { return func(w io.Writer) { io.WriteString(w, s) } }

type linkRow struct {
	Source string `parquet:"source"`
	Target string `parquet:"target"`
}

// parquetLinks is a table of links in two row groups.
func parquetLinks(t *testing.T) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[linkRow](&b, parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1), parquet.MaxRowsPerRowGroup(500))
	rows := make([]linkRow, 1000)
	for i := range rows {
		rows[i] = linkRow{fmt.Sprintf("https://a%d.example/", i), "https://b.example/"}
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
