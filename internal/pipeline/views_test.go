package pipeline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestViewLeftOut builds each view alone and both together. A run with one view does neither the stages nor the work
// of the other, and the files that it shares with the run with both have the same bytes. Intermediate files are
// removed after the last stage that reads them.
func TestViewLeftOut(t *testing.T) {
	input := write(t, append(eventfulPages(t),
		`{"url":"https://t.example/a","text":"A plain text of some words about the pruning of apple trees in winter","title":"Apple trees"}`,
		`{"url":"https://t.example/copy","text":"A plain text of some words about the pruning of apple trees in winter","title":"Apple trees"}`,
		`{"url":"https://t.example/b","text":"Простой текст о том, как обрезать яблони зимой, и это не всё"}`)...)
	links := writeBytes(t, "links.csv", []byte("source,target,anchor,before\nhttps://s.example/,https://t.example/a,apples,read about\n"))
	built := map[string]string{}
	manifests := map[string]*run.Manifest{}
	for name, views := range map[string][]string{"both": {config.Topical, config.Syntactic}, "topical": {config.Topical}, "syntactic": {config.Syntactic}} {
		c, dir := preset(t, "web"), filepath.Join(t.TempDir(), "run")
		c.Views, c.Shingle = views, 5
		w := watchUnread(t, dir, views)
		r, err := pipeline.Cluster(t.Context(), dir, []string{input, links}, c, pipeline.Options{Memory: memory, Progress: w})
		must(t, err)
		check(t, dir)
		w.ended()
		built[name], manifests[name] = dir, r.Manifest
	}
	shared, topical := []string{"read", "redirect", "group"}, []string{"sign", "invert", "pair", "cluster", "tree"}
	syntactic := []string{"index", "equal", "resemble", "union"}
	for name, want := range map[string][]string{
		"both":      slices.Concat(shared, []string{"weigh", "shingle"}, topical, syntactic, []string{"publish"}),
		"topical":   slices.Concat(shared, []string{"weigh"}, topical, []string{"publish"}),
		"syntactic": slices.Concat(shared, []string{"shingle"}, syntactic, []string{"publish"}),
	} {
		var got []string
		for _, s := range manifests[name].Stages {
			got = append(got, s.Name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("stages of %s: %s", name, d)
		}
	}

	differ := map[string]bool{tables.TermsFile: true, run.PagesTable: true} // pages.parquet has columns of either view
	sameFiles(t, built["syntactic"], built["both"], differ)
	sameFiles(t, built["topical"], built["both"], map[string]bool{run.PagesTable: true})

	clusters := map[string]bool{}
	for _, r := range rowsOf[run.SyntacticClusterRow](t, built["syntactic"], run.SyntacticClustersTable) {
		clusters[r.ClusterID] = true
	}
	if s := statsOf(t, manifests["syntactic"], "union"); s.Out != int64(len(clusters)) || s.Out == s.In {
		t.Errorf("union made %d clusters of %d pages, the table has %d", s.Out, s.In, len(clusters))
	}
	if n := statsOf(t, manifests["syntactic"], "read").Counts["distinct_words"]; n != 0 {
		t.Errorf("the syntactic view: %d words went through a vocabulary", n)
	}
	group := statsOf(t, manifests["syntactic"], "group")
	for _, count := range []string{"terms", "bags", "term_occurrences"} {
		if n := group.Counts[count]; n != 0 {
			t.Errorf("the syntactic view: %s %d", count, n)
		}
	}
	if n := statsOf(t, manifests["topical"], "group").Counts["term_occurrences"]; n == 0 {
		t.Error("the topical view has no terms: the input tests nothing")
	}
	if n, want := statsOf(t, manifests["syntactic"], "read").Counts["links"], statsOf(t, manifests["both"], "read").Counts["links"]; n != want || n < 100 {
		t.Errorf("%d links, want %d", n, want)
	}
}

// sameFiles compares the tables of a run with those of another run that has more.
func sameFiles(t *testing.T, dir, other string, differ map[string]bool) {
	t.Helper()
	files, err := os.ReadDir(dir)
	must(t, err)
	n := 0
	for _, f := range files {
		if differ[f.Name()] || filepath.Ext(f.Name()) == ".json" {
			continue
		}
		a, errA := os.ReadFile(filepath.Join(dir, f.Name()))
		b, errB := os.ReadFile(filepath.Join(other, f.Name()))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not the same: %v, %v", f.Name(), errA, errB)
		}
		n++
	}
	if n < 8 {
		t.Errorf("%d files were compared", n)
	}
}

func statsOf(t *testing.T, m *run.Manifest, stage string) run.StageStats {
	t.Helper()
	i := slices.IndexFunc(m.Stages, func(s run.StageStats) bool { return s.Name == stage })
	if i < 0 {
		t.Fatalf("no stage %s", stage)
	}
	return m.Stages[i]
}

// lastRead names the stage that reads intermediate files last.
var lastRead = map[string]string{
	"work/words": "group", "work/redirects.lsh": "redirect", "work/repeated.lsh": "group", "work/hosts.lsh": "group", "work/redirected": "group", "work/bags": "weigh", "work/languages": "weigh",
	"work/read": "shingle", "work/superseded.lsh": "shingle", "work/ledger.json": "publish", "work/common.json": "publish", "work/signatures.lsh": "pair",
}

// unreadWatch is a progress that looks at the intermediate files whenever a stage has ended.
type unreadWatch struct {
	progress
	ended func() // checks what remains after the whole run
}

func watchUnread(t *testing.T, dir string, views []string) *unreadWatch {
	seen, done := map[string]bool{}, map[string]bool{}
	topical, syntactic := slices.Contains(views, config.Topical), slices.Contains(views, config.Syntactic)
	w := &unreadWatch{progress: progress{event: func(stage, what string) {
		if what != "done" {
			return
		}
		for kind := range kindsIn(sizesIn(dir)) {
			if !strings.HasPrefix(kind, "work/") || kind == "work/state.json" || kind == receipts {
				continue
			}
			of, known := lastRead[kind]
			if of == "shingle" && !syntactic {
				of = "group"
			}
			if seen[kind] = true; !known || done[of] {
				t.Errorf("%v: %s is there after stage %s", views, kind, stage)
			}
		}
		done[stage] = true
	}}}
	w.ended = func() {
		for kind := range lastRead {
			if !seen[kind] && (topical || kind != "work/bags" && kind != "work/signatures.lsh") && (syntactic || kind != "work/common.json") {
				t.Errorf("%v: %s was never there", views, kind)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "work")); err == nil {
			t.Errorf("%v: the folder work is still there", views)
		}
	}
	return w
}
