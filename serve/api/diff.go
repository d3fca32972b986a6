package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Diff is the texts of two pages side by side.
type Diff struct {
	A      string     `json:"a" doc:"canonical URL"`
	B      string     `json:"b" doc:"canonical URL"`
	Texts  *TextsPair `json:"texts,omitempty" doc:"how similar they are, boilerplate left out; missing in a run without the syntactic view"`
	Lines  []DiffLine `json:"lines" doc:"lines of the texts, aligned"`
	LinesA int        `json:"lines_a" doc:"lines of the text of a"`
	LinesB int        `json:"lines_b" doc:"lines of the text of b"`
	answer.Portion
}

// Rows implements List.
func (d *Diff) Rows() any { return d.Lines }

// DiffLine is a line of either text, or the same line of both.
type DiffLine struct {
	A []Piece `json:"a,omitempty" doc:"missing if only b has the line"`
	B []Piece `json:"b,omitempty" doc:"missing if only a has the line"`
}

// Piece is a part of a line.
type Piece struct {
	Text   string `json:"text"`
	Shared bool   `json:"shared" doc:"whether all of it is in shingles that the other text has too"`
}

func diffOperation() *Operation {
	return &Operation{
		ID: "diff", Path: "/v1/diff", Summary: "What two texts share",
		Description: "The texts of two pages, line by line, with marks on what they share. A run keeps no texts, so the server reads the inputs of the run again, which must still be where they were. Pages that ask not to be indexed are not shown.",
		Params:      append(pairParams(), listParams("200")...),
		Answer:      &Diff{},
		Heavy:       true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			a, err := q.Run.shownPage(q.Args.Text("a"))
			if err != nil {
				return nil, err
			}
			b, err := q.Run.shownPage(q.Args.Text("b"))
			if err != nil {
				return nil, err
			}
			return q.diff(ctx, a, b)
		},
	}
}

// shownPage finds a page whose text may be shown.
func (r *Run) shownPage(url string) (uint32, error) {
	id, err := r.lookupPage(url)
	switch d := r.Document(id); {
	case err != nil:
		return 0, err
	case !d.Crawled:
		return 0, query.ErrUnknown
	case d.NoIndex:
		return 0, NewProblem(http.StatusForbidden, "noindex", "The page asks not to be shown", fmt.Sprintf("%s asks not to be indexed, so its text is not shown.", d.URL), "Use lshclust explain --texts on the machine of the run.")
	case d.NoSnippet:
		return 0, NewProblem(http.StatusForbidden, "nosnippet", "The page asks not to be quoted", fmt.Sprintf("%s asks that its text not be shown elsewhere.", d.URL), "Use lshclust explain --texts on the machine of the run.")
	}
	return id, nil
}

func (q *Question) diff(ctx context.Context, a, b uint32) (Model, error) {
	x, y, err := q.Run.Diff(ctx, a, b)
	if err != nil {
		return nil, err
	}
	out := &Diff{A: x.URL, B: y.URL, Lines: []DiffLine{}, LinesA: len(x.Lines), LinesB: len(y.Lines)}
	if d, err := q.Run.Overlap(a, b); err == nil {
		out.Texts = textsPair(d)
	}
	rows := query.Align(x.Lines, y.Lines)
	for _, row := range answer.Cut(&out.Portion, rows, q.window(len(rows))) {
		out.Lines = append(out.Lines, DiffLine{pieces(x.Lines, row.A), pieces(y.Lines, row.B)})
	}
	return out, nil
}

func textsPair(d query.Duplicate) *TextsPair {
	return &TextsPair{d.Relation, d.Resemblance, d.OfThis, d.OfOther, d.Estimated}
}

func pieces(lines []query.MarkedLine, i int) []Piece {
	if i < 0 {
		return nil
	}
	out := []Piece{}
	for _, p := range lines[i].Pieces {
		out = append(out, Piece{p.Text, p.Shared})
	}
	return out
}
