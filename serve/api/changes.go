package api

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Bounds of what an answer shows.
const (
	mostFolders = 50
	mostRules   = 2000
	surely      = "0.9" // least confidence of a redirect rule unless the question says otherwise
)

func changesOperation() *Operation {
	return &Operation{
		ID: "changes", Path: "/v1/changes", Summary: "What changed between two crawls",
		Description: "What became of every page of an older crawl in a newer one, where the content of gone pages went, and redirect rules for them. The rules write new URLs in their canonical form. The first question about two large runs is answered with 503 while the moves are being found.",
		Params: append([]Param{
			olderParam(),
			{Name: "verdict", Doc: "verdict whose pages are listed; all if it is missing", Kind: Text, Enum: verdictNames(), Most: 20},
			{Name: "rules", Doc: "form of the redirect rules; none are made if it is missing", Kind: Text, Enum: rules.Formats, Most: 20},
			{Name: "min", Doc: "smallest confidence of a verdict with a rule", Kind: Number, Default: surely, Least: 0, Most: 1},
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

// Changes tells what changed since an older crawl. The parameters verdict, rules and min say what it lists.
func (r *Run) Changes(ctx context.Context, older *Run, args Args, rows answer.Window) (*answer.ChangesAnswer, error) {
	m, err := r.Moves(ctx, older)
	if err != nil {
		return nil, err
	}
	out := &answer.ChangesAnswer{Older: older.Name, Newer: r.Name, Resemblance: m.Counts.Resemblance[:], Folders: []answer.FolderChanges{}, Items: []answer.GonePage{}}
	for _, c := range query.Changes {
		out.Changes = append(out.Changes, answer.ChangeCount{Change: c.String(), Pages: m.Counts.Pages[c]})
	}
	folders := m.Counts.Busiest()
	out.AllFolders = len(folders)
	for _, f := range folders[:min(len(folders), mostFolders)] {
		n := m.Counts.Folders[f]
		out.Folders = append(out.Folders, answer.FolderChanges{
			Folder: f, Same: n[query.Same], Edited: n[query.Edited], Rewritten: n[query.Rewritten], Moved: n[query.MovedAway], Gone: n[query.GonePage], New: n[query.NewPage],
		})
	}
	var listed []moved.Verdict
	for _, k := range moved.Kinds {
		of := slices.DeleteFunc(slices.Clone(m.Verdicts), func(v moved.Verdict) bool { return v.Kind != k })
		slices.SortStableFunc(of, func(a, b moved.Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
		out.Verdicts = append(out.Verdicts, answer.VerdictCount{Verdict: k.String(), Pages: len(of)})
		if wanted := args.Text("verdict"); wanted == "" || wanted == k.String() {
			listed = append(listed, of...)
		}
	}
	for _, v := range answer.Cut(&out.Portion, listed, rows) {
		out.Items = append(out.Items, r.gonePage(older, v))
	}
	if args.Has("rules") {
		out.Rules, err = redirectRules(older, m, args.Text("rules"), args.Number("min"))
	}
	return out, err
}

func (r *Run) gonePage(older *Run, v moved.Verdict) answer.GonePage {
	out := answer.GonePage{
		URL: older.URL(v.Page), Name: answer.Name(older.Run, v.Page), Verdict: v.Kind.String(), Confidence: v.Confidence, To: []string{}, Names: []string{}, Reasons: []string{},
	}
	for _, p := range v.Places {
		out.To, out.Names = append(out.To, r.URL(p.Page)), append(out.Names, answer.Name(r.Run, p.Page))
	}
	if len(v.Places) > 0 {
		out.Reasons = v.Places[0].Reasons()
	}
	return out
}

// redirectRules writes redirect rules. They are made for all pages before they are cut.
func redirectRules(older *Run, m *Moves, form string, least float64) (*answer.RedirectRules, error) {
	out := &answer.RedirectRules{Form: form, Confidence: least}
	lost := make([]query.LostPage, len(m.Verdicts))
	for i, v := range m.Verdicts {
		lost[i] = query.LostPage{URL: older.URL(v.Page), Verdict: v}
	}
	moves, _, others := m.lost.Redirects(lost, out.Confidence)
	list := rules.Each(moves)
	if out.Form != "hugo" {
		list = rules.Compress(moves, others)
	}
	out.Rules, out.Pages, out.Without = len(list), len(moves), len(m.Verdicts)-len(moves)
	if out.Cut = len(list) > mostRules; out.Cut {
		list = list[:mostRules]
	}
	var text strings.Builder
	err := rules.Write(&text, out.Form, list, func(url string) string { return url })
	out.Text = text.String()
	return out, err
}
