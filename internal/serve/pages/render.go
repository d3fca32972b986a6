package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// Policy is the Content-Security-Policy of pages.
const Policy = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Site describes where pages are shown.
type Site struct {
	Runs  []string // names of all runs
	Place Place    // Served on a server
}

// Links returns the links to pages about a run, "" for the first one.
func (s Site) Links(run string) Links {
	if len(s.Runs) > 0 && run == s.Runs[0] {
		run = ""
	}
	return Links{run, s.Place}
}

// layout is the data of the template layout.html.
type layout struct {
	*View
	Home, SearchAt string // "" in a report
	Run            string // the current run, "" for the first one
	Current        string // name of the current run
	Runs           []Link // links to the same page of every run, if there are several
	Nav            []navLink
	Style          string
	Scripts        []string
	Here           string // path of the page
	CSV            string // link to the list of the page as CSV, "" for none
	MostListed     int    // rows of CSV
}

// navLink is a link of the navigation.
type navLink struct {
	Link
	Here bool // whether it leads to the kind of page that is shown
}

// templates maps names of pages to templates, each the layout with one page. They are parsed when the first page is
// shown, because that takes 3 ms, a fifth of the start time of a command.
var templates = sync.OnceValue(func() map[string]*template.Template {
	shared := template.Must(template.New("layout.html").Funcs(functions).ParseFS(embedded, "templates/layout.html", "templates/partials.html"))
	all := map[string]*template.Template{}
	for _, f := range folder("templates") {
		switch name := strings.TrimSuffix(f, path.Ext(f)); name {
		case "layout", "partials":
		default:
			all[name] = template.Must(template.Must(shared.Clone()).ParseFS(embedded, "templates/"+f))
		}
	}
	return all
})

// functions are the functions of templates.
var functions = template.FuncMap{
	"out": out, "short": short, "ending": ending, "breaks": breaks, "percent": percent, "figure": figure, "hundred": hundred, "count": count, "cell": cell, "number": isNumber, "numeric": numeric,
	"kind": kind, "bars": func(caption string, list []Bar) Bars { return Bars{caption, list} },
	"join": func(words []string) string { return strings.Join(words, ", ") }, "colours": func() [5]int { return [5]int{} },
}

// Render returns a page as HTML.
func (s Site) Render(p *Page, q *Question, v *View) ([]byte, error) {
	return s.render(p.Name, p.Path, q.Links, q.Run, q.Args, v)
}

// Trouble returns the page for a problem. The run and the parameters may be unknown.
func (s Site) Trouble(problem *api.Problem, run, search string) ([]byte, error) {
	l := s.Links(run)
	data := struct {
		*api.Problem
		Nearest, Captures []Link
		Lost              string // link to the search for the requested URL, "" for none
	}{Problem: problem}
	if problem.OfKind("unknown-url") && search != "" {
		data.Lost = l.Find(search)
	}
	for _, u := range problem.Nearest {
		data.Nearest = append(data.Nearest, Link{u, l.Page(u)})
	}
	for _, u := range problem.Captures {
		data.Captures = append(data.Captures, Link{u, l.Page(u)})
	}
	return s.render("error", "", l, nil, api.Args{}, &View{Title: problem.Title, Search: search, Data: data})
}

// render renders a page about a run, or nil if that is unknown.
func (s Site) render(name, at string, l Links, run *api.Run, args api.Args, v *View) ([]byte, error) {
	f := layout{
		View: v, Home: l.To("/"), SearchAt: l.place("/search", nil), Run: l.run, Here: at, Nav: s.navigation(l, at, run), Style: l.place(assets[style].Path, nil), MostListed: mostListed,
	}
	for _, script := range append([]string{keys}, v.Scripts...) {
		f.Scripts = append(f.Scripts, l.place(assets[script].Path, nil))
	}
	if len(s.Runs) > 1 {
		f.Runs, f.Current = s.same(at, args), cmp.Or(l.run, s.Runs[0])
	}
	if v.List != nil {
		f.CSV = l.To(at, append(repeated(args, "cursor", "row"), "format", "csv")...)
	}
	var b bytes.Buffer
	if err := templates()[name].Execute(&b, f); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return clean(b.Bytes()), nil
}

// switched is the parameter that links of [Site.same] have. The other run may lack what the page is about.
const switched = "switched"

// Instead returns the link to the page to show if the run of a question lacks what the page is about, given the query
// of the request, or "" if the visitor did not come from the same page of another run.
func (q *Question) Instead(query url.Values) string {
	switch {
	case !query.Has(switched):
		return ""
	case q.Args.Has("url"):
		return q.Find(q.Args.Text("url"))
	case q.Args.Has("a"):
		return q.To("/page", "url", q.Args.Text("a"), switched, "true")
	case q.Args.Has("host"):
		return q.To("/search", "q", q.Args.Text("host"))
	}
	return q.To("/")
}

// same returns links to the same page of every run.
func (s Site) same(at string, args api.Args) (all []Link) {
	if at == "" || at == "/{$}" {
		at = "/"
	}
	for _, run := range s.Runs {
		given := repeated(args, "cursor", "row", "to")
		if given != nil {
			given = append(given, switched, "true")
		}
		all = append(all, Link{run, s.Links(run).To(at, given...)})
	}
	return all
}

// longestRepeated is the length of the longest parameter that links to the same page repeat. A text that was pasted may
// be longer.
const longestRepeated = 2048

// repeated returns names and values of the parameters for a link to the same page, except some.
func repeated(args api.Args, except ...string) (given []string) {
	for _, name := range args.Given() {
		if text := args.Text(name); name != "run" && name != "format" && !slices.Contains(except, name) && len(text) <= longestRepeated {
			given = append(given, name, text)
		}
	}
	return given
}

// older is the need of a page that compares two runs.
const older = "older"

// lacks reports whether a page has nothing to show of a run.
func (s Site) lacks(p *Page, run *api.Run) bool {
	return slices.ContainsFunc(p.Needs, func(need string) bool {
		if need == older {
			return len(s.Runs) < 2
		}
		return run != nil && run.Need(need) != nil
	})
}

// navigation returns the links of the header on the page at a path.
func (s Site) navigation(l Links, at string, run *api.Run) (all []navLink) {
	for _, p := range All() {
		if p.Nav == "" || s.lacks(p, run) { // a report includes every page that is linked to
			continue
		}
		if to := l.To(p.Path); to != "" {
			all = append(all, navLink{Link{p.Nav, to}, p.Path == at})
		}
	}
	return all
}

// clean makes every line of a page harmless.
func clean(page []byte) []byte {
	lines := bytes.Split(page, []byte("\n"))
	for i, line := range lines {
		lines[i] = []byte(harmless.Cell(string(line)))
	}
	return bytes.Join(lines, []byte("\n"))
}
