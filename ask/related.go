package ask

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// RelatedAnswer lists the documents related to a document.
type RelatedAnswer struct {
	URL   string      `json:"url" doc:"canonical URL of the document that was asked about" row:"of"`
	Items []Neighbour `json:"items" doc:"in order of relatedness; the total counts mirrors, and with exact or by one field at most 300 or those up to the list"`
	None  string      `json:"none,omitempty" doc:"why the list is empty"`
	Note  string      `json:"note,omitempty" doc:"why the list may mislead"`
	Portion
}

// Related asks which documents have the bags that are most like that of a URL. The document is compared with its stored
// neighbours and their neighbours; with Exact, or by one field of the bags, none is missed. Mirrors have one row.
type Related struct {
	URL       string `required:"true" doc:"URL of the document, in any form" example:"postgresql.org/docs/15/gin.html"`
	By        By     `default:"both" enum:"links,content,both" value:"WHAT" doc:"compare the words around the links to pages, their own words, or both; all but both compares with all documents"`
	Exact     bool   `doc:"compare with the bags of all documents, so that none is missed"`
	Apart     bool   `doc:"leave out documents that some page links to together with the URL"`
	Elsewhere bool   `doc:"leave out documents on the host of the URL"`
	Window    `limit:"10"`
}

// Ask answers the question.
func (o Related) Ask(ctx context.Context, r *Run) (*RelatedAnswer, error) {
	if err := r.Need("topical"); err != nil {
		return nil, err
	}
	id, err := Lookup(r, o.URL)
	if err != nil {
		return nil, err
	}
	near, found, err := o.near(ctx, r, id)
	if err != nil {
		return nil, err
	}
	near = foldAlike(r, near[:min(len(near), withMirrors(o.Top()))])
	near = near[:min(len(near), o.Top())]
	out := relatedOf(r, id, near, o)
	out.Total = found
	if len(near) == 0 {
		out.None = NoNeighbours(r, id, o)
	} else if d := r.Document(id); !o.Apart && !d.Crawled && d.InHosts <= fewHosts {
		out.Note = "Little is known about it, so that documents may seem related which the same pages merely list."
	}
	return out, nil
}

// near returns the documents related to a document, at least as many as have rows when mirrors are folded, and the number of
// all that were found.
func (o Related) near(ctx context.Context, r *Run, id uint32) (near []Neighbour, found int, err error) {
	lookup := o.lookup()
	lookup.Top = withMirrors(o.Top())
	if !o.Exact && !o.oneField() {
		near, found = topics.RelatedOf(r, id, lookup)
		return near, found, nil
	}
	wanted := func(id, other uint32) bool {
		return (!o.Apart || topics.Together(r, id, other) == 0) && (!o.Elsewhere || urls.Host(r.URL(other)) != urls.Host(r.URL(id)))
	}
	lists, err := topics.Exact(ctx, r, []uint32{id}, min(max(lookup.Top, mostRanked), r.Len()), o.By, wanted)
	if err != nil {
		return nil, 0, err
	}
	near = lists[0]
	if o.oneField() {
		topics.RankBy(r, id, o.By, near)
	} else {
		topics.Rank(r, id, near)
	}
	return near, len(near), nil
}

// oneField reports whether documents are compared by one field of their bags.
func (o Related) oneField() bool { return o.By == topics.ByLinks || o.By == topics.ByContent }

// mostRanked is the number of the most similar documents whose order shared neighbours decide, if all are compared.
const mostRanked = 300

// fewHosts is the greatest number of linking hosts from which little is known about a document that was not crawled.
const fewHosts = 2

// EachRelated calls put with the answer of Related for every document that has neighbours, in the order of ids. It
// uses all processors, and gives mirrors their own rows.
func EachRelated(ctx context.Context, r *Run, o Related, put func(*RelatedAnswer) error) error {
	if err := r.Need("topical"); err != nil {
		return err
	}
	return topics.EachRelated(ctx, r, o.lookup(), func(id uint32, near []Neighbour) error { return put(relatedOf(r, id, near, o)) })
}

func (o Related) lookup() topics.Lookup {
	return topics.Lookup{Top: o.Top(), Apart: o.Apart, Elsewhere: o.Elsewhere}
}

func relatedOf(r *Run, id uint32, near []Neighbour, o Related) *RelatedAnswer {
	out := &RelatedAnswer{URL: r.URL(id)}
	out.Items = Cut(&out.Portion, near, o.Window)
	for i := range out.Items {
		n := &out.Items[i]
		n.Ref, n.Mirrors, n.Shared = runs.RefOf(r, n.ID), List(n.Mirrors), List(topics.Shared(r, id, n.ID, o.By, mostShared))
		links, content := topics.Fields(r, id, n.ID)
		n.ByLinks, n.ByContent = float32(links.Similarity), float32(content.Similarity)
		if sum := links.SumMin + content.SumMin; sum > 0 {
			n.FromLinks = float32(links.SumMin) / float32(sum)
		}
	}
	return out
}

// NoNeighbours says why no documents are related to a document.
func NoNeighbours(r *Run, id uint32, o Related) string {
	plain, _, capture := strings.Cut(r.URL(id), "#")
	switch {
	case capture && len(runs.CapturesAt(r, plain)) > 0:
		return "links do not point at a capture; ask about " + plain
	case o.Apart && len(topics.Related(r, id, topics.Lookup{Top: 1, Stored: true})) > 0:
		return "some page links to it together with every related document that was found"
	case o.Elsewhere && len(topics.Related(r, id, topics.Lookup{Top: 1, Stored: true})) > 0:
		return "every related document that was found is on the same host"
	case o.By == topics.ByLinks && r.Document(id).InLinks == 0:
		return "no page links to it"
	case o.By == topics.ByContent && !r.Document(id).Crawled:
		return "the crawl does not hold it, so nothing is known of its own words"
	case topics.Bag(r, id).Len() > 0 && (o.Exact || o.oneField()):
		return "no other document shares a word with it"
	case topics.Bag(r, id).Len() > 0:
		return "no document is similar enough for this run to store it (the settings floor and min-similarity)"
	}
	if d := r.Document(id); d.InLinks > 0 || d.Crawled {
		return "it cannot be compared: all words of the links to it, and its own, are too rare or too common in this run"
	}
	return "nothing is known about it: no page links to it, and it was not crawled"
}
