package ask

import (
	"math"
	"path"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// foldAlike omits neighbours that tell no more than one before them, and lists their URLs there: mirrors, forks, versions, parts
// of a series, and the same story on other hosts. Such documents have the same name but for digits and signs, and the same end
// of their path unless the name has several words; and their bags are at least as similar to each other as to the bag of the
// document that was asked about.
func foldAlike(r *Run, near []Neighbour) []Neighbour {
	type key struct{ name, end string }
	at, ranks := map[key][]int{}, []int(nil) // indexes in out, and ranks of these
	out := near[:0]
next:
	for rank, n := range near {
		n.Ref = runs.RefOf(r, n.ID)
		words := strings.FieldsFunc(strings.ToLower(n.Name), func(r rune) bool { return !unicode.IsLetter(r) })
		k := key{strings.Join(words, ""), pathEnd(n.URL)}
		if len(words) > 1 {
			k.end = "*" // as no path ends
		}
		for _, i := range at[k] {
			near := k.end != "" && rank-ranks[i] <= foldReach
			if near && bags.Similarity(topics.Bag(r, out[i].ID), topics.Bag(r, n.ID)) >= float64(n.Similarity) {
				out[i].Mirrors = append(out[i].Mirrors, n.URL)
				continue next
			}
		}
		at[k] = append(at[k], len(out))
		out, ranks = append(out, n), append(ranks, rank)
	}
	return out
}

// foldReach is how many ranks may be between a document and one that is omitted for it. So the beginning of a list is the same
// whatever its length.
const foldReach = 50

// pathEnd returns the last part of the path of a URL in lower case, or the empty string for the root of a host.
func pathEnd(url string) string {
	_, rest := urls.Cut(url)
	if rest == "" {
		return ""
	}
	return strings.ToLower(path.Base(rest))
}

// withMirrors returns the number of neighbours to look for, so that most rows remain when some are folded.
func withMirrors(most int) int { return min(most, math.MaxInt/4)*2 + foldReach }
