package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// Kind is what is wrong with a known URL or a rule.
type Kind string

// Kinds of findings. Anchor and Unread are found by those who call Check.
const (
	Missing     Kind = "missing"     // a known URL has no page, and no rule redirects it
	Dead        Kind = "dead"        // a rule leads to a URL of the site that has no page
	Loop        Kind = "loop"        // rules lead back to where they start, or on and on
	Chain       Kind = "chain"       // a rule leads to a URL that is redirected again
	Shadow      Kind = "shadow"      // a rule hides a page
	Anchor      Kind = "anchor"      // the page of a known URL lacks the part that the URL points at
	Superfluous Kind = "superfluous" // a rule never applies, or another one does the same
	Unread      Kind = "unread"      // a line of a file cannot be read
)

// Kinds lists the kinds of findings, the worst first.
var Kinds = []Kind{Missing, Dead, Loop, Anchor, Chain, Shadow, Superfluous, Unread}

// Finding is something wrong with a known URL or a rule.
type Finding struct {
	Kind    Kind
	Endless bool     // the loop leads to ever new URLs
	URL     string   // the known URL; if it is about a rule, where the rule leads in the end
	Rule    *Rule    // nil if it is about a URL
	Other   *Rule    // the rule that comes first, does the same, or follows in a chain or loop; or nil
	URLs    []string // the known URLs that suffer, or the pages that are hidden
	Doubt   *Rule    // a rule that may answer the URL before, but is not certain; or nil
}

// Checker follows URLs through the rules of a site.
type Checker struct {
	Site
	Rules    []Rule                  // in the order in which a server tries them
	Pages    []string                // canonical URLs of all pages of the site
	Redirect func(url string) string // where the site itself redirects a URL; the URL if it does not

	there map[string]bool
	asked map[string]bool // URLs of pages without their queries
	hosts map[string]bool
	exact map[string][]int // rules for one URL, by it
	wide  []int            // the other rules
}

func (c *Checker) prepare() {
	c.there, c.asked, c.hosts, c.exact = map[string]bool{}, map[string]bool{}, map[string]bool{originOf(c.Base): true}, map[string][]int{}
	for _, url := range c.Pages {
		c.there[url], c.hosts[originOf(url)] = true, true
		if plain, _, query := strings.Cut(url, "?"); query {
			c.asked[plain] = true
		}
	}
	for i := range c.Rules {
		if r := &c.Rules[i]; r.Single() {
			c.exact[r.From] = append(c.exact[r.From], i)
		} else {
			c.wide = append(c.wide, i)
		}
	}
}

// page reports whether the site has a page at a URL. A page that the crawl never saw with a query is taken to ignore it.
func (c *Checker) page(url string) bool {
	plain, _, query := strings.Cut(url, "?")
	return c.there[url] || query && c.there[plain] && !c.asked[plain]
}

// Answer returns the first certain rule at or after a place that answers a canonical URL, the URL that it leads to, and the
// first rule before it that may answer too. Without such rules it returns -1. A server that has no answer for the URL
// without a slash at its end is asked for that with one.
func (c *Checker) Answer(url string, from int) (at int, to string, doubt int) {
	if c.there == nil {
		c.prepare()
	}
	a, there, list := ask(url), c.page(url), c.wide
	for _, i := range slices.Concat(c.exact[url], c.exact[a.plain]) {
		at, _ := slices.BinarySearch(list, i)
		list = slices.Insert(slices.Clip(list), at, i)
	}
	doubt = -1
	for form := range a.forms {
		for _, i := range list {
			r := &c.Rules[i]
			if i < from || r.Weak && there || r.Unsure != "" && doubt >= 0 {
				continue
			}
			to, ok := c.answer(r, a, form)
			switch {
			case !ok || to == url && r.From != r.To: // to another form of the URL
				continue
			case r.Certain():
				return i, to, doubt
			case r.Unsure != "":
				doubt = i
				continue
			}
			break // the server looks no further
		}
	}
	return -1, "", doubt
}

