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
		if r := &c.Rules[i]; r.Prefix || r.match != nil {
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

// answers returns the first certain rule at or after a place that answers a URL, the URL that it leads to, and the first
// rule before it that may answer too. Without such rules it returns -1.
func (c *Checker) answers(url string, from int) (at int, to string, doubt int) {
	at, doubt = len(c.Rules), len(c.Rules)
	a, there := ask(url), c.page(url)
	for _, i := range slices.Concat(c.exact[url], c.exact[a.plain], c.wide) {
		r := &c.Rules[i]
		if i < from || i >= at || r.Unsure != "" && i >= doubt || r.Weak && there || r.only && !there {
			continue
		}
		switch end, ok := c.answer(r, a); {
		case !ok || end == url && r.From != r.To: // from one form of a URL to another
		case r.Unsure != "":
			doubt = i
		default:
			at, to = i, end
		}
	}
	if doubt >= at {
		doubt = -1
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
func (c *Checker) Follow(url string) (w Way) {
	seen := map[string]int{} // URLs on the way, and how many redirects lead to them
	for w.URL = url; ; {
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
			if w.end = atNone; !c.hosts[originOf(at)] {
				w.end = atPage
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

// Inside reports whether a URL belongs to the site.
func (c *Checker) Inside(url string) bool { return c.hosts[originOf(url)] }

// Check returns what is wrong: first about known URLs, in their order, then about rules. It returns the way of each known
// URL too. A URL that suffers from a rule is named with the rule only.
func (c *Checker) Check(known []string) (found []Finding, ways []Way) {
	c.prepare()
	n := len(c.Rules)
	s := suffering{make([]bool, n), make([][]string, n), make([][]string, n), make([][]string, n)}
	for _, url := range known {
		w := c.Follow(url)
		ways = append(ways, w)
		switch at := lastOf(w.hops); {
		case w.Lost() && at < 0:
			found = append(found, Finding{Kind: Missing, URL: url, Doubt: w.doubt})
		case w.end == atNone:
			s.suffer[at] = append(s.suffer[at], url)
		case w.end == inALoop && len(w.cycle) > 0:
			first := slices.Min(w.cycle)
			s.circling[first] = append(s.circling[first], url)
		case w.end == atPage && w.redirects() > 1 && w.hops[0] >= 0:
			s.hopping[w.hops[0]] = append(s.hopping[w.hops[0]], url)
			fallthrough
		case w.end == atPage && len(w.hops) > 0:
			for _, i := range w.hops {
				if i >= 0 {
					s.used[i] = true
				}
			}
		}
	}
	return append(found, c.aboutRules(&s)...), ways
}

// suffering is what known URLs meet, by rule.
type suffering struct {
	used                      []bool     // the rule leads one to a page
	suffer, hopping, circling [][]string // those that it leads to no page, in several steps, in a loop
}

// aboutRules returns what is wrong with the rules.
func (c *Checker) aboutRules(s *suffering) (found []Finding) {
	hidden := c.hidden()
	looping := map[int]bool{}
	for i := range c.Rules {
		r := &c.Rules[i]
		if !r.Certain() {
			continue
		}
		add := func(kind Kind, url string, other int, urls []string) {
			f := Finding{Kind: kind, URL: url, Rule: r, URLs: urls}
			if other >= 0 {
				f.Other = &c.Rules[other]
			}
			if kind == Dead && len(urls) > 0 {
				w := c.Follow(urls[0])
				f.Doubt = w.doubt
			}
			found = append(found, f)
		}
		if other := c.superfluous(i); other >= 0 {
			add(Superfluous, "", other, nil)
			if other < i {
				continue
			}
		}
		if r.Weak && !r.Serves && r.Single() && c.there[r.From] {
			add(Superfluous, "", -1, nil)
			continue
		}
		if len(hidden[i]) > 0 {
			add(Shadow, "", -1, hidden[i])
		}
		loop := func(w *Way) {
			if first := slices.Min(w.cycle); !looping[first] {
				looping[first] = true
				add(Loop, r.To, c.next(w.cycle, i), s.circling[i])
				found[len(found)-1].Endless = w.endless
			}
		}
		if len(s.circling[i]) > 0 {
			w := c.Follow(s.circling[i][0])
			loop(&w)
		}
		if !r.Single() {
			var w Way
			folder := slices.ContainsFunc(c.Pages, func(url string) bool { return url == r.To || strings.HasPrefix(url, r.To+"/") })
			if r.Prefix && !s.used[i] && !folder && c.Inside(r.To) {
				w = c.Follow(r.To)
			}
			if to, err := c.target(r.To); !r.Prefix && !r.Serves && r.To != "" && !strings.Contains(r.To, "$") && err == nil && c.Inside(to) {
				w = c.Follow(to)
			}
			switch {
			case len(s.suffer[i]) > 0 || w.end == atNone:
				add(Dead, r.To, -1, s.suffer[i])
			case w.end == inALoop && slices.Contains(w.cycle, i):
				loop(&w)
			case len(s.hopping[i]) > 0:
				add(Chain, "", c.Follow(s.hopping[i][0]).hops[1], s.hopping[i])
			}
			continue
		}
		switch w := c.Follow(r.From); {
		case w.end == inALoop && slices.Contains(w.cycle, i):
			loop(&w)
		case w.end == atNone && lastOf(w.hops) == i:
			add(Dead, w.URL, -1, s.suffer[i])
		case w.end == atPage && w.redirects() > 1 && w.hops[0] == i:
			add(Chain, w.URL, w.hops[1], s.hopping[i])
		}
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

// superfluous returns the rule that makes a rule for one URL superfluous: one that comes first, or the next one for the
// URL, if it leads to the same place. It returns -1 if there is none.
func (c *Checker) superfluous(i int) int {
	r := &c.Rules[i]
	if !r.Single() {
		for j := range i {
			if o := &c.Rules[j]; o.Certain() && (!o.Weak || r.Weak) && o.past == "" && o.covers(r) {
				return j
			}
		}
		return -1
	}
	if first, _, _ := c.answers(r.From, 0); first >= 0 && first < i {
		return first
	}
	if next, to, _ := c.answers(r.From, i+1); next >= 0 && to == r.To && r.From != r.To {
		return next
	}
	return -1
}

// next returns the rule of a loop after a rule, or -1 if the rule leads to itself.
func (c *Checker) next(loop []int, i int) int {
	if n := loop[(slices.Index(loop, i)+1)%len(loop)]; n != i {
		return n
	}
	return -1
}

// Direct reports whether a URL has a page itself.
func (w Way) Direct() bool { return w.redirects() == 0 }

// redirects returns the number of redirects on a way.
func (w *Way) redirects() int {
	if w.served {
		return len(w.hops) - 1
	}
	return len(w.hops)
}

// covers reports whether a rule answers every URL that a later one for a folder or with conditions answers.
func (r *Rule) covers(later *Rule) bool {
	if r.match == nil || later.match == nil {
		return r.match == nil && later.match == nil && r.Prefix && (later.From == r.From || strings.HasPrefix(later.From, r.From+"/"))
	}
	return slices.EqualFunc(r.match.conds, later.match.conds, func(a, b cond) bool { return a.part == b.part && a.pattern == b.pattern && a.not == b.not })
}
