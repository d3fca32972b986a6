package eval

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// sampleWords is the number of shared words to show as a reason.
const sampleWords = 8

// finder is a method with the run that it searches.
type finder struct {
	SampleMethod
	run              *runs.Run
	knows            func(id uint32) bool
	unknown, nothing string // reasons for a missing list: the URL is unknown, or it has no neighbours
	// lists returns the neighbours of documents, and none for NoDocument.
	lists func(ctx context.Context, ids []uint32, top int) ([][]SampleNeighbour, error)
}

// find returns the document of a URL if the method knows it.
func (f *finder) find(url string) (uint32, bool) {
	id, err := f.run.Lookup(url)
	return id, err == nil && f.knows(id)
}

// bagTitles describes the contents of bags.
var bagTitles = map[config.Source]string{
	config.FromLinks: "Words around links", config.FromContent: "Words of the page", config.FromBoth: "Words around links and of the page",
}

func exactFinder(r *runs.Run) finder {
	f := bagFinder(r, string(r.Config.Bags), bagTitles[r.Config.Bags]+", exact",
		"brute force: the exact similarity of the bags, over all documents", "no bag shares a word with its own")
	f.lists = func(ctx context.Context, ids []uint32, top int) ([][]SampleNeighbour, error) {
		near, err := topics.Exact(ctx, r, ids, top, topics.ByBoth, nil)
		if err != nil {
			return nil, err
		}
		return explained(r, ids, near), nil
	}
	return f
}

func indexFinder(r *runs.Run) finder {
	f := bagFinder(r, string(r.Config.Bags)+"-index", bagTitles[r.Config.Bags]+", index",
		"the pairs that the LSH index found and the run stored, by exact similarity", "the run stored no pair with it")
	f.lists = func(_ context.Context, ids []uint32, top int) ([][]SampleNeighbour, error) {
		near := make([][]topics.Neighbour, len(ids))
		for i, id := range ids {
			if id != NoDocument {
				near[i] = topics.Related(r, id, topics.Lookup{Top: top, Stored: true})
			}
		}
		return explained(r, ids, near), nil
	}
	return f
}

func bagFinder(r *runs.Run, name, title, how, nothing string) finder {
	return finder{
		SampleMethod: SampleMethod{Name: name, Title: title, How: how}, run: r,
		knows: func(id uint32) bool { return topics.Bag(r, id).Len() > 0 }, unknown: "it has no bag in this run", nothing: nothing,
	}
}

// explained turns neighbours by bags into neighbours of a sample.
func explained(r *runs.Run, ids []uint32, near [][]topics.Neighbour) [][]SampleNeighbour {
	out := make([][]SampleNeighbour, len(ids))
	for i, list := range near {
		for _, n := range list {
			x := topics.Explain(r, ids[i], n.ID)
			s := SampleNeighbour{URL: n.URL, Title: r.Docs.Title(n.ID), Similarity: x.Similarity, Stored: "stored: " + x.Why}
			if !x.Found {
				s.Stored = "not stored: " + x.Why
			}
			for _, t := range x.Terms {
				if shared := min(t.A, t.B); shared > 0 && len(s.Words) < sampleWords {
					s.Words = append(s.Words, SharedWord{t.Word, shared})
				}
			}
			out[i] = append(out[i], s)
		}
	}
	return out
}

func textFinder(r *runs.Run) finder {
	f := finder{
		SampleMethod: SampleMethod{
			Name: "resemblance", Title: "Same text",
			How: fmt.Sprintf("brute force: the exact resemblance of the sets of %d-word shingles, over all pages", r.Config.Shingle),
		},
		run: r, knows: func(id uint32) bool { return r.Document(id).Crawled }, unknown: "its text is not in the crawl", nothing: "no page shares a shingle with it",
	}
	f.lists = func(ctx context.Context, ids []uint32, top int) ([][]SampleNeighbour, error) {
		near, err := texts.Resembling(ctx, r, ids, top)
		if err != nil {
			return nil, err
		}
		out := make([][]SampleNeighbour, len(ids))
		for i, list := range near {
			for _, d := range list {
				out[i] = append(out[i], SampleNeighbour{
					URL: d.URL, Title: r.Document(d.ID).Title, Similarity: d.Resemblance,
					Text: &SampleOverlaps{d.Relation, max(0, float64(d.ThisInOther)), max(0, float64(d.OtherInThis))},
				})
			}
		}
		return out, nil
	}
	return f
}
