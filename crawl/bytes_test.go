package crawl_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
	"golang.org/x/net/html/charset"

	"github.com/lshclust/lshclust/crawl/record"
)

// The bytes of a page are read alike wherever they come from: with a declaration of their charset, and with a mark if it
// had to be guessed. Bytes that are no text are no page.
func TestBytesOfPages(t *testing.T) {
	const words = "Смотритель маяка каждый вечер пишет в журнал о ветре и кораблях на завтра"
	in := func(name, s string) string {
		enc, _ := charset.Lookup(name)
		out, err := enc.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(in("koi8-r", "<meta charset=koi8-r><p>"+words)))
	z.Close()
	for _, c := range []struct{ name, body, charset, trouble string }{
		{"declared", in("windows-1251", "<script charset=utf-8></script><meta charset=windows-1251><p>"+words), "windows-1251", ""},
		{"undeclared", in("windows-1251", "<p>"+words), "windows-1251", "charset-guessed"},
		{"UTF-16 without a mark", in("utf-16le", "<p>"+words), "utf-16le", ""},
		{"packed", packed.String(), "koi8-r", ""},
		{"an image", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x02", "", "not-html"},
	} {
		type row struct {
			URL  string `parquet:"url"`
			HTML []byte `parquet:"html"`
		}
		var table bytes.Buffer
		if err := parquet.Write(&table, []row{{"https://a.example/", []byte(c.body)}}); err != nil {
			t.Fatal(err)
		}
		inputs := map[string][]byte{
			"warc":    []byte(WarcRecord("response", "https://a.example/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+c.body)),
			"parquet": table.Bytes(),
		}
		if !strings.Contains(c.body, "\x00") && c.name != "packed" {
			inputs["csv"] = []byte("url,html\nhttps://a.example/,\"" + strings.ReplaceAll(c.body, `"`, `""`) + "\"\n")
			inputs["jsonl"] = []byte(`{"url":"https://a.example/","html":"` + c.body + "\"}\n")
		}
		for format, b := range inputs {
			pages, l, err := ReadBytes(t, b, record.Options{})
			trouble := ""
			for _, row := range l.Tallies() {
				trouble += string(row.Reason)
			}
			got := ""
			if len(pages) > 0 {
				got = pages[0].Charset
			}
			if err != nil || trouble != c.trouble || got != c.charset || got != "" && !strings.Contains(string(pages[0].HTML), words) {
				t.Errorf("%s in %s: %v, %q, charset %q, %d pages", c.name, format, err, trouble, got, len(pages))
			}
		}
	}
	for _, table := range []string{"url,title,text\nhttps://a.example/,Маяк," + words + "\n", "source,target,anchor\nhttps://a.example/,https://b.example/,Маяк и " + words + "\n"} {
		pages, _, err := ReadBytes(t, []byte(in("windows-1251", table)), record.Options{})
		if err != nil || len(pages) != 1 || !strings.Contains(string(pages[0].Text)+pages[0].Title, "Маяк") && !strings.Contains(pages[0].Links[0].Anchor, "Маяк") {
			t.Errorf("%v, %+v", err, pages)
		}
	}
}