// Way is the way of a URL through the rules.
type Way struct {
	URL     string // where it ends, with a fragment if a rule gives one
	Lost    bool   // it ends nowhere, or at a URL of the site without a page
	Gone    bool   // a rule says that it is gone for good
	hops    []int  // the rules on the way; -1 for a redirect of the site itself
	loop    []int  // if it ends in a loop, its rules: the first is met again, or the last
	endless bool   // it leads to no URL twice
	served  bool   // the last rule answers with a page itself
	doubt   *Rule  // the first on the way that may answer too
}

// maxHops is the maximum number of redirects that browsers follow. A longer way, or one to a URL that is longer than
// urls.MaxURL, is a loop too: rules that add to a URL whatever it is never lead back to a URL on the way.
const maxHops = 20

// Follow follows a canonical URL, to which some rules led, to the end of its way.
func (c *Checker) Follow(url string, hops ...int) Way {
	w, seen := Way{URL: url, hops: hops}, map[string]int{} // URLs on the way, and how many redirects lead to them
	for {
		at, fragment, _ := strings.Cut(w.URL, "#")
		before, back := seen[at]
		if w.endless = !back && (len(w.hops) > maxHops || len(at) > urls.MaxURL); w.endless {
			last := len(w.hops) - 1
			before = 1 + slices.Index(w.hops[:last], w.hops[last])
		}
		if back || w.endless {
			w.Lost, w.loop = true, byRules(w.hops[before:])
			return w
		}
		seen[at] = len(w.hops)
		i, to, doubt := c.Answer(at, 0)
		if doubt >= 0 && w.doubt == nil {
			w.doubt = &c.Rules[doubt]
		}
		switch own := c.Redirect(at); {
		case i >= 0 && (c.Rules[i].Serves || c.Rules[i].Gone):
			w.hops, w.URL, w.Gone, w.served = append(w.hops, i), cmp.Or(to, at), c.Rules[i].Gone, c.Rules[i].Serves
			w.Lost = to != "" && !c.page(to) && c.Inside(to)
			return w
		case i >= 0:
			w.hops, w.URL = append(w.hops, i), to
			if fragment != "" && !strings.Contains(to, "#") {
				w.URL += "#" + fragment
			}
		case !c.page(at) && own != at:
			w.hops, w.URL = append(w.hops, -1), own
		default:
			w.Lost = !c.page(at) && c.Inside(at)
			return w
		}
	}
}

// byRules returns the redirects that are not of the site itself.
func byRules(hops []int) []int {
	return slices.DeleteFunc(slices.Clone(hops), func(i int) bool { return i < 0 })
}

// Direct reports whether a URL has a page itself.
func (w *Way) Direct() bool { return w.redirects() == 0 }

// redirects returns the number of redirects on a way.
func (w *Way) redirects() int {
	if w.served {
		return len(w.hops) - 1
	}
	return len(w.hops)
}

// blame returns what is wrong with a way, and the rule whose fault it is.
func (w *Way) blame() (kind Kind, rule int) {
	switch rules := byRules(w.hops); {
	case len(w.loop) > 0:
		return Loop, slices.Min(w.loop)
	case w.Lost && len(rules) == 0:
		return Missing, -1
	case w.Lost:
		return Dead, rules[len(rules)-1]
	case w.redirects() > 1 && w.hops[0] >= 0:
		return Chain, w.hops[0]
	}
	return "", -1
}

// Inside reports whether a URL belongs to the site.
func (c *Checker) Inside(url string) bool { return c.hosts[originOf(url)] }

// fault is what is wrong with a rule, and met is what it does to URLs: the first way, and the known URLs.
type (
	fault struct {
		rule int
		kind Kind
	}
	met struct {
		way  Way
		urls []string
	}
)

