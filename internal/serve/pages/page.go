package pages

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// Page is a kind of page.
type Page struct {
	Name   string // templates/NAME.html defines "content"
	Path   string // pattern of http.ServeMux without the method
	Nav    string // text of its link in the navigation, "" for none
	Params []api.Param
	Form   bool     // takes its parameters from the body of a POST, too
	Heavy  bool     // takes seconds on a large run
	Once   bool     // shows what is found once, in the background (see runs.Result)
	Older  bool     // compares the two runs named by the parameters from and to
	Needs  []string // views, or "older", without which it has nothing to show

	// Show answers a question. Errors for people come from package api or are a *Redirect.
	Show func(ctx context.Context, q *Question) (*View, error)

	parser *api.Operation // parses the parameters
}

// View is the data of the template and of the layout.
type View struct {
	Title   string   // title of the window; the template has its own heading
	Accent  string   // class that colours the page: Web, Text or "" for both views
	Search  string   // text in the search box
	JSON    string   // link to the same content as JSON
	Scripts []string // files in assets/ besides keys.js
	List    any      // answer whose rows the page lists, for CSV; nil for none
	Data    any      // data of the template
}

// Accents of pages about what others say about a page, and about what it says itself.
const (
	Web  = "web"
	Text = "text"
)

// Redirect is the error for a question that another page answers.
type Redirect struct{ To string }

// Error says where the redirect leads.
func (r *Redirect) Error() string { return "see " + r.To }

// Question is a request for a page.
type Question struct {
	Links
	Of    *Page
	Run   *api.Run
	Older *api.Run // run of the older crawl for a page about two runs; nil if there is only one
	Args  api.Args
}

// RunOf returns the name of the run that a question asks, or "" for the first one.
func (p *Page) RunOf(args api.Args) string {
	if p.Older && args.Has("to") {
		return args.Text("to")
	}
	return args.Text("run")
}

// WantsCSV reports whether a question asks for the list of a page as CSV.
func WantsCSV(args api.Args) bool { return args.Text("format") == "csv" }

// OlderOf returns the name of the run of the older crawl to compare with a newer one: the run that the question
// names, or else the first other one. It returns "" if the page is about one run or there is only one.
func (p *Page) OlderOf(args api.Args, newer string, names []string) string {
	if from := args.Text("from"); p.Older && from != "" && from != newer {
		return from
	}
	for _, name := range names {
		if p.Older && name != newer {
			return name
		}
	}
	return ""
}

// Parse reads the parameters of a page. It ignores empty values, which forms send for empty fields, and unknown
// parameters, which links collect on their way.
func (p *Page) Parse(query string) (api.Args, error) {
	given, err := url.ParseQuery(query)
	if err != nil {
		return p.parser.Parse(query, nil)
	}
	for name, values := range given {
		if p.parser.Param(name) == nil || len(values) == 1 && strings.TrimSpace(values[0]) == "" {
			delete(given, name)
		}
	}
	return p.parser.Parse(given.Encode(), nil)
}

// fill sets the options of a question, given by its address, that are parameters of the page.
func (q *Question) fill(question any) {
	for i := range q.Of.Params {
		if p := &q.Of.Params[i]; q.Args.Has(p.Name) {
			p.Put(question, q.Args.Text(p.Name))
		}
	}
}

// mostListed is the maximum number of rows in all portions of a list.
const mostListed = 1000

// pager leads through a long list: partial "pager".
type pager struct {
	First, Last, All int // rows that are shown, and all rows
	Links            []pageLink
}

// pageLink leads to a page of a list.
type pageLink struct {
	Link
	Here bool
}

// portion returns the rows of a list of n that a question asks for, and links to other rows: the first, the last, those
// nearby, and some in between. args are the parameters of these links.
func (q *Question) portion(n, size int, path string, args ...string) (ask.Window, pager) {
	if WantsCSV(q.Args) {
		size = mostListed
	}
	from := q.Args.Int("row") / size * size
	if from >= n {
		from = 0
	}
	p := pager{First: from + 1, Last: min(from+size, n), All: n}
	here, last := from/size, max(0, n-1)/size
	numbers := []int{max(0, here-1), here, min(here+1, last), last}
	for i := 0; i < last; i += max(1, last/8) {
		numbers = append(numbers, i)
	}
	slices.Sort(numbers)
	for _, i := range slices.Compact(numbers) {
		if last > 0 {
			p.Links = append(p.Links, pageLink{Link{count(i + 1), q.To(path, append(args, "row", positive(i*size))...)}, i == here})
		}
	}
	return ask.Window{From: from, Limit: size}, p
}

// window returns the portion of a list that a question asks for, all rows for CSV.
func (q *Question) window(limit int) (ask.Window, error) {
	if WantsCSV(q.Args) {
		limit = mostListed
	}
	from, err := q.Of.parser.From(q.Args, q.Run.Manifest.Digest)
	return ask.Window{From: from, Limit: limit, Most: mostListed}, err
}

// more returns the link to the next portion of a list, or "" after the last one.
func (q *Question) more(of api.Model, path string, args ...string) string {
	next := q.Of.parser.Follow(of, &api.Question{Run: q.Run, Args: q.Args})
	if next == "" {
		return ""
	}
	return q.To(path, append(args, "cursor", next)...)
}
