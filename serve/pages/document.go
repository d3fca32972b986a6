package pages

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/serve/api"
)

func documentPage() *Page {
	return &Page{
		Name: "page", Path: "/page", Older: true,
		Params: []api.Param{urlParam("url"), cursorParam()},
		Show:   showDocument,
	}
}

// document is a document with what the web says about it and what it says.
type document struct {
	*answer.PageAnswer
	Heading  string
	Redirect bool // whether the requested URL redirects to this document
	Facts    Facts
	Web      webSide
	Text     textSide
	Captures Table
	Here     Table  // URLs that redirect here
	Lost     string // link to where a page went that only the other crawl has, "" for none
}

// webSide is what the web says about a document.
type webSide struct {
	Missing            string // why there is nothing, or ""
	About              Link   // its topical cluster
	Map                string // link to the map
	Anchors            []string
	Quotes, MoreQuotes []quote
	Related            Rows // unless Unlinked
	Unlinked           bool // no page links to it
}

// quote is a sentence that links to the document.
type quote struct {
	query.Quote
	From Link
}

// textSide is what the page itself says.
type textSide struct {
	Missing string // why there is nothing, or ""
	Facts   Facts
	Same    Rows
	Cluster Link
	Size    int  // size of the cluster
	Related Rows // documents related by its own words, if no page links to it
}

func showDocument(ctx context.Context, q *Question) (*View, error) {
	asked := q.Args.Text("url")
	p, err := answer.Page(ctx, q.Run.Run, asked)
	if err != nil {
		return nil, err
	}
	d := p.Document
	out := &document{PageAnswer: p, Heading: heading(d.Name, d.URL), Redirect: !sameURL(q.Run, asked, d.URL)}
	if out.Web, err = webSideOf(ctx, q, p); err != nil {
		return nil, err
	}
	if out.Text, err = textSideOf(ctx, q, p); err != nil {
		return nil, err
	}
	if out.Web.Unlinked = p.Topical != nil && d.InLinks == 0 && out.Text.Missing == ""; out.Web.Unlinked {
		out.Text.Related, out.Web.Related = out.Web.Related, Rows{}
	}
	out.Facts = documentFacts(q, d)
	out.Captures, out.Here = captureTable(q, p.Captures), redirectTable(p)
	if !d.Crawled && len(p.Captures) == 0 && q.olderHas(d.URL) {
		out.Lost = q.Find(d.URL)
	}
	return &View{Title: out.Heading, Search: asked, JSON: q.JSON("page", "url", asked), Data: out}, nil
}

// olderHas reports whether the other run has the page at a URL.
func (q *Question) olderHas(url string) bool {
	if q.Older == nil {
		return false
	}
	id, err := q.Older.Lookup(url)
	return err == nil && (q.Older.Document(id).Crawled || len(q.Older.Captures(url)) > 0)
}

// sameURL reports whether a typed URL is a form of a canonical one.
func sameURL(r *api.Run, typed, canonical string) bool {
	if typed == canonical {
		return true
	}
	for _, u := range []string{typed, "https://" + typed} {
		if c, err := r.Rules().Canonical(u); err == nil {
			return c == canonical || strings.HasPrefix(canonical, c+"#") || strings.Contains(typed, "#")
		}
	}
	return true
}

