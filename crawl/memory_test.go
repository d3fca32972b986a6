package crawl_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/peak"
)

// Reading an input that grows a thousandfold when it is decompressed takes little more than Options.Memory allows for its
// buffers, and gives the same result as with unlimited memory. Other formats are in lab/skew.
func TestReadersKeepToMemory(t *testing.T) {
	const size, memory, free = 16 << 20, 2 << 20, 4 << 20
	page := "<p>" + strings.Repeat("a b c d e f g h ", size/16)
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	for name, content := range map[string]string{
		"bomb.jsonl.gz": `{"url":"https://bomb.example/","html":"` + page + "\"}\n",
		"array.json.gz": "[1," + strings.Repeat(" ", 1<<20) + `{"url":"https://x.example/","html":"` + page + `"},{"url":"https://bomb.example/","html":"` + page + `"}`,
		"x.har.gz":      `{"log":{"entries":[{"request":{"url":"https://bomb.example/"},"response":{"status":200,"content":{"mimeType":"text/html","text":"` + page + `"}}}]}}`,
		"bomb.html.gz":  "<html>" + page,
		"x.mhtml.gz":    "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\nSnapshot-Content-Location: https://bomb.example/\n\n--b\nContent-Type: text/html\n\n" + page + "\n--b--\n",
		"x.tar.gz":      string(tarOf(t, zipEntry{name: "bomb.jsonl", data: []byte(`{"url":"https://bomb.example/","html":"` + page + "\"}\n")})),
		"m.wacz.gz":     string(zipOf(t, zipEntry{"a.wacz", zip.Store, zipOf(t, zipEntry{"archive/a.warc", zip.Store, []byte(WarcRecord("response", "https://bomb.example/", head+page))})})),
		"https.json.gz": `{"https://bomb.example/":"` + page + `","https://x.example/":"` + page + `"}`,
		"bomb.warc.gz": fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://bomb.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"+
			"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n", len(head)+len(page), head, page),
	} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write([]byte(content))
			z.Close()
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			want, wantSkips := readAll(t, path, crawl.Options{})
			var got, skips int64
			taken := peak.Of(func() { got, skips = readAll(t, path, crawl.Options{Memory: memory, TempDir: t.TempDir()}) })
			if taken > free {
				t.Errorf("%d MiB of live memory", taken>>20)
			}
			if got != want || skips != wantSkips || want < size {
				t.Errorf("%d bytes of pages and %d skips, without a bound %d and %d", got, skips, want, wantSkips)
			}
		})
	}
}

func readAll(t *testing.T, path string, o crawl.Options) (bytes, skips int64) {
	src, err := crawl.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			skips++
			continue
		}
		p, err := rec.Page()
		if err != nil {
			skips++
		}
		skips += int64(len(p.Warnings))
		bytes += int64(len(p.HTML) + len(p.Text))
		rec.Release()
	}
	return bytes, skips
}
