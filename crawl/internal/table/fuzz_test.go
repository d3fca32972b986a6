package table_test

import (
	"bytes"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

// FuzzTable checks that a table is read in bounded steps, even if it consists of quotes, and that each of its rows is
// read or counted.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"source,target\na,b\n", "a.com\tb.com\n", "source;target;anchor\n\"x\";y;\"a\"\"b\"\n", "url,text\nx,\"y\nz\"\n", "source,target\n\"\\\"\",\"\"\"\n,\"\n"} {
		f.Add([]byte(s))
	}
	f.Add([]byte("s\x00o\x00u\x00r\x00c\x00e\x00,\x00t\x00a\x00r\x00g\x00e\x00t\x00\n\x00a\x00,\x00b\x00\n\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		src, err := crawl.NewSource("memory", bytes.NewReader(in), record.Options{MaxLine: 1 << 16})
		if err != nil {
			return
		}
		defer src.Close()
		records := 0
		for range src.Records(t.Context()) {
			records++
		}
		if records == 0 && bytes.Count(bytes.TrimSpace(in), []byte("\n")) > table.MaxPreamble {
			if _, _, n := table.FindHeader(bytes.TrimRight(in[:bytes.IndexByte(in, '\n')], "\r"), nil); n > 0 && len(bytes.TrimSpace(in[bytes.IndexByte(in, '\n'):])) > 0 {
				t.Fatalf("%q: nothing is read and nothing left out", in)
			}
		}
	})
}
