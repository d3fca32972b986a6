package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/runs"
)

// site lists what to look at in the links or the versions of a site.
type siteData struct {
	Lead     string
	Problems Table
	Versions Table
	Filters  []filter
	List     Table
	Cut      int // number of findings of the kind that are not shown
	None     Empty
}

// rowsOfSite is the number of findings that the page shows; mostFindings is the number of each kind that is kept.
const (
	rowsOfSite   = 100
	mostFindings = mostListed
)

// siteFound is what the page says about a run. It is found once.
type siteFound struct {
	links    *ask.LinksAnswer // nil if the inputs cannot be read again
	versions *ask.VersionsAnswer
}

func findSite(ctx context.Context, r *runs.Run) (found siteFound, err error) {
	found.versions, err = ask.Defaults(ask.Versions{Limit: mostFindings}).Ask(ctx, r)
	if err != nil && !errors.Is(err, runs.ErrNoView) {
		return found, err
	}
	// The inputs may be gone, so that the links are unknown.
	found.links, _ = ask.Defaults(ask.Links{Limit: mostFindings}).Ask(ctx, r)
	return found, ctx.Err()
}

func showSite(ctx context.Context, q *Question) (*View, error) {
	found, err := runs.Result(ctx, q.Run.Run, nil, "site",
		"The links and versions of the site are being looked at, which takes a while for a large run, and once.",
		func(ctx context.Context) (siteFound, error) { return findSite(ctx, q.Run.Run) })
	if err != nil {
		return nil, err
	}
	kind := cmp.Or(q.Args.Text("kind"), site.LinkKinds[0])
	if f := found.links; f != nil && !q.Args.Has("kind") {
		worst := slices.IndexFunc(f.Kinds, func(k ask.LinkProblem) bool { return k.Number > 0 })
		kind = f.Kinds[max(0, worst)].Kind
	}
	d, v := &siteData{None: Empty{Text: "Nothing of this kind was found."}}, &View{Title: "Site"}
	v.Data = d
	if f := found.links; f != nil {
		d.Lead = "What to mend in the " + counted(f.Links, "link", "links") + " between " + counted(f.Pages, "page", "pages") + ", and in versions and copies of pages."
		d.problems(q, f, kind)
		d.links(q, v, f, kind)
	} else {
		d.Lead = "The pages of the run cannot be read again, so that this page says nothing about links."
	}
	if f := found.versions; f != nil {
		d.Versions = versionsOf(f)
		d.filters(q, f.Kinds, kind)
		d.versions(q, v, f, kind)
	}
	d.Cut -= len(d.List.Rows)
	return v, nil
}

// problems fills in the first table, the worst first.
func (d *siteData) problems(q *Question, f *ask.LinksAnswer, chosen string) {
	var kinds []ask.LinkCount
	d.Problems = Table{Caption: "What there is, the worst first",
		Columns: []string{"problem", "findings", "share of pages", "why it matters", "example"}}
	for _, p := range f.Kinds {
		kinds = append(kinds, ask.LinkCount{Kind: p.Kind, Number: p.Number})
		if p.Number > 0 {
			d.Problems.Rows = append(d.Problems.Rows,
				[]any{Link{plain(p.Kind), q.To("/site", "kind", p.Kind)}, p.Number, &Score{min(1, p.Share), "share", Text}, p.Why, Link{short(p.Worst), q.Page(p.Worst)}})
		}
	}
	d.filters(q, kinds, chosen)
}

func (d *siteData) filters(q *Question, kinds []ask.LinkCount, chosen string) {
	for _, k := range kinds {
		if k.Number == 0 && k.Kind != chosen {
			continue
		}
		if k.Kind == chosen {
			d.Cut = k.Number
		}
		d.Filters = append(d.Filters, filter{plain(k.Kind), k.Number, q.To("/site", "kind", k.Kind), k.Kind == chosen})
	}
}

