package parquet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/parquet"
	"github.com/lshclust/lshclust/crawl/record"
	parquetgo "github.com/parquet-go/parquet-go"
)

// A Parquet file of two pages. The names of the columns say what they mean.
func Example() {
	type row struct {
		ID   int64  `parquet:"id"`
		URL  string `parquet:"url"`
		Text string `parquet:"text"`
	}
	var file bytes.Buffer
	if err := parquetgo.Write(&file, []row{{1, "http://www.example.org/a/", "one"}, {2, "mailto:a@example.org", "two"}}); err != nil {
		fmt.Println(err)
		return
	}
	r := bytes.NewReader(file.Bytes())
	m, err := stream.NewMembers(stream.New("pages.parquet", io.NopCloser(r), r, r.Size()), 0)
	if err == nil {
		err = m.Next()
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	src := parquet.Open(m, record.Options{}.WithDefaults())
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
		fmt.Printf("%s %s, row %d\n", page.Canonical, page.Text, page.Pos.Record)
	}
	// Output:
	// https://example.org/a one, row 1
	// left out: not-http-url
}
