package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Fold is a ranked list of URLs in which near-copies are folded.
type Fold struct {
	URLs      []FoldedURL `json:"urls" doc:"each URL that stays, and behind it those that are folded under it"`
	Stay      int         `json:"stay" doc:"URLs that are not folded"`
	Estimated bool        `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	answer.Portion
}

// Rows implements List.
func (f *Fold) Rows() any { return f.URLs }

// FoldedURL is a URL of a ranked list.
type FoldedURL struct {
	URL         string  `json:"url" doc:"as it was given"`
	Rank        int     `json:"rank" doc:"its place in the list that was given, from 1" least:"1"`
	Known       string  `json:"known" doc:"what the run knows of it: the text of the page, links to it, or nothing" enum:"page,links,nothing"`
	Under       string  `json:"under,omitempty" doc:"URL under which it is folded, as it was given; missing if it stays"`
	Relation    string  `json:"relation,omitempty" doc:"same document; identical bytes, lexical: the same words, shingle: the same shingles, or similar, contained" enum:"same,identical,lexical,shingle,similar,contained"`
	Resemblance float64 `json:"resemblance,omitempty" doc:"of the page to the one under which it is folded" least:"0" most:"1"`
	OfThis      float64 `json:"of_this,omitempty" doc:"share of the shingles of this page that the other one has" least:"0" most:"1"`
	OfOther     float64 `json:"of_other,omitempty" doc:"share of the shingles of the other page that this one has" least:"0" most:"1"`
}

// mostFolded is the number of URLs of a list at most.
const mostFolded = 10_000

func foldOperation() *Operation {
	return &Operation{
		ID: "fold", Method: "POST", Path: "/v1/fold", Summary: "A list of URLs without near-copies",
		Description: "Folds near-copies in a ranked list of URLs under the best one, so that each text is shown once. The body has a URL on each line, the best first. The order stays, and so do URLs that the run does not know.",
		Params: []Param{
			{Name: "keep", Doc: "which of several near-copies stays: the first of the list, the one that was fetched last, or the one with most links", Kind: Text, Default: string(query.KeepRank), Enum: []string{"rank", "date", "links"}, Most: 5},
			{Name: "least", Doc: "smallest resemblance of a page that is folded; the run stores no pairs below its own threshold, which 0 stands for", Kind: Number, Default: "0", Least: 0, Most: 1},
			{Name: "contained", Doc: "whether to fold a page also if the one that stays contains it", Kind: Flag, Default: "false"},
		},
		Body:   []string{"text/plain"},
		Answer: &Fold{},
		Ask:    func(_ context.Context, q *Question) (Model, error) { return q.fold() },
	}
}

func (q *Question) fold() (Model, error) {
	var urls []string
	for line := range strings.Lines(string(q.Body)) {
		if line = strings.TrimSpace(line); line != "" {
			urls = append(urls, clipped(line))
		}
		if len(urls) > mostFolded {
			return nil, badRequest(fmt.Sprintf("the list has more than %d URLs", mostFolded), "Send the beginning of the list.")
		}
	}
	a := q.Args
	list, err := q.Run.Fold(urls, query.FoldOptions{Keep: query.Keep(a.Text("keep")), Least: a.Number("least"), Contained: a.Flag("contained")})
	if err != nil {
		return nil, err
	}
	out := &Fold{URLs: []FoldedURL{}, Estimated: q.Run.Sketches() != ""}
	for _, f := range list {
		u := FoldedURL{URL: f.URL, Rank: f.Rank + 1, Known: string(f.Known)}
		if f.Under < 0 {
			out.Stay++
		} else {
			d := f.Overlap
			u.Under, u.Relation, u.Resemblance, u.OfThis, u.OfOther = urls[f.Under], d.Relation, d.Resemblance, d.OfThis, d.OfOther
		}
		out.URLs = append(out.URLs, u)
	}
	return out, nil
}

// clipped returns a line as text that JSON can hold, cut if it is longer than any URL.
func clipped(line string) string {
	if len(line) > maxText {
		line = line[:maxText]
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}
