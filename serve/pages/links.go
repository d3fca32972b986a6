package pages

import (
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/serve/api"
)

// Links makes links to pages. They keep the run that is asked, unless it is the first one. A link is "" if there is no
// such page, as in a report of some pages; the partials then show the text alone.
type Links struct {
	run   string // name of the run, "" for the first one
	place Place
}

// Place returns where a page is, given its path on a server and its parameters, or "" if it is nowhere.
type Place func(path string, args url.Values) string

// Served is the Place of pages on a server.
func Served(path string, args url.Values) string {
	if len(args) == 0 {
		return path
	}
	return path + "?" + args.Encode()
}

// To returns the link to a page: its path, and names and values of parameters in turn. Empty values are left out.
func (l Links) To(path string, args ...string) string {
	return l.at(path, values(args))
}

func (l Links) at(path string, args url.Values) string {
	if l.run != "" {
		args.Set("run", l.run)
	}
	return l.place(path, args)
}

// Page returns the link to the view of a document.
func (l Links) Page(url string) string { return l.To("/page", "url", url) }

// Find returns the link to what is nearest to a URL that the run does not hold, or that is dead.
func (l Links) Find(url string) string { return l.To("/find", "url", url) }

// Explain returns the link to the reasons why two documents are related.
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

// Map returns the link to the neighbourhood of a document.
func (l Links) Map(url string) string { return l.To("/map", "url", url) }

// MapOf returns the link to the map of a topical cluster.
func (l Links) MapOf(cluster string) string { return l.To("/map", "cluster", cluster) }

// Host returns the link to the documents of a host.
func (l Links) Host(host string) string { return l.To("/host", "host", host) }

// Compare returns the link to the comparison of the two views; a corner may be "".
func (l Links) Compare(corner string) string { return l.To("/compare", "corner", corner) }

// JSON returns the link to the answer of an operation of package api, by its id and parameters.
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

// values returns names and values in turn as parameters, without empty values.
func values(args []string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] != "" {
			v.Set(args[i], args[i+1])
		}
	}
	return v
}
