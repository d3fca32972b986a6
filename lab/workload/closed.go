package workload

// In a closed crawl, nearly all links go to pages of the crawl, as in an archive of a site or of a part of the web. A page
// has at most closedLinks of them, about ten on average, and a page is linked to about ten times.
//
// The skew of the links to a target is that of the directory set: there as here, popular targets have a share of the links
// each, from poolRanks, and the others are spread evenly. In the directory set these have one link each, because many more
// targets than pages exist; here each page has its part of them, about seven, and since some have more by chance, fewer
// links need to go to popular pages. Consecutive pages have
// one topic, and more than half of their links are to one another, as those of the pages of a site.
const (
	closedLinks   = 30
	closedPopular = .21

	// closedRegion is the number of pages of a region: those with as many targets as the pages of a region of the
	// directory set have. So a region of either kind has the same popular targets.
	closedRegion = 390_000

	// closedBundle is the number of consecutive pages that are listed together, on all pages that list any of them.
	closedBundle = 10

	// outward is the share of the links that leave the crawl, each to a target of its own. With the targets of planted
	// links, these are about a tenth as many as there are pages.
	outward = .0085
)

// closedTarget chooses the target of link j in a closed crawl, and appends its URL. Bundles of consecutive pages are
// listed together.
func (l *linker) closedTarget(p *Page, j int) (name random) {
	if l.r.chance(outward) {
		return l.fresh(p, j)
	}
	if j%closedBundle == 0 {
		l.chooseBundle()
		l.start = l.choose() / closedBundle * closedBundle
	}
	page := l.start + uint64(j%closedBundle)
	if l.r.chance(alone) {
		page = l.choose()
	}
	page = min(page, uint64(l.w.config.Pages)-1)
	p.buf = l.w.urlOf(p.buf, page)
	return at(l.w.config.Seed, ofTarget, page, 0)
}

// related is the share of the bundles of unpopular pages that are of the topic of the page.
const related = .6

// chooseBundle chooses the pages from which a bundle comes.
func (l *linker) chooseBundle() {
	l.of, l.size = l.region*closedRegion, closedRegion
	switch l.pool = l.r.chance(closedPopular); {
	case !l.pool && l.r.chance(related):
		l.of, l.size = l.topic.id*topicPages, topicPages
	case l.w.regions > 1 && l.r.chance(remote):
		l.of = uint64(l.r.below(int(l.w.regions))) * closedRegion
	}
	l.size = min(l.size, uint64(l.w.config.Pages)-l.of)
}

// choose chooses one of the pages of the bundle. The popular pages of a region are the first ones.
func (l *linker) choose() uint64 {
	if l.pool {
		return l.of + l.w.pool.of(l.r.next())*l.size/closedRegion
	}
	return l.of + uint64(l.r.below(int(l.size)))
}

// urlOf appends the URL of a page that is not an additional one.
func (w *World) urlOf(dst []byte, page uint64) []byte {
	var host uint64
	switch k, n := w.kindOf(int64(page)); k {
	case member:
		r := at(w.config.Seed, ofMember, n, 0)
		host = w.plainHost(&r)
	case window:
		r := at(w.config.Seed, ofWindow, n, 0)
		host = w.plainHost(&r)
	default:
		r := at(w.config.Seed, ofPage, page, 0)
		host = w.hosts.of(r.next())
	}
	return w.pageURL(dst, host, page)
}
