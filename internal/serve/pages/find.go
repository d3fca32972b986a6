package pages

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// lost is a dead URL with the pages that may be its present one.
type lost struct {
	Action string // target of the form, "" for none
	Asked  string
	twoRuns
	URL    string
	Facts  Facts
	Lead   string
	Note   string // why no older crawl was searched
	Groups []foundGroup
	Empty  Empty
}

// foundGroup holds pages that were found in related ways.
type foundGroup struct {
	ID, Heading, View string
	Rows              Rows
}

// groupsOfFind lists the groups of the page and the ways to find their pages. The first group is certain, or comes
// from verdicts.
var groupsOfFind = []struct {
	id, heading, view string
	how               []crawls.How
}{
	{"went", "Where it went", Text, []crawls.How{"there", "redirect", "moved", "merged into", "split into", "succeeded by"}},
	{"links", "Nearest in what the web says", Web, []crawls.How{"links"}},
	{"texts", "Nearest in what the page said", Text, []crawls.How{"text"}},
	{"urls", "URLs like it", "", []crawls.How{"url"}},
}

// foundOfAKind is the maximum number of pages found in one way.
const foundOfAKind = 3

func showFind(ctx context.Context, q *Question) (*View, error) {
	d := &lost{Action: q.place("/find", nil), Asked: q.Args.Text("url"), twoRuns: q.twoRuns()}
	v := &View{Title: "Lost and found", Data: d}
	if d.Asked == "" {
		d.Lead = "Type a URL that is dead. This page tells when a crawl last had it, where its content went, and what is nearest to it."
		return v, nil
	}
	older := ""
	if q.Older != nil {
		older = q.Older.Name
	}
	found, err := findURL(ctx, q.Run, q.Older, d.Asked)
	if problem, ok := errors.AsType[*api.Problem](err); older != "" && ok && problem.Status == http.StatusConflict {
		d.Note, older = problem.Detail+" So only this crawl was asked.", ""
		found, err = findURL(ctx, q.Run, nil, d.Asked)
	}
	if err != nil {
		return nil, err
	}
	v.List = found
	v.Title, v.Search, v.JSON = "Lost and found: "+short(found.URL), d.Asked, q.JSON("moved", "url", d.Asked, "older", older)
	d.URL, d.Lead, d.Facts = found.URL, leadOf(found), findFacts(q, found)
	d.groups(q, found)
	return v, nil
}

// findURL finds where the content of a URL is. older may be nil.
func findURL(ctx context.Context, r, older *api.Run, url string) (*ask.MovedAnswer, error) {
	crawls, err := r.Crawls(ctx, older)
	if err != nil {
		return nil, err
	}
	return ask.Moved{URL: url, Limit: foundOfAKind}.Ask(ctx, crawls)
}

// verdictTexts explains the verdicts.
var verdictTexts = map[string]string{
	"moved":        "The page moved to another URL.",
	"merged into":  "The page is gone; another page contains its content and more.",
	"split into":   "The page is gone; several others hold its content.",
	"succeeded by": "The page is gone; another one took its place.",
	"gone":         "The page is gone, and its content is nowhere in the newer crawl.",
}

// leadOf says in one sentence what became of a URL.
func leadOf(f *ask.MovedAnswer) string {
	known := f.Seen[len(f.Seen)-1].Known
	switch {
	case known == "page":
		return "The crawl has a page at this URL."
	case f.Verdict != "":
		return verdictTexts[f.Verdict]
	case slices.ContainsFunc(f.Seen, func(s crawls.Sighting) bool { return s.Redirect != "" }):
		return "The URL redirects."
	case known == "links":
		return "The crawl has no page at this URL, but pages link to it."
	}
	return "The crawl knows nothing of this URL."
}

// findFacts lists what the runs know of a URL.
func findFacts(q *Question, f *ask.MovedAnswer) (facts Facts) {
	var last, redirect crawls.Sighting // the newest sightings with a page and with a redirect
	for _, s := range f.Seen {
		in, known := "In "+s.Run, any("nothing")
		if len(f.Seen) == 1 {
			in = "In the crawl"
		}
		switch s.Known {
		case "page":
			known, last = Link{"a page", q.linksOf(s.Run).Page(f.URL)}, s
		case "links":
			known = Link{"only links to it", q.linksOf(s.Run).Page(f.URL)}
		}
		if s.Redirect != "" {
			redirect = s
		}
		facts = append(facts, Fact{in, known})
	}
	if last.Name != "" {
		facts = append(facts, Fact{"Title", last.Name})
	}
	if !last.Time.IsZero() {
		facts = append(facts, Fact{"Last fetched", last.Time.Format(time.DateOnly)})
	}
	if redirect.Redirect != "" {
		facts = append(facts, Fact{"Redirects to", Out(redirect.Redirect)})
	}
	return facts
}

// groups groups the pages that were found. It leaves out pages with very long URLs that do not fit.
func (d *lost) groups(q *Question, f *ask.MovedAnswer) {
	left := roomForRows
	for _, g := range groupsOfFind {
		group := foundGroup{g.id, g.heading, g.view, Rows{Name: g.heading}}
		for _, p := range f.Items {
			if !slices.Contains(g.how, p.How) || !left.spend(3, p.Name+strings.Join(p.Why, ""), p.URL) {
				continue
			}
			row := q.Row(p.URL, p.Name)
			if p.How != "url" { // the heading says so already
				row.Notes = p.Why
			} else if id, err := q.Run.Lookup(p.URL); err == nil && !q.Run.Document(id).Crawled {
				row.Notes = []string{"known only from links"}
			}
			if p.How != "url" && p.How != "there" {
				row.Score = &Score{p.Score, scoreOfFind(p.How), g.view}
			}
			group.Rows.List = append(group.Rows.List, row)
		}
		if len(group.Rows.List) > 0 {
			d.Groups = append(d.Groups, group)
		}
	}
	if d.Groups == nil {
		d.Empty = Empty{Text: "Nothing in the run is near it."}
	}
}

// scoreOfFind names the score of a page that was found in a way.
func scoreOfFind(how crawls.How) string {
	switch how {
	case "links":
		return "similarity"
	case "text":
		return "resemblance"
	}
	return "confidence"
}
