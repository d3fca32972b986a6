package crawls

import (
	"cmp"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/tables"
)

// traces finds pages of a run by the words of their names and paths, and by the pages that link to them.
type traces struct {
	run    *runs.Run
	names  moved.Rarity
	paths  moved.Rarity
	byWord map[string][]uint32 // documents with a word in their names or, for a word after /, in their paths
	linked map[uint64][]uint32 // documents that each page links to
	kept   map[uint32]uint32   // for a page of a version that readers should not find, that of the one they should
	namesakes
}

// namesakes counts the pages of a run by their names and by the last segment of their paths.
type namesakes struct{ names, segments map[uint64]int32 }

func newNamesakes() namesakes { return namesakes{map[uint64]int32{}, map[uint64]int32{}} }

// countNamesakes counts the namesakes of all pages.
func countNamesakes(r *runs.Run) namesakes {
	n := newNamesakes()
	for id := range uint32(r.Docs.Len()) {
		if r.There(id) {
			n.add(r, id, nameWords(r, id))
		}
	}
	return n
}

func (n namesakes) add(r *runs.Run, id uint32, names []string) {
	n.names[hashOf(names)]++
	_, segment := pathOf(r.Docs.URL(id))
	n.segments[xxh3.HashString(withoutSuffix(segment))]++
}

func hashOf(names []string) uint64 { return xxh3.HashString(strings.Join(names, " ")) }

// named returns the number of pages with these names.
func (n namesakes) named(names []string) int { return int(n.names[hashOf(names)]) }

// at returns the number of pages whose paths end in this segment.
func (n namesakes) at(segment string) int { return int(n.segments[xxh3.HashString(segment)]) }

// Bounds on the candidates that each kind of trace yields.
const (
	mostNamed   = 10   // documents found by their words
	mostLinked  = 10   // documents found by the pages that link to them
	mostAlike   = 10   // documents found by their texts, and as many by their bags
	mostAnchors = 3    // anchor texts that are names of a document
	mostOfWord  = 1000 // documents with a word; more common words are ignored
	mostLinks   = 1000 // links of a page; pages with more list everything and are ignored

	mostPostings = 20_000 // postings of the shingles of a text, rarest shingles first
)

func newTraces(r *runs.Run) *traces {
	t := &traces{run: r, byWord: map[string][]uint32{}, linked: map[uint64][]uint32{}, kept: keptPages(r), namesakes: newNamesakes()}
	for id := range uint32(r.Docs.Len()) {
		if !r.There(id) {
			continue
		}
		names, paths := nameWords(r, id), pathWords(r, id)
		t.names.Add(names)
		t.paths.Add(paths)
		if _, copied := t.kept[id]; !copied {
			t.add(r, id, names)
		}
		for _, w := range names {
			t.byWord[w] = append(t.byWord[w], id)
		}
		for _, w := range paths {
			t.byWord["/"+w] = append(t.byWord["/"+w], id)
		}
		for _, source := range r.Sources.Of(id) {
			t.linked[source] = append(t.linked[source], id)
		}
	}
	return t
}

// nameWords returns the words of the title and the anchor texts of a document. It ignores a title that is a URL.
func nameWords(r *runs.Run, id uint32) []string {
	title := r.Docs.Title(id)
	if strings.Contains(title, "://") {
		title = ""
	}
	return moved.Words(title + " " + strings.Join(runs.Anchors(r, id, mostAnchors), " "))
}

// pathWords returns the words of the path of a document.
func pathWords(r *runs.Run, id uint32) []string {
	_, path := urls.Cut(r.Docs.URL(id))
	return moved.Words(withoutSuffix(path))
}

// withoutSuffix removes the suffix of HTML files.
func withoutSuffix(path string) string {
	for _, suffix := range []string{".html", ".htm", ".php", ".aspx"} {
		path = strings.TrimSuffix(path, suffix)
	}
	return path
}

// best returns the at most most documents with the highest scores.
func best(scores map[uint32]float64, most int) (out []uint32) {
	order := func(a, b uint32) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) }
	for id := range scores {
		out = sets.Insert(out, id, most, order)
	}
	return out
}

// named returns the documents that share the rarest words of a name or, if prefix is "/", of a path.
func (t *traces) named(words []string, prefix string) []uint32 {
	scores := map[uint32]float64{}
	for _, w := range words {
		list := t.byWord[prefix+w]
		vote(scores, list, mostOfWord, 1/float64(len(list)))
	}
	return best(scores, mostNamed)
}

// vote adds a weight to the scores of some documents, unless these are more than most.
func vote(scores map[uint32]float64, ids []uint32, most int, weight float64) {
	if len(ids) > most {
		return
	}
	for _, id := range ids {
		scores[id] += weight
	}
}

// weight returns the weight of a linking page: the more links it has, the less each of them says.
func (t *traces) weight(source uint64) float64 { return 1 / float64(1+len(t.linked[source])) }

// linkedBy returns the documents that most of the pages link to.
func (t *traces) linkedBy(sources []uint64) []uint32 {
	scores := map[uint32]float64{}
	for _, source := range sources {
		vote(scores, t.linked[source], mostLinks, t.weight(source))
	}
	return best(scores, mostLinked)
}

// links returns the total weight of the pages in both lists of sources, divided by that of the pages in either.
func (t *traces) links(a, b []uint64) float64 { return sets.Alike(a, b, t.weight) }

// alike returns the documents that share the most text with a text.
func (t *traces) alike(o ownText) (out []uint32) {
	for _, page := range texts.Hits(t.run, texts.Rarest(t.run, o.stored.Values, mostPostings)) {
		if id := t.run.Pages.Document(page); id != tables.None && t.run.There(id) && !t.run.Pages.Notice(page) {
			if out = append(out, id); len(out) == mostAlike {
				break
			}
		}
	}
	return out
}
