package torture

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// specimen is a good input whose records are known.
type specimen struct {
	kind    string // suffix of its name
	head    []byte // before the records, not compressed
	records []record
	packing packing
	pack    func(b []byte) []byte // compresses each part, or all of it; nil: nothing is compressed
	lines   bool                  // the end of a line belongs to the record before it
	names   bool                  // the head names columns: without it no record can be read
	crawled bool                  // the records are pages, and not only links
	build   func(records []record) []byte
}

type record struct {
	data []byte
	url  string
}

type packing int

const (
	eachRecord packing = iota // records are compressed one by one, and can be read one by one
	allAtOnce                 // everything is compressed as one
	inItsOwn                  // the format has a structure of its own: build makes the file
)

// recordsOf is the number of records of a specimen.
const recordsOf = 10

// formats make one specimen each. host is the host of its pages; no other specimen uses it.
var formats = []func(r *rand.Rand, host string) specimen{
	func(r *rand.Rand, host string) specimen { return warcSpecimen(r, host, "warc", nil) },
	func(r *rand.Rand, host string) specimen { return warcSpecimen(r, host, "warc.gz", gzipped) },
	func(r *rand.Rand, host string) specimen { return warcSpecimen(r, host, "warc.zst", frame) },
	func(r *rand.Rand, host string) specimen {
		s := warcSpecimen(r, host, "one.warc.gz", gzipped)
		s.packing = allAtOnce
		return s
	},
	arcSpecimen, wetSpecimen, watSpecimen,
	func(r *rand.Rand, host string) specimen { return jsonSpecimen(r, host, "jsonl", nil) },
	func(r *rand.Rand, host string) specimen { return jsonSpecimen(r, host, "jsonl.gz", gzipped) },
	func(r *rand.Rand, host string) specimen { return jsonSpecimen(r, host, "jsonl.lz4", lz4Frame) },
	func(r *rand.Rand, host string) specimen { return jsonSpecimen(r, host, "jsonl.sz", snappy) },
	csvSpecimen, pagesCSVSpecimen, parquetSpecimen, zipSpecimen, tarSpecimen, waczSpecimen, nestedSpecimen, harSpecimen, arraySpecimen, mhtmlSpecimen, htmlSpecimen,
}

func pageURL(host string, i int) string {
	return fmt.Sprintf("https://%s/%s-%d", host, vocabulary[i], i)
}

