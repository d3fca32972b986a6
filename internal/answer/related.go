package answer

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

// RelatedAnswer lists the documents related to one.
type RelatedAnswer struct {
	Of    string        `json:"of" doc:"canonical URL of the document that was asked about" row:"true"`
	Items []RelatedItem `json:"items" doc:"the most similar first"`
	None  string        `json:"none,omitempty" doc:"why the list is empty"`
	Portion
}

// RelatedItem is a neighbour.
type RelatedItem struct {
	URL        string   `json:"url"`
	Name       string   `json:"name" doc:"title or, without one, the most common text of the links to it"`
	Similarity float32  `json:"similarity" doc:"exact, of the words around the links to both" least:"0" most:"1"`
	Agreement  float32  `json:"agreement" doc:"share of equal signatures, which estimates the similarity" least:"0" most:"1"`
	Shared     []string `json:"shared" doc:"words that contribute most to the similarity"`
	Found      string   `json:"found" doc:"how it was found: same-bag, stored, round-1 for a neighbour of a neighbour, or exact"`
	Together   int      `json:"together" doc:"pages that link to both"`
}

// RelatedOptions say which neighbours are listed.
type RelatedOptions struct {
	Window
	Apart bool // leave out documents that some page links to together with the URL
	Exact bool // compare with all documents, not only with stored neighbours and their neighbours
}

// Related lists the documents whose linking pages use words most like those of the pages that link to a URL. By default
// it compares the document with its stored neighbours and with the neighbours of these; Exact misses none.
func Related(ctx context.Context, r *query.Run, url string, o RelatedOptions) (*RelatedAnswer, error) {
	if err := r.Need("topical"); err != nil {
		return nil, err
	}
	id, err := Lookup(r, url)
	if err != nil {
		return nil, err
	}
	l := o.lookup()
	near := [][]query.Neighbour{nil}
	if o.Exact {
		var wanted func(id, other uint32) bool
		if o.Apart {
			wanted = func(id, other uint32) bool { return r.Together(id, other) == 0 }
		}
		if near, err = r.Exact(ctx, []uint32{id}, l.Top, wanted); err != nil {
			return nil, err
		}
	} else {
		near[0] = r.Related(id, l)
	}
	out := relatedOf(r, id, near[0], o)
	if len(near[0]) == 0 {
		out.None = NoNeighbours(r, id, o.Apart)
	}
	return out, nil
}

// EachRelated calls put with the answer of Related about every document that has neighbours, in the order of the ids.
// It looks for them on all processors.
func EachRelated(ctx context.Context, r *query.Run, o RelatedOptions, put func(*RelatedAnswer) error) error {
	if err := r.Need("topical"); err != nil {
		return err
	}
	return r.EachRelated(ctx, o.lookup(), func(id uint32, near []query.Neighbour) error { return put(relatedOf(r, id, near, o)) })
}

func (o RelatedOptions) lookup() query.Lookup {
	l := query.DefaultLookup
	l.Top, l.Apart = o.top(), o.Apart
	return l
}

func relatedOf(r *query.Run, id uint32, near []query.Neighbour, o RelatedOptions) *RelatedAnswer {
	out := &RelatedAnswer{Of: r.URL(id), Items: []RelatedItem{}}
	for _, n := range Cut(&out.Portion, near, o.Window) {
		out.Items = append(out.Items, RelatedItem{
			URL: n.URL, Name: Name(r, n.ID), Similarity: n.Similarity, Agreement: n.Agreement, Shared: list(r.Shared(id, n.ID, mostShared)),
			Found: n.Found.String(), Together: n.Together,
		})
	}
	return out
}

// NoNeighbours says why nothing is related to a document.
func NoNeighbours(r *query.Run, id uint32, apart bool) string {
	plain, _, capture := strings.Cut(r.URL(id), "#")
	switch {
	case capture && len(r.Captures(plain)) > 0:
		return "links do not point at a capture; ask about " + plain
	case apart && len(r.Related(id, query.Lookup{Top: 1})) > 0:
		return "some page links to it together with every related document that was found"
	case r.Bag(id).Len() > 0:
		return "no document is similar enough for this run to store it (the settings floor and min-similarity)"
	}
	return "the web says nothing about it: no link to it, and no title of its own, has a term of the run"
}