// links fills in the findings of a kind about links.
func (d *siteData) links(q *Question, v *View, found *ask.LinksAnswer, kind string) {
	of := slices.DeleteFunc(slices.Clone(found.Items), func(f site.LinkFinding) bool { return f.Kind != kind })
	d.List.Columns = []string{"page", "other pages", "words", "number"}
	if scored(kind) {
		d.List.Columns[3] = map[bool]string{true: "score", false: "similarity"}[kind == "missing"]
	} else if !slices.ContainsFunc(of, func(f site.LinkFinding) bool { return f.Number > 0 }) {
		d.List.Columns = d.List.Columns[:3]
	}
	d.List.Caption = "Links: " + plain(kind)
	if kind == "gone" {
		d.List.Caption += ", to pages that the crawl does not have"
	}
	left := room(60_000)
	for i := range of {
		f := &of[i]
		if id, err := q.Run.Lookup(f.URL); err != nil || q.Run.Run.Docs.Hidden(id) {
			f.Before, f.After = "", ""
		}
		words := head(f.Text, longestName)
		if f.Before+f.After != "" {
			words = strings.TrimSpace(head(f.Before, longestName) + " [" + words + "] " + head(f.After, longestName))
		}
		var to, last any = "", f.Number
		if len(f.To) > 0 {
			to = Link{short(f.To[0]), q.Page(f.To[0])}
		}
		if scored(kind) {
			last = &Score{f.Score, "score", Text}
		}
		d.add(&left, q.Row(f.URL, f.Name), words, []any{to, words, last}[:len(d.List.Columns)-1]...)
	}
	if len(of) > 0 {
		v.List = &ask.LinksAnswer{Pages: found.Pages, Links: found.Links, Items: of}
	}
}

// add adds a finding to the list if there is room for it: its page and other cells.
func (d *siteData) add(left *room, page Row, words string, cells ...any) {
	if len(d.List.Rows) < rowsOfSite && left.spend(2, page.Heading()+words) {
		d.List.Rows = append(d.List.Rows, append([]any{page}, cells...))
	}
}

// scored reports whether findings of a kind have a score.
func scored(kind string) bool { return kind == "missing" || kind == "competing" || kind == "off-topic" }

// versions fills in the findings of a kind about versions and copies.
func (d *siteData) versions(q *Question, v *View, found *ask.VersionsAnswer, kind string) {
	of := slices.DeleteFunc(slices.Clone(found.Items), func(f site.VersionFinding) bool { return f.Kind != kind })
	if len(of) == 0 {
		return
	}
	v.List = &ask.VersionsAnswer{Versions: found.Versions, Items: of}
	d.List = Table{Caption: "Versions and copies: " + plain(kind), Columns: []string{"page", "version", "page to keep", "resemblance", "why"}}
	left := room(60_000)
	for _, f := range of {
		keep, why := any(""), f.Why
		if f.Keep != "" {
			keep = Link{short(f.Keep), q.Page(f.Keep)}
		}
		if kind == "canonical" {
			why = head("declares "+f.Canonical+": "+why, longestName)
		}
		d.add(&left, q.Row(f.URL, f.Name), why, f.Version, keep, &Score{f.Resemblance, "resemblance", Text}, why)
	}
}

func versionsOf(found *ask.VersionsAnswer) Table {
	site := ""
	t := Table{Caption: "Versions by paths, each compared with the one before",
		Columns: []string{"site", "version", "pages", "same", "changed", "moved", "added", "lost"}}
	for _, s := range found.Versions {
		name := cmp.Or(s.Version, "without")
		if s.Kept {
			name += " (keep)"
		}
		row := []any{short(s.Site), name, s.Pages, s.Same, s.Changed, s.Moved, s.Added, s.Lost}
		if s.Site != site {
			row, site = append(row[:3], nil, nil, nil, nil, nil), s.Site
		}
		if len(t.Rows) < rowsOfSite {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
