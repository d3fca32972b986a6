package dedup_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/dedup"
)

// TestContained compares the removals by containment with the definition.
func TestContained(t *testing.T) {
	r := newTexts(3)
	var lines []string
	var texts [][]string
	for i := range 150 {
		w := r.text(60 + r.IntN(200))
		if i%3 > 0 {
			for w = texts[r.IntN(len(texts))]; len(w) < 60; {
				w = texts[r.IntN(len(texts))]
			}
			from := r.IntN(len(w) - 40)
			w = slices.Clone(w[from : from+40+r.IntN(len(w)-from-39)])
			if i%6 == 1 {
				w = append(w, r.text(1+r.IntN(12))...)
			}
		}
		texts = append(texts, w)
		lines = append(lines, fmt.Sprintf(`{"text":"%s"}`, strings.Join(w, " ")))
	}
	out, report := run(t, dedup.Options{Contained: 0.95}, shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines)})...)
	gone := map[int]bool{}
	for l := range strings.Lines(read(t, out)[dedup.RemovedName]) {
		var x dedup.Removed
		must(t, json.Unmarshal([]byte(l), &x))
		gone[int(x.Record)] = true
		j, of, _ := jaccard(texts[x.Record-1], texts[x.KeptRecord-1])
		if x.Contained != of || x.Relation == "contained" && of < 0.95 || x.Relation == "near" && j < 0.8 {
			t.Errorf("%+v: contained %v", x, of)
		}
	}
	missed := 0
	for i := range texts {
		for k := range texts {
			_, of, _ := jaccard(texts[i], texts[k])
			if !gone[i+1] && !gone[k+1] && len(texts[k]) > len(texts[i]) && of >= 0.95 {
				missed++
				break
			}
		}
	}
	if report.Relations["contained"] < 20 || missed > 2 {
		t.Errorf("%v, %d missed", report.Relations, missed)
	}
}

// TestMixed removes across formats and keeps each as it is.
func TestMixed(t *testing.T) {
	a, b := strings.Join(newTexts(1).text(50), " "), strings.Join(newTexts(2).text(50), " ")
	out, r := run(t, dedup.Options{By: "source"}, shards(t, t.TempDir(), map[string]string{
		"1.jsonl": fmt.Sprintf("{\"text\":\"%s\",\"source\":\"x\"}\n", a),
		"2.csv":   fmt.Sprintf("id,text,source\r\n1,\"%s\",y\r\n2,%s,\r\n", a, b),
		"t/3.txt": b, "t/4.txt": "other words", "5.bin": "\x00\x01",
	})...)
	files := read(t, out)
	delete(files, dedup.RemovedName)
	want := map[string]string{"1.jsonl": fmt.Sprintf("{\"text\":\"%s\",\"source\":\"x\"}\n", a), "2.csv": fmt.Sprintf("id,text,source\r\n2,%s,\r\n", b), "4.txt": "other words", "5.bin": "\x00\x01"}
	want["t/4.txt"] = want["4.txt"]
	delete(want, "4.txt")
	if !maps.Equal(files, want) {
		t.Errorf("got %q", files)
	}
	if by := fmt.Sprint(r.By); by != "[{ {3 2 1 0 0 102 50 "+fmt.Sprint(r.By[0].Bytes, " ", r.By[0].RemovedBytes)+"}} {x {1 1 0 0 0 50 0 "+fmt.Sprint(r.By[1].Bytes)+" 0}} {y {1 0 1 0 0 50 50 "+fmt.Sprint(r.By[2].Bytes, " ", r.By[2].Bytes)+"}}]" {
		t.Errorf("by source: %v", by)
	}
}

// TestLost checks that nothing is written if a file loses more than it may.
func TestLost(t *testing.T) {
	text := fmt.Sprintf("{\"text\":\"%s\"}\n", strings.Join(newTexts(1).text(50), " "))
	out, r := run(t, dedup.Options{MostLost: 0.9}, shards(t, t.TempDir(), map[string]string{"a.jsonl": text, "b.jsonl": text})...)
	if len(r.Lost) != 1 || len(linesOf(t, out)) > 0 {
		t.Errorf("%q", r.Lost)
	}
	dir := t.TempDir()
	paths := shards(t, dir, map[string]string{"a.jsonl": text, "b.jsonl": text})
	for _, o := range []dedup.Options{{DryRun: true}, {MostLost: 0.5}, {}} {
		r, err := dedup.Run(t.Context(), filepath.Join(dir, "out"), paths, o)
		must(t, err)
		if want := len(r.Lost) == 0 && !o.DryRun; r.Written != want || (len(linesOf(t, filepath.Join(dir, "out"))) > 0) != want || r.Total.Removed != 1 {
			t.Errorf("%+v: %+v", o, r)
		}
	}
}

// TestDamage checks that what is damaged is told, that the rest is written as a sound file, and that nothing of it goes as a
// duplicate.
func TestDamage(t *testing.T) {
	lines := join(newTexts(3).corpus(300))
	var packed, table bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(lines))
	must(t, w.Close())
	must(t, parquet.Write(&table, []struct{ Text string }{{"a text"}, {"another"}}))
	hurt := func(b []byte, at int) string {
		b = slices.Clone(b)
		for i := range 8 {
			b[at+i] ^= 0xff
		}
		return string(b)
	}
	for name, content := range map[string]string{
		"middle.jsonl.gz": hurt(packed.Bytes(), packed.Len()/2), "end.jsonl.gz": hurt(packed.Bytes(), packed.Len()-8), "cut.jsonl.gz": packed.String()[:packed.Len()/2],
		"cut.parquet": table.String()[:table.Len()-9], "page.parquet": hurt(table.Bytes(), 30),
	} {
		out, r := run(t, dedup.Options{}, shards(t, t.TempDir(), map[string]string{name: content})...)
		if len(r.Damage) == 0 {
			t.Errorf("%s: nothing is told: %v", name, r.Unread)
		}
		got := read(t, out)[name]
		if strings.HasSuffix(name, "parquet") {
			if got != content {
				t.Errorf("%s is not as it was", name)
			}
			continue
		}
		z, err := gzip.NewReader(strings.NewReader(got))
		must(t, err)
		b, err := io.ReadAll(z)
		if err != nil || len(b) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
}
