package topics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/classify"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// Labelled is a document with the paths of its categories. A path begins with the broadest category.
type Labelled struct {
	ID    uint32
	Paths [][]string
}

// Classifier assigns documents of a run to categories by the labelled documents nearest to them. Several goroutines
// may use it at once.
type Classifier struct {
	learned
	run     *runs.Run
	ids     []uint32           // documents of the examples, ascending
	index   *inverted.Index    // of their bags
	sources map[uint64][]int32 // examples that each page links to, as far as the run kept the sentences
}

// learned keeps the name of the model, which is not public, out of Classifier.
type learned struct{ Model *classify.Model }

// Run returns the run of the documents.
func (c *Classifier) Run() *runs.Run { return c.run }

// Classified is the result for a document.
type Classified struct {
	classify.Answer
	Labels [][]string // paths of the document as an example; it does not vote for itself
}

// NewClassifier learns from labelled documents, which must be distinct. It uses the first depth levels of their paths
// and ignores documents without a bag.
func NewClassifier(ctx context.Context, r *runs.Run, labelled []Labelled, depth int) (*Classifier, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	given := len(labelled)
	labelled = slices.DeleteFunc(slices.Clone(labelled), func(l Labelled) bool { return r.Bags.At(l.ID).Len() == 0 })
	if len(labelled) < 2 {
		return nil, fmt.Errorf("%w: %d of %d labelled documents have a bag", ErrFewExamples, len(labelled), given)
	}
	slices.SortFunc(labelled, func(a, b Labelled) int { return cmp.Compare(a.ID, b.ID) })
	c := &Classifier{run: r, sources: map[uint64][]int32{}}
	all, paths := make(inverted.List, len(labelled)), make([][][]string, len(labelled))
	for i, l := range labelled {
		c.ids, all[i], paths[i] = append(c.ids, l.ID), r.Bags.At(l.ID), l.Paths
		for _, s := range r.Sources.Of(l.ID) {
			c.sources[s] = append(c.sources[s], int32(i))
		}
	}
	c.index = inverted.Of(all, r.Config.Sum)
	lists := make([]classify.Lists, len(c.ids))
	err := parallel.Each(ctx, len(c.ids), runtime.GOMAXPROCS(0), func(_, i int) error {
		lists[i] = classify.Lists{All: c.near(c.ids[i], false), Apart: c.near(c.ids[i], true)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.Model = classify.NewExamples(paths, depth).Calibrate(lists)
	return c, nil
}

// Example returns the document of an example.
func (c *Classifier) Example(i int32) uint32 { return c.ids[i] }

// Len returns the number of examples.
func (c *Classifier) Len() int { return len(c.ids) }

// ErrFewExamples is wrapped by the error of [NewClassifier] for fewer than two labelled documents with a bag.
var ErrFewExamples = errors.New("there is nothing to learn from")

// near returns the K examples nearest to a document other than the document itself. If apart is set, it omits
// examples that some page links to together with the document. It searches an index of the examples alone, which
// finds the nearest ones exactly. The stored pairs of the directory set, with the vote of the nearest ten, were right
// at level 1 for .664 of gold.tsv, and for .301 without pairs that one page links to together; the index was right
// for .724 and .613.
func (c *Classifier) near(id uint32, apart bool) (near []classify.Neighbour) {
	together := map[uint32]bool{}
	for _, page := range c.run.Sources.Of(id) {
		for _, i := range c.sources[page] {
			together[uint32(i)] = true
		}
	}
	for _, h := range c.index.Nearest(nil, c.run.Bags.At(id), inverted.Options{Top: classify.K, Wanted: func(i uint32) bool {
		return c.ids[i] != id && !(apart && together[i])
	}}) {
		near = append(near, classify.Neighbour{Example: int32(h.Node), Similarity: h.Similarity, Together: together[h.Node]})
	}
	return near
}

// Classify returns the category of a document. The result is empty if no example shares a word with its bag.
func Classify(c *Classifier, id uint32) Classified {
	out := Classified{}
	if self, ok := slices.BinarySearch(c.ids, id); ok {
		out.Labels = c.Model.Paths(int32(self))
	}
	if c.run.Nodes.Of(id) != tables.None {
		out.Answer = c.Model.Answer(c.near(id, false))
	}
	return out
}

// EachClassified calls answer for every document of the run that gets a category, in order of ids.
func EachClassified(ctx context.Context, c *Classifier, answer func(id uint32, a Classified) error) error {
	return eachOf(ctx, c.run, func(id uint32) (Classified, int) {
		a := Classify(c, id)
		return a, len(a.Levels) << 10
	}, answer)
}
