package rules

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Move is a page with a new URL.
type Move struct{ From, To string }

// Rule redirects a URL or, with Prefix, everything below it.
type Rule struct {
	From   string // URL, or with Prefix that of a folder, which is redirected too
	To     string
	Prefix bool // From/x is redirected to To/x

	// Only of rules that were read:

	File   string
	Line   int    // in its file
	Gone   bool   // the server says that the page is gone for good; To is empty
	Weak   bool   // it applies only if there is no page at the URL
	Serves bool   // the server answers with the page at To itself; if To is empty, with what is no page of the site
	Unsure string // why it is not certain that it applies, or what it answers; then it only casts doubt on findings

	past   string // it applies neither to this URL nor below it, where it leads itself; "" if it may apply to its own results
	stops  bool   // no later rule applies
	only   bool   // it applies only if there is a page at the URL
	slash  bool   // a URL without a slash at its end is not From
	params bool   // other parameters may stand in the query too
	conds  []cond // of a rule for other URLs than From, which is then a pattern to show; groups of them stand in To
}

// Single reports whether a rule is for one URL.
func (r *Rule) Single() bool { return !r.Prefix && r.conds == nil }

// Certain reports whether a rule is a redirect, or another answer, that is sure to apply.
func (r *Rule) Certain() bool { return r.Unsure == "" && !r.stops }

// Resolve follows moves whose target moved too to the end, and drops moves that lead back to their start or to a URL
// that is not there. It returns the sound moves in the order of From, and the dropped ones.
func Resolve(moves []Move, there func(url string) bool) (sound, dropped []Move) {
	to := make(map[string]string, len(moves))
	for _, m := range moves {
		to[m.From] = m.To
	}
	ends := make(map[string]string, len(to)) // "" for a loop
	for _, from := range slices.Sorted(maps.Keys(to)) {
		at := from
		var way []string
		for next, moved := to[at]; moved; next, moved = to[at] {
			if end, known := ends[at]; known {
				at = end
				break
			}
			ends[at], way = "", append(way, at)
			at = next
		}
		for _, url := range way {
			ends[url] = at
		}
		if at == "" || !there(at) {
			dropped = append(dropped, Move{from, to[from]})
			continue
		}
		sound = append(sound, Move{from, at})
	}
	return sound, dropped
}

// Compress returns rules that redirect each move, in the order in which a server must try them. others are the other
// URLs of either crawl: no rule redirects them. At most one of the rules of a folder has Prefix; it follows the rules
// of the pages below it that moved elsewhere.
func Compress(moves []Move, others []string) []Rule {
	c := compressor{to: make(map[string]string, len(moves))}
	known := make([]string, 0, len(moves)+len(others))
	for _, m := range moves {
		c.to[m.From] = m.To
		known = append(known, m.From)
	}
	for _, url := range others {
		if _, moved := c.to[url]; !moved {
			known = append(known, url)
		}
	}
	slices.SortFunc(known, byFolder)
	known = slices.Compact(known)
	for len(known) > 0 {
		origin := originOf(known[0])
		n := within(known, origin)
		c.folder(origin, known[:n])
		known = known[n:]
	}
	return queriesFirst(c.rules)
}

// byFolder orders URLs so that the URLs below a folder follow it at once.
func byFolder(a, b string) int {
	return cmp.Compare(strings.ReplaceAll(a, "/", "\x00"), strings.ReplaceAll(b, "/", "\x00"))
}

// originOf returns the scheme and the host of a URL, and all of a name that is no URL.
func originOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host
}

// within returns how many of the sorted URLs, starting with the first, are a folder or below it.
func within(known []string, folder string) int {
	n := 0
	for n < len(known) && (known[n] == folder || strings.HasPrefix(known[n], folder+"/") || strings.HasPrefix(known[n], folder+"?") && folder == originOf(folder)) {
		n++
	}
	return n
}

type compressor struct {
	to    map[string]string
	rules []Rule
}

// folder adds the rules for the known URLs at and below a folder.
func (c *compressor) folder(folder string, known []string) {
	if base, ok := c.base(folder, known); ok {
		for _, url := range known {
			if to := c.to[url]; to != base+url[len(folder):] {
				c.rules = append(c.rules, Rule{From: url, To: to})
			}
		}
		c.rules = append(c.rules, Rule{From: folder, To: base, Prefix: true})
		return
	}
	for len(known) > 0 {
		url := known[0]
		below, _, deeper := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(url, folder), "/"), "/")
		next := folder + "/" + below
		n := max(1, within(known, next))
		switch {
		case url == folder || !strings.HasPrefix(url, folder+"/"):
			c.exact(url)
			n = 1
		case deeper || n > 1:
			c.folder(next, known[:n])
		default:
			c.exact(url)
		}
		known = known[n:]
	}
}

func (c *compressor) exact(url string) {
	if to, moved := c.to[url]; moved {
		c.rules = append(c.rules, Rule{From: url, To: to})
	}
}

// base returns the folder to which more than half of the known URLs at and below a folder, and at least two, moved. It
// returns false if any of them did not move, or if the new folder is below the old one: a rule would lead to itself.
func (c *compressor) base(folder string, known []string) (base string, ok bool) {
	count := map[string]int{}
	for _, url := range known {
		to, moved := c.to[url]
		if !moved {
			return "", false
		}
		if b, same := strings.CutSuffix(to, url[len(folder):]); same && !strings.Contains(url, "?") && strings.Contains(b, "://") {
			count[b]++
		}
	}
	for _, b := range slices.Sorted(maps.Keys(count)) {
		if count[b] > count[base] {
			base = b
		}
	}
	if n := count[base]; n < 2 || 2*n <= len(known) || strings.HasPrefix(base+"/", folder+"/") {
		return "", false
	}
	return base, true
}

// For returns rules for a format of [Write]: a rule for each move if the format has no rules for folders.
func For(name string, moves []Move, others []string) []Rule {
	if f, err := formatOf(name); err == nil && f.each {
		return Each(moves, others)
	}
	return Compress(Harmless(moves, others), others)
}

// Each returns a rule for each move that is [Harmless].
func Each(moves []Move, others []string) (list []Rule) {
	for _, m := range Harmless(moves, others) {
		list = append(list, Rule{From: m.From, To: m.To})
	}
	return queriesFirst(list)
}

// Harmless leaves out moves whose rules would capture another URL, or their own target: servers apply the rule for a URL
// to the same URL with any query.
func Harmless(moves []Move, others []string) []Move {
	moved, asked := map[string]bool{}, map[string]bool{} // asked are URLs that stay, without their queries
	for _, m := range moves {
		moved[m.From] = true
	}
	stay := func(url string) {
		if plain, _, query := strings.Cut(url, "?"); query && !moved[url] {
			asked[plain] = true
		}
	}
	for _, m := range moves {
		stay(m.To)
	}
	for _, url := range others {
		stay(url)
	}
	return slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return asked[m.From] })
}

// queriesFirst puts rules for URLs with a query before those that would capture them.
func queriesFirst(list []Rule) []Rule {
	slices.SortStableFunc(list, func(a, b Rule) int {
		return min(1, strings.Count(b.From, "?")) - min(1, strings.Count(a.From, "?"))
	})
	return list
}
