package site

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
)

// LinkFinding is something to look at in the links of a site.
type LinkFinding struct {
	Kind     string   `json:"kind" doc:"what is found: missing, a page that the text names without a link; orphan, no page links to it; one-link, one page does; unreachable, no way leads there from the start page; deep, the way takes four clicks or more; gone, links to a page that is not there; redirect, a link to a URL that redirects; same-text, one text for several pages; many-texts, several texts for one page; competing, two pages about the same with different texts; off-topic, a page unlike all others of its host" enum:"missing,orphan,one-link,unreachable,deep,gone,redirect,same-text,many-texts,competing,off-topic"`
	runs.Ref          // missing and redirect: the page that has the link or should have it; else the page that links point at, for same-text and competing the one most often
	To       []string `json:"to" doc:"missing: the page to link to; orphan: pages that name it; one-link and gone: pages with the link; redirect: the target, and where it leads; same-text and competing: the other pages; off-topic: the most similar page of the host"`
	SeenTo   []string `json:"seen_to,omitempty" doc:"to as the pages were crawled; missing if these are the same"`
	Text     string   `json:"text" doc:"words of the link; for many-texts all texts, the most common first, separated by semicolons"`
	Number   int      `json:"number" doc:"deep: clicks from the start page; gone, same-text, many-texts, competing and off-topic: links; else 1 or, without a link, 0"`
	Score    float64  `json:"score,omitzero" doc:"missing: estimated probability that a page with these words links to the other; competing and off-topic: similarity to the other page" least:"0" most:"1"`
	Before   string   `json:"before" doc:"missing and orphan: the sentence before the words"`
	After    string   `json:"after" doc:"missing and orphan: the sentence after them"`
	Why      string   `json:"why" doc:"gone: the status of HTTP, or what else says so; competing: the links to both"`
}

// LinkKinds lists the kinds of a [LinkFinding], in the order in which they are reported.
var LinkKinds = func() (names []string) {
	for _, k := range linkKinds {
		names = append(names, k.name)
	}
	return names
}()

const (
	deepClicks = 4 // from the start page, from which on a page is deep
	mostPages  = 8 // with the same text; a text for more, such as next, is not meant to name a page
	fewTexts   = 4 // for one page, from which on they are many
	mostGone   = 5 // pages with links to a page that is gone
)

// LinkOptions choose what [Audit.Find] looks for.
type LinkOptions struct {
	Start string  `value:"URL" most:"2048" doc:"count clicks from this page, and not from the page of each host whose path is shortest"`
	Most  int     `name:"of_page" default:"3" least:"1" value:"N" doc:"list at most this many missing links of a page"`
	Min   float64 `default:"0.5" most:"1" value:"P" doc:"least score of a missing link"`
}

// LinkKind is a kind of findings.
type LinkKind string

// Choices returns the kinds.
func (LinkKind) Choices() []string { return LinkKinds }

// Find returns the findings of one kind. The most important come first; ties are in order of URLs.
func (s *Audit) Find(ctx context.Context, kind string, o LinkOptions) (out []LinkFinding, err error) {
	switch kind {
	case "missing":
		return s.missing(ctx, o)
	case "competing", "off-topic":
		return s.alike(ctx, kind)
	case "one-link":
		out = s.linkedBy(kind)
	case "orphan":
		if out = s.linkedBy(kind); len(out) > 0 {
			err = s.mentioned(ctx, out)
		}
	case "unreachable", "deep":
		out, err = s.far(kind, o.Start)
	case "gone":
		out, err = s.gone()
	case "redirect":
		out = s.redirected()
	case "same-text":
		out = s.sameText()
	case "many-texts":
		out = s.manyTexts()
	}
	slices.SortStableFunc(out, func(a, b LinkFinding) int {
		return cmp.Or(cmp.Compare(b.Number, a.Number), cmp.Compare(a.Why, b.Why), cmp.Compare(a.URL, b.URL), slices.Compare(a.To, b.To))
	})
	return out, err
}

