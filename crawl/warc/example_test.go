package warc_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/warc"
)

// A WARC file of a response and a request, each a gzip member.
func Example() {
	var file bytes.Buffer
	write := func(kind, block string) {
		z := gzip.NewWriter(&file)
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://www.example.org/index.html\r\n"+
			"WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, len(block), block)
		z.Close()
	}
	write("response", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Example</title>")
	write("request", "GET /index.html HTTP/1.1\r\n\r\n")

	r := bytes.NewReader(file.Bytes())
	m, err := stream.NewMembers(stream.New("crawl.warc.gz", io.NopCloser(r), r, r.Size()), 0)
	if err == nil {
		err = m.Next()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	src := warc.Open(m, record.Options{}.WithDefaults())
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		var page record.Page
		if err == nil {
			page, err = rec.Page()
		}
		if skip := (*record.Skip)(nil); errors.As(err, &skip) {
			fmt.Println("left out:", skip.Reason)
			continue
		}
		fmt.Printf("%s, captured on %s: %s\n", page.Canonical, page.Time.Format("2 January 2006"), page.HTML)
	}
	// Output:
	// https://example.org, captured on 2 January 2020: <title>Example</title>
	// left out: warc-request
}