// Check returns what is wrong: first about known URLs, in their order, then about rules. It returns the way of each known
// URL too. A URL that suffers from a rule is named with the rule only.
func (c *Checker) Check(known []string) (found []Finding, ways []Way) {
	c.prepare()
	of, used := map[fault]*met{}, make([]bool, len(c.Rules))
	note := func(w Way, urls ...string) {
		kind, rule := w.blame()
		at := fault{rule, kind}
		switch {
		case kind == Missing && len(urls) > 0:
			found = append(found, Finding{Kind: Missing, URL: urls[0], Doubt: w.doubt})
		case kind != "":
			of[at] = cmp.Or(of[at], &met{way: w})
			of[at].urls = append(of[at].urls, urls...)
		}
		for _, i := range byRules(w.hops) {
			used[i] = used[i] || !w.Lost
		}
	}
	for _, url := range known {
		ways = append(ways, c.Follow(url))
		note(ways[len(ways)-1], url)
	}
	for i := range c.Rules {
		switch r := &c.Rules[i]; {
		case !r.Certain() || r.Serves:
		case r.Single():
			note(c.Follow(r.From))
		case r.Prefix && !used[i] && !slices.ContainsFunc(c.Pages, func(url string) bool { return strings.HasPrefix(url, r.To+"/") }), r.conds != nil && r.To != "" && !strings.Contains(r.To, "$"):
			if to, err := c.target(r.To); err == nil && c.Inside(to) {
				note(c.Follow(to, i))
			}
		}
	}
	hidden := c.hidden()
	for i := range c.Rules {
		if c.Rules[i].Certain() {
			found = append(found, c.about(i, of, hidden[i])...)
		}
	}
	return found, ways
}

// about returns what is wrong with a rule, which hides some pages.
func (c *Checker) about(i int, of map[fault]*met, hidden []string) (found []Finding) {
	r := &c.Rules[i]
	add := func(kind Kind, url string, other int, urls []string) {
		f := Finding{Kind: kind, URL: url, Rule: r, URLs: urls}
		if other >= 0 && other != i {
			f.Other = &c.Rules[other]
		}
		if len(urls) > 0 {
			f.Doubt = c.Follow(urls[0]).doubt
		}
		found = append(found, f)
	}
	if other := c.superfluous(i); other >= 0 {
		if add(Superfluous, "", other, nil); other < i {
			return found
		}
	}
	if r.Weak && !r.Serves && r.Single() && c.there[r.From] {
		add(Superfluous, "", -1, nil)
		return found
	}
	if len(hidden) > 0 {
		add(Shadow, "", -1, hidden)
	}
	if m := of[fault{i, Loop}]; m != nil {
		loop, to := m.way.loop, r.To
		if len(m.urls) > 0 {
			_, to, _ = c.Answer(m.urls[0], i)
		}
		add(Loop, to, loop[(slices.Index(loop, i)+1)%len(loop)], m.urls)
		found[len(found)-1].Endless = m.way.endless
	}
	dead, chain := of[fault{i, Dead}], of[fault{i, Chain}]
	switch {
	case dead != nil:
		add(Dead, dead.way.URL, -1, dead.urls)
	case chain != nil && r.Single():
		add(Chain, chain.way.URL, chain.way.hops[1], chain.urls)
	case chain != nil && len(chain.urls) > 0:
		add(Chain, "", chain.way.hops[1], chain.urls)
	}
	return found
}

// hidden returns the pages that each rule hides. That the top of a site leads to another page is meant.
func (c *Checker) hidden() map[int][]string {
	pages := map[int][]string{}
	for _, url := range c.Pages {
		at, to, _ := c.Answer(url, 0)
		if at >= 0 && (url != c.Base && url != originOf(url) || !c.page(to)) {
			pages[at] = append(pages[at], url)
		}
	}
	return pages
}

// superfluous returns the rule that makes another superfluous: one that comes first, or for one URL the next one, if it
// leads to the same place. It returns -1 if there is none.
func (c *Checker) superfluous(i int) int {
	r := &c.Rules[i]
	if !r.Single() {
		return slices.IndexFunc(c.Rules[:i], func(o Rule) bool { return o.Certain() && (!o.Weak || r.Weak) && o.past == "" && o.covers(r) })
	}
	if first, _, _ := c.Answer(r.From, 0); first >= 0 && first < i {
		return first
	}
	if next, to, _ := c.Answer(r.From, i+1); next >= 0 && to == r.To && r.From != r.To {
		return next
	}
	return -1
}

// covers reports whether a rule answers every URL that a later one for a folder or with conditions answers.
func (r *Rule) covers(later *Rule) bool {
	if r.conds == nil || later.conds == nil {
		return r.conds == nil && later.conds == nil && r.Prefix && below(later.From, r.From)
	}
	return slices.EqualFunc(r.conds, later.conds, func(a, b cond) bool { return a.of == b.of && a.pattern == b.pattern })
}
