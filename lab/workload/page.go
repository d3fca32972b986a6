package workload

// Page is a generated page. Its slices are valid until the World makes the next page in it.
type Page struct {
	URL   []byte
	Title []byte

	blocks []block
	links  []link
	buf    []byte // text and URLs
	words  int    // of visible text
}

// span is a part of Page.buf.
type span struct{ from, to int }

// block is a paragraph or an item of a list. The text of an item is that of its link.
type block struct {
	tag  string // "h1", "p", "div" or "li"
	text span
	link int // number of the link of an item; -1 for none
}

// link is a link with the words of its block.
type link struct{ target, before, anchor, after span }

func (p *Page) bytes(s span) []byte { return p.buf[s.from:s.to] }

func (p *Page) reset() {
	*p = Page{URL: p.URL[:0], Title: p.Title[:0], blocks: p.blocks[:0], links: p.links[:0], buf: p.buf[:0]}
}

// Links returns the number of links.
func (p *Page) Links() int { return len(p.links) }

// Link returns the parts of a link: the URL of its target, and the words before, in and after its anchor.
func (p *Page) Link(i int) (target, before, anchor, after []byte) {
	l := p.links[i]
	return p.bytes(l.target), p.bytes(l.before), p.bytes(l.anchor), p.bytes(l.after)
}

// AppendText appends the visible text of the page, a line a block.
func (p *Page) AppendText(dst []byte) []byte {
	for _, b := range p.blocks {
		if b.link < 0 {
			dst = append(dst, p.bytes(b.text)...)
		} else {
			_, before, anchor, after := p.Link(b.link)
			for _, s := range [][]byte{before, anchor, after} {
				dst = append(append(dst, s...), ' ')
			}
		}
		dst = append(dst, '\n')
	}
	return dst
}

// text adds a block of n words that next yields. Every twelfth word ends a sentence.
func (p *Page) text(w *World, tag string, n int, next func() uint64) {
	from := len(p.buf)
	for i := range n {
		start := len(p.buf)
		p.buf = w.lexicon.append(p.buf, next())
		if i%12 == 0 {
			p.buf[start] -= 'a' - 'A'
		}
		if i%12 == 11 || i == n-1 {
			p.buf = append(p.buf, '.')
		}
		p.buf = append(p.buf, ' ')
	}
	p.words += n
	p.blocks = append(p.blocks, block{tag, span{from, max(from, len(p.buf)-1)}, -1})
}

// phrase appends n words that next yields, and returns where they are.
func (p *Page) phrase(w *World, n int, next func() uint64) span {
	from := len(p.buf)
	for i := range n {
		if i > 0 {
			p.buf = append(p.buf, ' ')
		}
		p.buf = w.lexicon.append(p.buf, next())
	}
	p.words += n
	return span{from, len(p.buf)}
}

// item adds a list item with a link.
func (p *Page) item(l link) {
	p.blocks = append(p.blocks, block{"li", span{}, len(p.links)})
	p.links = append(p.links, l)
}

// Page makes page number i, from 0, in p.
func (w *World) Page(i int64, p *Page) {
	p.reset()
	switch k, n := w.kindOf(i); k {
	case ordinary:
		w.ordinary(n, p)
	case member:
		w.member(n, p)
	case window:
		w.window(n, p)
	case hub:
		w.hub(n, p)
	case template:
		w.template(n, p)
	case long:
		w.long(p)
	}
	if w.config.Common {
		from := len(p.buf)
		p.buf = append(p.buf, commonSentence...)
		p.blocks = append(p.blocks, block{"p", span{from, len(p.buf)}, -1})
	}
}

const commonSentence = "Bolero gavotta tarantella mazurka polonaise sarabanda fandango habanera rumba samba tango flamenco salsa bachata."

// ordinary makes a page as real crawls have them.
func (w *World) ordinary(n uint64, p *Page) {
	r := at(w.config.Seed, ofPage, n, 0)
	host := w.hosts.of(r.next())
	t := w.topicOf(&r)
	if w.config.Closed {
		t.id = n / topicPages
	}
	p.URL = w.pageURL(p.URL, host, n)
	p.Title = w.lexicon.append(p.Title, t.word(&r))
	p.Title = w.lexicon.append(append(p.Title, ' '), t.word(&r))
	plain, topical := func() uint64 { return w.words.of(r.next()) }, func() uint64 { return t.mixed(&r) }
	size := unit(r.next())
	words := pageWords.of(size)
	p.text(w, "h1", min(words, 3), topical)
	if b := w.boilerplate(host); b > 0 && words > 3*b {
		h := at(w.config.Seed, ofHost, host, 1)
		p.text(w, "div", b, func() uint64 { return w.words.of(h.next()) })
	}
	links := 0
	if size > noLinks { // pages with few words have few links
		links = pageLinks.of((size - noLinks) / (1 - noLinks))
	}
	if w.config.Closed {
		links = min(links, closedLinks)
	}
	l := linker{w: w, page: n, topic: t, r: at(w.config.Seed, ofPage, n, 1), region: n / w.regionPages}
	for j := range links {
		l.add(p, j)
	}
	for left := words - p.words; left > 0; left -= 70 {
		p.text(w, "p", min(left, 70), plainOr(plain, topical, left))
	}
}

// plainOr chooses the words of a paragraph: those of two in three paragraphs are partly of the topic.
func plainOr(plain, topical func() uint64, left int) func() uint64 {
	if left%3 == 0 {
		return plain
	}
	return topical
}

// boilerplate returns the number of words that all pages of a host have in common. Half of the hosts have none.
func (w *World) boilerplate(host uint64) int {
	r := at(w.config.Seed, ofHost, host, 0)
	if r.chance(.5) {
		return 0
	}
	return 8 + r.below(24)
}

// plainHost returns a host without boilerplate.
func (w *World) plainHost(r *random) uint64 {
	for range 64 {
		if h := w.hosts.of(r.next()); w.boilerplate(h) == 0 {
			return h
		}
	}
	return w.hosts.of(r.next())
}

// topic is a subject with its own vocabulary: a word of it is an ordinary word, chosen by one of World.topicWords numbers
// that belong to the topic.
type topic struct {
	w  *World
	id uint64
}

const (
	topicWords = 400
	topicPages = 50 // about the number of pages of a topic

	// The pages of a closed crawl are known by what others say about their topic, and so have more to say in common.
	closedTopicWords = 100
	closedTopical    = 3
)

func (w *World) topicOf(r *random) topic {
	return topic{w, uint64(r.below(int(w.config.Pages/topicPages + 1)))}
}

// word returns a word of the topic. Some of them are more frequent than others.
func (t topic) word(r *random) uint64 {
	x := unit(r.next())
	own := at(t.w.config.Seed, ofTopic, t.id, uint64(x*x*t.w.topicWords))
	return t.w.words.of(own.next())
}

// mixed returns a word of the topic, or any word.
func (t topic) mixed(r *random) uint64 {
	if bits := r.next(); bits>>2%4 >= t.w.topical {
		return t.w.words.of(r.next())
	}
	return t.word(r)
}
