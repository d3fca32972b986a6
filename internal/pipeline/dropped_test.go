package pipeline_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// ruined writes an archive of many records, some of which are not pages and some of which are damaged, and a JSONL file
// of that kind.
func ruined(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var w bytes.Buffer
	for i := range 100 {
		kind := "text/html"
		if i%5 == 0 {
			kind = "image/png"
		}
		body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n<title>page %d</title><a href=/%d>words %d</a>", kind, i, i/2, i)
		fmt.Fprintf(&w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/%d\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(body), body)
		if i%7 == 0 {
			w.WriteString("no record\r\n")
		}
	}
	var lines strings.Builder
	for i := range 100 {
		if i%3 == 0 {
			lines.WriteString("{broken\n")
		}
		fmt.Fprintf(&lines, `{"url":"https://b.example/%d","html":"<a href=https://a.example/%d>see %d</a>"}`+"\n", i, i, i)
	}
	for name, content := range map[string]string{"a.warc": w.String(), "b.jsonl": lines.String(), "c.csv": "nothing,known\n1,2\n"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666))
	}
	return folder
}

func list(t *testing.T, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, run.DroppedList))
	must(t, err)
	return b
}

func droppedRows(t *testing.T, dir string) (out []run.DroppedRow) {
	t.Helper()
	for row, err := range run.ReadDropped(filepath.Join(dir, run.DroppedList)) {
		must(t, err)
		out = append(out, row)
	}
	return out
}

// TestDroppedList checks that the list of what was dropped is complete and in order, and does not depend on workers
// and memory.
func TestDroppedList(t *testing.T) {
	in := ruined(t)
	files := []string{filepath.Join(in, "a.warc"), filepath.Join(in, "b.jsonl"), filepath.Join(in, "c.csv")}
	c := preset(t, "web")
	dir, m := cluster(t, c, pipeline.Options{Workers: 1}, files...)
	rows := droppedRows(t, dir)
	counts := map[string]int64{}
	for _, r := range rows {
		counts[filepath.Base(r.File)+" "+r.Reason]++
	}
	if d := cmp.Diff(map[string]int64{"a.warc not-html": 20, "a.warc bad-record": 15, "b.jsonl bad-json": 34, "c.csv unknown-columns": 1}, counts); d != "" {
		t.Error(d)
	}
	if !slices.IsSortedFunc(rows, func(a, b run.DroppedRow) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return int(a.Offset - b.Offset)
	}) {
		t.Error("not in the order of the places")
	}
	if r := rows[0]; r.Record != 1 || r.URL != "https://a.example/0" || r.Detail != "image/png" || r.Damage {
		t.Errorf("the first row is %+v", r)
	}
	if _, ok := m.Table(run.DroppedList); !ok {
		t.Error("the list is not in the manifest")
	}
	slices.Reverse(files)
	for _, o := range []pipeline.Options{{Workers: 2}, {Workers: 4, Memory: 1 << 18}} {
		again, _ := cluster(t, c, o, files...)
		if !bytes.Equal(list(t, dir), list(t, again)) {
			t.Errorf("another list with %d workers", o.Workers)
		}
	}
}

// TestDroppedListOfKept checks that warnings about pages that were kept are listed as such.
func TestDroppedListOfKept(t *testing.T) {
	kept := page{URL: "https://a.example/", HTML: "<title>kept but cut</title>" + strings.Repeat("long ", 100)}
	c := preset(t, "web")
	c.MaxPage = 50
	dir, m := cluster(t, c, pipeline.Options{}, write(t, append(jsonl(t, kept), "{broken")...))
	rows := droppedRows(t, dir)
	if len(rows) != 2 || !rows[0].Kept || rows[0].Reason != "page-too-big" || !rows[1].Damage || rows[1].Kept {
		t.Errorf("%+v of %v", rows, m.Dropped)
	}
}
