package pipeline_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// More workers, limits and arrangements than in TestSameBytes.
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

// More configurations than in TestSameBytesOfConfigs.
func TestLongSameBytesOfConfigs(t *testing.T) { sameOfConfigs(t, 50, configs(t)[1:]) }

func TestLongSameBytesOfDocs(t *testing.T) {
	path, c := filepath.Join(shareddata.Dir(t, "docs"), "pages.jsonl.gz"), preset(t, "paper2000") // 22 MB of pages
	want, _ := cluster(t, c, pipeline.Options{Workers: 1, Memory: 1 << 30}, path)
	same(t, "4 workers in 1 MiB", sums(t, want), c, pipeline.Options{Workers: 4, Memory: 1 << 20}, path)
}

// Several workers read ranges of one WARC file.
func TestLongSameBytesOfWARC(t *testing.T) {
	path, c := filepath.Join(shareddata.Dir(t, "warc"), "ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"), preset(t, "web")
	want, _ := cluster(t, c, pipeline.Options{Workers: 1}, path)
	same(t, "5 workers", sums(t, want), c, pipeline.Options{Workers: 5}, path)
}
