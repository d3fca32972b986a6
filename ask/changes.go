package ask

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// ChangesAnswer describes what became of the pages of an older crawl in a newer one.
type ChangesAnswer struct {
	Older       string          `json:"older" doc:"name of the run of the older crawl"`
	Newer       string          `json:"newer" doc:"name of the run of the newer crawl"`
	Changes     []ChangeCount   `json:"changes" doc:"pages by what became of them"`
	Resemblance []int           `json:"resemblance" doc:"pages that both crawls have, by the resemblance of their texts in tenths; the last number is that of the same text"`
	Folders     []FolderChanges `json:"folders" doc:"folders with the most changes first, at most 50"`
	AllFolders  int             `json:"all_folders" doc:"number of hosts and first folders"`
	GoneAnswer
	Absent
	Rules *RedirectRules `json:"rules,omitempty" doc:"redirect rules, if the question asks for them"`
}

// GoneAnswer lists the pages that are gone in the last crawl.
type GoneAnswer struct {
	Verdicts []VerdictCount `json:"verdicts" doc:"gone pages by what happened to their content"`
	Items    []GonePage     `json:"items" doc:"gone pages: first those with a new place, most certain first"`
	Portion
}

// ChangeCount is the number of pages with one kind of change.
type ChangeCount struct {
	Change string `json:"change" enum:"same,edited,rewritten,moved,gone,new"`
	Pages  int    `json:"pages"`
}

// FolderChanges counts the changes in a folder.
type FolderChanges struct {
	Folder    string `json:"folder" doc:"host and first folder of the path"`
	Same      int    `json:"same"`
	Edited    int    `json:"edited"`
	Rewritten int    `json:"rewritten"`
	Moved     int    `json:"moved"`
	Gone      int    `json:"gone"`
	New       int    `json:"new"`
}

