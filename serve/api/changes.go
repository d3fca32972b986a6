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

// Sweeps tells what became of the pages of an older crawl in a newer one.
type Sweeps struct {
	Older       string          `json:"older" doc:"name of the run of the older crawl"`
	Newer       string          `json:"newer" doc:"name of the run of the newer crawl"`
	Changes     []ChangeCount   `json:"changes" doc:"pages by what became of them"`
	Resemblance []int           `json:"resemblance" doc:"pages that both crawls have, by the resemblance of their texts in tenths; the last number is that of the same text"`
	Folders     []FolderChanges `json:"folders" doc:"those with most changes first, at most 50"`
	AllFolders  int             `json:"all_folders" doc:"number of hosts and first folders"`
	Verdicts    []VerdictCount  `json:"verdicts" doc:"gone pages by what happened to their content"`
	Moves       []GonePage      `json:"moves" doc:"gone pages: those with a new place first, and the most certain first"`
	Rules       *RedirectRules  `json:"rules,omitempty" doc:"redirect rules, if the question asks for them"`
	answer.Portion
}

// Rows implements List.
func (s *Sweeps) Rows() any { return s.Moves }

// ChangeCount counts the pages of a change.
type ChangeCount struct {
	Change string `json:"change" enum:"same,edited,rewritten,moved,gone,new"`
	Pages  int    `json:"pages"`
}

// FolderChanges counts the pages of a folder.
type FolderChanges struct {
	Folder    string `json:"folder" doc:"host and first folder of the path"`
	Same      int    `json:"same"`
	Edited    int    `json:"edited"`
	Rewritten int    `json:"rewritten"`
	Moved     int    `json:"moved"`
	Gone      int    `json:"gone"`
	New       int    `json:"new"`
}

// VerdictCount counts the gone pages of a verdict.
type VerdictCount struct {
	Verdict string `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Pages   int    `json:"pages"`
}

// GonePage is a page that the newer crawl has not, with the verdict on it.
type GonePage struct {
	URL        string   `json:"url"`
	Title      string   `json:"title"`
	Verdict    string   `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Confidence float64  `json:"confidence" doc:"probability that the verdict is right" least:"0" most:"1"`
	To         []string `json:"new_urls" doc:"where the content is, the most probable place first"`
	Titles     []string `json:"new_titles"`
	Reasons    []string `json:"reasons" doc:"the evidence for the first place, in words"`
}

// RedirectRules are redirect rules for the gone pages.
type RedirectRules struct {
	Form       string  `json:"form"`
	Confidence float64 `json:"confidence" doc:"least confidence of a verdict with a rule" least:"0" most:"1"`
	Rules      int     `json:"rules" doc:"number"`
	Pages      int     `json:"pages" doc:"that have a rule"`
	Without    int     `json:"without" doc:"gone pages without a rule"`
	Text       string  `json:"text" doc:"in the syntax of the form"`
	Cut        bool    `json:"cut" doc:"whether the text ends early, because there are too many rules"`
}

// Bounds of what an answer shows.
const (
	mostFolders = 50
	mostRules   = 2000
	surely      = "0.9" // least confidence of a redirect rule unless the question says otherwise
)

func sweepsOperation() *Operation {
	return &Operation{
		ID: "changes", Path: "/v1/changes", Summary: "What changed between two crawls",
		Description: "What became of every page of an older crawl in a newer one, where the content of gone pages went, and redirect rules for them. The rules write new URLs in their canonical form. The first question about two large runs is answered with 503 while the moves are being found.",
		Params: append([]Param{
			olderParam(),
			{Name: "verdict", Doc: "verdict whose pages are listed; all if it is missing", Kind: Text, Enum: verdictNames(), Most: 20},
			{Name: "rules", Doc: "form of the redirect rules; none are made if it is missing", Kind: Text, Enum: rules.Formats, Most: 20},
			{Name: "confidence", Doc: "least confidence of a verdict with a rule", Kind: Number, Default: surely, Least: 0, Most: 1},
		}, listParams("20")...),
		Answer: &Sweeps{},
		Heavy:  true,
		Older:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			m, err := q.Run.Moves(ctx, q.Older)
			if err != nil {
				return nil, sweepsProblem(err, q.Older.Name, q.Run.Name)
			}
			return q.changes(m)
		},
	}
}

func verdictNames() (names []string) {
	for _, k := range moved.Kinds {
		names = append(names, k.String())
	}
	return names
}

func (q *Question) changes(m *Moves) (*Sweeps, error) {
	out := &Sweeps{Older: q.Older.Name, Newer: q.Run.Name, Resemblance: m.Counts.Resemblance[:], Folders: []FolderChanges{}, Moves: []GonePage{}}
	for _, c := range query.Changes {
		out.Changes = append(out.Changes, ChangeCount{c.String(), m.Counts.Pages[c]})
	}
	folders := m.Counts.Busiest()
	out.AllFolders = len(folders)
	for _, f := range folders[:min(len(folders), mostFolders)] {
		n := m.Counts.Folders[f]
		out.Folders = append(out.Folders, FolderChanges{
			f, n[query.Same], n[query.Edited], n[query.Rewritten], n[query.MovedAway], n[query.GonePage], n[query.NewPage],
		})
	}
	var listed []moved.Verdict
	for _, k := range moved.Kinds {
		of := slices.DeleteFunc(slices.Clone(m.Verdicts), func(v moved.Verdict) bool { return v.Kind != k })
		slices.SortStableFunc(of, func(a, b moved.Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
		out.Verdicts = append(out.Verdicts, VerdictCount{k.String(), len(of)})
		if wanted := q.Args.Text("verdict"); wanted == "" || wanted == k.String() {
			listed = append(listed, of...)
		}
	}
	for _, v := range answer.Cut(&out.Portion, listed, q.window(len(listed))) {
		out.Moves = append(out.Moves, q.gonePage(v))
	}
	var err error
	if q.Args.Has("rules") {
		out.Rules, err = q.redirectRules(m)
	}
	return out, err
}

func (q *Question) gonePage(v moved.Verdict) GonePage {
	d := q.Older.Document(v.Page)
	out := GonePage{URL: d.URL, Title: d.Title, Verdict: v.Kind.String(), Confidence: v.Confidence, To: []string{}, Titles: []string{}, Reasons: []string{}}
	for _, p := range v.Places {
		to := q.Run.Document(p.Page)
		out.To, out.Titles = append(out.To, to.URL), append(out.Titles, to.Title)
	}
	if len(v.Places) > 0 {
		out.Reasons = v.Places[0].Reasons()
	}
	return out
}

// redirectRules writes the redirect rules that a question asks for. Rules are made for all pages before they are cut.
func (q *Question) redirectRules(m *Moves) (*RedirectRules, error) {
	out := &RedirectRules{Form: q.Args.Text("rules"), Confidence: q.Args.Number("confidence")}
	lost := make([]query.LostPage, len(m.Verdicts))
	for i, v := range m.Verdicts {
		lost[i] = query.LostPage{URL: q.Older.Document(v.Page).URL, Verdict: v}
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
