package skew

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// writer writes content of a given size.
type writer func(w io.Writer, size int64) error

// unit is the content of bombs: the shortest possible words, which cost most to read.
const unit = "a b c d e f g h i j k l m n o p "

// fill writes size bytes of a repeated unit.
func fill(w io.Writer, unit string, size int64) error {
	block := []byte(strings.Repeat(unit, max(1, 64<<10/len(unit))))
	for size > 0 {
		n, err := w.Write(block[:min(int64(len(block)), size)])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}

// around writes a start and an end, with fill for the rest of the size between them.
func around(w io.Writer, before, behind string, size int64) error {
	if _, err := io.WriteString(w, before); err != nil {
		return err
	}
	if err := fill(w, unit, size-int64(len(before)+len(behind))); err != nil {
		return err
	}
	_, err := io.WriteString(w, behind)
	return err
}

func page(w io.Writer, size int64) error {
	return around(w, "<html><title>Bomb</title><body><p>", "</body></html>\n", size)
}

func jsonLine(w io.Writer, size int64) error {
	return around(w, `{"url":"https://bomb.example/","html":"<p>`, "\"}\n", size)
}

// longLines writes many lines that are just short enough to be read.
func longLines(w io.Writer, size int64) error {
	for i, line := 0, int64(40e6); size > 0; i++ {
		if err := around(w, fmt.Sprintf(`{"url":"https://bomb.example/%d","html":"<p>`, i), "\"}\n", min(line, max(size, 200))); err != nil {
			return err
		}
		size -= line
	}
	return nil
}

func csvCell(w io.Writer, size int64) error {
	return around(w, "url,html\nhttps://bomb.example/,\"<p>", "\"\n", size)
}

// zipped compresses the output of a writer.
func zipped(write writer) writer {
	return func(w io.Writer, size int64) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		return cmp.Or(write(z, size), z.Close())
	}
}

var (
	jsonlBomb = zipped(jsonLine)
	csvBomb   = zipped(csvCell)
	warcBomb  = zipped(func(w io.Writer, size int64) error { return record(w, "", size, page) })
)

// record writes a WARC record of a response with a body of the given size.
func record(w io.Writer, header string, size int64, body writer) error {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + header + "\r\n"
	_, err := fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://bomb.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s", int64(len(head))+size, head)
	if err == nil {
		err = body(w, size)
	}
	if err == nil {
		_, err = io.WriteString(w, "\r\n\r\n")
	}
	return err
}

// bodyBomb compresses the body of the response, not the archive.
func bodyBomb(w io.Writer, size int64) error {
	var n counter
	if err := zipped(page)(&n, size); err != nil {
		return err
	}
	return record(w, "Content-Encoding: gzip\r\n", int64(n), func(w io.Writer, _ int64) error { return zipped(page)(w, size) })
}

// counter counts the bytes that are written.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// zipBomb writes a zip archive with one file.
func zipBomb(name string, write writer) writer {
	return func(w io.Writer, size int64) error {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		return cmp.Or(write(f, size), z.Close())
	}
}
