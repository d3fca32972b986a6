package dedup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/dedup"
)

// texts makes texts of made-up words, among them edited copies of others.
type texts struct{ *rand.Rand }

func newTexts(seed uint64) texts { return texts{rand.New(rand.NewPCG(seed, 55))} }

func (t texts) word() string { return fmt.Sprintf("w%x", t.Uint64N(1<<40)) }

func (t texts) text(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = t.word()
	}
	return words
}

// edited returns a copy with some words replaced, and perhaps without its end.
func (t texts) edited(words []string) []string {
	words = slices.Clone(words)
	for range t.IntN(1 + len(words)/12) {
		words[t.IntN(len(words))] = t.word()
	}
	if t.IntN(4) == 0 {
		words = words[:len(words)-t.IntN(1+len(words)/4)]
	}
	return words
}

// corpus returns lines of JSON, each with its own look, in families.
func (t texts) corpus(n int) (lines []string) {
	var words [][]string
	for i := range n {
		w := t.text(5 + t.IntN(150))
		if len(words) > 0 && t.IntN(2) == 0 {
			w = words[t.IntN(len(words))]
			if t.IntN(3) > 0 {
				w = t.edited(w)
			}
		}
		words = append(words, w)
		text := strings.Join(w, []string{" ", ", ", `\n`, `  \t`}[t.IntN(4)])
		lines = append(lines, fmt.Sprintf(`{"n": %d12345678901234567,%s"id":"same","text":"%s", "meta":{"a":[1.50,{"b":null}],"source":"s%d"}}`, i+1, strings.Repeat(" ", t.IntN(3)), text, t.IntN(3)))
	}
	return lines
}

// shards writes files of lines and returns their paths.
func shards(t testing.TB, dir string, files map[string]string) (paths []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must(t, os.WriteFile(path, []byte(files[name]), 0o666))
		paths = append(paths, path)
	}
	return paths
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs dedup and returns the output folder.
func run(t testing.TB, o dedup.Options, inputs ...string) (out string, r *dedup.Report) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	r, err := dedup.Run(t.Context(), out, inputs, o)
	must(t, err)
	for _, s := range append(slices.Clone(r.Files), dedup.Share{Name: "total", Counts: r.Total}) {
		if s.Records != s.Kept+s.Removed+s.Unread {
			t.Errorf("%s: %d records are not %d kept, %d removed and %d unread", s.Name, s.Records, s.Kept, s.Removed, s.Unread)
		}
	}
	return out, r
}

// read returns the files of a folder by name, without the reports.
func read(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if name != dedup.ReportName {
			files[filepath.ToSlash(name)] = string(b)
		}
		return err
	}))
	return files
}

// linesOf returns the lines of all shards in the order of their names.
func linesOf(t testing.TB, dir string) (lines []string) {
	files := read(t, dir)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, ".dedup") })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != dedup.RemovedName {
			for l := range strings.Lines(files[name]) {
				lines = append(lines, strings.TrimRight(l, "\r\n"))
			}
		}
	}
	return lines
}

// removedOf returns a line of the list of the removals.
func removedOf(t testing.TB, line string) (r dedup.Removed) {
	t.Helper()
	must(t, json.Unmarshal([]byte(line), &r))
	return r
}

// words returns the words of a line of the corpus.
func words(t testing.TB, line string) []string {
	t.Helper()
	var object struct{ Text string }
	must(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "\ufeff")), &object))
	return strings.FieldsFunc(object.Text, func(r rune) bool { return strings.ContainsRune(" ,\n\t", r) })
}

// jaccard is the definition of the resemblance, with the shares that each contains of the other.
func jaccard(a, b []string) (j, ofA, ofB float64) {
	set := func(w []string) map[string]bool {
		s := map[string]bool{}
		for i := range max(1, len(w)-4) {
			s[strings.Join(w[i:min(len(w), i+5)], " ")] = true
		}
		return s
	}
	x, y := set(a), set(b)
	both := 0.0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return both / (float64(len(x)+len(y)) - both), both / float64(len(x)), both / float64(len(y))
}

