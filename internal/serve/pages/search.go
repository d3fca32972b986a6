package pages

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// found is the answer to a search.
type found struct {
	Asked    string
	At       *Row // the document whose URL was entered
	Best     *Row // the document that is called so
	Rows     Rows
	Clusters []Bar
	Called   string // link to the topics that are called so, "" if none of these is
	Unknown  []string
	Stop     []string
	Lost     string // link to the search for the query as a URL, if it may be one
}

// mostHits is the number of rows of a portion.
const mostHits = 20

func showSearch(ctx context.Context, q *Question) (*View, error) {
	asked := strings.TrimSpace(q.Args.Text("q"))
	if asked == "" {
		return &View{Title: "Search", Accent: Web,
			Data: &found{Rows: Rows{Empty: Empty{Text: "Type a URL, or a few words that links to a page might have."}}}}, nil
	}
	if isURL(q.Run, asked) {
		return nil, &Redirect{q.pageOrFind(asked)}
	}
	rows, err := q.window(mostHits)
	if err != nil {
		return nil, err
	}
	s, err := ask.Search{Words: asked, Window: rows}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	f := &found{Asked: asked, Unknown: s.Unknown, Stop: s.Stop}
	f.Rows = Rows{Name: "Pages", Empty: Empty{Text: noHits(s)}}
	var words []topics.LabelWords
	for _, w := range s.Known {
		words = append(words, topics.NewLabelWords(w))
	}
	if s.At != nil {
		row := hitRow(q, *s.At, words, nil)
		f.At = &row
	}
	best := 0.0
	for _, h := range s.Items {
		best = max(best, h.Score)
	}
	for _, h := range s.Items {
		row := hitRow(q, h, words, &Scaled{h.Score, "fits the words " + hundred(h.Score) + " of 100", h.Score / best, 0})
		if h.Best {
			row.Scaled = nil
			f.Best = &row
		} else {
			f.Rows.List = append(f.Rows.List, row)
		}
	}
	if f.Best != nil && len(f.Rows.List) == 0 {
		f.Rows.Empty.Text = "No other page fits these words."
	}
	f.Rows.More = q.more(s, "/search", "q", q.Args.Text("q"))
	f.Clusters = clusterBars(q, s.Clusters)
	called := topics.NewLabelWords(asked)
	if slices.ContainsFunc(s.Clusters, func(c ask.SearchCluster) bool { return called.In(c.Label) }) {
		f.Called = q.To("/topics", "label", asked)
	}
	if s.At == nil && mayBeURL(asked) {
		f.Lost = q.Find(asked)
	}
	return &View{Title: asked, Accent: Web, Search: asked, JSON: q.JSON("search", "q", asked, "limit", strconv.Itoa(mostHits)), Data: f, List: s}, nil
}

// isURL reports whether the text in the search box is a URL rather than words: it has a scheme or a path, or is in
// the run.
func isURL(r *api.Run, s string) bool {
	if !mayBeURL(s) {
		return false
	}
	_, err := r.Lookup(s)
	return err == nil || strings.Contains(s, "/")
}

// mayBeURL reports whether the text in the search box may be a URL: it has a scheme or begins with a host.
func mayBeURL(s string) bool {
	if strings.ContainsAny(s, " \t\"") {
		return false
	}
	host, _, _ := strings.Cut(s, "/")
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") || strings.Contains(strings.Trim(host, "."), ".")
}

// pageOrFind returns the link to the page of a URL or, if the run has none, to the search for it.
func (q *Question) pageOrFind(url string) string {
	_, err := q.Run.Lookup(url)
	if _, several := errors.AsType[*runs.CapturesError](err); err == nil || several {
		return q.Page(url)
	}
	if _, err := q.Run.Canonical(url); err != nil {
		return q.Page(url) // the page says that it is not a URL
	}
	return q.Find(url)
}

func noHits(s *ask.SearchAnswer) string {
	if len(s.Known) == 0 {
		return "The run has none of these words, neither in links nor in the pages."
	}
	return "No page fits these words."
}

// beforeMark is the number of characters shown before the first marked word of a sentence.
const beforeMark = 40

// hitRow returns the row of a hit with a sentence that links to it, and its topic.
func hitRow(q *Question, h ask.SearchItem, words []topics.LabelWords, score *Scaled) Row {
	row := q.Row(h.URL, h.Name)
	row.Scaled = score
	if id, err := q.Run.Lookup(h.URL); err == nil {
		var path []string
		for _, t := range aboutOf(q, id) {
			first, _, _ := strings.Cut(t.Text, ", ")
			path = append(path, first)
		}
		if path != nil {
			row.Notes = append(row.Notes, "in "+strings.Join(path, " › "))
		}
	}
	if h.Quote != nil {
		row.Sentence = marked(strings.Join([]string{h.Quote.Before, h.Quote.Anchor, h.Quote.After}, " "), words)
		if len(row.Sentence) > 1 { // the first word that was asked for must be seen
			row.Sentence[0].Text = tail(row.Sentence[0].Text, beforeMark)
		}
	}
	return row
}

// marked divides a text into pieces and marks the words that are among some words, in any form.
func marked(s string, words []topics.LabelWords) (out []Piece) {
	var split text.Splitter
	at := 0
	split.Split([]byte(s), func(from, to int, lower []byte) {
		if slices.ContainsFunc(words, func(w topics.LabelWords) bool { return w.In(string(lower)) }) {
			out = append(out, Piece{s[at:from], false}, Piece{s[from:to], true})
			at = to
		}
	})
	return append(out, Piece{s[at:], false})
}

// clusterBars returns the clusters of hits with their numbers of hits, largest first.
func clusterBars(q *Question, clusters []ask.SearchCluster) (bars []Bar) {
	slices.SortStableFunc(clusters, func(a, b ask.SearchCluster) int { return b.Hits - a.Hits })
	most := 1
	for _, c := range clusters {
		most = max(most, c.Hits)
	}
	for _, c := range clusters {
		bars = append(bars, Bar{Link{c.Label, q.Cluster("topical", c.ID)}, c.Hits, float64(c.Hits) / float64(most), Web})
	}
	return bars
}
