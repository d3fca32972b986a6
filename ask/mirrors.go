package ask

import (
	"math"
	"path"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
)

// foldMirrors omits neighbours that are mirrors, forks or versions of one before them, and lists their URLs
// there. Such documents have the same name and the same end of their path, and their bags are at least as similar to
// each other as to the bag of the document that was asked about.
func foldMirrors(r *Run, near []Neighbour) []Neighbour {
	type key struct{ name, end string }
	at := map[key][]int{} // indexes in out
	out := near[:0]
next:
	for _, n := range near {
		n.Name = r.NameOf(n.ID)
		k := key{strings.ToLower(n.Name), pathEnd(n.URL)}
		for _, i := range at[k] {
			if k.end != "" && bags.Similarity(topics.Bag(r, out[i].ID), topics.Bag(r, n.ID)) >= float64(n.Similarity) {
				out[i].Mirrors = append(out[i].Mirrors, n.URL)
				continue next
			}
		}
		at[k] = append(at[k], len(out))
		out = append(out, n)
	}
	return out
}

// pathEnd returns the last part of the path of a URL in lower case, or the empty string for the root of a host.
func pathEnd(url string) string {
	_, rest := urls.Cut(url)
	if rest == "" {
		return ""
	}
	return strings.ToLower(path.Base(rest))
}

// withMirrors returns the number of neighbours to look for, so that most rows remain when mirrors are folded.
func withMirrors(most int) int { return most + min(most, math.MaxInt-most) }
