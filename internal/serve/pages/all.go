package pages

import (
	"cmp"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

type params = []api.Param

// All returns all pages, in the order of the navigation. The caller must not change them.
func All() []*Page { return all() }

var all = sync.OnceValue(func() []*Page {
	a, b, url, anyURL := needed("a", aURL, 2048, ""), needed("b", aURL, 2048, ""), needed("url", aURL, 2048, ""), param("url", aURL, 2048)
	cluster := needed("id", "id of a cluster", 30, `^[0-9a-f]{16}(\.[0-9]{1,2})?$`)
	whole := api.Param{Name: "all", Doc: "whether to show all lines", Kind: ask.Flag}
	view := param("view", "view that the cluster is of", 10, config.Topical, config.Syntactic)
	from, to := param("from", "name of the run of the older crawl", 200), param("to", "name of the run of the newer crawl", 200)
	cursor := param("cursor", "place in the list", 64)
	colour := param("colour", "what the colours of the picture show", 10)
	for _, c := range colourings {
		colour.Enum = append(colour.Enum, c.name)
	}
	row := api.Param{Name: "row", Doc: "number of rows to skip", Kind: ask.Whole, Default: "0", Most: 1e9}
	kind := param("kind", "what to list", 20, slices.Concat(site.LinkKinds, site.VersionKinds)...)
	asked := paramsOf("changes", "verdict", "rules", "min")
	asked[1].Default = rules.Formats[0]
	topical, syntactic := []string{config.Topical}, []string{config.Syntactic}
	all := []*Page{
		{Name: "home", Path: "/{$}", Once: true, Older: true, Show: showHome, Params: params{colour}},
		{Name: "search", Show: showSearch, Params: params{param("q", "words, or a URL", 500), cursor}},
		{Name: "page", Older: true, Show: showDocument, Params: params{url, cursor, param("only", "which related pages to list", 10, relatedFilters...)}},
		{Name: "host", Heavy: true, Show: showHost, Params: params{needed("host", "name of a host", 300, "")}},
		{Name: "explain", Show: showExplain, Params: params{a, b}},
		{Name: "diff", Heavy: true, Show: showDiff, Params: params{a, b, whole, row}},
		{Name: "cluster", Older: true, Show: showCluster, Params: params{cluster, view, cursor, row, colour}},
		{Name: "topics", Nav: "Topics", Needs: topical, Show: showTopics, Params: params{param("label", "words of the labels that are listed", 200), row}},
		{Name: "hosts", Nav: "Hosts", Heavy: true, Once: true, Show: showHosts, Params: params{row}},
		{Name: "copies", Nav: "Copies", Heavy: true, Needs: syntactic, Show: showCopies, Params: params{row}},
		{Name: "text", Form: true, Heavy: true, Show: showText, Params: params{anyURL, param("text", "text whose copies are wanted", pasted)}},
		{Name: "compare", Nav: "Both views", Once: true, Needs: slices.Concat(topical, syntactic), Show: showCompare,
			Params: append(paramsOf("compare", "corner", "x", "y"), cursor)},
		{Name: "changes", Nav: "Changes", Form: true, Heavy: true, Once: true, Older: true, Needs: []string{older}, Show: showChanges,
			Params: append(params{from, to, cursor, param("only", "URLs of the gone pages that get rules", pasted)}, asked...)},
		{Name: "find", Nav: "Lost and found", Heavy: true, Older: true, Show: showFind, Params: params{from, to, anyURL}},
		{Name: "site", Nav: "Site", Heavy: true, Once: true, Show: showSite, Params: params{kind}},
		{Name: "run", Nav: "Run", Show: showRun},
	}
	for _, p := range all {
		p.Path = cmp.Or(p.Path, "/"+p.Name)
		p.Params = append(p.Params, param("run", "name of the run", 200), param("format", "form of the list of the page", 4, "html", "csv"))
		p.parser = &api.Operation{ID: p.Name, Params: p.Params}
	}
	return all
})

const (
	aURL   = "URL of a document, in any form"
	pasted = 1 << 30 // characters; the server limits the body of a request
)

// param returns a parameter that takes a text of at most some characters, perhaps one of a few.
func param(name, doc string, most float64, enum ...string) api.Param {
	return api.Param{Name: name, Doc: doc, Kind: ask.Text, Most: most, Enum: enum}
}

// needed returns a required parameter that takes a text.
func needed(name, doc string, most float64, pattern string) api.Param {
	return api.Param{Name: name, Doc: doc, Kind: ask.Text, Required: true, Most: most, Pattern: pattern}
}

// paramsOf returns some parameters of an operation of the API.
func paramsOf(id string, names ...string) (out params) {
	for _, name := range names {
		out = append(out, *api.OperationByID(id).Param(name))
	}
	return out
}