func documentFacts(q *Question, d query.Document) (facts Facts) {
	if host := hostOf(d.URL); host != "" {
		facts = append(facts, Fact{"Host", Link{host, q.Host(host)}})
	}
	linked := "no other page"
	if d.InLinks > 0 {
		linked = counted(int(d.InLinks), "page", "pages") + " on " + counted(int(d.InHosts), "host", "hosts")
	}
	crawled := "no, only linked to"
	if d.Crawled {
		crawled = "yes"
	}
	return append(facts, Fact{"Linked from", linked}, Fact{"In the crawl", crawled})
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// firstQuotes is the number of linking sentences shown at first.
const firstQuotes = 3

// mostRows is the number of rows of a list on the page of a document.
const mostRows = 12

// copiesCompared is the number of pages with similar texts that a page is compared with.
const copiesCompared = 10_000

func webSideOf(ctx context.Context, q *Question, p *answer.PageAnswer) (side webSide, err error) {
	d := p.Document
	if p.Topical == nil {
		side.Missing = "The run was built without this view."
		return side, nil
	}
	if len(p.Topical.Label) > 0 {
		side.About = Link{phrases(p.Topical.Label), q.Cluster("topical", p.Topical.ID)}
	}
	side.Anchors, side.Map = p.Anchors, q.Map(d.URL)
	for _, s := range p.Quotes {
		from := Link{}
		if s.Source != "" {
			from = Link{short(s.Source), q.Page(s.Source)}
		}
		side.Quotes = append(side.Quotes, quote{s, from})
	}
	if len(side.Quotes) > firstQuotes {
		side.Quotes, side.MoreQuotes = side.Quotes[:firstQuotes], side.Quotes[firstQuotes:]
	}
	rows, err := q.window(mostRows)
	if err != nil {
		return side, err
	}
	r, err := answer.Related(ctx, q.Run.Run, d.URL, answer.RelatedOptions{Window: rows})
	if err != nil {
		return side, err
	}
	side.Related = Rows{Name: "Related pages"}
	side.Related.Empty = Empty{Text: r.None}
	for _, n := range r.Items {
		row := q.Row(n.URL, n.Name)
		row.Score, row.Words, row.Why = &Score{float64(n.Similarity), "similarity", fieldView(n)}, n.Shared[:min(len(n.Shared), 5)], q.Explain(d.URL, n.URL)
		if q.Run.HasContent() && d.InLinks > 0 && (n.Links == 0 || n.Content == 0) {
			row.Notes = append(row.Notes, "by "+oneField(n))
		}
		if n.Together > 0 {
			row.Notes = append(row.Notes, "with it on "+counted(n.Together, "page", "pages"))
		}
		side.Related.List = append(side.Related.List, row)
	}
	side.Related.More = q.more(r, "/page", "url", p.Asked)
	return side, nil
}

// oneField names the field of bags that alone makes a neighbour similar.
func oneField(n query.Neighbour) string {
	if n.Content == 0 {
		return "what links say"
	}
	return "their own words"
}

// fieldView returns the colour of the field in which a neighbour is more similar.
func fieldView(n query.Neighbour) string {
	if n.Content > n.Links {
		return Text
	}
	return Web
}

func textSideOf(ctx context.Context, q *Question, p *answer.PageAnswer) (side textSide, err error) {
	d := p.Document
	switch {
	case q.Run.Need("syntactic") != nil:
		side.Missing = "The run was built without this view."
		return side, nil
	case !d.Crawled && len(p.Captures) == 0:
		side.Missing = "The crawl does not hold this page. All that is known of it is what others say."
		return side, nil
	}
	side.Facts = textFacts(d)
	if c := p.Syntactic; c != nil && c.Size > 1 {
		side.Cluster, side.Size = Link{counted(c.Size, "page", "pages"), q.Cluster("syntactic", c.ID)}, c.Size
	}
	same, err := answer.Duplicates(ctx, q.Run.Run, d.URL, answer.DuplicatesOptions{Window: answer.Window{Limit: mostRows, Most: copiesCompared}})
	var several *query.CapturesError
	if errors.As(err, &several) {
		side.Missing = "There are several captures of this page, listed below. Each has its text."
		return side, nil
	}
	if err != nil {
		return side, err
	}
	side.Same = Rows{Name: "Pages with the same text", Empty: Empty{Text: "No page in the crawl has the same text, or much of it."}}
	for _, n := range same.Items {
		row := q.Row(n.URL, n.Name)
		row.Score, row.Notes, row.Diff, row.Map = &Score{n.Resemblance, "resemblance", Text}, []string{relation(n)}, q.Diff(d.URL, n.URL), ""
		if q.asksToBeHidden(d.URL) || q.asksToBeHidden(n.URL) {
			row.Diff = "" // the text must not be shown
		}
		side.Same.List = append(side.Same.List, row)
	}
	return side, nil
}

// asksToBeHidden reports whether a page asks not to be indexed or quoted.
func (q *Question) asksToBeHidden(url string) bool {
	id, err := q.Run.Lookup(url)
	return err == nil && q.Run.Hidden(id)
}

// relation describes how the text of a page relates to that of the requested page.
func relation(d query.Duplicate) string {
	switch d.Relation {
	case "identical":
		return "the same bytes"
	case "lexical":
		return "the same words"
	case "shingle":
		return "the same phrases"
	case "contained":
		if d.OfThis > d.OfOther {
			return "holds " + percent(float64(d.OfThis)) + "% of this page"
		}
		return percent(float64(d.OfOther)) + "% of it is in this page"
	case "chain":
		return "connected through other pages"
	}
	return d.Relation
}

func textFacts(d query.Document) Facts {
	facts := Facts{{"Words", d.Words}}
	if d.Language != "" {
		facts = append(facts, Fact{"Language", strings.ToUpper(d.Language[:1]) + d.Language[1:]})
	}
	if !d.Time.IsZero() {
		facts = append(facts, Fact{"Fetched", d.Time.Format(time.DateOnly)})
	}
	if d.Label != "" {
		facts = append(facts, Fact{"Not content", d.Label})
	}
	if d.Canonical != "" {
		facts = append(facts, Fact{"Names as canonical", Out(d.Canonical)})
	}
	return facts
}

func captureTable(q *Question, captures []query.Capture) Table {
	t := Table{Caption: "Captures of this URL, the oldest first", Columns: []string{"Capture", "Title", "Digest"}}
	for _, c := range captures {
		name := c.Time
		if name == "" {
			name = c.Name
		}
		t.Rows = append(t.Rows, []any{Link{name, q.Page(c.Name)}, c.Title, c.Digest})
	}
	return t
}

// Bounds on the table of redirects.
const (
	mostRedirects     = 20
	mostRedirectBytes = 4000 // bytes of all URLs
)

// redirectTable lists URLs that redirect to a document.
func redirectTable(p *answer.PageAnswer) Table {
	t := Table{Columns: []string{"URL", "By", "Steps", "Fetched"}}
	left := mostRedirectBytes
	for _, r := range p.From[:min(len(p.From), mostRedirects)] {
		if left -= len(r.URL); left < 0 {
			break
		}
		fetched := ""
		if !r.Time.IsZero() {
			fetched = r.Time.Format(time.DateOnly)
		}
		t.Rows = append(t.Rows, []any{Out(r.URL), map[string]string{"http": "status or table", "refresh": "refresh", "canonical": "canonical link"}[r.By], r.Hops, fetched})
	}
	t.Caption = counted(p.AllFrom, "URL redirects", "URLs redirect") + " here"
	if len(t.Rows) < p.AllFrom {
		t.Caption += fmt.Sprintf("; %d of them", len(t.Rows))
	}
	return t
}

// hostOf returns the host of a URL with its port, or "" if the name is not a URL.
func hostOf(link string) string {
	_, rest, ok := strings.Cut(link, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}
