package crawl_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/record"
)

// specimensOf makes good files of every format.
func specimensOf(t *testing.T) (out []specimen) {
	const pages = 40
	many := func(f func(i int) []byte) (list [][]byte) {
		for i := range pages {
			list = append(list, f(i))
		}
		return list
	}
	add := func(s specimen, prefix []byte, list [][]byte) {
		if prefix != nil {
			s.pieces = append(s.pieces, piece{data: prefix})
		}
		for i, b := range list {
			s.pieces = append(s.pieces, piece{b, s.hashes(t, prefix, b, i)})
		}
		out = append(out, s)
	}
	warc := many(func(i int) []byte { return []byte(WarcPage(i)) })
	wet := many(func(i int) []byte {
		return []byte(strings.Replace(WarcRecord("conversion", fmt.Sprintf("http://example.org/%d", i), fmt.Sprintf("text %d of a page", i)), "application/http; msgtype=response", "text/plain", 1))
	})
	wat := many(func(i int) []byte {
		records := WatRecords(fmt.Sprintf(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"http://example.org/%d"},"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":{"Head":{"Title":"page %d"},"Links":[{"path":"A@/href","url":"/x%d","text":"words %d"}]}}}}}`, i, i, i, i))
		return []byte(records[len(records)-1])
	})
	arc := many(func(i int) []byte { return []byte(ArcPage(i)) })
	line := many(func(i int) []byte {
		return fmt.Appendf(nil, `{"url":"http://example.org/%d","html":"<p>page %d %s"}`+"\n", i, i, strings.Repeat("x", 5*i))
	})
	pretty := many(func(i int) []byte {
		return fmt.Appendf(nil, "  {\n    \"url\": \"http://example.org/%d\",\n    \"tags\": [\n      {\n        \"n\": [1]\n      }\n    ],\n    \"html\": \"<p>page %d \\\"%s\"\n  },\n", i, i, strings.Repeat("x", 5*i))
	})
	entry := many(func(i int) []byte {
		return fmt.Appendf(nil, `{"startedDateTime":"2024-05-01T10:00:00Z","request":{"url":"http://example.org/%d"},"response":{"status":200,"content":{"mimeType":"text/html","text":"<p>page %d"}}},`+"\n", i, i)
	})
	row := many(func(i int) []byte {
		return fmt.Appendf(nil, "http://example.org/%d,http://example.com/t%d,words of the link %d\n", i, i, i)
	})
	members := func(list [][]byte) [][]byte {
		return many(func(i int) []byte { return Gzip(string(list[i])) })
	}
	frames := many(func(i int) []byte { return Zstd(nil, string(warc[i])) })
	archive := bytes.Join(members(warc), nil)
	offsets, at := []int{}, 0
	for _, m := range members(warc) {
		offsets = append(offsets, at)
		at += len(m)
	}
	index := many(func(i int) []byte {
		return fmt.Appendf(nil, `org,example)/%d 20200102030405 {"url": "http://example.org/%d", "mime": "text/html", "status": "200", "offset": "%d", "filename": "beside.warc.gz"}`+"\n", i, i, offsets[i])
	})
	add(specimen{name: "x.warc"}, nil, warc)
	add(specimen{name: "x.warc.gz"}, nil, members(warc))
	add(specimen{name: "x.warc.zst"}, nil, frames)
	add(specimen{name: "x.arc"}, []byte(ArcHead), arc)
	add(specimen{name: "x.arc.gz"}, Gzip(ArcHead), members(arc))
	add(specimen{name: "x.wet.gz"}, nil, members(wet))
	add(specimen{name: "x.wat"}, nil, wat)
	add(specimen{name: "x.wat.gz"}, nil, members(wat))
	add(specimen{name: "x.jsonl", lines: true}, nil, line)
	add(specimen{name: "array.json", lines: true, head: 1}, []byte("[\n"), pretty)
	add(specimen{name: "x.har", whole: true, head: 1}, []byte(`{"log": {"version": "1.2", "entries": [`+"\n"), entry)
	add(specimen{name: "m.jsonl.gz"}, nil, members(line))
	add(specimen{name: "x.csv", lines: true, head: 1}, []byte("source,target,anchor\n"), row)
	add(specimen{name: "x.cdxj", lines: true, beside: map[string][]byte{"beside.warc.gz": archive}}, nil, index)
	out = append(out,
		wholeSpecimen(t, "line.json", []byte("["+strings.ReplaceAll(string(bytes.Join(line, nil)), "\n", ",")+"]")),
		wholeSpecimen(t, "one.jsonl.gz", Gzip(string(bytes.Join(line, nil)))),
		wholeSpecimen(t, "x.tsv.zst", Zstd(nil, "source\ttarget\tanchor\n"+strings.ReplaceAll(string(bytes.Join(row, nil)), ",", "\t"))),
		wholeSpecimen(t, "x.html", []byte("<!doctype html><title>t</title>"+strings.Repeat("<p>one <a href=/x>two</a>", 100))),
		wholeSpecimen(t, "x.wacz", fileOf(t, writeZip(t, "x", nil, zipEntry{"archive/a.warc.gz", zip.Store, archive}, zipEntry{"archive/b.warc.gz", zip.Deflate, Gzip(WarcPage(50))},
			zipEntry{"pages/pages.jsonl", zip.Deflate, []byte(waczPages)}))),
		wholeSpecimen(t, "x.zip", fileOf(t, writeZip(t, "x", nil, zipEntry{"a/index.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")}))),
		wholeSpecimen(t, "x.tar", tarOf(t, zipEntry{name: "a.html", data: []byte("<p>a")}, zipEntry{name: "b.warc.gz", data: archive}, zipEntry{name: "c.html", data: []byte("<p>c")})),
		wholeSpecimen(t, "x.mht", []byte(mhtmlOf("quoted-printable", "<p>caf=E9"))),
		wholeSpecimen(t, "two.warc.bz2", fileOf(t, "testdata/two.warc.bz2")),
		wholeSpecimen(t, "two.warc.xz", fileOf(t, "testdata/two.warc.xz")),
		wholeSpecimen(t, "x.warc.lz4", packedBy(".lz4", string(bytes.Join(warc, nil)))),
		wholeSpecimen(t, "x.jsonl.sz", packedBy(".sz", string(bytes.Join(line, nil)))),
		wholeSpecimen(t, "x.csv.br", packedBy(".br", "source,target,anchor\n"+string(bytes.Join(row, nil)))),
		wholeSpecimen(t, "m.wacz", zipOf(t, zipEntry{"x.wacz", zip.Store, zipOf(t, zipEntry{"archive/a.warc.gz", zip.Store, archive})})),
		wholeSpecimen(t, "lz4.parquet", ParquetOf(t, []DataTrove{{Text: "one", ID: 1}, {Text: "two", ID: 2}, {Text: "three", ID: 3}}, parquet.Compression(&parquet.Lz4Raw))),
		wholeSpecimen(t, "x.parquet", ParquetOf(t, []DataTrove{{Text: "one", ID: 1}, {Text: "two", ID: 2}, {Text: "three", ID: 3}})),
	)
	return out
}

func fileOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// wholeSpecimen returns a file that consists of one piece.
func wholeSpecimen(t *testing.T, name string, b []byte) specimen {
	s := specimen{name: name, whole: true}
	s.pieces = []piece{{b, s.hashes(t, nil, b, 0)}}
	return s
}

// hashes returns the hashes of the pages in one piece.
func (s *specimen) hashes(t *testing.T, prefix, b []byte, i int) []uint64 {
	t.Helper()
	out := survive(t.Context(), s.write(t, t.TempDir(), append(bytes.Clone(prefix), b...)), record.Options{})
	if out.err != nil || len(out.pages) == 0 {
		t.Fatalf("%s: piece %d: %d pages, %v", s.name, i, len(out.pages), out.err)
	}
	return slices.Collect(maps.Keys(out.pages))
}