func (s *Audit) finding(kind string, id uint32, text uint64, number int, to ...string) LinkFinding {
	return LinkFinding{Kind: kind, Ref: runs.RefOf(s.r, id), Text: s.texts[text], Number: number, To: append([]string{}, to...)}
}

func (s *Audit) missing(ctx context.Context, o LinkOptions) ([]LinkFinding, error) {
	found, err := s.missingLinks(ctx, o.Min)
	var out []LinkFinding
	of := map[uint32]int{} // missing links of a page
	for _, m := range found {
		if m.Score < o.Min || of[m.From] == o.Most {
			continue
		}
		of[m.From]++
		f := s.finding("missing", m.From, 0, 0, s.r.URL(m.To))
		f.Text, f.Score, f.Before, f.After = m.Anchor, m.Score, m.Before, m.After
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b LinkFinding) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.URL, b.URL), slices.Compare(a.To, b.To))
	})
	return out, err
}

// linkedBy finds pages to which no other page of the host links, or one.
func (s *Audit) linkedBy(kind string) (out []LinkFinding) {
	from := map[uint32]siteLink{}
	many := map[uint32]bool{}
	for _, l := range s.links {
		if old, ok := from[l.to]; ok && old.from != l.from {
			many[l.to] = true
		}
		from[l.to] = l
	}
	starts := s.starts()
	for _, id := range s.pages {
		l, linked := from[id]
		switch {
		case many[id] || starts[s.hosts[id]] == id || s.hidden(id):
		case !linked && kind == "orphan":
			out = append(out, s.finding(kind, id, 0, 0))
		case linked && kind == "one-link":
			out = append(out, s.finding(kind, id, l.text, 1, s.r.URL(l.from)))
		}
	}
	return out
}

// starts returns the start page of each host: the one with the shortest path, then the one with the most links.
func (s *Audit) starts() []uint32 {
	starts := slices.Repeat([]uint32{tables.None}, len(s.size))
	key := func(id uint32) (int, int, string) {
		url := s.r.Docs.URL(id)
		return strings.Count(url, "/"), -int(s.r.Docs.InLinks(id)), url
	}
	for _, id := range s.pages {
		old := starts[s.hosts[id]]
		if old != tables.None {
			a1, a2, a3 := key(id)
			b1, b2, b3 := key(old)
			if cmp.Or(cmp.Compare(a1, b1), cmp.Compare(a2, b2), cmp.Compare(a3, b3)) > 0 {
				continue
			}
		}
		starts[s.hosts[id]] = id
	}
	return starts
}

// far finds pages that are many clicks from the start page, or to which no way leads though a page links to them.
func (s *Audit) far(kind, start string) (out []LinkFinding, err error) {
	starts := s.starts()
	if start != "" {
		id, err := s.r.LookupPage(start)
		if err != nil {
			return nil, err
		}
		starts = []uint32{id}
	}
	to := map[uint32][]uint32{}
	linked := map[uint32]bool{}
	for _, l := range s.links {
		to[l.from] = append(to[l.from], l.to)
		linked[l.to] = true
	}
	clicks, reached := map[uint32]int{}, map[int]bool{} // pages, and hosts
	for _, id := range starts {
		clicks[id], reached[s.hosts[id]] = 0, true
	}
	for next := starts; len(next) > 0; {
		page := next[0]
		next = next[1:]
		for _, t := range to[page] {
			if _, seen := clicks[t]; !seen {
				clicks[t] = clicks[page] + 1
				next = append(next, t)
			}
		}
	}
	for _, id := range s.pages {
		n, ok := clicks[id]
		switch {
		case !reached[s.hosts[id]] || s.hidden(id):
		case ok && n >= deepClicks && kind == "deep":
			out = append(out, s.finding(kind, id, 0, n))
		case !ok && linked[id] && kind == "unreachable":
			out = append(out, s.finding(kind, id, 0, 0))
		}
	}
	return out, nil
}