// VerdictCount is the number of gone pages with a verdict.
type VerdictCount struct {
	Verdict string `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Pages   int    `json:"pages"`
}

// GonePage is a page that the newer crawl lacks, with its verdict.
type GonePage struct {
	runs.Ref
	Verdict    string   `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Confidence float64  `json:"confidence" doc:"probability that the verdict is right" least:"0" most:"1"`
	To         []string `json:"new_urls" doc:"where the content is, most probable place first"`
	SeenTo     []string `json:"seen_new_urls,omitempty" doc:"new_urls as they were crawled; missing if these are the same"`
	Names      []string `json:"new_names"`
	Reasons    []string `json:"reasons" doc:"the evidence for the first place, in words"`
	*moved.Evidence
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

// Changes asks what changed between the last two crawls. The window is that of the gone pages.
type Changes struct {
	Verdict string     `enum:"moved,merged into,split into,succeeded by,gone" value:"VERDICT" doc:"verdict whose pages are listed; all if it is missing"`
	Rules   RuleFormat `value:"FORMAT" doc:"form of the redirect rules; none are made if it is missing"`
	Min     float64    `default:"0.9" most:"1" value:"P" doc:"smallest confidence of a verdict with a rule"`
	Window  `limit:"20"`
	Edited  float64 `local:"true" default:"0.5" most:"1" value:"R" doc:"a page whose text has this resemblance or more to the old one was edited, not rewritten"`
	Folders int     `local:"true" default:"50" value:"N" doc:"list at most this many folders, those with most changes first"`

	Only []string // URLs of the gone pages that get rules, whatever their confidence; nil for all
}

// Ask answers the question. The changes between two runs are found once.
func (o Changes) Ask(ctx context.Context, history *Crawls) (*ChangesAnswer, error) {
	all := history.Runs()
	if len(all) < 2 {
		return nil, crawls.ErrNoRuns
	}
	c, err := runs.Result(ctx, history.Last(), all[len(all)-2], fmt.Sprint("changes", o.Edited),
		"The moves between the two runs are being found, which takes a while for large runs, and once.",
		func(ctx context.Context) (*Changed, error) {
			c, _, err := Change(ctx, history, o.Edited)
			return c, err
		})
	if err != nil {
		return nil, err
	}
	return c.Answer(o)
}

// Changed holds what became of the pages between the last two crawls. Answers are made from it.
type Changed struct {
	Crawls *Crawls
	Counts *crawls.ChangeCounts
	lost   []LostPage
}

// Change compares the last two crawls, and also returns what became of every URL. A changed page whose resemblance is
// at least edited counts as edited, otherwise as rewritten.
func Change(ctx context.Context, history *Crawls, edited float64) (*Changed, iter.Seq[run.ChangeRow], error) {
	s, err := crawls.Newest(history)
	if err != nil {
		return nil, nil, err
	}
	pages, err := s.Changed(ctx, edited)
	if err != nil {
		return nil, nil, err
	}
	c := &Changed{Crawls: history, Counts: crawls.CountChanges(pages)}
	c.lost, err = history.Moves(ctx)
	for i := range c.lost {
		c.lost[i].Verdict.Others = nil // no answer shows them
	}
	return c, c.rows(pages), err
}

func (c *Changed) rows(pages iter.Seq[crawls.ChangedPage]) iter.Seq[run.ChangeRow] {
	all := c.Crawls.Runs()
	older, last := all[len(all)-2], c.Crawls.Last()
	return func(yield func(run.ChangeRow) bool) {
		for p := range pages {
			row := run.ChangeRow{
				URL: p.URL, Change: p.Change.String(), Resemblance: float32(p.Resemblance), OfOld: float32(p.OfOld), OfNew: float32(p.OfNew),
				Confidence: 1,
			}
			at := last
			if p.Verdict != nil {
				at = older
			}
			row.SeenURL = runs.SeenAs(at, p.URL)
			if p.Change == crawls.MovedAway {
				to := runs.RefOf(last, p.Verdict.Places[0].Page)
				row.NewURL, row.SeenNewURL, row.Confidence = to.URL, to.Seen, float32(p.Verdict.Confidence)
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Answer returns the answer that options choose.
func (c *Changed) Answer(o Changes) (*ChangesAnswer, error) {
	all := c.Crawls.Runs()
	out := &ChangesAnswer{
		Older: all[len(all)-2].Name, Newer: c.Crawls.Last().Name, Resemblance: c.Counts.Resemblance[:], Folders: []FolderChanges{},
		Absent: absentFrom(all...),
	}
	for _, change := range crawls.Changes {
		out.Changes = append(out.Changes, ChangeCount{change.String(), c.Counts.Pages[change]})
	}
	folders := c.Counts.Busiest()
	out.AllFolders = len(folders)
	for _, f := range folders[:min(len(folders), o.Folders)] {
		n := c.Counts.Folders[f]
		out.Folders = append(out.Folders, FolderChanges{
			f, n[crawls.Same], n[crawls.Edited], n[crawls.Rewritten], n[crawls.MovedAway], n[crawls.GonePage], n[crawls.NewPage],
		})
	}
	out.GoneAnswer = *Gone(c.Crawls, c.lost, o.Verdict, o.Window)
	var err error
	if o.Rules != "" {
		lost := c.lost
		if o.Only != nil {
			o.Min = 0
			lost = slices.DeleteFunc(slices.Clone(lost), func(p LostPage) bool { return !slices.Contains(o.Only, p.URL) })
		}
		out.Rules, err = redirectRules(c.Crawls, lost, string(o.Rules), o.Min)
	}
	return out, err
}

// Gone lists the gone pages with a verdict, or all for "".
func Gone(history *Crawls, lost []LostPage, verdict string, w Window) *GoneAnswer {
	out := &GoneAnswer{Items: []GonePage{}}
	var listed []LostPage
	for _, k := range moved.Kinds {
		of := slices.DeleteFunc(slices.Clone(lost), func(p LostPage) bool { return p.Verdict.Kind != k })
		slices.SortStableFunc(of, func(a, b LostPage) int {
			return cmp.Or(cmp.Compare(b.Verdict.Confidence, a.Verdict.Confidence), cmp.Compare(a.URL, b.URL))
		})
		out.Verdicts = append(out.Verdicts, VerdictCount{k.String(), len(of)})
		if verdict == "" || verdict == k.String() {
			listed = append(listed, of...)
		}
	}
	for _, p := range Cut(&out.Portion, listed, w) {
		out.Items = append(out.Items, gonePage(history, p))
	}
	return out
}

func gonePage(history *Crawls, p LostPage) GonePage {
	v, last := p.Verdict, history.Last()
	out := GonePage{
		Ref: runs.RefOf(history.Runs()[p.Run], v.Page), Verdict: v.Kind.String(), Confidence: v.Confidence, To: []string{}, Names: []string{}, Reasons: []string{},
	}
	for _, to := range v.Places {
		out.To, out.Names = append(out.To, last.URL(to.Page)), append(out.Names, last.NameOf(to.Page))
	}
	out.SeenTo = runs.SeenList(last, out.To)
	if len(v.Places) > 0 {
		out.Reasons = v.Places[0].Reasons()
		out.Evidence = &v.Places[0].Evidence
	}
	return out
}

// mostRules is the maximum number of redirect rules of an answer.
const mostRules = 2000

// redirectRules returns redirect rules. They are derived from all pages before they are cut.
func redirectRules(history *Crawls, lost []LostPage, form string, least float64) (*RedirectRules, error) {
	moves, _, others := crawls.Redirects(history, lost, least)
	list := rules.For(form, moves, others)
	out := &RedirectRules{Form: form, Confidence: least, Rules: len(list), Pages: len(moves), Without: len(lost) - len(moves),
		Cut: len(list) > mostRules}
	var text strings.Builder
	left, err := rules.Write(&text, form, list[:min(len(list), mostRules)], crawls.Site(history.Last(), ""))
	out.Text, out.Without = text.String(), out.Without+left
	return out, err
}
