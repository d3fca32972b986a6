package pipeline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// The tests of this file repeat tests of other files with more pages, configurations and steps.

// TestLongDamagedWhileStopped is TestDamagedWhileStopped with the other kinds of files.
func TestLongDamagedWhileStopped(t *testing.T) {
	damagedWhileStopped(t, func(i int) bool { return i%16 != 8 })
}

// TestLongDamagedWhileBuilt is TestDamagedWhileBuilt with files of other kinds.
func TestLongDamagedWhileBuilt(t *testing.T) { damagedWhileBuilt(t, 1, 8) }

// TestLongFreedBlocks is TestFreedBlocks with more inputs and shares of the memory.
func TestLongFreedBlocks(t *testing.T) {
	for _, share := range []int64{1, 1000} {
		t.Run(fmt.Sprint("sample ", share), func(t *testing.T) { freedBlocks(t, "web", share, write(t, samplePages(t, 40)...)) })
		for seed, name := range []string{"paper2000", "web"} {
			t.Run(fmt.Sprint("world ", seed, " ", share), func(t *testing.T) { freedBlocks(t, name, share, drawWorld(uint64(seed)).write(t, 1)...) })
		}
	}
	t.Run("skewed", func(t *testing.T) { freedBlocks(t, "paper2000", 1, skewedPages(t)...) })
	t.Run("lists", func(t *testing.T) { freedBlocks(t, "web", 1000, linkLists(t)) })
}

// TestLongBadInput is TestBadInput with much larger pages, of 50 MB and of 100,000 links.
func TestLongBadInput(t *testing.T) {
	large := []string{"a page that is too big", "too many <", "many links to one target", "many targets", "an anchor of many words", "gzip that stops"}
	badInput(t, preset(t, "web"), slices.DeleteFunc(badInputs(t, 100_000, 50<<20), func(b bad) bool { return !slices.Contains(large, b.name) }))
}

// TestLongLinksTableIsPages is TestLinksTableIsPages with the other presets and columns.
func TestLongLinksTableIsPages(t *testing.T) {
	linksTableIsPages(t, "paper2000", "with surroundings")
	linksTableIsPages(t, "web", "anchors")
	linksTableIsPages(t, "paper2000", "anchors")
}

// TestLongSameBytes is TestSameBytes with more workers, limits and arrangements.
func TestLongSameBytes(t *testing.T) {
	lines, c := samplePages(t, 80), preset(t, "web")
	dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, write(t, lines...))
	want := sums(t, dir)
	for i, memory := range []int64{1 << 18, 16 << 20, 64 << 20, 1 << 30} {
		o := pipeline.Options{Workers: 2 + i, Memory: memory}
		same(t, fmt.Sprintf("%+v", o), want, c, o, write(t, lines...))
	}
	for how, inputs := range arrangements(t, lines) {
		same(t, how, want, c, pipeline.Options{Workers: 2}, inputs...)
	}
}

// TestLongSameBytesOfConfigs is TestSameBytesOfConfigs with more configurations.
func TestLongSameBytesOfConfigs(t *testing.T) { sameOfConfigs(t, 50, configs(t)[2:]) }

func TestLongSameBytesOfDocs(t *testing.T) {
	path, c := filepath.Join(shareddata.Dir(t, "docs"), "pages.jsonl.gz"), preset(t, "paper2000") // 22 MB of pages
	want, _ := cluster(t, c, pipeline.Options{Workers: 1, Memory: 1 << 30}, path)
	same(t, "4 workers in 1 MiB", sums(t, want), c, pipeline.Options{Workers: 4, Memory: 1 << 20}, path)
}

// TestLongSameBytesOfWARC is TestSameBytes for one WARC file, ranges of which several workers read.
func TestLongSameBytesOfWARC(t *testing.T) {
	path, c := filepath.Join(shareddata.Dir(t, "warc"), "ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"), preset(t, "web")
	want, _ := cluster(t, c, pipeline.Options{Workers: 1}, path)
	same(t, "5 workers", sums(t, want), c, pipeline.Options{Workers: 5}, path)
}

// TestLongNearestOfRun is TestNearestOfRun for the whole sample, with more configurations.
func TestLongNearestOfRun(t *testing.T) {
	web := topicalOf(t, "web")
	given, none := web, web
	given.KeySize, given.Keys, given.MaxBucket, given.Rounds = 3, 30, 20, 2
	none.Rounds, none.Apart = 0, 0
	nearestOfRuns(t, allPages, map[string]config.Config{"web": web, "given": given, "no rounds": none})
}

