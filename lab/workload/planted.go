package workload

// Planted pages come in families of familySize: an original, two copies with changed words, and a longer page that
// contains the original. They are on hosts without boilerplate and have no links. Planted links come in groups of
// groupSize: each of the group's targets has one link, on a page of its own.
const (
	familySize = 4
	groupSize  = 3
)

// plannedShingle is the width of the shingles for which the number of changed words is chosen.
const plannedShingle = 10

// changedWords is the first rank of the words that stand in place of others in a copy. They are on no other page.
const changedWords = 1 << 36

// family is the plan of a family.
type family struct {
	words int        // of the original
	level [3]float64 // resemblance of the copies with the original, for shingles of plannedShingle words; 1 for the original
}

func (w *World) family(f uint64) family {
	r := at(w.config.Seed, ofFamily, f, 1)
	plan := family{words: 150 + r.below(600), level: [3]float64{1, .5 + .5*unit(r.next()), .35 + .6*unit(r.next())}}
	if r.chance(.2) {
		plan.level[1] = 1
	}
	return plan
}

// changes returns the number of words of the original that a copy changes, each far from the others and from the ends.
// A changed word changes plannedShingle of the n shingles, so that the resemblance is (n-wk)/(n+wk).
func (f family) changes(copy int) int {
	n, r := float64(f.words-plannedShingle+1), f.level[copy]
	return int(n*(1-r)/(plannedShingle*(1+r)) + .5)
}

// member makes a page of a family.
func (w *World) member(slot uint64, p *Page) {
	f, m := slot/familySize, int(slot%familySize)
	host := at(w.config.Seed, ofMember, slot, 0)
	p.URL = w.pageURL(p.URL, w.plainHost(&host), w.places.to(slot))
	p.Title = w.lexicon.append(append(p.Title, "copy of "...), w.words.of(host.next()))
	r := at(w.config.Seed, ofFamily, f, 0)
	t := w.topicOf(&r)
	plan := w.family(f)
	i, next := 0, func() uint64 { return t.mixed(&r) }
	if m == familySize-1 {
		own := func() uint64 { return t.mixed(&host) }
		before := 20 + host.below(2*plan.words)
		w.paragraphs(p, before, own)
		w.paragraphs(p, plan.words, next)
		w.paragraphs(p, plan.words, own)
		return
	}
	k := plan.changes(m)
	gap := 0
	if k > 0 {
		gap = (plan.words - plannedShingle + 1) / k
	}
	w.paragraphs(p, plan.words, func() uint64 {
		word := next()
		at := i - plannedShingle + 1
		if i++; gap > 0 && at >= 0 && at%gap == 0 && at/gap < k {
			return changedWords + slot<<10 + uint64(at/gap)
		}
		return word
	})
}

// paragraphs adds n words.
func (w *World) paragraphs(p *Page, n int, next func() uint64) {
	for ; n > 0; n -= 70 {
		p.text(w, "p", min(n, 70), next)
	}
}

// The window of a planted link has windowWords different words, those before and after the anchor within the eight that
// the preset paper2000 takes on either side.
const (
	windowSide   = 8
	windowAnchor = 2
	windowWords  = 2*windowSide + windowAnchor
)

// window makes a page with a planted link. The links of a group share words: the first member has all of the group's
// words, and another one its own instead of some.
func (w *World) window(slot uint64, p *Page) {
	r := at(w.config.Seed, ofWindow, slot, 0)
	p.URL = w.pageURL(p.URL, w.plainHost(&r), w.places.to(w.families*familySize+slot))
	p.Title = w.lexicon.append(p.Title, w.words.of(r.next()))
	from := len(p.buf)
	p.buf = w.targetURL(p.buf, r, slot, "w")
	target := span{from, len(p.buf)}
	words := w.windowWords(slot)
	i := 0
	next := func() uint64 { i++; return words[i-1] }
	before := p.phrase(w, windowSide, next)
	anchor := p.phrase(w, windowAnchor, next)
	p.item(link{target, before, anchor, p.phrase(w, windowSide, next)})
}

// windowWords returns the words of a planted link.
func (w *World) windowWords(slot uint64) [windowWords]uint64 {
	group, m := slot/groupSize, slot%groupSize
	var words [windowWords]uint64
	shared, own := at(w.config.Seed, ofGroup, group, 0), at(w.config.Seed, ofGroup, group, 1+m)
	keep := windowWords
	if m > 0 {
		keep = 4 + own.below(windowWords-3)
	}
	for i := range words {
		words[i] = w.newWord(words[:i], &shared)
	}
	for i := range words {
		if j := (i*7 + int(group)) % windowWords; j >= keep { // the others are spread over the window
			words[i] = w.newWord(words[:], &own)
		}
	}
	return words
}

// newWord returns a word that is not a function word and not in the list.
func (w *World) newWord(list []uint64, r *random) uint64 {
next:
	for {
		word := w.words.of(r.next())
		if word < uint64(len(functionWords)) {
			continue
		}
		for _, x := range list {
			if x == word {
				continue next
			}
		}
		return word
	}
}

// hub makes a page that links to the common target.
func (w *World) hub(n uint64, p *Page) {
	r := at(w.config.Seed, ofMember, n, 1)
	p.URL = w.pageURL(p.URL, w.hosts.of(r.next()), uint64(w.config.Pages)+n)
	p.Title = append(p.Title, "hub"...)
	from := len(p.buf)
	p.buf = append(p.buf, hubURL...)
	l := linker{w: w, page: n, topic: w.topicOf(&r), r: r}
	l.words(p, span{from, len(p.buf)}, at(w.config.Seed, ofPool, 0, 1<<40))
}

const hubURL = "https://hub.example"

// template makes a page of the one large host: 300 words that all of its pages have, and ten of its own.
func (w *World) template(n uint64, p *Page) {
	r := at(w.config.Seed, ofMember, n, 2)
	p.URL = appendNumber(append(p.URL, "https://template.example/"...), n)
	p.Title = append(p.Title, "template"...)
	same := at(w.config.Seed, ofHost, 0, 2)
	w.paragraphs(p, 300, func() uint64 { return w.words.of(same.next()) })
	p.text(w, "p", 10, func() uint64 { return w.words.of(r.next()) })
}

// long makes the long page.
func (w *World) long(p *Page) {
	r := at(w.config.Seed, ofMember, 0, 3)
	p.URL = append(p.URL, "https://long.example"...)
	p.Title = append(p.Title, "long"...)
	w.paragraphs(p, int(w.config.Long), func() uint64 { return w.words.of(r.next()) })
}
