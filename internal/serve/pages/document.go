package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// document is a document with what the web says about it and what it says.
type document struct {
	*ask.PageAnswer
	Heading  string
	Redirect bool // whether the requested URL redirects to this document
	Facts    Facts
	Web      webSide
	Text     textSide
	Mirror   []termGroup // words of the web beside those of the page
	Around   *around     // nil if the page was crawled
	Captures Table
	Here     Table  // URLs that redirect here
	Lost     string // link to where a page went that only the other crawl has, "" for none
}

// webSide is what the web says about a document.
type webSide struct {
	Missing            string // why there is nothing, or ""
	About              []Link // the topics that it is in, from the top down
	Anchors            []string
	Words              []string // the heaviest words around the links to it, unless Mirror has them
	Quotes, MoreQuotes []quote
	Linking            []Link // pages that link to it, if there are more than quotes
	LinkingSays        string // how many they are
	Related            Rows   // unless Unlinked
	Filters            []pageLink
	Note               string // on their order
	Unlinked           bool   // no page links to it
	Content            bool   // whether the bags of the run have a field of content
	list               any    // the answer with its rows; nil for none
}

// quote is a sentence that links to the document.
type quote struct {
	runs.Quote
	From Link
}

// textSide is what the page itself says.
type textSide struct {
	Missing string // why there is nothing, or ""
	Opening string
	Words   []string // its heaviest own words
	Facts   Facts
	Same    Rows
	Who     string // link to those who have the text, host by host; "" for none
	Cluster Link
	Size    int  // size of the cluster
	Related Rows // documents related by its own words, if no page links to it
}

// around is what a page that was not crawled shows in place of what it says: who links to it, and its topic.
type around struct {
	Hosts Bars
	Topic Rows
}

func showDocument(ctx context.Context, q *Question) (*View, error) {
	asked := q.Args.Text("url")
	p, err := ask.Page{URL: asked}.Ask(ctx, q.Run.Run)
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
	if d.Crawled && d.InLinks > 0 {
		out.Mirror = mirror(p.Bag)
	}
	if out.Mirror == nil {
		out.Web.Words = heaviestWords(p.Bag, func(w topics.BagWord) int { return w.Links })
	}
	if !d.Crawled && len(p.Captures) == 0 {
		if out.Around, err = aroundOf(q, p); err != nil {
			return nil, err
		}
	}
	out.Facts = documentFacts(q, d, len(out.Web.Quotes) > 0)
	out.Captures, out.Here = captureTable(q, p.Captures), redirectTable(p)
	if !d.Crawled && len(p.Captures) == 0 && q.olderHas(d.URL) {
		out.Lost = q.Find(d.URL)
	}
	return &View{Title: out.Heading, Search: asked, JSON: q.JSON("page", "url", asked), Data: out, List: out.Web.list}, nil
}

// Bounds on the words of a document.
const (
	mostMirrored = 8 // words of each group
	mostHeaviest = 12
)

// mirror shows the words of a bag as bars on two sides: how much each weighs around the links, and how much in the page.
// It returns nil unless the bag has words of both.
func mirror(words []topics.BagWord) []termGroup {
	words = slices.DeleteFunc(slices.Clone(words), onlyDigits)
	groups, most := []termGroup{{Name: "Only the web"}, {Name: "Both"}, {Name: "Only the page"}}, 1
	for _, w := range words {
		most = max(most, w.Links, w.Content)
	}
	links, content := 0, 0
	for _, w := range words {
		links, content = links+w.Links, content+w.Content
		g := &groups[1]
		switch {
		case w.Content == 0:
			g = &groups[0]
		case w.Links == 0:
			g = &groups[2]
		}
		if len(g.Terms) < mostMirrored {
			g.Terms = append(g.Terms, newBars(topics.Term{Word: w.Word, A: w.Links, B: w.Content}, most))
		}
	}
	if links == 0 || content == 0 {
		return nil
	}
	return slices.DeleteFunc(groups, func(g termGroup) bool { return g.Terms == nil })
}

