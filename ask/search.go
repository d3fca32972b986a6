package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
)

// SearchAnswer lists the documents that match words or a URL.
type SearchAnswer struct {
	Query    string          `json:"query" row:"true"`
	At       *SearchItem     `json:"at,omitempty" doc:"the document, if the query is a URL in the run"`
	Items    []SearchItem    `json:"items" doc:"documents that are called so, then those whose bags match the words, best first; the total counts at most 1,000"`
	Clusters []SearchCluster `json:"clusters" doc:"topical clusters that the best hits are in; only in the first portion"`
	Known    []string        `json:"known" doc:"words of the query that the run has"`
	Unknown  []string        `json:"unknown" doc:"words that it does not have"`
	Stop     []string        `json:"stop" doc:"words that are too common to be looked for"`
	Portion
}

// SearchItem is a matching document.
type SearchItem struct {
	runs.Ref
	Score   float64  `json:"score" doc:"share of letters of the name that match or, if no name does, how well the words match the bag, less up to .4 if few hosts link to it" least:"0" most:"1"`
	Matched []string `json:"matched" doc:"words of the query in links to the document or in its text, most significant first"`
	InTitle []string `json:"in_title" doc:"words of the query in its title"`
	Cluster string   `json:"cluster_id" doc:"topical cluster of the document"`
	Label   string   `json:"cluster_label"`
	Best    bool     `json:"best" doc:"whether it is the one that is called what was asked for, or most likely meant"`
	Called  string   `json:"called,omitempty" doc:"how its name matches: whole, typo or beginning; missing if only its words do" enum:"whole,typo,beginning"`

	Quote *Quote `json:"quote,omitempty" doc:"the first sentence that links to it with the most words of the query; missing if none has any"`
}

// SearchCluster is a topical cluster that contains hits.
type SearchCluster struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Hits  int    `json:"hits" doc:"that it holds, among the best 200"`
	Named bool   `json:"named" doc:"whether its label has a word of the query"`
}

const (
	mostWords    = 32   // words of a query that are looked up
	hitsClusters = 200  // best hits whose clusters are listed
	mostCounted  = 1000 // hits that the total counts
	mostClusters = 10
)

// Search asks which documents are called by some words, or have them in their bags; see [topics.Find].
type Search struct {
	Words  string `name:"q" required:"true" most:"500" doc:"words, or a URL" example:"incremental backup postgres"`
	Window `limit:"10"`
}

// Ask answers the question.
func (o Search) Ask(_ context.Context, r *Run) (*SearchAnswer, error) {
	asked, rows := o.Words, o.Window
	out := &SearchAnswer{Query: asked, Items: []SearchItem{}, Clusters: []SearchCluster{}}
	all := strings.Fields(asked)
	words, err := topics.ParseWords(r, strings.Join(all[:min(mostWords, len(all))], " "))
	if err != nil && !errors.Is(err, topics.ErrNoWords) {
		return nil, err
	}
	out.Known, out.Unknown, out.Stop = List(words.Known), List(words.Unknown), List(words.Stop)
	if rows.From == 0 && strings.ContainsAny(asked, "./") {
		if id, err := r.Lookup(strings.TrimSpace(asked)); err == nil {
			item := searchItem(r, topics.WordMatch{ID: id, Score: 1}, words)
			out.At = &item
		}
	}
	top := min(max(rows.Top(), mostCounted), r.Len())
	found := topics.Find(r, asked, words, top)
	for i, m := range Cut(&out.Portion, found, rows) {
		item := searchItem(r, m, words)
		item.Best = rows.From+i == 0 && item.Called != ""
		out.Items = append(out.Items, item)
	}
	if rows.From == 0 {
		out.Clusters = searchClusters(r, found[:min(len(found), hitsClusters)], words)
	}
	return out, nil
}

// wordsOfText is the number of words of a text that are looked up.
const wordsOfText = 24

// SearchText lists the documents whose bags match the words that say most about a text.
func SearchText(r *Run, text []byte, rows Window) (*SearchAnswer, error) {
	out := &SearchAnswer{Items: []SearchItem{}, Clusters: []SearchCluster{}, Known: []string{}, Unknown: []string{}, Stop: []string{}}
	words, err := topics.WordsOf(r, text, wordsOfText)
	if errors.Is(err, topics.ErrNoWords) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.Query, out.Known = strings.Join(words.Known, " "), words.Known
	for _, m := range Cut(&out.Portion, topics.Ranked(r, words, min(max(rows.Top(), mostCounted), r.Len())), rows) {
		out.Items = append(out.Items, searchItem(r, m, words))
	}
	return out, nil
}

func searchItem(r *Run, m topics.WordMatch, words *topics.Words) SearchItem {
	c := topics.MembershipOf(r, m.ID)
	item := SearchItem{
		Ref: runs.RefOf(r, m.ID), Called: m.Called.String(), Score: m.Score, Matched: List(topics.Held(r, words, m.ID)),
		InTitle: []string{}, Cluster: c.ID, Label: c.Label,
	}
	for _, w := range words.Known {
		if topics.NewLabelWords(w).In(r.Docs.Title(m.ID)) {
			item.InTitle = append(item.InTitle, w)
		}
	}
	item.Quote = bestQuote(QuotesOf(r, m.ID), words.Known)
	return item
}

// bestQuote returns the first of the sentences with the most of some words in lower case, or nil if none has any.
func bestQuote(quotes []Quote, words []string) *Quote {
	var best *Quote
	most := 0
	for i, q := range quotes {
		sentence, n := strings.ToLower(q.Before+" "+q.Anchor+" "+q.After), 0
		for _, w := range words {
			if strings.Contains(sentence, w) {
				n++
			}
		}
		if n > most {
			best, most = &quotes[i], n
		}
	}
	return best
}

// searchClusters returns the clusters of hits: first those with a word of the query in their label, then those with
// the most hits.
func searchClusters(r *Run, hits []topics.WordMatch, words *topics.Words) []SearchCluster {
	at, out := map[uint32]int{}, []SearchCluster{} // index in out by center; -1 for a cluster without a label
	var known []topics.LabelWords
	for _, w := range words.Known {
		known = append(known, topics.NewLabelWords(w))
	}
	for _, h := range hits {
		center := topics.CenterOf(r, h.ID)
		i, ok := at[center]
		if !ok {
			i = -1
			if c := topics.MembershipOf(r, h.ID); c.Label != "" {
				i = len(out)
				named := slices.ContainsFunc(known, func(w topics.LabelWords) bool { return w.In(c.Label) })
				out = append(out, SearchCluster{ID: c.ID, Label: c.Label, Named: named})
			}
			at[center] = i
		}
		if i >= 0 {
			out[i].Hits++
		}
	}
	slices.SortStableFunc(out, func(a, b SearchCluster) int {
		return cmp.Or(sets.One(b.Named)-sets.One(a.Named), cmp.Compare(b.Hits, a.Hits))
	})
	return out[:min(len(out), mostClusters)]
}
