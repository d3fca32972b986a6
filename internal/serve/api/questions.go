package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
)

// Bounds on lists.
const (
	mostInAll      = 1000   // rows in all portions of an answer that costs more for each
	mostDuplicates = 10_000 // pages compared for one answer
	mostFolded     = 10_000 // URLs of a list
	mostOfKind     = 100    // findings of a kind in the links of a site
)

// operations returns all questions, in the order of the documentation. The options of a question are the fields of its
// type.
func operations() []*Operation {
	return []*Operation{
		about(ask.Page{}, Operation{ID: "page", Summary: "What is known about a page",
			Description: "The document at a URL, crawled or only linked to: what the pages that link to it say, which clusters it is in, and which URLs redirect to it."}),
		about(ask.Related{Window: ask.Window{Most: mostInAll}}, Operation{ID: "related", Summary: "What is related to a page",
			Description: "The documents whose bags are the most similar, with exact similarities: of the whole bags, of the words around the links to both, and of their own words, in order of relatedness, to which shared neighbours add. They are found among the neighbours that the run has stored and the neighbours of these; with `exact`, all documents are compared, and none is missed."}),
		about(ask.Search{Window: ask.Window{Most: mostInAll}}, Operation{ID: "search", Summary: "Which pages some words name",
			Description: "Lists the documents that are called so: by links, titles, hosts or the ends of paths, with at most one typo, or by a longer name that begins so. Then follow those whose bags fit the words: the words of links to a document, and some of its title and text. So it finds pages by what the web calls them, also pages that were never crawled. The clusters are those of the best hits. A query that is a URL which the run holds comes with the document at that URL."}),
		about(ask.Duplicates{Window: ask.Window{Most: mostDuplicates}}, Operation{ID: "duplicates", Summary: "Who has the same text",
			Description: "The pages that equal a page, resemble it, contain it or are contained in it, and those connected to it through other pages of its cluster."}),
		about(ask.Clusters{}, Operation{ID: "clusters", Summary: "Which clusters the run has", Heavy: true,
			Description: "The clusters of two or more documents of a view: topics, or groups of pages with similar texts."}),
		about(ask.Members{}, Operation{ID: "cluster", Path: "/v1/cluster/{id}", Summary: "What belongs together",
			Description: "A cluster with its members, by the id that other answers give. The id may be that of a topic, a node of the tree."}),
		about(ask.Branch{}, Operation{ID: "tree", Summary: "Which topics the run has, level by level",
			Description: "The topics that are right below another one, or at the top."}),
		about(ask.Hosts{}, Operation{ID: "hosts", Summary: "Which hosts the run has documents of", Heavy: true,
			Description: "The hosts with the most documents, at most 10,000. They are counted once."}),
		about(ask.OnHost{}, Operation{ID: "host", Summary: "What the run holds of a host", Heavy: true,
			Description: "The documents of a host, those with the most links first, and the topical clusters that have the most of them."}),
		about(ask.Explain{}, Operation{ID: "explain", Summary: "Why two pages are related, or why not, and what their texts share", HeavyWith: "texts",
			Description: "The words of both bags and where they come from, the sentences that link to either document, how the index met the pair or why it did not, and how similar the texts are. With `texts`, also the texts, line by line, with marks on what they share. A run keeps no texts, so the server reads the inputs of the run again, which must still be where they were. Pages that ask not to be indexed are not shown."},
			mayExplain),
		about(ask.Query{}, Operation{ID: "query", Summary: "Who has the text of a page", Heavy: true,
			Description: "The pages that resemble a page, contain it, are contained in it, or overlap it. By host, everyone who has a version of the text or a part of it, host by host."}),
		then(about(ask.QueryText{}, Operation{ID: "queryText", Path: "/v1/query", Summary: "Who has the text of a document", Heavy: true,
			Description: "The same for any document, and which passages the pages have. It is the body of the request, HTML or plain text, and need not be in the run. It is not kept."}),
			shortPassages),
		about(ask.Fold{}, Operation{ID: "fold", Summary: "A list of URLs without near-copies",
			Description: "Folds near-copies in a ranked list of URLs under the best one, so that each text is shown once. The body has a URL on each line, the best first. The order stays, and so do URLs that the run does not know."},
			Foldable),
		about(ask.Compare{}, Operation{ID: "compare", Summary: "Where the two views disagree",
			Description: "Compares every pair that either view stored by both figures, and lists the clearest pairs of four corners: same text but different links (mirrors), same links but different text (successors, rivals), both the same, and neither. With x or y it lists pairs of one cell of the histogram instead. The first question to a large run is answered with 503 while the comparison is being made."}),
		then(aboutCrawls(ask.Moved{}, Operation{ID: "moved", Summary: "Where a dead URL went", Heavy: true, Redirects: true,
			Description: "Where the content of a URL is now that is dead or was never crawled, and what is nearest to it: the end of its redirects, the verdict on the page that the run of an older crawl has, pages with similar texts, pages that the web talks about in the same words, and pages with similar URLs. With `redirect`, or if the client prefers text/html, the answer is a redirect to the new URL, or 404 if no place is probable enough, so that the error page of a web server can ask here. The first question about two large runs is answered with 503 while all moves are being found.",
			Params: []Param{
				{Name: "min", Doc: "smallest confidence of a redirect", Kind: ask.Number, Default: "0.9", Most: 1},
				{Name: "redirect", Doc: "status of a redirect, which is then the answer", Kind: ask.Text, Enum: []string{"301", "302", "307", "308"}, Most: 3},
			}}, justRedirect),
			redirected),
		aboutCrawls(ask.Changes{}, Operation{ID: "changes", Summary: "What changed between two crawls", Heavy: true,
			Description: "What became of every page of an older crawl in a newer one, where the content of gone pages went, and redirect rules for them. The first question about two large runs is answered with 503 while the moves are being found."}),
		about(ask.Links{}, Operation{ID: "links", Summary: "What to mend in the links of a site", Heavy: true,
			Description: "Missing links, pages that no page links to, links to pages that are gone or redirect, pages that compete with each other or are about something else than their host: first how many there are of each kind, the worst first, then at most 100 findings of each. The server reads the inputs of the run again, which must still be where they were."},
			func(_ *Question, q *ask.Links) error { q.Limit = min(q.Limit, mostOfKind); return nil }),
		then(about(ask.Stats{}, Operation{ID: "stats", Summary: "What the run holds",
			Description: "Counts, stages with their cost, and what was left out and why. It also names the runs that the server has."}),
			func(q *Question, s *ask.StatsAnswer) (Model, error) { s.Runs = q.Run.Names; return s, nil }),
	}
}

