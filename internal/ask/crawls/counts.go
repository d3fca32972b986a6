package crawls

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/versions"
)

// ResemblanceBins is the number of bins of [ChangeCounts.Resemblance] for resemblances below 1.
const ResemblanceBins = 10

// ChangeCounts counts what became of pages.
type ChangeCounts struct {
	Pages       [len(Changes)]int             // by Change
	Folders     map[string]*[len(Changes)]int // the same for each host with the first folder of a path
	Resemblance [ResemblanceBins + 1]int      // of pages in both runs; the last bin is for exactly 1
}

// CountChanges counts what became of pages.
func CountChanges(pages iter.Seq[ChangedPage]) *ChangeCounts {
	c := &ChangeCounts{Folders: map[string]*[len(Changes)]int{}}
	for p := range pages {
		c.Pages[p.Change]++
		folder := firstFolder(p.URL)
		n := c.Folders[folder]
		if n == nil {
			n = new([len(Changes)]int)
			c.Folders[strings.Clone(folder)] = n
		}
		n[p.Change]++
		if p.Change <= Rewritten {
			c.Resemblance[int(p.Resemblance*ResemblanceBins)]++
		}
	}
	return c
}

// There returns the number of pages that both runs have.
func (c *ChangeCounts) There() int { return c.Pages[Same] + c.Pages[Edited] + c.Pages[Rewritten] }

// Busiest returns the folders, those with the most changes first.
func (c *ChangeCounts) Busiest() []string {
	return slices.SortedFunc(maps.Keys(c.Folders), func(a, b string) int {
		return cmp.Or(cmp.Compare(changesOf(c.Folders[b]), changesOf(c.Folders[a])), cmp.Compare(a, b))
	})
}

// changesOf returns the number of pages that are not the same.
func changesOf(n *[len(Changes)]int) (sum int) {
	for c, x := range n {
		if c != int(Same) {
			sum += x
		}
	}
	return sum
}

// firstFolder returns the host of a URL and the first folder of its path.
func firstFolder(url string) string {
	host, path := urls.Cut(url)
	if folder, _, ok := strings.Cut(path, "/"); ok {
		return host + "/" + folder + "/"
	}
	return host + "/"
}

// keptPages returns, for each page of a version of a site that readers should not find, the same page of the version that
// they should.
func keptPages(r *runs.Run) map[uint32]uint32 {
	sites, places := versions.Find(runs.PageURLs(r))
	kept, out := map[string]string{}, map[uint32]uint32{}
	for _, s := range sites {
		kept[s.Name] = s.Kept
	}
	for url, p := range places {
		top := strings.TrimSuffix(p.Site, "*")
		if v := kept[p.Site]; v != "" {
			top += v + "/"
		}
		id, _ := r.At(url)
		if to, ok := r.At(strings.TrimSuffix(top+p.Page, "/")); ok && to != id {
			out[id] = to
		}
	}
	return out
}
