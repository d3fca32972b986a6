package run

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

var update = flag.Bool("update", false, "write the golden files anew")

// pageRows returns n pages, some of them with nulls.
func pageRows(n int) []PageRow {
	rows := make([]PageRow, n)
	for i := range rows {
		rows[i] = PageRow{
			ID: int64(i), URL: fmt.Sprintf("https://example.org/%d", i), URLSurtkey: fmt.Sprintf("org,example)/%d", i),
			URLHostName: "example.org", FetchTime: int64(i%3) * 1_600_000_000_000, Title: strings.Repeat("é", i%4),
			NTokens: int32(i), NShingles: int32(i) - 9, NInlinks: 3, NInlinkHosts: 2, Hreflang: []string{},
		}
		if i%3 == 0 {
			rows[i].Hreflang = []string{"de https://example.org/de", "fr https://example.org/fr"}
		}
		if i%2 == 0 {
			rows[i].TopicalClusterID, rows[i].SyntacticClusterID = fmt.Sprintf("%016x", i), fmt.Sprintf("%016x", i*i)
		}
	}
	return rows
}

// pairRows returns n pairs like those of the topical view: ten in a row for each url_a, with url_b drawn from the same
// documents.
func pairRows(n int) []TopicalPairRow {
	rng := rand.New(rand.NewPCG(1, 2))
	urls := make([]string, max(n/10, 1))
	for i := range urls {
		urls[i] = fmt.Sprintf("https://www.host%05d.example.org/section-%02d/article/%08x.html", rng.IntN(len(urls)/20+1), rng.IntN(40), rng.Uint32())
	}
	rows := make([]TopicalPairRow, n)
	for i := range rows {
		rows[i] = TopicalPairRow{urls[i/10%len(urls)], urls[rng.IntN(len(urls))], rng.Float32()}
	}
	return rows
}

func writeTable[T Row](t testing.TB, path string, rows []T) {
	t.Helper()
	w, err := CreateTable[T](path)
	must(t, err)
	for i := 0; i < len(rows); i += 1000 {
		must(t, w.Write(rows[i:min(i+1000, len(rows))]...))
	}
	must(t, w.Close())
}

