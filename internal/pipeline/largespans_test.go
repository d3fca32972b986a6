package pipeline_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestLargeTargetsInManyPartitions checks that workers do not wait for each other if many partitions have a target
// whose records do not fit into memory and whose group is so large that it is passed on at once.
func TestLargeTargetsInManyPartitions(t *testing.T) {
	var pages []page
	for i := range 112 {
		pages = append(pages, page{URL: fmt.Sprintf("https://h%d.example/", i), HTML: "<title>" + strings.Repeat(fmt.Sprintf("title %d ", i), 7_000) + "</title>words"})
	}
	input := write(t, jsonl(t, pages...)...)
	o := pipeline.Options{Workers: 4, Memory: 1 << 20}
	must(t, pipeline.ClusterUntil(t.Context(), "group", filepath.Join(t.TempDir(), "run"), []string{input}, preset(t, "web"), o))
}