// TestLongRoundsRaiseRecall checks that with the same index, each round stores more of the exact nearest neighbours,
// and that the chosen index reaches the goal.
func TestLongRoundsRaiseRecall(t *testing.T) {
	c := topicalOf(t, "web")
	dir, _, _ := nearRun(t, allPages, c, pipeline.Options{Workers: 2})
	nodes := openNodeSet(t, dir)
	if r := nodes.recall(c, pairsIn(t, dir), 3); r < c.Recall-0.01 {
		t.Errorf("the chosen index stores %.3f, the goal is %v", r, c.Recall)
	}
	c.KeySize, c.Keys, c.MaxBucket = 3, 10, 20
	last := 0.0
	for c.Rounds = range 2 {
		dir, _, _ := nearRun(t, allPages, c, pipeline.Options{Workers: 2})
		r := nodes.recall(c, pairsIn(t, dir), 3)
		t.Logf("%d rounds: %.3f", c.Rounds, r)
		if r < last || c.Rounds == 1 && r < last+0.05 {
			t.Errorf("%d rounds store %.3f, one round less %.3f", c.Rounds, r, last)
		}
		last = r
	}
}

// TestLongAllPairsOfChosenIndex is TestAllPairsOfChosenIndex for the whole sample.
func TestLongAllPairsOfChosenIndex(t *testing.T) { allPairsOfChosenIndex(t, allPages) }

// TestLongSamePairs is TestSamePairs for the whole sample, with more workers and limits.
func TestLongSamePairs(t *testing.T) {
	without, _, _ := nearRun(t, allPages, topicalOf(t, "web"), pipeline.Options{Workers: 2})
	samePairs(t, without, samplePages(t, allPages), pipeline.Options{Workers: 2, Memory: 1 << 18}, pipeline.Options{Workers: 5, Memory: 64 << 20})
}

// TestLongSharesOfTables is TestSharesOfTables with runs killed before the other steps that write tables.
func TestLongSharesOfTables(t *testing.T) { sharesOfTables(t, 0, 1) }

// TestLongOtherSizesOfParts is TestOtherSizesOfParts with more stages, and with small parts after large ones.
func TestLongOtherSizesOfParts(t *testing.T) {
	for _, stage := range []string{"sign", "pair", "tree"} {
		beganSmall(t, stage)
	}
	c, in := preset(t, "web"), sampleRun(t).in
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := stopped(t, dir, c, pipeline.Options{Workers: 1}, moment{"tree", "at"}, in); err == nil {
		t.Fatal("the run was not stopped")
	}
	otherSizes(t, dir, "tree", pipeline.Options{Workers: 2, SmallParts: true})
}

// TestLongTasks is TestTasks with processes that do parts of all steps.
func TestLongTasks(t *testing.T) { tasks(t, func(string) bool { return true }) }

// TestLongKilledInside is TestKilledInside with more stages.
func TestLongKilledInside(t *testing.T) {
	killedInside(t, "group", "weigh", "sign", "cluster", "tree")
}

// TestLongSameBytesOfSmallParts is TestSameBytesOfSmallParts with more configurations, workers and limits.
func TestLongSameBytesOfSmallParts(t *testing.T) {
	options := []pipeline.Options{{Workers: 1}, {Workers: 2, Memory: 1 << 20}, {Workers: 5, Memory: 64 << 20}}
	sameInSmallParts(t, "web", preset(t, "web"), sampleRun(t).dir, options...)
	capped, paper := preset(t, "web"), preset(t, "paper2000")
	capped.MaxBucket, capped.Reach, capped.Keys, capped.KeySize = 5, 2, 40, 2
	dir, _ := cluster(t, capped, pipeline.Options{Workers: 1}, sampleRun(t).in)
	sameInSmallParts(t, "capped", capped, dir, options...)
	dir, _ = cluster(t, paper, pipeline.Options{Workers: 1}, sampleRun(t).in)
	sameInSmallParts(t, "paper2000", paper, dir, options...)
}

// TestLongWorlds is TestWorlds with more worlds. LSHCLUST_WORLDS sets their number.
func TestLongWorlds(t *testing.T) {
	worlds := 4
	if n, err := strconv.Atoi(os.Getenv("LSHCLUST_WORLDS")); err == nil {
		worlds = n
	}
	for seed := range uint64(worlds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { worldOf(t, seed, 2, 3, 8, 16) })
	}
}