// heaviestWords returns the words of a field of a bag with the largest counts.
func heaviestWords(words []topics.BagWord, in func(topics.BagWord) int) (out []string) {
	words = slices.DeleteFunc(slices.Clone(words), onlyDigits)
	slices.SortStableFunc(words, func(a, b topics.BagWord) int { return in(b) - in(a) })
	for _, w := range words[:min(len(words), mostHeaviest)] {
		if in(w) > 0 {
			out = append(out, w.Word)
		}
	}
	return out
}

// onlyDigits reports whether a word is a number, such as that of a chapter, which says little about a page.
func onlyDigits(w topics.BagWord) bool { return ascii.IsDigits(w.Word) }

// aroundOf returns who links to a document that was not crawled, and the best linked documents of its topic.
func aroundOf(q *Question, p *ask.PageAnswer) (*around, error) {
	d := p.Document
	out := &around{Hosts: Bars{Caption: "Pages of these hosts link to it"}, Topic: Rows{Name: "Its topic"}}
	for _, h := range p.Hosts {
		out.Hosts.List = append(out.Hosts.List, Bar{Link{h.Host, q.Host(h.Host)}, h.Pages, float64(h.Pages) / float64(p.Hosts[0].Pages), Web})
	}
	id, err := q.Run.Lookup(d.URL)
	if err != nil {
		return nil, err
	}
	path := topics.PathTo(q.Run.Run, id)
	if len(path) == 0 {
		return out, nil
	}
	for _, of := range topics.Documents(q.Run.Run, path[len(path)-1], 0, mostRows+1) {
		m := q.Run.Document(of)
		if of != id && len(out.Topic.List) < mostRows {
			row := q.Row(m.URL, nameOf(q.Run, of))
			if m.InHosts > 0 {
				row.Notes = []string{"linked from " + counted(int(m.InHosts), "host", "hosts")}
			}
			out.Topic.List = append(out.Topic.List, row)
		}
	}
	return out, nil
}

// olderHas reports whether the other run has the page at a URL.
func (q *Question) olderHas(url string) bool {
	if q.Older == nil {
		return false
	}
	id, err := q.Older.Lookup(url)
	return err == nil && (q.Older.Document(id).Crawled || len(runs.CapturesAt(q.Older.Run, url)) > 0)
}

// sameURL reports whether a typed URL is a form of a canonical one.
func sameURL(r *api.Run, typed, canonical string) bool {
	if typed == canonical {
		return true
	}
	for _, u := range []string{typed, "https://" + typed} {
		if c, err := r.Rules.Canonical(u); err == nil {
			return c == canonical || strings.HasPrefix(canonical, c+"#") || strings.Contains(typed, "#")
		}
	}
	return true
}

