package stream_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
)

// A file of three gzip members, of which the second is damaged: after Resync, the third is read.
func Example() {
	var file bytes.Buffer
	for _, text := range []string{"first", "second", "third"} {
		z := gzip.NewWriter(&file)
		fmt.Fprint(z, text)
		z.Close()
	}
	b := file.Bytes()
	b[len(b)/2] ^= 0xff

	r := bytes.NewReader(b)
	m, err := stream.NewMembers(stream.New("texts.gz", io.NopCloser(r), r, r.Size()), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	for err = m.Next(); !errors.Is(err, io.EOF); {
		var text []byte
		if err == nil {
			text, err = io.ReadAll(m.Buf)
		}
		if err != nil {
			fmt.Println(m.Damaged(err).Reason)
			_, err = m.Resync(stream.IsText)
			continue
		}
		fmt.Printf("%s\n", text)
		err = m.Next()
	}
	// Output:
	// first
	// bad-gzip
	// third
}