// mayExplain refuses texts that may not be shown.
func mayExplain(asked *Question, q *ask.Explain) error {
	if !q.Texts {
		return nil
	}
	if err := asked.Run.MayShow(q.A); err != nil {
		return err
	}
	return asked.Run.MayShow(q.B)
}

// MayShow returns a problem unless the text of the page may be shown.
func (r *Run) MayShow(url string) error {
	id, err := ask.LookupPage(r.Run, url)
	if err != nil {
		return err
	}
	const todo = "Use lshclust explain --texts on the machine of the run."
	switch d := r.Document(id); {
	case !d.Crawled:
		return runs.ErrUnknown
	case d.NoIndex:
		return NewProblem(http.StatusForbidden, "noindex", "The page asks not to be shown",
			fmt.Sprintf("%s asks not to be indexed, so its text is not shown.", d.URL), todo)
	case d.NoSnippet:
		return NewProblem(http.StatusForbidden, "nosnippet", "The page asks not to be quoted",
			fmt.Sprintf("%s asks not to be quoted, so its text is not shown.", d.URL), todo)
	}
	return nil
}

// shortPassages shortens the passages of an answer to their first characters on one line.
func shortPassages(_ *Question, found *ask.QueryAnswer) (Model, error) {
	const most = 400
	for _, x := range found.Items {
		for i, p := range x.Passages {
			runes := []rune(strings.Join(strings.Fields(p.Text), " "))
			x.Passages[i].Text = string(runes)
			if len(runes) > most {
				x.Passages[i].Text = string(runes[:most]) + "…"
			}
		}
	}
	return found, nil
}

// Foldable refuses lists that are too long. It makes lines that JSON can represent, and cuts those longer than any URL.
func Foldable(_ *Question, q *ask.Fold) error {
	if len(q.URLs) > mostFolded {
		return BadRequest(fmt.Sprintf("the list has more than %d URLs", mostFolded), "Send the beginning of the list.")
	}
	for i, url := range q.URLs {
		q.URLs[i] = strings.ToValidUTF8(url[:min(len(url), maxText)], "\uFFFD")
	}
	return nil
}

// Crawls returns the run, with that of an older crawl unless it is nil. Two runs are compared once, in the background,
// see [runs.Result]; neither is closed before that ends.
func (r *Run) Crawls(ctx context.Context, older *Run) (*crawls.Crawls, error) {
	if older == nil {
		return crawls.NewCrawls(ctx, r.Run)
	}
	c, err := runs.Result(ctx, r.Run, older.Run, "crawls",
		"The moves between the two runs are being found, which takes a while for large runs, and once.",
		func(ctx context.Context) (*crawls.Crawls, error) {
			crawls, err := crawls.NewCrawls(ctx, older.Run, r.Run)
			if err == nil {
				err = crawls.CheckOrder()
			}
			if err == nil {
				_, err = crawls.Moves(ctx)
			}
			return crawls, err
		})
	var settings *runs.SettingsError
	switch {
	case errors.As(err, &settings):
		return nil, NewProblem(http.StatusConflict, "settings", "The two runs cannot be compared",
			"The runs "+older.Name+" and "+r.Name+" were built with other settings.",
			"Build both with the same settings.")
	case errors.Is(err, crawls.ErrOrder):
		return nil, NewProblem(http.StatusConflict, "order", "The two runs cannot be compared",
			"The run "+older.Name+" is of a newer crawl than the run "+r.Name+".",
			"Name the run of the newer crawl in run, and that of the older one in older.")
	}
	return c, err
}

// justRedirect asks for what a redirect needs, if the question asks for one.
func justRedirect(asked *Question, q *ask.Moved) error {
	if asked.Redirect != 0 {
		q.Limit = 0
	}
	return nil
}

// redirected returns the target of a redirect for a dead URL if the question asks for one, and the content was found
// elsewhere with at least the confidence that it asks for. It redirects no page to itself: the web server that asks has
// just failed to find it there.
func redirected(q *Question, m *ask.MovedAnswer) (Model, error) {
	if q.Redirect == 0 {
		return m, nil
	}
	sure := []crawls.How{crawls.HowThere, crawls.HowRedirect, crawls.How(m.Verdict)}
	for _, p := range m.Items[:min(1, len(m.Items))] {
		confidence := p.Score
		if string(p.How) == m.Verdict {
			confidence = m.Confidence
		}
		if slices.Contains(sure, p.How) && confidence >= q.Args.Number("min") && p.URL != m.URL && strings.HasPrefix(p.URL, "http") {
			return Location(p.Visit()), nil
		}
	}
	return nil, notFound("nowhere", "No page takes the place of "+brief(m.URL)+" with the confidence that was asked for.",
		"Show the error page, or ask for JSON without redirect to see what was considered.")
}
