package label

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// People have named most groups of pages already: in the headings above the links to them and in the titles of the pages that
// link to many of them. A cluster is named by the phrases of headings that more of its members have in a heading, an anchor or
// a sentence than other documents do.

// The parameters of named, chosen with lab labels on the halves named dev; leastOwn, where these hardly differ, by the names of
// the topics of the demo.
const (
	fewestNamed = 3    // members from which on headings name a cluster, and to which a page of their own site must link
	mostNames   = 3    // phrases
	leastNamed  = 0.1  // share of the members that the first phrase must have
	leastMore   = 0.2  // and that a further one must have beyond those before it, or half of what the first has
	leastOwn    = 0.2  // share of the members to which a page of their own site must link for its title to name them
	longPhrase  = 3    // words from which on a phrase must end where half of its members have it
	oneSite     = 0.5  // factor for what only one site calls them, as the parts of a newsletter
	rarest      = 1e-4 // share of documents that is added to that of a word
)

// phrase is a phrase of headings.
type phrase struct {
	words  []word
	in     set    // members that have it
	closed set    // and those that have it where no word continues it
	site   string // that has it in a heading
	sites  bool   // so have other sites
	others bool   // one of them is not the site of the members
	score  float64
	shown  string // its usual spelling, once it is looked at
}

// headed are headings with the members that have links under them.
type headed struct {
	*Headings
	in set
}

// set is a set of members, a bit for each.
type set []uint64

// empty returns a set of members of the cluster, which has none.
func (l *Labeller) empty() set {
	n := len(l.sets)
	l.sets = slices.Grow(l.sets, (l.members+63)/64)[:n+(l.members+63)/64]
	out := l.sets[n:len(l.sets):len(l.sets)]
	clear(out)
	return out
}

func (s set) add(member int32) { s[member/64] |= 1 << (member % 64) }

func (s set) join(other set) {
	for i, members := range other {
		s[i] |= members
	}
}

// beyond returns the number of members that are not in another set.
func (s set) beyond(other set) (n int) {
	for i, members := range s {
		n += bits.OnesCount64(members &^ other[i])
	}
	return n
}

func (s set) len() (n int) {
	for _, members := range s {
		n += bits.OnesCount64(members)
	}
	return n
}

// named returns the phrases of headings that name the cluster, the best first.
func (l *Labeller) named() (out []string) {
	l.first = nil
	if l.members < fewestNamed {
		return nil
	}
	ranked := l.phrasesOfHeadings()
	covered, n, least := l.empty(), float64(l.members), leastNamed
	for len(out) < mostNames {
		var best *phrase
		most := 0.0
		for _, p := range ranked {
			held := float64(p.in.beyond(covered)) / n
			if s := p.score * held; held >= least && s > most && !l.leavesOut(p, out) {
				best, most = p, s
			}
		}
		if best == nil {
			return out
		}
		if len(out) == 0 {
			l.first = best.in
			least = min(leastMore, float64(best.in.len())/n/2)
		}
		covered.join(best.in)
		out = append(out, best.shown)
	}
	return out
}

// leavesOut reports whether a phrase must not be chosen after others.
func (l *Labeller) leavesOut(p *phrase, chosen []string) bool {
	if p.shown == "" {
		p.shown = surface(p.words, l.headings())
	}
	low := strings.ToLower(p.shown)
	return !shows(p.shown) || isAddress(p.shown) || dull(low) || Alike(chosen, p.shown) || len(chosen) == 0 && l.taken[low]
}

// headings yields the headings, each with the members that have links under it. Of the titles of pages of the members' own site
// it yields those of pages that link to many members: they list them, and the others mention them.
func (l *Labeller) headings() iter.Seq2[*passage, set] {
	return func(yield func(*passage, set) bool) {
		for _, h := range l.heads {
			if h.Own && float64(h.in.len()) < max(fewestNamed, leastOwn*float64(l.members)) {
				continue
			}
			for i := range h.cut {
				if !yield(&h.cut[i], h.in) {
					return
				}
			}
		}
	}
}

