package crawl_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl"
	crawlparquet "github.com/lshclust/lshclust/crawl/internal/parquet"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

type fineWeb struct {
	Text     string            `parquet:"text,zstd"`
	ID       string            `parquet:"id"`
	Dump     string            `parquet:"dump,dict"`
	URL      string            `parquet:"url,optional"`
	Date     time.Time         `parquet:"date,timestamp(microsecond)"`
	Score    float64           `parquet:"score"`
	Tags     []string          `parquet:"tags,list"`
	Metadata struct{ X int64 } `parquet:"metadata"`
}

type index struct {
	URL      string `parquet:"url"`
	Filename string `parquet:"warc_filename"`
	Offset   int32  `parquet:"warc_record_offset"`
}

// madeBy is a row of paragraphs, with a text of JSON and seconds since 1970.
type madeBy struct {
	Text     []string `parquet:"text,list"`
	Metadata string   `parquet:"metadata"`
	TS       float64  `parquet:"ts"`
}

func TestParquet(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	trove := DataTrove{Text: "x", ID: 17}
	trove.Metadata.URL, trove.Metadata.Date = "https://a.example/", "2024-05-06"
	for _, c := range []struct {
		name string
		in   []byte
		m    []string
		want []string
		left string
	}{
		{
			"FineWeb", ParquetOf(t, []fineWeb{{Text: "one", URL: "https://a.example/1", Date: at}, {Text: "two", ID: "<urn:uuid:2>"}, {URL: "https://a.example/3"}, {Text: "four", URL: "https://a.example/4"}, {Text: "five", URL: "https://a.example/5"}}), nil,
			[]string{"https://a.example/1 text one", "<urn:uuid:2> text two", "https://a.example/4 text four", "https://a.example/5 text five"}, "empty-page=1",
		},
		{"datatrove", ParquetOf(t, []DataTrove{trove}), nil, []string{"https://a.example/ text x"}, ""},
		{"mapped", ParquetOf(t, []DataTrove{trove}), []string{"url=metadata.url", "text=metadata.date"}, []string{"https://a.example/ text 2024-05-06"}, ""},
		{
			"links", ParquetOf(t, []linkTable{{"https://a.example/", "https://b.example/", "apple", "the"}, {"https://a.example/", "/x", "", ""}, {"", "/y", "", ""}}), nil,
			[]string{"https://a.example/ → https://b.example/ [the|apple|]", "https://a.example/ → /x [||]"}, "no-url=1",
		},
		{"lists", ParquetOf(t, []listTable{{[]string{"https://a.example/1"}, []string{"one"}}}), nil, nil, "unknown-columns=1 url holds a column"},
		{"Common Crawl's index", ParquetOf(t, []index{{"https://a.example/", "x.warc.gz", 1}}), nil, nil, "unknown-columns=1 fetch these records"},
		{"columns that say nothing", ParquetOf(t, []struct{ A, B string }{{"x", "y"}}), nil, nil, "unknown-columns=1 the columns are A, B"},
		{
			"JSON and paragraphs", ParquetOf(t, []madeBy{{[]string{"one", "two"}, `{"url":"https://a.example/1","statusCode":200}`, 1714557600.5}, {[]string{"x"}, `{"url":"https://a.example/2","statusCode":404}`, 0}, {nil, "no object", 0}}), nil,
			[]string{"https://a.example/1 text one\ntwo"}, "empty-page=1 http-status=1",
		},
		{"no row that says anything", ParquetOf(t, []madeBy{{nil, "{}", 0}}), nil, nil, "unknown-columns=1 empty-page=1"},
		{"no row", ParquetOf(t, []linkTable{}), nil, nil, ""},
		{"LZ4", ParquetOf(t, []linkTable{{"https://a.example/", "https://b.example/", "apple", "the"}}, parquet.Compression(&parquet.Lz4Raw)), nil, []string{"https://a.example/ → https://b.example/ [the|apple|]"}, ""},
		{"only its begin", []byte("PAR1nonsense"), nil, nil, "bad-parquet=1"},
		{"a footer of 4 GB", []byte("PAR1nonsense\xff\xff\xff\xffPAR1"), nil, nil, "bad-parquet=1 a footer of 4294967295 bytes in a file of 20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := table.ParseMap(c.m...)
			if err != nil {
				t.Fatal(err)
			}
			o := record.Options{Map: m}
			inPlace, l, err := Read(t, ParquetFile(t, c.in), o)
			if err != nil {
				t.Fatal(err)
			}
			held(t, c.want, c.left, inPlace, l)
			packed, l, err := ReadBytes(t, Gzip(string(c.in)), o)
			if err != nil {
				t.Fatal(err)
			}
			held(t, c.want, c.left, packed, l)
		})
	}
}

