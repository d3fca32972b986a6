package eval

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/classify"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/query"
	"github.com/zeebo/xxh3"
)

// ClassEvaluation tells how often a classifier that learns from a gold is right.
type ClassEvaluation struct {
	Gold     string               `json:"gold"`
	Half     score.Half           `json:"half"`
	Targets  int                  `json:"targets"`
	Examples int                  `json:"examples"` // targets that the run has a bag of
	Folds    int                  `json:"folds"`
	Tests    []score.AnswerScores `json:"tests"`
	Warnings []string             `json:"warnings,omitempty"`
}

// Names of the tests of a classifier.
const (
	AnyExamples   = "any examples"            // each target is classified by the targets of the other folds
	ApartExamples = "apart"                   // the same without targets that some page links to together with it
	OtherLists    = "examples of other lists" // no target of its list is an example
)

// classFolds is the number of folds.
const classFolds = 10

// EvaluateClasses classifies each target of a gold by examples from the gold, and measures the answers. The targets are
// dealt to ten folds by a hash of their URLs. Categories and confidences are learned from nine folds, and the targets
// of the tenth are classified. In one test, whole lists are dealt to the folds. It uses the Depth, Half, Bootstrap,
// Seed, Web and Apart of o.
func EvaluateClasses(ctx context.Context, r *query.Run, g *gold.Gold, o Options) (*ClassEvaluation, error) {
	d, err := score.NewDirectory(g.Labels, cmp.Or(o.Depth, 3))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	x, err := newCrossing(ctx, r, d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	if _, err := d.CheckLevels(func(i int) bool { return x.match.IDs[i] != NoDocument }, "the run holds"); err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	e := &ClassEvaluation{Gold: g.Name, Half: o.Half, Targets: d.Len(), Examples: x.c.Len(), Folds: classFolds}
	measure := score.Options{Queries: d.In(o.Half), Bootstrap: o.Bootstrap, Seed: o.Seed}
	var co score.CoLinks
	if o.Apart {
		if co, err = x.match.CoLinks(r); err != nil {
			return nil, err
		}
	}
	byURL := x.folds(d.URL)
	for _, test := range []struct {
		name string
		fold []int
		co   score.CoLinks
	}{{AnyExamples, byURL, nil}, {ApartExamples, byURL, co}, {OtherLists, x.folds(d.List), nil}} {
		if test.name == ApartExamples && co == nil {
			continue
		}
		answers, err := x.answers(ctx, test.fold, test.co)
		if err != nil {
			return nil, err
		}
		measure.Barred = test.co
		e.Tests = append(e.Tests, d.ScoreAnswers(test.name, answers, measure))
	}
	return e, nil
}

// crossing classifies the targets of a directory by each other.
type crossing struct {
	d     *score.Directory
	match Match
	c     *query.Classifier
	lists []classify.Lists // neighbours of each example
	of    []int32          // target that each example is
	at    []int32          // example that each target is, -1 for none
}

// spare is how many more neighbours of an example are found than vote, so that enough are left without those of a fold.
const spare = 3

func newCrossing(ctx context.Context, r *query.Run, d *score.Directory) (*crossing, error) {
	m, err := Find(r, d)
	if err != nil {
		return nil, err
	}
	x := &crossing{d: d, match: m, at: make([]int32, d.Len())}
	var labelled []query.Labelled
	target := map[uint32]int32{}
	for t, id := range m.IDs {
		x.at[t] = -1
		if _, twice := target[id]; id != NoDocument && !twice {
			target[id] = int32(t)
			labelled = append(labelled, query.Labelled{ID: id, Paths: d.Paths(t)})
		}
	}
	if x.c, err = r.NewClassifier(ctx, labelled, d.Depth()); err != nil {
		return nil, err
	}
	for i := range int32(x.c.Len()) {
		t := target[x.c.Example(i)]
		x.of, x.at[t] = append(x.of, t), i
	}
	x.lists, err = x.c.Neighbours(ctx, spare*classify.K)
	return x, err
}

// folds deals the targets to folds by a hash of their names.
func (x *crossing) folds(name func(target int) string) []int {
	fold := make([]int, x.d.Len())
	for t := range fold {
		fold[t] = int(xxh3.HashString(name(t)) % classFolds)
	}
	return fold
}

// answers classifies the targets of each fold by those of the others, without those that are co-linked with the target.
func (x *crossing) answers(ctx context.Context, fold []int, co score.CoLinks) ([]score.Answered, error) {
	out := make([]score.Answered, x.d.Len())
	for t := range out {
		out[t].Nearest = -1
	}
	for f := range classFolds {
		m, number := x.model(func(example int32) bool { return fold[x.of[example]] != f })
		err := parallel.Each(ctx, len(x.of), runtime.GOMAXPROCS(0), func(_, i int) error {
			t := x.of[i]
			if fold[t] != f {
				return nil
			}
			near := x.c.Near(x.c.Example(int32(i)), classify.K, func(other int32) bool {
				if number[other] < 0 {
					return true
				}
				if co == nil {
					return false
				}
				_, together := slices.BinarySearch(co[t], x.of[other])
				return together
			}).All
			if len(near) == 0 {
				return nil
			}
			out[t].Nearest, out[t].Similarity = x.of[near[0].Example], near[0].Similarity
			a := m.Answer(renumbered(near, number))
			for _, l := range a.Levels {
				out[t].Confidence = append(out[t].Confidence, l.Confidence)
				out[t].Path = m.Path(l.Category)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// model learns from some examples. number[i] is the number of example i in the model, -1 if it is left out.
func (x *crossing) model(keep func(example int32) bool) (m *classify.Model, number []int32) {
	number = make([]int32, len(x.of))
	var paths [][][]string
	for i := range number {
		number[i] = -1
		if keep(int32(i)) {
			number[i] = int32(len(paths))
			paths = append(paths, x.d.Paths(int(x.of[i])))
		}
	}
	var lists []classify.Lists
	for i, l := range x.lists {
		if number[i] >= 0 {
			lists = append(lists, classify.Lists{All: renumbered(l.All, number), Apart: renumbered(l.Apart, number)})
		}
	}
	return classify.NewExamples(paths, x.d.Depth()).Calibrate(lists), number
}

// renumbered returns the neighbours that are in a model, by their numbers in it.
func renumbered(near []classify.Neighbour, number []int32) []classify.Neighbour {
	var out []classify.Neighbour
	for _, n := range near {
		if n.Example = number[n.Example]; n.Example >= 0 {
			out = append(out, n)
		}
	}
	return out
}
