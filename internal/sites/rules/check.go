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
		if r := &c.Rules[i]; !r.Single() {
			c.wide = append(c.wide, i)
		} else if plain, _, _ := strings.Cut(r.From, "?"); r.params {
			c.exact[plain] = append(c.exact[plain], i)
		} else {
			c.exact[r.From] = append(c.exact[r.From], i)
		}
	}
}

// page reports whether the site has a page at a URL. A page that the crawl never saw with a query is taken to ignore it.
func (c *Checker) page(url string) bool {
	plain, _, query := strings.Cut(url, "?")
	return c.there[url] || query && c.there[plain] && !c.asked[plain]
}

// Answer returns the rule that answers a canonical URL, where it leads, and a rule that may answer before; or nil.
func (c *Checker) Answer(url string) (rule *Rule, to string, doubt *Rule) {
	if c.there == nil {
		c.prepare()
	}
	at, to, before := c.answers(url, 0)
	if at >= 0 {
		rule = &c.Rules[at]
	}
	if before >= 0 {
		doubt = &c.Rules[before]
	}
	return rule, to, doubt
}

// answers returns the first certain rule at or after a place that answers a URL, the URL that it leads to, and the first
// rule before it that may answer too. Without such rules it returns -1. A server that has no answer for the URL without a
// slash at its end is asked for that with one.
func (c *Checker) answers(url string, from int) (at int, to string, doubt int) {
	a, there := ask(url), c.page(url)
	list := slices.Concat(c.exact[url], c.exact[a.plain], c.wide)
	at, doubt = len(c.Rules), -1
	for form := 0; form < len(a.forms) && (at == len(c.Rules) || c.Rules[at].stops); form++ {
		at = len(c.Rules)
		before := at
		for _, i := range list {
			r := &c.Rules[i]
			if i < from || i >= at || r.Unsure != "" && i >= before || r.Weak && there || r.only && !there {
				continue
			}
			switch end, ok := c.answer(r, a, form); {
			case !ok || end == url && r.From != r.To: // from one form of a URL to another
			case r.Unsure != "":
				before = i
			default:
				at, to = i, end
			}
		}
		if before < at && doubt < 0 {
			doubt = before
		}
	}
	if at == len(c.Rules) || c.Rules[at].stops {
		at, to = -1, ""
	}
	return at, to, doubt
}

// end is how the way of a URL through the rules ends.
type end int

const (
	atPage  end = iota // or outside the site, or at a page that is gone for good
	atNone             // at a URL without a page
	inALoop            // nowhere
)

// Way is the way of a URL through the rules.
type Way struct {
	URL     string // where it ends, with a fragment if a rule gives one
	hops    []int  // the rules on the way; -1 for a redirect of the site itself
	cycle   []int  // if it ends in a loop, its rules: the first is met again, or the last
	end     end
	endless bool  // it leads to no URL twice
	Gone    bool  // a rule says that it is gone for good
	served  bool  // the last rule answers with a page itself
	doubt   *Rule // the first on the way that may answer too
}

// maxHops is the maximum number of redirects that browsers follow. A longer way, or one to a URL that is longer than
// urls.MaxURL, is a loop too: rules that add to a URL whatever it is never lead back to a URL on the way.
const maxHops = 20

// Follow follows a canonical URL, from which a rule may lead away.
func (c *Checker) Follow(url string) Way { return c.follow(Way{URL: url}) }

// follow follows a way from where it is to its end.
func (c *Checker) follow(w Way) Way {
	seen := map[string]int{} // URLs on the way, and how many redirects lead to them
	for {
		at, fragment, _ := strings.Cut(w.URL, "#")
		if before, back := seen[at]; back {
			return w.loop(w.hops[before:])
		}
		if len(w.hops) > maxHops || len(at) > urls.MaxURL {
			last := len(w.hops) - 1
			w.endless = true
			return w.loop(w.hops[1+slices.Index(w.hops[:last], w.hops[last]):])
		}
		seen[at] = len(w.hops)
		rule, to, doubt := c.answers(at, 0)
		if doubt >= 0 && w.doubt == nil {
			w.doubt = &c.Rules[doubt]
		}
		switch own := c.Redirect(at); {
		case rule >= 0 && c.Rules[rule].Serves:
			w.hops, w.served = append(w.hops, rule), true
			if w.URL = cmp.Or(to, at); to != "" && !c.page(to) && c.Inside(to) {
				w.end = atNone
			}
			return w
		case rule >= 0 && c.Rules[rule].Gone:
			w.hops, w.Gone = append(w.hops, rule), true
			return w
		case rule >= 0:
			w.hops, w.URL = append(w.hops, rule), to
			if fragment != "" && !strings.Contains(to, "#") {
				w.URL += "#" + fragment
			}
		case c.page(at):
			return w
		case own != at:
			w.hops, w.URL = append(w.hops, -1), own
		default:
			if c.Inside(at) {
				w.end = atNone
			}
			return w
		}
	}
}

