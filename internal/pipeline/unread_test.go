package pipeline_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// An intermediate file is removed when the last stage that reads it is done, in runs of both views and of one.
func TestUnreadFiles(t *testing.T) {
	in := write(t, eventfulPages(t)...)
	last := map[string]string{ // the stage that reads files last
		"work/words": "group", "work/redirects.lsh": "redirect", "work/repeated.lsh": "group", "work/redirected": "group", "work/bags": "weigh",
		"work/read": "shingle", "work/superseded.lsh": "shingle", "work/ledger.json": "publish", "work/common.json": "publish",
	}
	for _, views := range [][]string{{"topical", "syntactic"}, {"topical"}, {"syntactic"}} {
		c := preset(t, "web")
		c.Views = views
		dir, seen, done := filepath.Join(t.TempDir(), "run"), map[string]bool{}, map[string]bool{}
		others := map[bool][]string{
			!slices.Contains(views, "topical"):   {"weigh", "sign", "invert", "pair", "cluster", "tree"},
			!slices.Contains(views, "syntactic"): {"shingle", "index", "equal", "resemble", "union"},
		}[true]
		for _, stage := range runStages {
			if slices.Contains(others, stage) {
				continue
			}
			err := pipeline.ClusterUntil(t.Context(), stage, dir, []string{in}, c, pipeline.Options{Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			done[stage] = true
			for kind := range kindsIn(sizesIn(t, dir)) {
				if of, is := last[kind]; !strings.HasPrefix(kind, "work/") || kind == "work/state.json" || kind == partsJournal {
					continue
				} else if seen[kind] = true; !is || (done[of] || of == "shingle" && done["group"] && len(views) == 1 && views[0] == "topical") && of != "publish" {
					t.Errorf("%v: %s is there after stage %s", views, kind, stage)
				}
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(last)) {
			topicalOnly, syntacticOnly := kind == "work/bags", kind == "work/common.json"
			if !seen[kind] && !(topicalOnly && !slices.Contains(views, "topical")) && !(syntacticOnly && !slices.Contains(views, "syntactic")) {
				t.Errorf("%v: %s was never there", views, kind)
			}
		}
		if _, err := pipeline.Cluster(t.Context(), dir, []string{in}, c, pipeline.Options{}); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "work")); err == nil {
			t.Errorf("%v: the folder work is still there", views)
		}
	}
}