// pageHTML returns a page that links to others.
func pageHTML(r *rand.Rand, host string, i int) string {
	n := r.IntN(1000)
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s %d</title></head><body><h1>%s</h1><p>%s <a href="%s">%s of the link</a> %s<ul><li>café — naïve &amp; more</ul><p>%s</body></html>`,
		vocabulary[i], i, vocabulary[n%30], sentence(n), pageURL(host, (i+1)%recordsOf), vocabulary[n%20], sentence(n+1), sentence(n+2))
}

// many makes the records of a specimen.
func many(host string, f func(i int, url string) string) (records []record) {
	for i := range recordsOf {
		url := pageURL(host, i)
		records = append(records, record{[]byte(f(i, url)), url})
	}
	return records
}

func warcSpecimen(r *rand.Rand, host, kind string, pack func([]byte) []byte) specimen {
	s := specimen{kind: kind, pack: pack, crawled: true, head: []byte("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: " + time1 + "\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n")}
	s.records = many(host, func(i int, url string) string {
		html := pageHTML(r, host, i)
		switch r.IntN(5) {
		case 0:
			return warcResponse(url, time1, "Transfer-Encoding: chunked\r\n", chunked(html))
		case 1:
			return warcResponse(url, time1, "Content-Encoding: gzip\r\n", string(gzipped([]byte(html))))
		}
		return warcResponse(url, time1, "", html, "WARC-Record-ID: <urn:uuid:1>\r\n")
	})
	return s
}

func arcSpecimen(r *rand.Rand, host string) specimen {
	kind := pick(r, "arc", "arc.gz")
	s := specimen{kind: kind, crawled: true, head: []byte("filedesc://test.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n         \n")}
	if kind == "arc.gz" {
		s.pack = gzipped
	}
	s.records = many(host, func(i int, url string) string {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + pageHTML(r, host, i)
		return fmt.Sprintf("\n%s 192.0.2.1 20080430204826 text/html %d\n%s", url, len(block), block)
	})
	return s
}

func wetSpecimen(r *rand.Rand, host string) specimen {
	return specimen{kind: "wet.gz", pack: gzipped, crawled: true, records: many(host, func(_ int, url string) string {
		return warcRecord("conversion", url, time1, "text/plain", sentence(r.IntN(1000)))
	})}
}

func watSpecimen(r *rand.Rand, host string) specimen {
	return specimen{kind: "wat", records: many(host, func(i int, url string) string {
		return watRecord(url, pageURL(host, (i+3)%recordsOf), sentence(r.IntN(1000))[:30])
	})}
}

func jsonSpecimen(r *rand.Rand, host, kind string, pack func([]byte) []byte) specimen {
	return specimen{kind: kind, pack: pack, packing: allAtOnce, lines: true, crawled: true, records: many(host, func(i int, url string) string {
		row := map[string]any{"url": url, "time": time1, "status": 200}
		if r.IntN(3) > 0 {
			row["html"] = pageHTML(r, host, i)
		} else {
			row["text"], row["title"] = sentence(r.IntN(1000)), "title"
		}
		b, err := json.Marshal(row)
		if err != nil {
			panic(err) // strings and numbers can be encoded
		}
		return string(b) + "\n"
	})}
}

func csvSpecimen(r *rand.Rand, host string) specimen {
	comma := pick(r, ",", ";", "\t")
	s := specimen{kind: "csv", packing: allAtOnce, lines: true, names: true, head: []byte("source" + comma + "target" + comma + "anchor" + comma + "before\n")}
	s.records = many(host, func(i int, url string) string {
		return url + comma + pageURL(host, (i+5)%recordsOf) + comma + `"words, of ""link"""` + comma + vocabulary[i] + "\n"
	})
	return s
}

func pagesCSVSpecimen(r *rand.Rand, host string) specimen {
	return specimen{kind: "csv", packing: allAtOnce, lines: true, names: true, crawled: true, head: []byte("url,title,text\n"), records: many(host, func(_ int, url string) string {
		return url + `,"a ""title""",` + sentence(r.IntN(1000)) + "\n"
	})}
}

// parquetRow has columns with several codecs and encodings.
type parquetRow struct {
	URL   string   `parquet:"url,zstd"`
	Text  string   `parquet:"text,snappy"`
	Title string   `parquet:"title,optional,dict"`
	Date  string   `parquet:"date,gzip,delta"`
	Tags  []string `parquet:"tags,list"`
}

func parquetSpecimen(r *rand.Rand, host string) specimen {
	rows := map[string]parquetRow{}
	s := specimen{kind: "parquet", packing: inItsOwn, crawled: true, records: many(host, func(_ int, url string) string {
		rows[url] = parquetRow{url, sentence(r.IntN(1000)), pick(r, "", "one", "two"), time1, []string{"a", "b"}[:r.IntN(3)]}
		return url
	})}
	s.build = func(records []record) []byte {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[parquetRow](&b, parquet.MaxRowsPerRowGroup(4))
		for _, rec := range records {
			if _, err := w.Write([]parquetRow{rows[rec.url]}); err != nil {
				panic(err) // writing to memory does not fail
			}
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	return s
}

func zipOf(records []record, name func(i int) string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, rec := range records {
		method := zip.Deflate
		if i%2 == 0 {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name(i), Method: method})
		if err == nil {
			_, err = w.Write(rec.data)
		}
		if err != nil {
			panic(err) // writing to memory does not fail
		}
	}
	z.Close()
	return b.Bytes()
}

// zipSpecimen is a zip archive of HTML. --base names its pages, so it has no host of its own.
func zipSpecimen(r *rand.Rand, host string) specimen {
	s := specimen{kind: "zip", packing: inItsOwn, records: many(host, func(i int, _ string) string { return pageHTML(r, host, i) })}
	s.build = func(records []record) []byte {
		return zipOf(records, func(i int) string { return fmt.Sprintf("%s/%d.html", host, i) })
	}
	return s
}

// tarSpecimen is zipSpecimen in a tar archive.
func tarSpecimen(r *rand.Rand, host string) specimen {
	s := zipSpecimen(r, host)
	s.kind, s.build = "tar", func(records []record) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for i, rec := range records {
			_ = w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%s/%d.html", host, i), Size: int64(len(rec.data)), Mode: 0o644})
			_, _ = w.Write(rec.data)
		}
		_ = w.Close()
		return b.Bytes()
	}
	return s
}

// nestedSpecimen is a zip archive of WACZ.
func nestedSpecimen(r *rand.Rand, host string) specimen {
	s := waczSpecimen(r, host)
	build := s.build
	s.kind, s.build = "zip", func(records []record) []byte {
		half := len(records) / 2
		parts := []record{{data: build(records[:half])}, {data: build(records[half:])}}
		return zipOf(parts, func(i int) string { return fmt.Sprintf("%d.wacz", i) })
	}
	return s
}

// wrapped returns a specimen of JSON objects between a head and an end, with commas.
func wrapped(kind, head, end string, records []record) specimen {
	return specimen{kind: kind, packing: inItsOwn, crawled: true, records: records, build: func(records []record) []byte {
		var parts [][]byte
		for _, rec := range records {
			parts = append(parts, bytes.TrimSpace(rec.data))
		}
		return slices.Concat([]byte(head), bytes.Join(parts, []byte(",\n")), []byte(end))
	}}
}

func arraySpecimen(r *rand.Rand, host string) specimen {
	return wrapped("json", "[\n", "\n]\n", jsonSpecimen(r, host, "", nil).records)
}

func harSpecimen(r *rand.Rand, host string) specimen {
	return wrapped("har", `{"log":{"version":"1.2","entries":[`+"\n", "]}}\n", many(host, func(i int, url string) string {
		html, _ := json.Marshal(pageHTML(r, host, i))
		return fmt.Sprintf(`{"startedDateTime":%q,"request":{"method":"GET","url":%q},"response":{"status":200,"content":{"mimeType":"text/html","text":%s}}}`, time1, url, html)
	}))
}

// mhtmlSpecimen is one page.
func mhtmlSpecimen(r *rand.Rand, host string) specimen {
	url := pageURL(host, 0)
	head := "MIME-Version: 1.0\r\nSnapshot-Content-Location: " + url + "\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n"
	return specimen{kind: "mhtml", packing: inItsOwn, crawled: true, records: []record{{[]byte(pageHTML(r, host, 0)), url}}, build: func(records []record) []byte {
		out := []byte(head)
		for _, rec := range records {
			out = append(out, rec.data...)
		}
		return append(out, "\r\n--b--\r\n"...)
	}}
}

func waczSpecimen(r *rand.Rand, host string) specimen {
	inner := warcSpecimen(r, host, "", nil)
	s := specimen{kind: "wacz", packing: inItsOwn, crawled: true, records: inner.records}
	s.build = func(records []record) []byte {
		var plain, packed []byte
		for i, rec := range records {
			if i%2 == 0 {
				plain = append(plain, rec.data...)
			} else {
				packed = append(packed, gzipped(rec.data)...)
			}
		}
		names := []string{"archive/a.warc", "archive/b.warc.gz", "pages/pages.jsonl", "datapackage.json"}
		texts := fmt.Sprintf("{\"format\": \"json-pages-1.0\"}\n{\"url\": %q, \"text\": %q}\n", pageURL(host, 0), sentence(1))
		return zipOf([]record{{data: plain}, {data: packed}, {data: []byte(texts)}, {data: []byte("{}")}}, func(i int) string { return names[i] })
	}
	return s
}

func htmlSpecimen(r *rand.Rand, host string) specimen {
	return specimen{kind: "html", packing: allAtOnce, records: []record{{[]byte(pageHTML(r, host, 0)), ""}}}
}

// file makes the file of the specimen and says of each record whether it survives damage elsewhere.
func (s *specimen) file() []byte {
	var b []byte
	for _, part := range s.parts() {
		b = append(b, part...)
	}
	return b
}

// parts returns the parts of the file: the head, if there is one, and then each record, if records are compressed one
// by one.
func (s *specimen) parts() [][]byte {
	switch s.packing {
	case inItsOwn:
		return [][]byte{s.build(s.records)}
	case allAtOnce:
		return [][]byte{s.packed(s.plain())}
	}
	parts := [][]byte{s.packed(s.head)}
	for _, r := range s.records {
		parts = append(parts, s.packed(r.data))
	}
	return parts
}

func (s *specimen) packed(b []byte) []byte {
	if s.pack == nil || len(b) == 0 {
		return b
	}
	return s.pack(b)
}

// plain returns the whole file without compression.
func (s *specimen) plain() []byte {
	b := bytes.Clone(s.head)
	for _, r := range s.records {
		b = append(b, r.data...)
	}
	return b
}

// mutant is a damaged copy of a specimen.
type mutant struct {
	specimen
	name  string // name of its file
	data  []byte
	sound []string // URLs of the records that the damage leaves intact
	how   string
}

// others returns the URLs of all records but one.
func (s *specimen) others(i int) (urls []string) {
	for j, r := range s.records {
		if j != i && r.url != "" {
			urls = append(urls, r.url)
		}
	}
	return urls
}
