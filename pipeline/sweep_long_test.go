package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// Chains of three sweeps over the pages of three releases of the LLVM documentation.
func TestLongSweepsOfRandomSplits(t *testing.T) {
	versions := func(release string) []string {
		return shareddata.Lines(t, "versions-llvm", "pages-"+release+".jsonl.gz", 30)
	}
	all := slices.Concat(versions("13"), versions("16"), versions("19"))
	for seed := range uint64(5) {
		sweepsOfSplits(t, seed, 3, 50, all)
	}
}

// A page with too many links is not kept either.
func TestLongTooManyLinks(t *testing.T) {
	var links strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&links, "<p>%s<a href=/%d>link</a>", randomText(20+i%30), i)
	}
	tooLong(t, preset(t, "web"), page{URL: "https://a.example/links", HTML: links.String()})
}
