package pages

import (
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/internal/serve/api"
)

// Links makes links to pages. A link keeps the current run unless it is the first one. A link is "" if there is no
// such page, as in a report of some pages; the partials then show only the text.
type Links struct {
	run   string // name of the run, "" for the first one
	place Place
}

// Place returns the address of a page, given its path on a server and its parameters, or "" if there is no such page.
type Place func(path string, args url.Values) string

// Served is the Place of pages on a server.
func Served(path string, args url.Values) string {
	if len(args) == 0 {
		return path
	}
	return path + "?" + args.Encode()
}

// To returns the link to the page with a path. args alternates names and values of parameters; empty values are
// omitted.
func (l Links) To(path string, args ...string) string {
	return l.at(path, values(args))
}

func (l Links) at(path string, args url.Values) string {
	if l.run != "" {
		args.Set("run", l.run)
	}
	return l.place(path, args)
}

// form returns the target of a form with a path, or "" in a report, where nobody answers.
func (l Links) form(path string) string {
	if l.place("/search", nil) == "" {
		return ""
	}
	return l.place(path, nil)
}

// Page returns the link to the page of a document.
func (l Links) Page(url string) string { return l.To("/page", "url", url) }

// Find returns the link to the search for a URL that is dead or not in the run.
func (l Links) Find(url string) string { return l.To("/find", "url", url) }

// Who returns the link to those who have the text of a page, host by host, or "" in a report.
func (l Links) Who(url string) string {
	if l.form("/text") == "" {
		return ""
	}
	return l.To("/text", "url", url)
}

// Explain returns the link to the explanation of why two documents are related.
func (l Links) Explain(a, b string) string { return l.To("/explain", "a", a, "b", b) }

// Diff returns the link to the texts of two pages side by side.
func (l Links) Diff(a, b string) string { return l.To("/diff", "a", a, "b", b) }

// Cluster returns the link to a cluster of a view, "topical" or "syntactic".
func (l Links) Cluster(view, id string) string {
	if view == "topical" {
		view = ""
	}
	return l.To("/cluster", "id", id, "view", view)
}

// Host returns the link to the documents of a host.
func (l Links) Host(host string) string { return l.To("/host", "host", host) }

// Compare returns the link to the comparison of the two views, with a corner or "".
func (l Links) Compare(corner string) string { return l.To("/compare", "corner", corner) }

// JSON returns the link to the answer of an operation of package api with some parameters.
func (l Links) JSON(id string, args ...string) string {
	o := api.OperationByID(id)
	path, given := o.Path, values(args)
	for _, p := range o.Params {
		if p.InPath {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(given.Get(p.Name)))
			given.Del(p.Name)
		}
	}
	return l.at(path, given)
}

// values converts alternating names and values to parameters, without empty values.
func values(args []string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] != "" {
			v.Set(args[i], args[i+1])
		}
	}
	return v
}
