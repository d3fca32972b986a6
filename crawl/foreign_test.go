package crawl_test

import (
	"archive/zip"
	"errors"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// What is not read is named, with what to do.
func TestForeign(t *testing.T) {
	xlsx := zipOf(t, zipEntry{"[Content_Types].xml", zip.Store, nil}, zipEntry{"xl/workbook.xml", zip.Store, []byte("<x/>")})
	ods := zipOf(t, zipEntry{"mimetype", zip.Store, nil}, zipEntry{"content.xml", zip.Store, nil})
	for in, want := range map[string]string{
		"%PDF-1.4\n": "pdftotext", "ZIM\x04\x06\x00": "zimdump", "ARROW1\x00\x00": "Parquet", "ORC\x11": "Parquet", "Obj\x01\x04": "Avro", "SQLite format 3\x00": "warcdb",
		"SEQ\x06\x19org": "Hadoop", "7z\xbc\xaf\x27\x1c": "7z x", "Rar!\x1a\x07\x01": "unrar", "bplist00\xd1\x01": "textutil", "\x89PNG\r\n\x1a\n": "image", "\x7fELF\x02": "program",
		"# v2 git bundle\n": "git clone", "PARE\x00": "decrypt", "{\\rtf1 x}": "Rich Text", "PAR1": "", "ORCID,url,text\n1,https://a.example/,x\n": "", "PARENT,url,text\n": "", "MZ,url,text\n1,https://a.example/,x\n": "", "\x00\x00\x00\x18ftypmp42": "video",
		"<mediawiki xml:lang=\"en\">\n": "wikiextractor", "<?xml version=\"1.0\"?>\n<!-- x > y -->\n<rss version=\"2.0\">": "a feed", "<urlset>": "a sitemap", "<DOC>\n<DOCNO>A</DOCNO>": "TREC",
		"<?xml version=\"1.0\"?><posts><row/></posts>": "XML with the root posts", "<?xml version=\"1.0\"?><!DOCTYPE html><html><p>x": "", "<p>x": "",
		"https://a.example/\nhttps://a.example/b,c\n": "a list of URLs", "url\nhttps://a.example/\n": "a list of URLs", "crawl-data/x/warc/a.warc.gz\ncrawl-data/x/warc/b.warc.gz\n": "commoncrawl.org",
		"0\tcom.example\n1\torg.example\n": "web graph", "0\t1\n1\t2\n": "web graph", "com,example)/ 2020\tcdx-00000.gz\t0\t100\t1\n": "sharded index",
		"<http://a.example/> <http://b.example/p> \"x\" .\n": "RDF", string(xlsx): "CSV", string(ods): "OpenDocument", "PK\x05\x06" + strings.Repeat("\x00", 18): "",
	} {
		_, err := crawl.NewSource("file", strings.NewReader(in), record.Options{})
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", in, err)
			}
		} else if !errors.Is(err, record.ReasonUnsupportedFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", in, err, want)
		}
	}
}
