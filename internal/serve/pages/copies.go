package pages

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// The pages about copies: the groups of copies, and who has a text.

// again returns what was pasted for the form of the answer, or "" if it is too long for a page.
func again(text string) string {
	const most = 20_000
	if len(html.EscapeString(text)) > most {
		return ""
	}
	return text
}

// groupsOfPage is the number of groups of copies on a page.
const groupsOfPage = 30

// copies lists the groups of copies.
type copies struct {
	Lead string
	Ways ways
	List Table
	pager
	Cut  int // number of groups of this portion that are not shown
	None Empty
}

// ways are the links between the pages about copies: template "ways".
type ways struct{ Groups, Text string }

func waysOf(q *Question) ways { return ways{q.To("/copies"), q.form("/text")} }

func showCopies(ctx context.Context, q *Question) (*View, error) {
	if err := q.Run.Need(config.Syntactic); err != nil {
		return nil, err
	}
	d := &copies{Ways: waysOf(q), None: Empty{Text: "No page has a copy."}}
	rows, p := q.portion(int(q.Run.Manifest.Counts["syntactic_clusters_of_two_or_more"]), groupsOfPage, "/copies")
	groups, err := ask.Clusters{View: config.Syntactic, Window: rows}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	d.pager = p
	d.Lead = counted(groups.Total, "group", "groups") + " of pages with similar texts, such as copies and versions."
	d.List = Table{Caption: "Groups of copies, the largest first",
		Columns: []string{"page that stands for the group", "pages", "different texts", "weakest link", "who has it"}}
	left := room(60_000)
	for _, c := range groups.Items {
		if !left.spend(2, heading(c.Name, c.URL), c.URL) {
			d.Cut++
			continue
		}
		d.List.Rows = append(d.List.Rows, []any{Row{URL: c.URL, Title: c.Name, To: q.Cluster(config.Syntactic, c.ID)}, c.Size, c.Distinct, &Score{c.Lowest, "weakest link", Text}, Link{"by host", q.Who(c.URL)}})
	}
	return &View{Title: "Copies", Accent: Text, JSON: q.JSON("clusters", "view", config.Syntactic), Data: d, List: groups}, nil
}

// textFound is who has a text, and what it is about.
type textFound struct {
	Ways     ways
	Action   string
	Text     string // as it was pasted, see again
	Run      string
	Of       Link // the page whose text was asked about
	Lead     string
	Who      Rows
	Certain  string // what the list may miss
	Related  Rows
	Words    []string // words of the text by which related pages were found
	NoCopies string   // why nobody was asked who has it
}

// Numbers of the page.
const (
	hostsOfText   = 20
	pagesOfHost   = 3
	relatedToText = 12
	shownPassage  = 300 // characters
)

func showText(ctx context.Context, q *Question) (*View, error) {
	d := &textFound{Ways: waysOf(q), Action: q.form("/text"), Run: q.run,
		Lead: "Paste a text, or a part of one. This page tells which pages have it or a part of it, and which pages are about the same."}
	v := &View{Title: "Who has this text?", Data: d}
	o, passages := ask.Defaults(texts.WhoOptions{By: "host", Limit: hostsOfText, Pages: pagesOfHost}), 1
	if WantsCSV(q.Args) {
		o.Limit, o.Pages, passages = mostListed, 0, 0
	}
	document, url := q.Args.Text("text"), q.Args.Text("url")
	var found *ask.QueryAnswer
	var err error
	switch {
	case document != "":
		d.Text = again(document)
		given := crawl.Document([]byte(document))
		text, failed := runs.VisibleText(q.Run.Run, &given)
		if failed != nil {
			return nil, failed
		}
		if q.Run.Need(config.Topical) == nil {
			if err := d.related(q, text); err != nil {
				return nil, err
			}
		}
		found, err = ask.QueryText{Document: &given, WhoOptions: o, Passages: passages}.Ask(ctx, q.Run.Run)
	case url != "":
		o.Passages = 0 // the inputs of the run would have to be read again
		found, err = ask.Query{URL: url, WhoOptions: o, Passages: passages}.Ask(ctx, q.Run.Run)
		if err == nil {
			d.Of = Link{short(found.URL), q.Page(found.URL)}
		}
	default:
		return v, nil
	}
	if errors.Is(err, runs.ErrNoView) && document != "" {
		d.Lead, d.NoCopies = "", "The run was built without the view of texts, so that it cannot tell who has this one."
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.List = found
	d.who(q, found)
	return v, nil
}

// who fills in the pages that have the text, host by host.
func (d *textFound) who(q *Question, found *ask.QueryAnswer) {
	d.Lead = "Nobody has it or a part of it."
	switch w := q.Run.Config.Shingle; {
	case found.Total == 0 && found.Certainty.Shingles == 1:
		d.Lead = fmt.Sprintf("No page says just this. A part of a page is found if it has more than %d words.", w)
	case found.Total > 0:
		d.Lead = fmt.Sprintf("It is, as a whole or in part, in %s on %s.", counted(found.Total+found.Copies, "page", "pages"),
			counted(found.Hosts, "host", "hosts"))
	}
	d.Certain = "What this list may miss: " + found.Certainty.Words + "."
	d.Who = Rows{Name: "Pages that have it", Empty: Empty{Text: "No page has it."}}
	left, host, shown := roomForRows, "", 0
	for _, x := range found.Items {
		if !left.spend(3, x.Name, x.URL) {
			continue
		}
		row := q.Row(x.URL, x.Name)
		row.Score = &Score{x.Resemblance, "resemblance", Text}
		if x.ThisInOther.Known() {
			row.Score = &Score{float64(x.ThisInOther), "share of the text that it has", Text}
			row.Notes = append(row.Notes, percent(float64(x.OtherInThis))+" % of the page is this text")
		}
		if x.Copies > 0 {
			row.Notes = append(row.Notes, counted(x.Copies, "equal page", "equal pages")+" on the host")
		}
		if !x.From.IsZero() {
			row.Notes = append(row.Notes, x.From.Format(time.DateOnly))
		}
		if host != x.Host {
			host, shown = x.Host, 0
		}
		if shown++; shown == pagesOfHost && x.HostPages > shown {
			row.Notes = append(row.Notes, counted(x.HostPages-shown, "more page", "more pages")+" on the host")
		}
		if d.Of.Text != "" {
			row.Diff = q.Diff(found.URL, x.URL)
		}
		for _, p := range x.Passages {
			if id, err := q.Run.Lookup(x.URL); err == nil && !q.Run.Run.Docs.Hidden(id) {
				row.Words = []string{"“" + middleOut(strings.Join(strings.Fields(p.Text), " "), shownPassage) + "”"}
			}
		}
		d.Who.List = append(d.Who.List, row)
	}
}

// related fills in the pages that are about the same as a text.
func (d *textFound) related(q *Question, text []byte) error {
	s, err := ask.SearchText(q.Run.Run, text, ask.Window{Limit: relatedToText})
	if err != nil {
		return err
	}
	d.Words = s.Known
	d.Related = Rows{Name: "Related pages", Empty: Empty{Text: "The run has none of its words."}}
	left := roomForRows / 2
	for _, x := range s.Items {
		if left.spend(2, x.Name, x.URL) {
			row := q.Row(x.URL, x.Name)
			row.Score, row.Words = &Score{x.Score, "fits its words", Web}, x.Matched[:min(len(x.Matched), 6)]
			d.Related.List = append(d.Related.List, row)
		}
	}
	return nil
}