// TestDecision compares the decision with its definition: in the order of preference, a record goes if one that stays has
// its words, resembles it or contains it. Signatures may miss a pair, but never invent one.
func TestDecision(t *testing.T) {
	missed, pairs := 0, 0
	for seed := range uint64(12) {
		for _, o := range []dedup.Options{{}, {Near: 0.6}, {Keep: "longest"}, {Keep: "-n"}, {Keep: "n", Near: 0.9}} {
			lines := newTexts(seed).corpus(120)
			out, _ := run(t, o, shards(t, t.TempDir(), map[string]string{"a.jsonl": strings.Join(lines, "\n")})...)
			m, p := checkDecision(t, o, lines, out)
			missed, pairs = missed+m, pairs+p
		}
	}
	if missed*50 > pairs {
		t.Errorf("%d of %d records that should go stay", missed, pairs)
	}
}

func checkDecision(t *testing.T, o dedup.Options, lines []string, out string) (missed, should int) {
	t.Helper()
	near := o.Near
	if near == 0 {
		near = 0.8
	}
	texts := make([][]string, len(lines))
	order := make([]int, len(lines))
	for i, l := range lines {
		texts[i], order[i] = words(t, l), i
	}
	switch o.Keep {
	case "longest":
		slices.SortStableFunc(order, func(a, b int) int { return len(texts[b]) - len(texts[a]) })
	case "-n":
		slices.Reverse(order)
	}
	gone := map[int]dedup.Removed{}
	for l := range strings.Lines(read(t, out)[dedup.RemovedName]) {
		r := removedOf(t, l)
		gone[int(r.Record)-1] = r
	}
	var stay []int
	for _, i := range order {
		r, goes := gone[i]
		if !goes {
			for _, k := range stay {
				j, _, _ := jaccard(texts[i], texts[k])
				if slices.Equal(texts[i], texts[k]) {
					t.Errorf("record %d has the words of %d and stays", i+1, k+1)
				} else if j >= near && len(texts[i]) >= 30 && len(texts[k]) >= 30 {
					missed++
				}
			}
			stay = append(stay, i)
			continue
		}
		should++
		k := int(r.KeptRecord) - 1
		j, of, contains := jaccard(texts[i], texts[k])
		if !slices.Contains(stay, k) || j != r.Resemblance || of != r.Contained || contains != r.Contains {
			t.Errorf("record %d: %+v, want %v %v %v", i+1, r, j, of, contains)
		}
		if r.Relation == "near" && (j < near || len(texts[i]) < 30) || r.Relation != "near" && !slices.Equal(texts[i], texts[k]) {
			t.Errorf("record %d goes without a reason: %+v", i+1, r)
		}
	}
	var want []string
	for i, l := range lines {
		if _, goes := gone[i]; !goes {
			want = append(want, l)
		}
	}
	if got := linesOf(t, out); !slices.Equal(got, want) {
		t.Errorf("%d lines written, want %d", len(got), len(want))
	}
	return missed, should
}