// gone finds pages that links point at and that are not there: the crawl dropped them for their status, they say so, or it
// does not have them.
func (s *Audit) gone() (out []LinkFinding, err error) {
	why := map[uint32]string{}
	for row, err := range run.ReadDropped(s.r.Dropped) {
		if err != nil {
			return nil, err
		}
		url, err := s.r.Rules.Canonical(row.URL)
		if err != nil {
			continue
		}
		if id, ok := s.r.Docs.Find(url); ok {
			why[id] = ""
			if row.Reason == "http-status" {
				why[id] = strings.TrimSpace("HTTP status " + row.Detail)
			}
		}
	}
	last := siteLink{}
	for _, l := range s.links {
		reason, known := why[l.to]
		switch d := s.r.Docs.At(l.to); {
		case l.to == last.to && l.from == last.from:
			continue
		case s.r.Docs.Labelled(l.to) && d.Label.String() == "not-found":
			reason = "the page says that it was not found"
		case d.Crawled || known && reason == "":
			continue
		case !known && !isPage(d.URL):
			continue
		case !known:
			reason = "the crawl does not have it"
		}
		if last.to != l.to || len(out) == 0 {
			out = append(out, s.finding("gone", l.to, l.text, 0))
		}
		last = l
		f := &out[len(out)-1]
		f.Number, f.Why = f.Number+1, reason
		if page := s.r.URL(l.from); len(f.To) < mostGone && !slices.Contains(f.To, page) {
			f.To = append(f.To, page)
		}
	}
	return out, nil
}

// isPage reports whether the path of a URL may be that of an HTML page. Scripts of Cloudflare are below /cdn-cgi/.
func isPage(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	_, rest, _ := strings.Cut(url, urls.Host(url))
	return !strings.HasPrefix(rest, "/cdn-cgi/") &&
		slices.Contains([]string{"", ".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp"}, strings.ToLower(path.Ext(rest)))
}

// redirected finds links to URLs that redirect to other pages.
func (s *Audit) redirected() (out []LinkFinding) {
	type use struct{ from, via uint32 }
	seen := map[use]bool{}
	for _, l := range s.links {
		if l.via == tables.None || seen[use{l.from, l.via}] {
			continue
		}
		seen[use{l.from, l.via}] = true
		row := s.r.Redirects.At(int(l.via))
		out = append(out, s.finding("redirect", l.from, l.text, 1, row.From, row.To))
	}
	return out
}

// sameText finds texts with which links outside of menus lead to several pages.
func (s *Audit) sameText() (out []LinkFinding) {
	to := map[uint64][]called{}
	for same := range s.byTarget() {
		if l := same[0]; !l.menu && s.texts[l.text] != "" {
			to[l.text] = append(to[l.text], called{l.to, len(same)})
		}
	}
	for text, pages := range to {
		if len(pages) < 2 || len(pages) > mostPages {
			continue
		}
		slices.SortFunc(pages, func(a, b called) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id)) })
		f := s.finding("same-text", pages[0].id, text, 0)
		for i, p := range pages {
			f.Number += p.n
			if i > 0 {
				f.To = append(f.To, s.r.URL(p.id))
			}
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b LinkFinding) int { return strings.Compare(a.Text, b.Text) })
	return out
}

// manyTexts finds pages to which, as a whole, links outside of menus lead with several texts.
func (s *Audit) manyTexts() (out []LinkFinding) {
	for links := range sets.Runs(s.links, func(a, b siteLink) bool { return a.to == b.to }) {
		whole := slices.DeleteFunc(slices.Clone(links), func(l siteLink) bool { return l.part || l.menu || s.texts[l.text] == "" })
		texts := slices.Collect(sets.Runs(whole, func(a, b siteLink) bool { return a.text == b.text }))
		if len(texts) < fewTexts {
			continue
		}
		slices.SortFunc(texts, func(a, b []siteLink) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(s.texts[a[0].text], s.texts[b[0].text]))
		})
		f := s.finding("many-texts", links[0].to, 0, len(whole))
		var words []string
		for _, t := range texts {
			words = append(words, s.texts[t[0].text])
		}
		f.Text = strings.Join(words, "; ")
		out = append(out, f)
	}
	return out
}