// held compares pages and a ledger with the expected ones.
func held(t *testing.T, want []string, left string, pages []record.Page, l *crawl.Ledger) {
	t.Helper()
	if d := cmp.Diff(want, LinesOf(pages)); d != "" {
		t.Error(d)
	}
	reasons, detail, _ := strings.Cut(left, " ")
	if strings.Contains(detail, "=") { // another reason
		reasons, detail = left, ""
	}
	if got := LeftOut(l); got != reasons || detail != "" && !strings.Contains(l.Tallies()[0].Examples[0].Detail, detail) {
		t.Errorf("left out %+v, want %s", l.Tallies(), left)
	}
}

func TestParquetTimes(t *testing.T) {
	type row struct {
		URL  string    `parquet:"url"`
		Text string    `parquet:"text"`
		Time time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	}
	type days struct {
		URL  string `parquet:"url"`
		Text string `parquet:"text"`
		Date int32  `parquet:"date,date"`
	}
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for name, in := range map[string][]byte{
		"milliseconds": ParquetOf(t, []row{{"https://a.example/", "x", at}}),
		"days":         ParquetOf(t, []days{{"https://a.example/", "x", int32(at.Unix() / 86400)}}),
	} {
		pages, _, err := Read(t, ParquetFile(t, in), record.Options{})
		if err != nil || len(pages) != 1 || pages[0].Time.Format(time.DateOnly) != "2024-05-06" || name == "milliseconds" && !pages[0].Time.Equal(at) {
			t.Errorf("%s: %+v, %v", name, pages, err)
		}
	}
}

// TestParquetDamage checks that damage affects only the rest of its row group.
func TestParquetDamage(t *testing.T) {
	var rows []linkTable
	for range 6 {
		rows = append(rows, linkTable{"https://a.example/", "https://b.example/", "apple", "the"})
	}
	in := ParquetOf(t, rows)
	f, err := parquet.OpenFile(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		t.Fatal(err)
	}
	chunk := f.Metadata().RowGroups[1].Columns[1].MetaData
	for i := range chunk.TotalCompressedSize {
		in[chunk.DataPageOffset+i] ^= 0x5a
	}
	pages, l, err := Read(t, ParquetFile(t, in), record.Options{})
	if err != nil || len(pages) != 4 || l.Count(record.ReasonBadParquet) != 1 {
		t.Fatalf("%d pages, %+v, %v", len(pages), l.Tallies(), err)
	}
	if x := l.Tallies()[0].Examples[0]; x.Pos.Record != 3 || x.Pos.Offset <= 4 || !strings.Contains(x.Detail, "last 2 rows") {
		t.Errorf("%+v", x)
	}
}

// FuzzParquet checks that any file is read or left out without a panic, and that reading ends.
func FuzzParquet(f *testing.F) {
	f.Add(ParquetOf(f, []linkTable{{"https://a.example/", "https://b.example/", "apple", "the"}}))
	f.Add(ParquetOf(f, []paragraphs{{"https://a.example/1", []string{"one", "two"}}}))
	f.Add(ParquetOf(f, []fineWeb{{Text: "one", URL: "https://a.example/1", Tags: []string{"x"}}, {Text: "two"}, {ID: "x"}}))
	f.Fuzz(func(t *testing.T, in []byte) {
		if crawlparquet.Sniff(in) {
			ReadBytes(t, in, record.Options{})
		}
	})
}

type linkTable struct {
	Source string `parquet:"source,gzip"`
	Target string `parquet:"target"`
	Anchor string `parquet:"anchor_text,optional"`
	Before string `parquet:"before"`
}

type listTable struct {
	URL  []string `parquet:"url,list"`
	Text []string `parquet:"text,list"`
}

type paragraphs struct {
	URL  string   `parquet:"url"`
	Text []string `parquet:"text,list"`
}
