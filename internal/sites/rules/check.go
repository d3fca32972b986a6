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
	End     string   // where a known URL ends: a missing one by the site itself, or any by the answers of a server; or ""
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

	there, asked, hosts map[string]bool  // URLs of pages, those without their queries, and the hosts of the site
	exact               map[string][]int // rules for one URL, by it
	wide                []int            // the other rules
}

func (c *Checker) prepare() {
	c.there, c.asked, c.hosts = map[string]bool{}, map[string]bool{}, map[string]bool{originOf(c.Base): true}
	c.exact, c.wide = map[string][]int{}, nil
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
	hops    []hop
	loop    []hop // if it ends in a loop, its rules: the first is met again, or the last
	endless bool  // it leads to no URL twice
	served  int   // 1 if the last rule answers with a page itself
	doubt   *Rule // the first on the way that may answer too
}

// hop is a redirect by a rule, or with -1 by the site itself.
type hop struct {
	rule int
	to   string
}

// byRules returns the redirects that are not of the site itself.
func byRules(hops []hop) []hop {
	return slices.DeleteFunc(slices.Clone(hops), func(h hop) bool { return h.rule < 0 })
}

// maxHops is the maximum number of redirects that browsers follow. A longer way, or one to a URL that is longer than
// urls.MaxURL, is a loop too: rules that add to a URL whatever it is never lead back to a URL on the way.
const maxHops = 20

// Follow follows a canonical URL, to which some rules led, to the end of its way.
func (c *Checker) Follow(url string, hops ...hop) Way {
	w, seen := Way{URL: url, hops: hops}, map[string]int{} // URLs on the way, and how many redirects lead to them
	for {
		at, fragment, _ := strings.Cut(w.URL, "#")
		before, back := seen[at]
		if w.endless = !back && (len(w.hops) > maxHops || len(at) > urls.MaxURL); w.endless {
			last := len(w.hops) - 1
			before = 1 + slices.IndexFunc(w.hops[:last], func(h hop) bool { return h.rule == w.hops[last].rule })
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
			w.URL, w.Gone, w.Lost = cmp.Or(to, at), c.Rules[i].Gone, to != "" && !c.page(to) && c.Inside(to)
			w.hops = append(w.hops, hop{i, w.URL})
			if c.Rules[i].Serves {
				w.served = 1
			}
			return w
		case i >= 0:
			w.hops, w.URL = append(w.hops, hop{i, to}), to
			if fragment != "" && !strings.Contains(to, "#") {
				w.URL += "#" + fragment
			}
		case own != at:
			w.hops, w.URL = append(w.hops, hop{-1, own}), own
		default:
			w.Lost = !c.page(at) && c.Inside(at)
			return w
		}
	}
}

// Direct reports whether a URL has a page itself.
func (w *Way) Direct() bool { return len(w.hops) == w.served }

// Inside reports whether a URL belongs to the site.
func (c *Checker) Inside(url string) bool { return c.hosts[originOf(url)] }

// blame returns what is wrong with a way, and the rule whose fault it is.
func (c *Checker) blame(w *Way) (f Finding, rule int) {
	var at, next hop
	switch rules := byRules(w.hops); {
	case len(w.loop) > 0:
		at = slices.MinFunc(w.loop, func(a, b hop) int { return a.rule - b.rule })
		f, next = Finding{Kind: Loop, URL: at.to, Endless: w.endless}, w.loop[(slices.Index(w.loop, at)+1)%len(w.loop)]
	case w.Lost && len(w.hops) == 0:
		return Finding{Kind: Missing}, -1
	case w.Lost && len(rules) == 0:
		return Finding{Kind: Missing, End: w.URL}, -1
	case w.Lost:
		at = rules[len(rules)-1]
		f, next = Finding{Kind: Dead, URL: w.URL}, at
	case len(w.hops)-w.served > 1 && w.hops[0].rule >= 0:
		f, at, next = Finding{Kind: Chain}, w.hops[0], w.hops[1]
		if c.Rules[at.rule].Single() {
			f.URL = w.URL
		}
	default:
		return f, -1
	}
	f.Rule = &c.Rules[at.rule]
	if next.rule >= 0 && next.rule != at.rule {
		f.Other = &c.Rules[next.rule]
	}
	return f, at.rule
}