func checkRoundTrip[T Row](t *testing.T, rows ...T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeTable(t, path, rows)
	var got []T
	for row, err := range ReadTable[T](path) {
		must(t, err)
		got = append(got, row)
	}
	if len(got) != len(rows) {
		t.Fatalf("%T: %d rows, not %d", rows, len(got), len(rows))
	}
	for i := range rows {
		if !reflect.DeepEqual(rows[i], got[i]) {
			t.Fatalf("row %d: %s", i, gocmp.Diff(rows[i], got[i]))
		}
	}
	if n, err := CountRows(path); err != nil || n != int64(len(rows)) {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestRoundTrip(t *testing.T) {
	checkRoundTrip(t, pageRows(5000)...)
	checkRoundTrip[PageRow](t)
	checkRoundTrip(t, RedirectRow{"https://a.example/", "https://b.example/", 2, "http", 1_600_000_000_000})
	checkRoundTrip(t, pairRows(rowGroupRows+7)...)
	checkRoundTrip(t,
		TopicalClusterRow{"https://a.example/", "00000000000000ff", 2, true, 1, []string{"go", "rust"}},
		TopicalClusterRow{"https://b.example/", "00000000000000ff", 2, false, 0.5, []string{}},
		TopicalClusterRow{"https://c.example/", "00000000000000fe", 1, true, 1, []string{""}})
	checkRoundTrip(t, SyntacticPairRow{"https://a.example/", "https://b.example/", 0.9, 0.95, 0.96, "similar"})
	checkRoundTrip(t, SyntacticClusterRow{"https://a.example/", "00000000000000ff", 2, true, "lexical"})
}

// TestSameBytes checks that the same rows give the same file however they are divided into calls of Write.
func TestSameBytes(t *testing.T) {
	sameBytes(t, pairRows(2*rowGroupRows+5))
	sameBytes(t, pageRows(rowGroupBytes/int(unsafe.Sizeof(PageRow{})))) // more than one row group, because of their size
	sameBytes(t, pageRows(0))
}

func sameBytes[T Row](t *testing.T, rows []T) {
	t.Helper()
	dir := t.TempDir()
	once, parts := filepath.Join(dir, "once"), filepath.Join(dir, "parts")
	w, err := CreateTable[T](once)
	must(t, errors.Join(err, w.Write(rows...), w.Close()))
	writeTable(t, parts, rows)
	a, errA := os.ReadFile(once)
	b, errB := os.ReadFile(parts)
	must(t, errors.Join(errA, errB))
	if !bytes.Equal(a, b) {
		t.Error("the files differ")
	}
}

func schemaOf[T Row]() string { return schemaText(parquet.SchemaOf(new(T))) }

// TestGoldenSchema fails if a column changes. If you meant to change it, raise FormatVersion and run with -update.
func TestGoldenSchema(t *testing.T) {
	got := fmt.Sprintf("format %d\n\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s", FormatVersion,
		PagesTable, schemaOf[PageRow](), RedirectsTable, schemaOf[RedirectRow](),
		TopicalPairsTable, schemaOf[TopicalPairRow](), TopicalClustersTable, schemaOf[TopicalClusterRow](),
		TopicalTreeTable, schemaOf[TopicalTreeRow](),
		SyntacticPairsTable, schemaOf[SyntacticPairRow](), SyntacticPairsTable+" of sketches", schemaOf[SyntacticEstimateRow](), SyntacticClustersTable, schemaOf[SyntacticClusterRow]())
	name := filepath.Join("testdata", "schema.golden")
	if *update {
		must(t, errors.Join(os.MkdirAll("testdata", 0o777), os.WriteFile(name, []byte(got), 0o666)))
	}
	want, err := os.ReadFile(name)
	must(t, err)
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestReadWrongTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeTable(t, path, pageRows(10))
	for _, err := range ReadTable[RedirectRow](path) {
		if !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	}
	for _, err := range ReadTable[RedirectRow](path + "x") {
		if !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

// TestReadDamaged checks that flipped and cut files give rows or an error that names the file, and never a panic.
func TestReadDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeTable(t, path, pageRows(50))
	good, err := os.ReadFile(path)
	must(t, err)
	read := func(b []byte) {
		must(t, os.WriteFile(path, b, 0o666))
		for _, err := range ReadTable[PageRow](path) {
			if err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("no file name in %v", err)
			}
		}
	}
	for i := 0; i < len(good); i += 97 {
		b := bytes.Clone(good)
		b[i] ^= byte(1 << (i / 97 % 8))
		read(b)
	}
	for n := 0; n < len(good); n += 307 {
		read(good[:n])
	}
}

func BenchmarkTopicalPairs(b *testing.B) {
	rows := pairRows(4 << 20)
	path := filepath.Join(b.TempDir(), TopicalPairsTable)
	start := cpuSeconds()
	for b.Loop() {
		writeTable(b, path, rows)
	}
	b.ReportMetric(float64(len(rows)*b.N)/(cpuSeconds()-start)/1e6, "Mrows/cpu-s")
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	in, err := DigestFile(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(in.Bytes)/float64(len(rows)), "bytes/row")
}

func BenchmarkReadPairs(b *testing.B) {
	rows := pairRows(1 << 20)
	path := filepath.Join(b.TempDir(), TopicalPairsTable)
	writeTable(b, path, rows)
	for b.Loop() {
		for _, err := range ReadTable[TopicalPairRow](path) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

// TestNullPatterns checks for every pattern of empty values in eight rows that exactly these are null.
func TestNullPatterns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	for pattern := range 1 << 8 {
		var rows []PageRow
		for i := range 8 {
			row := PageRow{ID: int64(i)}
			if pattern>>i&1 != 0 {
				row.PageLabel, row.FetchTime = "x", 1
			}
			rows = append(rows, row)
		}
		writeTable(t, path, rows)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := f.Stat()
		table, err := parquet.OpenFile(f, info.Size())
		if err != nil {
			t.Fatal(err)
		}
		read := table.RowGroups()[0].Rows()
		out := make([]parquet.Row, 8)
		if n, err := read.ReadRows(out); n != 8 && err != nil {
			t.Fatal(n, err)
		}
		for _, name := range []string{"label", "fetch_time"} {
			leaf, _ := table.Schema().Lookup(name)
			for i, row := range out {
				row.Range(func(column int, values []parquet.Value) bool {
					if column == leaf.ColumnIndex && values[0].IsNull() != (pattern>>i&1 == 0) {
						t.Errorf("pattern %08b: %s of row %d is %v", pattern, name, i, values[0])
					}
					return true
				})
			}
		}
		read.Close()
		f.Close()
	}
}
