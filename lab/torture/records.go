package torture

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Records for inputs.

func warcRecord(kind, url, time, mime, block string, fields ...string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, url, time, strings.Join(fields, ""), mime, len(block), block)
}

// warcResponse returns a record with a page. head holds additional HTTP fields.
func warcResponse(url, time, head, html string, fields ...string) string {
	return warcRecord("response", url, time, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"+head+"\r\n"+html, fields...)
}

func watRecord(url, target, anchor string) string {
	return warcRecord("metadata", url, time1, "application/json", fmt.Sprintf(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":%q,"WARC-Date":%q},`+
		`"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":{"Head":{"Title":"a title"},"Links":[{"path":"A@/href","url":%q,"text":%q}]}}}}}`,
		url, time1, target, anchor))
}

// chunked returns a body in HTTP chunks.
func chunked(body string) string {
	var b strings.Builder
	for len(body) > 0 {
		n := min(len(body), 100)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b) //nolint:errcheck // writing to memory does not fail
	w.Close()
	return out.Bytes()
}

func lz4Frame(b []byte) []byte {
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	w.Write(b) //nolint:errcheck // writing to memory does not fail
	w.Close()
	return out.Bytes()
}

func snappy(b []byte) []byte {
	var out bytes.Buffer
	w := s2.NewWriter(&out, s2.WriterSnappyCompat())
	w.Write(b) //nolint:errcheck // writing to memory does not fail
	w.Close()
	return out.Bytes()
}

func frame(b []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are valid
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

var vocabulary = strings.Fields(`river mountain cheese bread wine letter engine harbour garden winter machine printer school bridge market
	paper island copper weather signal village kitchen battery museum forest theatre journey library railway painting ocean doctor`)

// sentence returns the nth of many sentences, the same in every call.
func sentence(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 77))
	var b strings.Builder
	for range 24 {
		b.WriteString(pick(r, vocabulary...) + " " + pick(r, "and the", "of a", "with some", "under the", "for many") + " ")
	}
	return b.String()
}