// TestLaws checks what holds for every corpus: the output loses nothing, a doubled corpus keeps as much, shards may be cut
// otherwise, --seen is the same as coming first, and workers and memory do not matter.
func TestLaws(t *testing.T) {
	for seed := range 9 {
		r := newTexts(uint64(100 + seed))
		o := dedup.Options{Near: []float64{0.6, 0.8, 0.9}[seed%3], Keep: []string{"first", "longest", "-n"}[seed/3]}
		lines := r.corpus(1 + r.IntN(150))
		cut := r.IntN(len(lines) + 1)
		end := []string{"", "\n"}[r.IntN(2)]
		whole := map[string]string{"a.jsonl": strings.Join(lines, "\n") + end}
		two := map[string]string{"a.jsonl": join(lines[:cut]), "b.jsonl": join(lines[cut:])}
		dir := t.TempDir()
		one, _ := run(t, o, shards(t, filepath.Join(dir, "one"), whole)...)
		want := linesOf(t, one)

		again, report := run(t, o, one)
		if report.Total.Removed != 0 || read(t, again)["a.jsonl"] != read(t, one)["a.jsonl"] {
			t.Errorf("its own output loses %d records", report.Total.Removed)
		}
		parts, _ := run(t, o, shards(t, filepath.Join(dir, "two"), two)...)
		if got := linesOf(t, parts); !slices.Equal(got, want) {
			t.Errorf("cut at %d it keeps %d lines instead of %d", cut, len(got), len(want))
		}
		if o.Keep != "-n" { // whose order the copies would not share
			doubled, _ := run(t, o, shards(t, filepath.Join(dir, "twice"), map[string]string{"a.jsonl": join(lines), "b.jsonl": join(lines)})...)
			if got := linesOf(t, doubled); !slices.Equal(got, want) {
				t.Errorf("doubled it keeps %d lines instead of %d", len(got), len(want))
			}
		}
		if o.Keep == "first" {
			a, _ := run(t, o, filepath.Join(dir, "two", "a.jsonl"))
			seen := o
			seen.Seen = []string{a}
			b, _ := run(t, seen, filepath.Join(dir, "two", "b.jsonl"))
			if got := append(linesOf(t, a), linesOf(t, b)...); !slices.Equal(got, want) {
				t.Errorf("with the first %d seen it keeps %d lines instead of %d", cut, len(got), len(want))
			}
		}
		o.Workers, o.Memory = 5, 32<<20
		small, _ := run(t, o, filepath.Join(dir, "one", "a.jsonl"))
		if !maps.Equal(read(t, small), read(t, one)) {
			t.Error("workers or memory change the output")
		}
	}
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestBytes checks that kept lines stay byte for byte, whatever surrounds them, and that unreadable ones stay and are
// counted.
func TestBytes(t *testing.T) {
	a := strings.Join(newTexts(1).text(60), " ")
	object := func(more string) string { return fmt.Sprintf(`{"text":"%s",%s}`, a, more) }
	in := "\ufeff" + object(`"n":12345678901234567`) + "\r\n" + object(`"dup":1`) + "\r\n\r\n" +
		`{"text":"broken` + "\r\n" + `[1,2]` + "\n" + `{"text":"","n":1.0}` + "\n" + `{"note":"no text"}` + "\n" +
		"{\"text\":\"bad \xff utf-8\",\"n\":1e400}" + "\n" + object(`"last":true`)
	want := "\ufeff" + object(`"n":12345678901234567`) + "\r\n\r\n" +
		`{"text":"broken` + "\r\n" + `[1,2]` + "\n" + `{"text":"","n":1.0}` + "\n" + `{"note":"no text"}` + "\n" +
		"{\"text\":\"bad \xff utf-8\",\"n\":1e400}" + "\n"
	out, r := run(t, dedup.Options{}, shards(t, t.TempDir(), map[string]string{"a.jsonl": in})...)
	if got := read(t, out)["a.jsonl"]; got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if r.Unread["bad-json"] != 2 || r.Total.Empty != 2 || r.Total.Records != 8 {
		t.Errorf("%v %+v", r.Unread, r.Total)
	}
	_, err := dedup.Run(t.Context(), filepath.Join(t.TempDir(), "out"), shards(t, t.TempDir(), map[string]string{"a.jsonl": in}), dedup.Options{Strict: true})
	if err == nil || !strings.Contains(err.Error(), "bad-json") {
		t.Errorf("strict: %v", err)
	}
}

// TestStopped stops a job at every step and checks that the next call ends with the same bytes.
func TestStopped(t *testing.T) {
	lines := newTexts(7).corpus(200)
	paths := shards(t, t.TempDir(), map[string]string{"a.jsonl": join(lines[:90]), "b/c.jsonl": join(lines[90:])})
	want, _ := run(t, dedup.Options{}, paths...)
	stops := 0
	for after := range 60 {
		out := filepath.Join(t.TempDir(), "out")
		ctx, stop := context.WithCancel(t.Context())
		left := after
		_, err := dedup.Run(ctx, out, paths, dedup.Options{Workers: 1, Progress: func(string, int64, int64) {
			if left--; left < 0 {
				stop()
			}
		}})
		stop()
		if err == nil {
			break
		}
		stops++
		_, err = dedup.Run(t.Context(), out, paths, dedup.Options{})
		must(t, err)
		if !maps.Equal(read(t, out), read(t, want)) {
			t.Errorf("stopped after %d steps, the output differs", after)
		}
	}
	if stops < 10 {
		t.Errorf("stopped %d times", stops)
	}
	if _, err := dedup.Run(t.Context(), want, paths, dedup.Options{Near: 0.9}); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("other options: %v", err)
	}
	if r, err := dedup.Run(t.Context(), want, paths, dedup.Options{}); err != nil || !r.Before {
		t.Errorf("finished before: %v", err)
	}
}
