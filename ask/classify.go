package ask

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/classify"
)

// ClassifyAnswer is the category of a document.
type ClassifyAnswer struct {
	runs.Ref   `row:"true"`
	Path       string          `json:"path,omitempty" doc:"deepest category with sufficient confidence, broadest level first; missing if there is none" row:"true"`
	Level      int             `json:"level" doc:"levels of the path" row:"true"`
	Confidence float64         `json:"confidence,omitempty" doc:"probability that the path is right" least:"0" most:"1" row:"true"`
	Votes      float64         `json:"votes,omitempty" doc:"share of the votes for the path" least:"0" most:"1" row:"true"`
	Similarity float64         `json:"similarity,omitempty" doc:"of the nearest example" least:"0" most:"1" row:"true"`
	Neighbours []string        `json:"neighbours" doc:"URLs of the nearest examples" row:"true"`
	Labels     string          `json:"categories,omitempty" doc:"categories that the examples give the document itself, which does not vote" row:"true"`
	Levels     []ClassifyLevel `json:"levels" doc:"of the path with most votes, whatever its confidence"`
	Near       []ClassifyNear  `json:"near" doc:"nearest examples"`
	None       string          `json:"none,omitempty" doc:"why there are no levels"`
}

// ClassifyLevel is a category and its confidence; Path has those above it.
type ClassifyLevel struct {
	Path       string  `json:"path"`
	Confidence float64 `json:"confidence" least:"0" most:"1"`
}

// ClassifyNear is an example near a document.
type ClassifyNear struct {
	runs.Ref
	Similarity float64 `json:"similarity" least:"0" most:"1"`
	Labels     string  `json:"categories" doc:"that it has, separated by bars"`
}

// ClassifyOptions choose what the answers contain.
type ClassifyOptions struct {
	Min   float64 `name:"min_confidence" default:"0.5" most:"1" value:"P" doc:"answer the longest path with a confidence of at least this"`
	Limit int     `default:"3" value:"N" doc:"show this many of the nearest labelled documents as the reason"`
}

// Learn asks for a classifier by labelled documents, which must be distinct. It ignores documents without a bag.
type Learn struct {
	Labelled []Labelled
	Depth    int `default:"3" least:"1" most:"20" value:"LEVELS" doc:"number of levels of the paths to tell apart"`
}

// Ask answers the question.
func (o Learn) Ask(ctx context.Context, r *Run) (*Classifier, error) {
	return topics.NewClassifier(ctx, r, o.Labelled, o.Depth)
}

// Classify asks for the category of the document at a URL.
type Classify struct {
	URL string
	ClassifyOptions
}

// Ask answers the question.
func (o Classify) Ask(_ context.Context, c *Classifier) (*ClassifyAnswer, error) {
	r := c.Run()
	id, err := Lookup(r, o.URL)
	if err != nil {
		return nil, err
	}
	return classified(r, c, id, topics.Classify(c, id), o.ClassifyOptions), nil
}

// EachClassified calls put with the answer of Classify for every document that has a category, in the order of ids.
func EachClassified(ctx context.Context, r *Run, c *Classifier, o ClassifyOptions, put func(*ClassifyAnswer) error) error {
	return topics.EachClassified(ctx, c, func(id uint32, a topics.Classified) error {
		if len(a.Cut(o.Min)) == 0 {
			return nil
		}
		return put(classified(r, c, id, a, o))
	})
}

func classified(r *Run, c *Classifier, id uint32, a topics.Classified, o ClassifyOptions) *ClassifyAnswer {
	path := func(l classify.Level) string { return strings.Join(c.Model.Path(l.Category), "/") }
	cut := a.Cut(o.Min)
	out := &ClassifyAnswer{
		Ref: runs.RefOf(r, id), Level: len(cut), Neighbours: []string{}, Labels: joinPaths(a.Labels),
		Levels: []ClassifyLevel{}, Near: []ClassifyNear{},
	}
	if n := len(cut); n > 0 {
		out.Path, out.Confidence, out.Votes = path(cut[n-1]), cut[n-1].Confidence, cut[n-1].Share
	}
	for _, l := range a.Levels {
		out.Levels = append(out.Levels, ClassifyLevel{path(l), l.Confidence})
	}
	for _, n := range a.Near[:min(len(a.Near), o.Limit)] {
		example := c.Example(n.Example)
		out.Neighbours = append(out.Neighbours, r.URL(example))
		out.Near = append(out.Near, ClassifyNear{runs.RefOf(r, example), float64(n.Similarity), joinPaths(c.Model.Paths(n.Example))})
		out.Similarity = max(out.Similarity, float64(n.Similarity))
	}
	switch {
	case len(a.Levels) > 0:
	case topics.Bag(r, id).Len() == 0:
		out.None = NoNeighbours(r, id, Related{})
	default:
		out.None = "no labelled document has a word of it"
	}
	return out
}

func joinPaths(paths [][]string) string {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = strings.Join(p, "/")
	}
	return strings.Join(all, " | ")
}
