package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/query"
)

// Search lists the documents that some words, or a URL, name.
type Search struct {
	Query    string          `json:"query"`
	At       *SearchHit      `json:"at,omitempty" doc:"the document at the query, if it is a URL that the run holds"`
	Hits     []SearchHit     `json:"hits" doc:"documents that fit the words, the best first"`
	Clusters []SearchCluster `json:"clusters" doc:"topical clusters that the best hits are in; only in the first portion"`
	Known    []string        `json:"known" doc:"words of the query that the run has"`
	Unknown  []string        `json:"unknown" doc:"words that it does not have"`
	Stop     []string        `json:"stop" doc:"words that are too common to be looked for"`
	Portion
}

// Rows implements List.
func (s *Search) Rows() any { return s.Hits }

// SearchHit is a document that fits.
type SearchHit struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Score   float64  `json:"score" doc:"how well the words fit" least:"0" most:"1"`
	Matched []string `json:"matched" doc:"words of the query that are in links to the document, or in its text, those that tell most first"`
	InTitle []string `json:"in_title" doc:"words of the query that its title holds"`
	Cluster string   `json:"cluster_id" doc:"topical cluster of the document"`
	Label   []string `json:"cluster_label"`
}

// SearchCluster is a topical cluster that holds hits.
type SearchCluster struct {
	ID    string   `json:"id"`
	Label []string `json:"label"`
	Hits  int      `json:"hits" doc:"that it holds, among the best 200"`
	Named bool     `json:"named" doc:"whether its label has a word of the query"`
}

const (
	mostWords    = 32   // of a query that are looked up
	mostFound    = 1000 // hits that all portions of an answer have together
	hitsClusters = 200  // best hits whose clusters are listed
	mostClusters = 10
)

func searchOperation() *Operation {
	return &Operation{
		ID: "search", Path: "/v1/search", Summary: "Which pages some words name",
		Description: "Looks the words up in the bags of all documents: the words of links to a document, and some of its title and text. So it finds pages by what the web calls them, also pages that were never crawled. It reads the lists of these words and no more. The clusters are those of the best hits. A query that is a URL which the run holds comes with the document at that URL.",
		Params: append([]Param{
			{Name: "q", Doc: "words, or a URL", Kind: Text, Required: true, Most: 500, Example: "incremental backup postgres"},
		}, listParams("10")...),
		Answer: &Search{},
		Ask:    func(_ context.Context, q *Question) (Model, error) { return q.search() },
	}
}

func (q *Question) search() (Model, error) {
	asked := q.Args.Text("q")
	out := &Search{Query: asked, Hits: []SearchHit{}, Clusters: []SearchCluster{}}
	words, err := q.Run.Words(firstWords(asked, mostWords))
	if err != nil && !errors.Is(err, query.ErrNoWords) {
		return nil, err
	}
	out.Known, out.Unknown, out.Stop = list(words.Known), list(words.Unknown), list(words.Stop)
	if q.From == 0 && strings.ContainsAny(asked, "./") {
		if id, err := q.Run.Lookup(strings.TrimSpace(asked)); err == nil {
			hit := q.Run.hit(query.WordMatch{ID: id, Score: 1}, words)
			out.At = &hit
		}
	}
	if err != nil {
		return out, nil
	}
	limit := q.Args.Int("limit")
	top := q.From + limit + 1
	if q.From == 0 {
		top = max(top, hitsClusters)
	}
	found := q.Run.Ranked(words, min(top, mostFound))
	for _, m := range portion(&out.Portion, found, q.From, limit, mostFound) {
		m.Words = q.Run.Held(words, m.ID)
		out.Hits = append(out.Hits, q.Run.hit(m, words))
	}
	if q.From == 0 {
		out.Clusters = q.Run.clustersOf(found[:min(len(found), hitsClusters)], words)
	}
	return out, nil
}

// firstWords returns the first n words of a text.
func firstWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[:min(n, len(words))], " ")
}

func (r *Run) hit(m query.WordMatch, words *query.Words) SearchHit {
	d, c := r.Document(m.ID), r.TopicalMembership(m.ID)
	hit := SearchHit{URL: d.URL, Title: d.Title, Score: m.Score, Matched: list(m.Words), InTitle: []string{}, Cluster: c.ID, Label: list(c.Label)}
	for _, w := range words.Known {
		if query.LabelHas([]string{d.Title}, w) {
			hit.InTitle = append(hit.InTitle, w)
		}
	}
	return hit
}

// clustersOf returns the clusters of hits: those with a word of the query in their label first, then those with the
// most hits.
func (r *Run) clustersOf(hits []query.WordMatch, words *query.Words) []SearchCluster {
	at, out := map[uint32]int{}, []SearchCluster{} // by the center; -1 for a cluster without a label
	var known []query.LabelWords
	for _, w := range words.Known {
		known = append(known, query.NewLabelWords(w))
	}
	for _, h := range hits {
		center := r.TopicalCenter(h.ID)
		i, ok := at[center]
		if !ok {
			i = -1
			if c := r.TopicalMembership(h.ID); len(c.Label) > 0 {
				i = len(out)
				named := slices.ContainsFunc(known, func(w query.LabelWords) bool { return w.In(c.Label) })
				out = append(out, SearchCluster{ID: c.ID, Label: c.Label, Named: named})
			}
			at[center] = i
		}
		if i >= 0 {
			out[i].Hits++
		}
	}
	slices.SortStableFunc(out, func(a, b SearchCluster) int {
		return cmp.Or(cmp.Compare(rank(b.Named), rank(a.Named)), cmp.Compare(b.Hits, a.Hits))
	})
	return out[:min(len(out), mostClusters)]
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}