func documentFacts(q *Question, d runs.Document, quoted bool) (facts Facts) {
	if host := urls.Host(d.URL); host != "" {
		facts = append(facts, Fact{"Host", Link{host, q.Host(host)}})
	}
	linked := Link{Text: "no page of the crawl"}
	if d.InLinks > 0 {
		linked = Link{counted(int(d.InLinks), "page", "pages") + " on " + counted(int(d.InHosts), "host", "hosts"), ""}
		if quoted {
			linked.To = "#linking"
		}
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

// longestAnchor is the number of characters of the text of a link that are shown.
const longestAnchor = 100

// mostRows is the number of rows of a list on the page of a document.
const mostRows = 20

// copiesCompared is the number of pages with similar texts that a page is compared with.
const copiesCompared = 10_000

func webSideOf(ctx context.Context, q *Question, p *ask.PageAnswer) (side webSide, err error) {
	d := p.Document
	if p.Topical == nil {
		side.Missing = "The run was built without this view."
		return side, nil
	}
	id, err := q.Run.Lookup(d.URL)
	if err != nil {
		return side, err
	}
	side.About = aboutOf(q, id)
	side.Content = q.Run.Content > 0 && int(q.Run.Content) < q.Run.Terms.Len()
	for _, a := range p.Anchors {
		side.Anchors = append(side.Anchors, head(a, longestAnchor))
	}
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
	if int(d.InLinks) > len(p.Quotes) {
		side.linking(q, id)
	}
	rows, err := q.window(mostRows)
	if err != nil {
		return side, err
	}
	only, most := q.Args.Text("only"), float64(topics.MostRelatedness)
	asked := ask.Related{URL: d.URL, Window: rows, Elsewhere: only == "elsewhere", Apart: only == "apart"}
	if only == string(topics.ByLinks) || only == string(topics.ByContent) {
		asked.By, most = topics.By(only), topics.MostRelatednessBy
	}
	r, err := asked.Ask(ctx, q.Run.Run)
	if err != nil {
		return side, err
	}
	side.filters(q, d, only)
	side.list, side.Note, side.Related = r, r.Note, Rows{Name: "Related pages", Empty: Empty{Text: asSentence(r.None)}}
	best := float32(0) // the items are in order of relatedness
	if len(r.Items) > 0 {
		best = r.Items[0].Relatedness
	}
	for _, n := range r.Items {
		row := q.Row(n.URL, n.Name)
		row.Scaled = newScaled("relatedness", float64(n.Relatedness)/most, float64(best)/most, float64(n.FromLinks))
		row.Words, row.Why = n.Shared[:min(len(n.Shared), 5)], q.Explain(d.URL, n.URL)
		if n.Together > 0 {
			row.Notes = append(row.Notes, "with it on "+counted(n.Together, "page", "pages"))
		}
		if len(n.Mirrors) > 0 {
			row.Notes = append(row.Notes, "and "+strconv.Itoa(len(n.Mirrors))+" more like it")
		}
		side.Related.List = append(side.Related.List, row)
	}
	side.Related.More = q.more(r, "/page", "url", p.Asked, "only", only)
	return side, nil
}

// aboutOf returns the topics that a document is in, from the top down.
func aboutOf(q *Question, id uint32) (path []Link) {
	for _, n := range topics.PathTo(q.Run.Run, id) {
		link := topicLink(q, n)
		if n.Size > 1 {
			if n.Level > 0 {
				link.Text, _, _ = strings.Cut(link.Text, ", ")
			}
			path = append(path, link)
		}
	}
	return path
}

// relatedFilters are the values of the parameter only.
var relatedFilters = []string{"elsewhere", "apart", string(topics.ByLinks), string(topics.ByContent)}

// filters offers other choices of related pages, as far as they differ.
func (side *webSide) filters(q *Question, d ask.Document, only string) {
	side.Filters = []pageLink{{Link{"all", q.Page(d.URL)}, only == ""}}
	for i, text := range [...]string{"not on this host", "not on the same lists", "by links", "by own words"} {
		to := q.To("/page", "url", d.URL, "only", relatedFilters[i])
		if to != "" && (i == 0 || d.InLinks > 0) && (i < 2 || side.Content && d.Crawled) {
			side.Filters = append(side.Filters, pageLink{Link{text, to}, only == relatedFilters[i]})
		}
	}
	if len(side.Filters) == 1 {
		side.Filters = nil // a report has no other pages
	}
}

// asSentence makes a sentence of a reason.
func asSentence(reason string) string {
	if reason == "" {
		return ""
	}
	return strings.ToUpper(reason[:1]) + reason[1:] + "."
}

func captureTable(q *Question, captures []runs.Capture) Table {
	t := Table{Caption: "Captures of this URL, the oldest first", Columns: []string{"Capture", "Title", "Digest"}}
	for _, c := range captures {
		t.Rows = append(t.Rows, []any{Link{cmp.Or(c.Time, c.Name), q.Page(c.Name)}, c.Title, c.Digest})
	}
	return t
}

// Bounds on the table of redirects.
const (
	mostRedirects     = 20
	mostRedirectBytes = 4000 // bytes of all URLs
)

// redirectTable lists URLs that redirect to a document.
func redirectTable(p *ask.PageAnswer) Table {
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
