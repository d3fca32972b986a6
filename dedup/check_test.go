package dedup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/dedup"
)

// TestCheck checks outputs of all kinds, then finds what is wrong in their lists and in the inputs.
func TestCheck(t *testing.T) {
	lines := newTexts(9).corpus(150)
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines[:70]), "b.jsonl": join(lines[70:])})
	for _, o := range []dedup.Options{{}, {Contained: 0.9}, {Keep: "-n", Near: 0.6}, {Parquet: true}} {
		out, r := run(t, o, paths...)
		a, err := dedup.Check(t.Context(), out, 1<<40, dedup.Options{})
		must(t, err)
		if a.Removals != r.Total.Removed || int64(a.Checked) != a.Removals || len(a.Wrong) > 0 || a.Removals < 10 {
			t.Errorf("%+v: %+v", o, a)
		}
		if a, err = dedup.Check(t.Context(), out, 3, dedup.Options{}); err != nil || a.Checked < 1 || a.Checked > 3 || a.Removals != r.Total.Removed {
			t.Errorf("a sample of 3: %+v %v", a, err)
		}
		if _, err = dedup.Check(t.Context(), out, 3, dedup.Options{Memory: 1}); err == nil || !strings.Contains(err.Error(), "more --memory") {
			t.Errorf("with little memory: %v", err)
		}
	}
	for _, change := range [][2]string{{`"relation":"near"`, `"relation":"identical"`}, {`"shared":`, `"shared":1`}, {`"kept_record":`, `"kept_record":9`}} {
		out, _ := run(t, dedup.Options{}, paths...)
		list := filepath.Join(out, dedup.RemovedName)
		was := read(t, out)[dedup.RemovedName]
		must(t, os.WriteFile(list, []byte(strings.Replace(was, change[0], change[1], 1)), 0o666))
		if a, err := dedup.Check(t.Context(), out, 1<<40, dedup.Options{}); err != nil || len(a.Wrong) != 1 {
			t.Errorf("%v: %+v %v", change, a, err)
		}
	}
	out, _ := run(t, dedup.Options{}, paths...)
	must(t, os.WriteFile(paths[0], []byte(join(lines[1:70])), 0o666))
	if a, err := dedup.Check(t.Context(), out, 1<<40, dedup.Options{}); err != nil || len(a.Wrong) < 10 {
		t.Errorf("changed input: %+v %v", a, err)
	}
}

// TestTable compares the list of the removals in both formats.
func TestTable(t *testing.T) {
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join(newTexts(4).corpus(100))})
	lines, _ := run(t, dedup.Options{}, paths...)
	table, r := run(t, dedup.Options{Parquet: true}, paths...)
	rows, err := parquet.ReadFile[dedup.Removed](filepath.Join(table, "removed.parquet"))
	must(t, err)
	var want []dedup.Removed
	for l := range strings.Lines(read(t, lines)[dedup.RemovedName]) {
		want = append(want, removedOf(t, l))
	}
	if !slices.Equal(rows, want) || len(want) < 10 || r.Plan.Options.List() != "removed.parquet" {
		t.Errorf("%d rows instead of %d", len(rows), len(want))
	}
	again, _ := run(t, dedup.Options{}, table) // the list is no input
	if len(read(t, again)) != 2 {
		t.Errorf("got %d files", len(read(t, again)))
	}
}

// TestIgnoreCommon removes an article that two sites have in their frames, and keeps articles that share only a frame.
func TestIgnoreCommon(t *testing.T) {
	r := newTexts(8)
	var lines []string
	article := r.text(60)
	for site := range 2 {
		frame := r.text(150)
		for page := range 150 {
			text := slices.Concat(frame[:75], r.text(40), frame[75:])
			if page == 140 {
				text = slices.Concat(frame[:75], article, frame[75:])
			}
			lines = append(lines, fmt.Sprintf(`{"source":"s%d","text":"%s"}`, site, strings.Join(text, " ")))
		}
	}
	lines = append(lines, fmt.Sprintf(`{"source":"few","text":"%s"}`, strings.Join(article, " ")))
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines)})
	if _, r := run(t, dedup.Options{Near: 0.6}, paths...); r.Total.Kept > 6 {
		t.Errorf("with the frames, %d stay", r.Total.Kept)
	}
	for _, o := range []dedup.Options{{By: "source", IgnoreCommon: true, Near: 0.7}, {By: "source", IgnoreCommon: true, Near: 0.7, Contained: 0.9, Keep: "first", Workers: 3, Memory: 32 << 20}} {
		out, report := run(t, o, paths...)
		if report.Total.Removed != 2 || report.Relations["near"] != 2 || report.Common != 2*142 {
			t.Errorf("removed %d, %v, %d common", report.Total.Removed, report.Relations, report.Common)
		}
		if x := removedOf(t, strings.SplitAfter(read(t, out)[dedup.RemovedName], "\n")[0]); x.Record != 291 || x.KeptRecord != 141 || x.Shared != 56 || x.Shingles != 64 {
			t.Errorf("%+v", x)
		}
		if a, err := dedup.Check(t.Context(), out, 10, dedup.Options{}); err != nil || a.Checked != 2 || len(a.Wrong) > 0 {
			t.Errorf("check: %+v %v", a, err)
		}
	}
	if _, err := dedup.Run(t.Context(), t.TempDir()+"/out", paths, dedup.Options{By: "source", IgnoreCommon: true, Memory: 4096}); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("with little memory: %v", err)
	}
}

// TestKeep checks which orders are refused, and that records without the value are told.
func TestKeep(t *testing.T) {
	line := func(n string) string { return fmt.Sprintf(`{"text":"%s"%s}`, strings.Repeat("word ", 40), n) }
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join([]string{line(""), line(`,"inlinks":3`), line(`,"inlinks":40`)})})
	out, r := run(t, dedup.Options{Keep: "-inlinks"}, paths...)
	if r.Unordered != 1 || !slices.Equal(linesOf(t, out), []string{line(`,"inlinks":40`)}) {
		t.Errorf("%d without a value, kept %q", r.Unordered, linesOf(t, out))
	}
	for keep, want := range map[string]string{"most-linked": "-inlinks", "-quality": "no record has", "newest": "no record has"} {
		_, err := dedup.Run(t.Context(), filepath.Join(t.TempDir(), "out"), paths, dedup.Options{Keep: keep})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", keep, err)
		}
	}
}

// TestLowNear checks how many pairs are found that are just near enough, at low thresholds.
func TestLowNear(t *testing.T) {
	for near, changed := range map[float64]int{0.5: 6, 0.6: 4} { // 30 and 20 of 96 shingles: resemblances of .524 and .655
		r := newTexts(77)
		var lines []string
		for range 200 {
			words := r.text(100)
			lines = append(lines, fmt.Sprintf(`{"text":"%s"}`, strings.Join(words, " ")))
			for i := range changed {
				words[10+12*i] = r.word()
			}
			lines = append(lines, fmt.Sprintf(`{"text":"%s"}`, strings.Join(words, " ")))
		}
		if _, report := run(t, dedup.Options{Near: near}, shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines)})...); report.Total.Removed < 180 {
			t.Errorf("near %g: %d of 200 found", near, report.Total.Removed)
		}
	}
}
