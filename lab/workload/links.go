package workload

// linker adds the links of an ordinary page.
type linker struct {
	w      *World
	page   uint64
	topic  topic
	r      random
	region uint64

	start uint64 // rank of the popular target at the beginning of this bundle
	pool  bool   // whether this bundle is of popular targets
	of    uint64 // their region; in a closed crawl, the first of the pages that the bundle comes from
	size  uint64 // of these pages, in a closed crawl
}

// bundle is the number of popular targets that are listed together, on all pages that list any of them.
const bundle = 4

// alone is the share of the links to popular targets that are not listed with the others of a bundle.
const alone = .15

// remote is the share of the bundles that are of another region. Small regions are more popular, so that the most popular
// targets of a crawl gain with its size.
const remote = .15

// add adds link j.
func (l *linker) add(p *Page, j int) {
	from := len(p.buf)
	var name random
	if l.w.config.Closed {
		name = l.closedTarget(p, j)
	} else {
		name = l.openTarget(p, j)
	}
	l.words(p, span{from, len(p.buf)}, name)
}

// openTarget chooses the target of link j in a crawl that links to more pages than it has, and appends its URL.
func (l *linker) openTarget(p *Page, j int) (name random) {
	w := l.w
	if j%bundle == 0 {
		if l.pool = l.r.chance(popular); l.pool {
			l.start = w.pool.of(l.r.next()) / bundle * bundle
			if l.of = l.region; w.regions > 1 && l.r.chance(remote) {
				u := unit(l.r.next())
				l.of = uint64(u * u * u * float64(w.regions))
			}
		}
	}
	if !l.pool {
		return l.fresh(p, j)
	}
	rank := l.start + uint64(j%bundle)
	if l.r.chance(alone) {
		rank = w.pool.of(l.r.next())
	}
	name = at(w.config.Seed, ofPool, l.of, rank)
	p.buf = w.targetURL(p.buf, name, l.of*regionTargets+rank, "l")
	return name
}

// fresh appends the URL of a target that only link j of the page has.
func (l *linker) fresh(p *Page, j int) (name random) {
	name = at(l.w.config.Seed, ofFresh, l.page, uint64(j))
	p.buf = l.w.targetURL(p.buf, name, l.page, "p")
	p.buf = appendNumber(append(p.buf, '-'), uint64(j))
	return name
}

// words adds the link with words around it. A third of them belong to the target, so that other links to it have them
// too.
func (l *linker) words(p *Page, target span, name random) {
	r := &l.r
	side := sideWords.of(unit(r.next()))
	before := 0
	if side > 0 && r.chance(.3) {
		before = r.below(side + 1)
	}
	if side > sideMost {
		before = side / 2
	}
	named := random(mix(uint64(name)))
	own := func() uint64 { // words of the target in their order, most of them
		if bits := r.next(); bits>>7%5 == 0 {
			return l.topic.mixed(r)
		}
		return l.w.words.of(named.next())
	}
	around := func() uint64 {
		if bits := r.next(); bits>>7%3 == 0 {
			return l.w.words.of(named.next())
		}
		return l.topic.mixed(r)
	}
	b := p.phrase(l.w, before, around)
	a := p.phrase(l.w, anchorWords.of(unit(r.next())), own)
	p.item(link{target, b, a, p.phrase(l.w, side-before, around)})
}

// hostName appends the name of a host.
func (w *World) hostName(dst []byte, host uint64) []byte {
	dst = appendWord(dst, host+uint64(len(functionWords)))
	return append(dst, [...]string{".com", ".org", ".net", ".example"}[host%4]...)
}

// pageURL appends the URL of a page of a host.
func (w *World) pageURL(dst []byte, host, page uint64) []byte {
	dst = append(w.hostName(append(dst, "https://"...), host), '/')
	return appendNumber(append(dst, "page/"...), page)
}

// targetURL appends the URL of a target of a random host. Letter and number tell it from other targets.
func (w *World) targetURL(dst []byte, name random, number uint64, letter string) []byte {
	dst = append(w.hostName(append(dst, "https://"...), w.hosts.of(name.next())), '/')
	dst = append(w.lexicon.append(dst, w.words.of(name.next())), '/')
	return appendNumber(append(dst, letter...), number)
}