// fault is what is wrong with a rule.
type fault struct {
	rule int
	kind Kind
}

// Check returns what is wrong: first about known URLs, in their order, then about rules. It returns the way of each known
// URL too. A URL that suffers from a rule is named with the rule only.
func (c *Checker) Check(known []string) (found []Finding, ways []Way) {
	c.prepare()
	faults, used := map[fault]*Finding{}, make([]bool, len(c.Rules))
	note := func(f Finding, rule int, doubt *Rule, url ...string) {
		at := fault{rule, f.Kind}
		if rule < 0 {
			return
		}
		if faults[at] == nil {
			faults[at] = &f
		}
		old := faults[at]
		if len(url) > 0 {
			if old.URLs = append(old.URLs, url...); len(old.URLs) == 1 {
				old.Doubt = doubt
			}
		}
	}
	for _, url := range known {
		w := c.Follow(url)
		f, rule := c.blame(&w)
		note(f, rule, w.doubt, url)
		if f.Kind == Missing {
			f.URL, f.Doubt = url, w.doubt
			found = append(found, f)
		}
		for _, h := range byRules(w.hops) {
			used[h.rule] = used[h.rule] || !w.Lost
		}
		ways = append(ways, w)
	}
	for _, url := range c.Pages {
		meant := c.Redirect(url) != url                                                                                     // so does the page, which a generator may have made of the rule
		if at, to, doubt := c.Answer(url, 0); at >= 0 && !meant && (url != c.Base && url != originOf(url) || !c.page(to)) { // that the top of a site leads on is meant
			note(Finding{Kind: Shadow, Rule: &c.Rules[at]}, at, c.rule(doubt), url)
		}
	}
	for i := range c.Rules {
		if w, ok := c.probe(i, used[i]); ok {
			f, rule := c.blame(&w)
			note(f, rule, nil)
		}
	}
	for i := range c.Rules {
		if r := &c.Rules[i]; r.Certain() {
			found = append(found, c.about(i, faults)...)
		}
	}
	return found, ways
}

// rule returns a rule, or nil for -1.
func (c *Checker) rule(i int) *Rule {
	if i < 0 {
		return nil
	}
	return &c.Rules[i]
}

// probe follows a rule, unless where it leads depends on the URL and known URLs used it or its folder has pages.
func (c *Checker) probe(i int, used bool) (w Way, ok bool) {
	switch r := &c.Rules[i]; {
	case !r.Certain() || r.Serves:
	case r.Single():
		return c.Follow(r.From), true
	case r.Prefix && !used && !slices.ContainsFunc(c.Pages, func(url string) bool { return strings.HasPrefix(url, r.To+"/") }), r.conds != nil && r.To != "" && !strings.Contains(r.To, "$"):
		to, err := c.target(r.To)
		return c.Follow(to, hop{i, to}), err == nil && c.Inside(to)
	}
	return w, false
}

// about returns what is wrong with a rule.
func (c *Checker) about(i int, faults map[fault]*Finding) (found []Finding) {
	r, other := &c.Rules[i], c.superfluous(i)
	hidden := r.Weak && !r.Serves && r.Single() && c.there[r.From] // by a page
	if other >= 0 || hidden {
		found = append(found, Finding{Kind: Superfluous, Rule: r, Other: c.rule(other)})
	}
	if hidden || other >= 0 && other < i {
		return found
	}
	for _, kind := range []Kind{Shadow, Loop, Dead, Chain} {
		f := faults[fault{i, kind}]
		if f != nil && (kind != Chain || faults[fault{i, Dead}] == nil && (r.Single() || f.URLs != nil)) {
			found = append(found, *f)
		}
	}
	return found
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
