package rules

import (
	"cmp"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
)

// Move is a page with a new URL.
type Move struct{ From, To string }

// Rule redirects a URL or, with Prefix, everything below it.
type Rule struct {
	From   string // URL, or with Prefix that of a folder, which is redirected too
	To     string
	Prefix bool      // From/x is redirected to To/x
	Ends   [2]string // if there are any, From/x+Ends[0] to To/x+Ends[1] and nothing else

	// Only of rules that were read:

	File   string
	Line   int    // in its file
	Gone   bool   // the server says that the page is gone for good; To is empty
	Weak   bool   // it applies only if there is no page at the URL
	Serves bool   // the server answers with the page at To itself; if To is empty, with what is no page of the site
	Unsure string // why it is not certain that it applies, or what it answers; then it only casts doubt on findings

	module int    // 1 for a rule of mod_alias of Apache, which comes after those of mod_rewrite
	past   string // it applies neither to this URL nor below it, where it leads itself; "" if it may apply to its own results
	stops  bool   // no later rule applies
	like   string // a URL to which it leads, if it has Ends
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

// originOf returns the scheme and the host of a URL, and all of a name that is no URL.
func originOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if at := strings.IndexAny(rest, "/?"); ok && at >= 0 {
		return scheme + "://" + rest[:at]
	}
	return url
}

// place is a folder with all below it or, with an ending, what is below it and ends so.
type place struct{ folder, end string }

// places returns the places that a URL is in, the widest first, and what stands between the folder and the ending.
func places(url string, ends bool) iter.Seq2[place, string] {
	plain, _, query := strings.Cut(url, "?")
	at := len(originOf(url))
	end := path.Ext(plain[at:])
	return func(yield func(place, string) bool) {
		for more := true; more && yield(place{plain[:at], ""}, url[at:]); {
			if more = at < len(plain); !more {
				return
			}
			if ends && end != "" && !query && !yield(place{plain[:at], end}, plain[at:len(plain)-len(end)]) {
				return
			}
			if next := strings.IndexByte(plain[at+1:], '/'); next >= 0 {
				at += 1 + next
			} else {
				at = len(plain)
			}
		}
	}
}

// shift is how URLs of a place moved alike: to a folder, with another ending.
type shift struct {
	place
	to, ends string
}

// Compress returns rules that redirect each move, in the order in which a server must try them. others are the other
// URLs of either crawl: no rule redirects them. The moves of a place become one rule if more than half of them, and at
// least two, are alike, and if no other URL is there. Rules for one URL come first, those for endings next.
func Compress(moves []Move, others []string, ends bool) (list []Rule) {
	moved, stays, all, count, best := map[string]bool{}, map[place]bool{}, map[place]int{}, map[shift]int{}, map[place]shift{}
	for _, m := range moves {
		moved[m.From] = true
	}
	for _, url := range others {
		if !moved[url] {
			for p := range places(url, ends) {
				stays[p] = true
			}
		}
	}
	for _, m := range moves {
		for p, rest := range places(m.From, ends) {
			all[p]++
			for _, end := range slices.Compact([]string{"", path.Ext(m.To)}) {
				base, same := strings.CutSuffix(m.To, rest+end)
				s := shift{p, base, end}
				if stays[p] || !same || strings.Contains(m.From, "?") || !strings.Contains(base, "://") || p.end == "" && end != "" || p.end == end && below(base, p.folder) {
					continue
				}
				if count[s]++; count[s] > count[best[p]] || count[s] == count[best[p]] && base < best[p].to {
					best[p] = s
				}
			}
		}
	}
	chosen := map[place]shift{}
	for _, p := range slices.SortedFunc(maps.Keys(best), byFolder) {
		if n := count[best[p]]; n > 1 && 2*n > all[p] && chosenFor(chosen, p.folder+"/x"+p.end).to == "" {
			chosen[p] = best[p]
		}
	}
	like := map[place]string{}
	for _, m := range moves {
		s := chosenFor(chosen, m.From)
		if rest := strings.TrimSuffix(strings.TrimPrefix(m.From, s.folder), s.end); s.to == "" || s.to+rest+s.ends != m.To {
			list = append(list, Rule{From: m.From, To: m.To})
		} else if s.end != "" {
			like[s.place] = m.To
		}
	}
	slices.SortFunc(list, func(a, b Rule) int { return cmp.Compare(a.From, b.From) })
	list = queriesFirst(list)
	for _, p := range slices.SortedFunc(maps.Keys(chosen), func(a, b place) int { return cmp.Or(min(1, len(b.end))-min(1, len(a.end)), byFolder(a, b)) }) {
		s := chosen[p]
		list = append(list, Rule{From: s.folder, To: s.to, Prefix: true, Ends: [2]string{s.end, s.ends}, like: like[p]})
	}
	for i := range list {
		list[i].Weak = true // there is no page
	}
	return list
}

// byFolder orders places so that those within a folder follow it.
func byFolder(a, b place) int {
	return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.end, b.end))
}

// chosenFor returns what happens to a URL: its shift with an ending, or else that of a folder.
func chosenFor(chosen map[place]shift, url string) (s shift) {
	for p := range places(url, true) {
		if of, ok := chosen[p]; ok && (s.to == "" || s.end == "" && p.end != "") {
			s = of
		}
	}
	return s
}

// For returns rules for moves that are [Harmless], in a format of [Write]: one for each if it has no rules for folders.
func For(name string, moves []Move, others []string) []Rule {
	if f, err := formatOf(name); err != nil || !f.each {
		return Compress(Harmless(moves, others), others, err == nil && f.ends)
	}
	return Each(moves, others)
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