// phrasesOfHeadings returns the phrases of the headings with their members and scores, the best first.
func (l *Labeller) phrasesOfHeadings() (ranked []*phrase) {
	found := map[uint64]*phrase{}
	for p, in := range l.headings() {
		for from := range p.words {
			for to := from + 1; to <= min(len(p.words), from+maxPhrase); to++ {
				words := p.words[from:to]
				if words[0].term == none || !whole(words) || from <= p.own && p.own < to && to >= p.ownEnd {
					continue
				}
				at := found[key(words)]
				if at == nil {
					at = &phrase{words: words, in: l.empty(), closed: l.empty(), site: p.of.Site}
					found[key(words)] = at
					l.evidence(words[0].term).begins = true
				}
				at.in.join(in)
				if !continued(p.words, from, to) {
					at.closed.join(in)
				}
				at.sites = at.sites || at.site != p.of.Site
				at.others = at.others || !p.of.Own
			}
		}
	}
	for _, p := range l.texts {
		for from, w := range p.words {
			if w.term == none || !l.evidence(w.term).begins {
				continue
			}
			for to := from + 1; to <= min(len(p.words), from+maxPhrase); to++ {
				if at := found[key(p.words[from:to])]; at != nil && whole(p.words[from:to]) {
					at.in.add(p.member)
					if !continued(p.words, from, to) {
						at.closed.add(p.member)
					}
				}
			}
		}
	}
	for _, p := range found {
		if p.in.len() < 2 || (len(p.words) >= longPhrase || !p.others) && 2*p.closed.len() < p.in.len() {
			continue
		}
		if p.score = l.rate(p); p.score > 0 {
			ranked = append(ranked, p)
		}
	}
	slices.SortFunc(ranked, func(a, b *phrase) int {
		return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(hashes(a.words), hashes(b.words)))
	})
	return ranked
}

// continued reports whether a word that says something about a subject continues the words from one to before another, as
// "Language" does "SQL": they are a part of a longer phrase.
func continued(words []word, from, to int) bool {
	tells := func(w word) bool { return w.hash != 0 && !w.generic && !w.mute }
	return from > 0 && !words[from].parted && tells(words[from-1]) || to < len(words) && !words[to].parted && tells(words[to])
}

// isAddress reports whether a text is an address, such as "example.org/2024".
func isAddress(s string) bool {
	return strings.Contains(s, ".") && strings.Contains(s, "/") && !strings.ContainsFunc(s, unicode.IsSpace)
}

// findOwn finds the words of a heading that are the name of the host of its page, such as "This Week in Rust" on
// this-week-in-rust.org. They name no group of pages.
func (p *passage) findOwn(site string) {
	name := ownName(site)
	p.own = -1
	if name == "" || !strings.Contains(letters(string(p.text)), name) {
		return
	}
	for from := range p.words {
		for to := from + 1; to <= min(len(p.words), from+maxPhrase); to++ {
			if letters(written(p.text, p.words[from:to])) == name {
				p.own, p.ownEnd = from, to
				return
			}
		}
	}
}

// ownName returns the letters of the longest part of the host of a site, but for the last, or "" for a repository.
func ownName(site string) (name string) {
	if strings.Contains(site, "/") {
		return ""
	}
	parts := strings.Split(site, ".")
	for _, part := range parts[:len(parts)-1] {
		if part = letters(part); len(part) > len(name) {
			name = part
		}
	}
	return name
}

// rate returns how well a phrase names members that have it: by how many of its words say something about a subject, and by how
// many times more of the members have it than of all documents, or of the siblings of the cluster.
func (l *Labeller) rate(p *phrase) float64 {
	common := 1.0
	for _, w := range p.words {
		if w.term != none {
			common = min(common, max(l.common(w.term), l.siblings(w.term)))
		}
	}
	telling := 0.0
	for _, w := range p.words {
		if w.hash != 0 && !w.generic {
			telling++
		}
	}
	held := float64(p.in.len()) / float64(l.members)
	s := math.Log2(held / (common + rarest))
	if s <= 0 {
		return 0
	}
	if !p.sites {
		s *= oneSite
	}
	return telling * math.Sqrt(s)
}

// generic are headings that say nothing about a subject.
var generic = words(`about additional appendices appendix appendixes archive article articles badge badges blog blogs book
	books build collection collections community component components conclusion content contents coverage description discussion
	documentation example examples external faq featured footnotes further general guide guides index info information interesting
	introduction libraries library license list lists menu misc miscellaneous more navigation new news note notes options other
	others overview parameters part parts platform popular post posts preface project projects recent reference references related
	report reports resource resources results section sections software sources status stuff subscribe summary support syntax
	table tags tool tools topic topics tutorial tutorials uncategorized update updates usage useful user users version versions
	video videos week weekly`)

// dull reports whether all words of a heading say nothing about a subject.
func dull(low string) bool {
	telling := func(w string) bool { return !generic[w] && !mute[w] && !noise[w] && !binding[w] && !fillers[w] }
	return !slices.ContainsFunc(strings.Fields(low), telling)
}