// loop ends a way in a loop of some of its redirects.
func (w Way) loop(cycle []int) Way {
	w.end, w.cycle = inALoop, slices.DeleteFunc(slices.Clone(cycle), func(i int) bool { return i < 0 })
	return w
}

// Lost reports whether a way ends at no page.
func (w Way) Lost() bool { return w.end != atPage }

// Direct reports whether a URL has a page itself.
func (w Way) Direct() bool { return w.redirects() == 0 }

// redirects returns the number of redirects on a way.
func (w *Way) redirects() int {
	if w.served {
		return len(w.hops) - 1
	}
	return len(w.hops)
}

// Inside reports whether a URL belongs to the site.
func (c *Checker) Inside(url string) bool { return c.hosts[originOf(url)] }

// met is what a rule does to URLs: the first way, and the known URLs.
type met struct {
	way  Way
	urls []string
}

// Check returns what is wrong: first about known URLs, in their order, then about rules. It returns the way of each known
// URL too. A URL that suffers from a rule is named with the rule only.
func (c *Checker) Check(known []string) (found []Finding, ways []Way) {
	c.prepare()
	of, used := make([]map[Kind]*met, len(c.Rules)), make([]bool, len(c.Rules))
	note := func(w Way, url string) {
		kind, at := Dead, lastOf(w.hops)
		switch {
		case w.end == inALoop && len(w.cycle) > 0:
			kind, at = Loop, slices.Min(w.cycle)
		case w.end == atPage:
			for _, i := range w.hops {
				if i >= 0 {
					used[i] = true
				}
			}
			if kind = Chain; w.redirects() < 2 || w.hops[0] < 0 {
				return
			}
			at = w.hops[0]
		}
		if of[at] == nil {
			of[at] = map[Kind]*met{}
		}
		if of[at][kind] == nil {
			of[at][kind] = &met{way: w}
		}
		if url != "" {
			of[at][kind].urls = append(of[at][kind].urls, url)
		}
	}
	for _, url := range known {
		w := c.Follow(url)
		if ways = append(ways, w); w.Lost() && lastOf(w.hops) < 0 {
			found = append(found, Finding{Kind: Missing, URL: url, Doubt: w.doubt})
		} else if len(w.hops) > 0 {
			note(w, url)
		}
	}
	for i := range c.Rules {
		switch r := &c.Rules[i]; {
		case !r.Certain() || r.Serves:
		case r.Single():
			note(c.Follow(r.From), "")
		case r.Prefix && !used[i] && !slices.ContainsFunc(c.Pages, func(url string) bool { return strings.HasPrefix(url, r.To+"/") }), r.conds != nil && r.To != "" && !strings.Contains(r.To, "$"):
			if to, err := c.target(r.To); err == nil && c.Inside(to) {
				note(c.follow(Way{URL: to, hops: []int{i}}), "")
			}
		}
	}
	hidden := c.hidden()
	for i := range c.Rules {
		if c.Rules[i].Certain() {
			found = append(found, c.about(i, of[i], hidden[i])...)
		}
	}
	return found, ways
}

// about returns what is wrong with a rule, which meets some URLs and hides some pages.
func (c *Checker) about(i int, of map[Kind]*met, hidden []string) (found []Finding) {
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
	if m := of[Loop]; m != nil {
		cycle := m.way.cycle
		add(Loop, r.To, cycle[(slices.Index(cycle, i)+1)%len(cycle)], m.urls)
		found[len(found)-1].Endless = m.way.endless
	}
	if m := of[Dead]; m != nil {
		add(Dead, m.way.URL, -1, m.urls)
	} else if m := of[Chain]; m != nil && r.Single() {
		add(Chain, m.way.URL, m.way.hops[1], m.urls)
	} else if m != nil && len(m.urls) > 0 {
		add(Chain, "", m.way.hops[1], m.urls)
	}
	return found
}

// lastOf returns the last rule on a way, or -1.
func lastOf(hops []int) int {
	for _, i := range slices.Backward(hops) {
		if i >= 0 {
			return i
		}
	}
	return -1
}

// hidden returns the pages that each rule hides. That the top of a site leads to another page is meant.
func (c *Checker) hidden() map[int][]string {
	pages := map[int][]string{}
	for _, url := range c.Pages {
		at, to, _ := c.answers(url, 0)
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
	if first, _, _ := c.answers(r.From, 0); first >= 0 && first < i {
		return first
	}
	if next, to, _ := c.answers(r.From, i+1); next >= 0 && to == r.To && r.From != r.To {
		return next
	}
	return -1
}

// covers reports whether a rule answers every URL that a later one for a folder or with conditions answers.
func (r *Rule) covers(later *Rule) bool {
	if r.conds == nil || later.conds == nil {
		return r.conds == nil && later.conds == nil && r.Prefix && (later.From == r.From || strings.HasPrefix(later.From, r.From+"/"))
	}
	return slices.EqualFunc(r.conds, later.conds, func(a, b cond) bool { return a.part == b.part && a.pattern == b.pattern })
}
