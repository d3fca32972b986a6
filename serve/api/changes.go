package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

const (
	mostFolders = 50
	edited      = 0.5 // a page with at least this resemblance was edited, not rewritten
)

func changesOperation() *Operation {
	return &Operation{
		ID: "changes", Path: "/v1/changes", Summary: "What changed between two crawls",
		Description: "What became of every page of an older crawl in a newer one, where the content of gone pages went, and redirect rules for them. The rules write new URLs in their canonical form. The first question about two large runs is answered with 503 while the moves are being found.",
		Params: append([]Param{
			olderParam(),
			{Name: "verdict", Doc: "verdict whose pages are listed; all if it is missing", Kind: Text, Enum: verdictNames(), Most: 20},
			{Name: "rules", Doc: "form of the redirect rules; none are made if it is missing", Kind: Text, Enum: rules.Formats, Most: 20},
			{Name: "min", Doc: "smallest confidence of a verdict with a rule", Kind: Number, Default: "0.9", Least: 0, Most: 1},
		}, listParams("20")...),
		Answer: &answer.ChangesAnswer{},
		Heavy:  true,
		Older:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			if q.Older == nil {
				return nil, notFound("one-run", "The server has one run.", "Serve the runs of both crawls, that of the newer one first.")
			}
			return q.Run.Changes(ctx, q.Older, q.Args, q.window(0))
		},
	}
}

func verdictNames() (names []string) {
	for _, k := range moved.Kinds {
		names = append(names, k.String())
	}
	return names
}

// Changes describes what changed since an older crawl. The parameters verdict, rules and min choose what it lists,
// and only, if it is given, names the gone pages that get rules.
func (r *Run) Changes(ctx context.Context, older *Run, args Args, rows answer.Window) (*answer.ChangesAnswer, error) {
	c, err := r.changed(ctx, older)
	if err != nil {
		return nil, err
	}
	o := answer.ChangesOptions{Window: rows, Folders: mostFolders, Verdict: args.Text("verdict"), Rules: args.Text("rules"), Min: args.Number("min")}
	if args.Has("only") {
		o.Only = strings.Fields(args.Text("only"))
	}
	return c.Answer(older.Name, r.Name, o)
}

// changed returns what became of the pages of an older crawl. It is computed once, in the background, see [Kept];
// neither run is closed before that ends.
func (r *Run) changed(ctx context.Context, older *Run) (*answer.Changed, error) {
	c, err := Kept(ctx, r, older, "changes", "The moves between the two runs are being found, which takes a while for large runs, and once.",
		func(ctx context.Context) (*answer.Changed, error) {
			crawls, err := query.NewCrawls(ctx, older.Run, r.Run)
			if err == nil {
				err = crawls.CheckOrder()
			}
			if err != nil {
				return nil, err
			}
			changed, _, err := answer.Change(ctx, crawls, edited)
			return changed, err
		})
	return c, changedProblem(err, older.Name, r.Name)
}

// changedProblem returns the problem for two runs that cannot be compared.
func changedProblem(err error, older, newer string) error {
	var settings *query.SettingsError
	switch {
	case errors.As(err, &settings):
		return NewProblem(http.StatusConflict, "settings", "The two runs cannot be compared", "The runs "+older+" and "+newer+" were built with other settings.",
			"Build both with the same settings.")
	case errors.Is(err, query.ErrOrder):
		return NewProblem(http.StatusConflict, "order", "The two runs cannot be compared", "The run "+older+" is of a newer crawl than the run "+newer+".",
			"Name the run of the newer crawl in run, and that of the older one in older.")
	}
	return err
}
