package texts

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// releasePages returns the first pages of a release of the LLVM documentation, on a host named after it.
func releasePages(t *testing.T, release string, n int) (pages []string) {
	for _, line := range shareddata.Lines(t, "versions-llvm", "pages-"+release+".jsonl.gz", n) {
		pages = append(pages, strings.Replace(line, "//llvm.org", "//r"+release+".llvm.org", 1))
	}
	return pages
}

// TestLongReleasesAcross is TestSketchesAcross for two releases of the LLVM documentation, which are full of templates and of
// versions of one page.
func TestLongReleasesAcross(t *testing.T) {
	old, now := releasePages(t, "13", 200), releasePages(t, "19", 200)
	var pages []string
	for i := range old { // each half gets two of each release
		pages = append(pages, old[i], now[len(now)-1-i])
		if i%2 == 0 {
			n := len(pages)
			pages[n-1], pages[n-2] = pages[n-2], pages[n-1]
		}
	}
	acrossSplit(t, pages)
}
