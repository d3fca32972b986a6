package anchors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"unsafe"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/sets"
)

// Group is everything that pages say about one target. Its slices are valid until the next group.
type Group struct {
	Hash     uint64 // of the target's URL
	URL      []byte // canonical
	bags.Raw        // what the linking pages, the title and the content say
	InLinks  uint64 // pages that link to it
	InHosts  uint64 // hosts of those pages
	Evidence []Quote
	Crawled  bool
	Capture  uint64 // of the page, if Crawled
	TextOf   uint64 // capture of its text: the page itself, or the text that a browser rendered
	Page     Page   // if Crawled; otherwise at most the title and time from its link rows

	records records // valid until the next group
}

// Sources yields the hashes of the canonical URLs of the pages that link to the target: InLinks distinct hashes in
// ascending order. It reads them from the records, so that a target with millions of linking pages needs no more
// memory.
func (g *Group) Sources() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		last, found := uint64(0), false
		for i := range g.records {
			source, _, ok := g.records.link(i)
			if !ok || found && source == last {
				continue
			}
			last, found = source, true
			if !yield(source) {
				return
			}
		}
	}
}

// Quote is a linking sentence with the page that contains it.
type Quote struct {
	Source                uint64 // hash of the page's canonical URL
	Before, Anchor, After []byte
	Head                  int // see Fragment
}

// MaxEvidence is the number of linking sentences that a group keeps: first one from each host, then further ones, both
// in the order of the hashes of the pages.
const MaxEvidence = 8

// Grouping selects records of a partition and says how to weigh them. The zero value uses all records as they are.
type Grouping struct {
	Superseded func(capture uint64) bool              // reports whether to leave out the records of a superseded capture
	Text       func(capture uint64) bool              // reports whether a capture is the text that a browser rendered for a page
	Redirected func(hash uint64, url []byte) bool     // reports whether to leave out links to a target because it redirects
	Speaks     func(host uint64, language uint8) bool // reports whether a host has a language; nil if none has
	Foot       func(host uint64) func(bags.Term) bool // returns what reports whether a term is at the foot of a host's pages, nil if none is
	Hosts      HostWeight
	OfContent  bool // take all words of a page's own record as its terms, not only its title
}

// Groups reads the records of one partition, or of a hash whose records are in a mapped file, and calls group for each
// target, in the order of (hash, URL). It takes RefSize bytes of memory for each record.
func (by Grouping) Groups(partition []byte, group func(*Group) error) error {
	all, err := index(partition)
	if err != nil {
		return err
	}
	g := grouper{by: by}
	for hash := range sets.Runs(all, func(a, b ref) bool { return a.hash == b.hash }) {
		sortTargets(hash)
		for refs := range sets.Runs(hash, sameTarget) {
			if err := g.group(by.used(refs), group); err != nil {
				return err
			}
		}
	}
	return nil
}

func sameTarget(a, b ref) bool { return bytes.Equal(target(a.body), target(b.body)) }

// sortTargets sorts the records of one hash by target. There are several only if URLs have the same hash.
func sortTargets(refs []ref) {
	if slices.ContainsFunc(refs, func(r ref) bool { return !sameTarget(r, refs[0]) }) {
		slices.SortStableFunc(refs, func(a, b ref) int { return bytes.Compare(target(a.body), target(b.body)) })
	}
}

// used removes the records of one target that the grouping leaves out.
func (by Grouping) used(refs records) records {
	redirected := by.Redirected != nil && by.Redirected(refs[0].hash, target(refs[0].body))
	if !redirected && by.Superseded == nil {
		return refs
	}
	return slices.DeleteFunc(refs, func(r ref) bool {
		return redirected && isLink(r.body) || by.Superseded != nil && by.Superseded(CaptureOf(r.body))
	})
}

func isLink(body []byte) bool { return Kind(body[kindAt]).IsLink() }

// ref is a record with the fields that order it: by target, then source, then bytes.
type ref struct {
	hash, source uint64
	body         []byte
}

// RefSize is the number of bytes that Groups takes for each record.
const RefSize = int64(unsafe.Sizeof(ref{}))

// records are the selected records of one target in order.
type records []ref

// link returns the page and the host of record i if it is a link.
func (r records) link(i int) (source, host uint64, ok bool) {
	return r[i].source, hostOf(r[i].body), isLink(r[i].body)
}

// CaptureOf returns the number of the capture in the body of a record.
func CaptureOf(body []byte) uint64 { return binary.LittleEndian.Uint64(body[captureAt:]) }

func sourceOf(body []byte) uint64 { return binary.LittleEndian.Uint64(body[sourceAt:]) }
func hostOf(body []byte) uint64   { return binary.LittleEndian.Uint64(body[hostAt:]) }

const kindAt, captureAt, sourceAt, hostAt, targetAt = 8, 9, 17, 25, 33 // offsets in a body

// index returns the records of a partition in order.
func index(partition []byte) ([]ref, error) {
	n := 0
	for rest := partition; len(rest) > 0; n++ {
		body, after, err := codec.Next(rest)
		if err == nil && len(body) < targetAt {
			err = ErrRecord
		}
		if err != nil {
			return nil, err
		}
		rest = after
	}
	refs := make([]ref, 0, n)
	for len(partition) > 0 {
		body, rest, _ := codec.Next(partition) // it was checked above
		refs, partition = append(refs, ref{TargetHash(body), sourceOf(body), body}), rest
	}
	slices.SortFunc(refs, func(a, b ref) int {
		if c := cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.source, b.source)); c != 0 {
			return c
		}
		return bytes.Compare(a.body, b.body)
	})
	return refs, nil
}

func target(body []byte) []byte {
	d := codec.Decoder{B: body[targetAt:]}
	return d.Bytes()
}

// grouper makes the groups one after another and holds their buffers.
type grouper struct {
	Group
	rec    Record
	hosts  []uint64
	quoted []uint64 // hosts of the evidence
	later  []Quote  // from hosts in quoted
	last   source   // the source of the last link
	summed int      // number of terms after the last call of bags.Sum

	by      Grouping
	text    Page   // of the text that a browser rendered, if hasText
	textOf  uint64 // its capture
	hasText bool
	pages   map[uint64]int  // by host, the number of pages that link to the target; nil if every page has the full weight
	held    []bags.Weighted // terms of the last source, until release weighs them as one of heldOf pages
	heldOf  int
	factors factors
}

// source is a page that links to the target.
type source struct {
	hash   uint64
	kind   Kind // 0: none yet
	quoted bool
}

// sumAfter is the number of terms after which a grouper adds up the terms of a popular target. Since weights are whole
// numbers, the sums do not depend on when that happens.
const sumAfter = 1 << 18

// group calls do with the group of the records of one target, unless there are none.
func (g *grouper) group(r records, do func(*Group) error) error {
	if len(r) == 0 {
		return nil
	}
	if err := g.collect(r); err != nil {
		return err
	}
	return do(&g.Group)
}

// collect fills the group from the records of one target.
func (g *grouper) collect(r records) error {
	g.Group = Group{Raw: bags.Raw{Terms: g.Terms[:0], Title: g.Title[:0], Content: g.Content[:0]}, Evidence: g.Evidence[:0], records: r}
	g.hosts, g.quoted, g.later, g.summed = g.hosts[:0], g.quoted[:0], g.later[:0], 0
	g.last, g.hasText = source{}, false
	g.countHosts(r)
	for i := range r {
		if err := g.rec.Decode(r[i].body); err != nil {
			return err
		}
		g.Hash = g.rec.TargetHash
		g.URL = g.rec.Target
		switch g.rec.Kind {
		case OfPage:
			g.page()
		case OfSource:
			g.source()
		default:
			g.link()
		}
	}
	g.release()
	g.Terms, g.Title = bags.Sum(g.Terms), bags.Sum(g.Title)
	g.Evidence = append(g.Evidence, g.later[:min(len(g.later), MaxEvidence-len(g.Evidence))]...)
	slices.Sort(g.hosts)
	g.InHosts = uint64(len(slices.Compact(g.hosts)))
	return nil
}

// page takes what a page says about itself. If a browser rendered its text, words come from that text. The two may come in
// any order.
func (g *grouper) page() {
	for _, l := range g.rec.Likely {
		if g.by.Speaks != nil && g.by.Speaks(g.rec.Host, l.Language) {
			g.rec.Page.Language, g.rec.Terms, g.rec.Content = l.Language, l.Terms, l.Content
		}
	}
	g.withoutFoot()
	isText, both := g.by.Text != nil && g.by.Text(g.rec.Capture), g.Crawled || g.hasText
	if isText {
		g.text, g.textOf, g.hasText = g.rec.Page, g.rec.Capture, true
	} else {
		g.Crawled, g.Capture, g.Page = true, g.rec.Capture, g.rec.Page
	}
	if isText || !both {
		g.Content = append(g.Content[:0], g.rec.Content...)
	}
	switch {
	case g.by.OfContent && both && isText:
		g.Terms, g.summed = append(g.Terms[:0], g.rec.Terms...), 0
	case !g.by.OfContent || !both:
		g.title(g.rec.Terms)
	}
	g.TextOf = g.Capture
	if g.hasText {
		g.TextOf = g.textOf
		g.Page.shows(&g.text)
	}
}

// withoutFoot removes the terms at the foot of most pages of the host from the content of a page, unless it has no others.
func (g *grouper) withoutFoot() {
	if g.by.Foot == nil || len(g.rec.Content) == 0 {
		return
	}
	foot := g.by.Foot(g.rec.Host)
	if foot == nil {
		return
	}
	is := func(w bags.Weighted) bool { return foot(w.Term) }
	if slices.ContainsFunc(g.rec.Content, func(w bags.Weighted) bool { return !is(w) }) {
		g.rec.Content = slices.DeleteFunc(g.rec.Content, is)
	}
}

// shows replaces what the text of a page determines by that of the text that a browser rendered.
func (p *Page) shows(text *Page) {
	p.Tokens, p.Language, p.Label, p.Digest, p.Rendered = text.Tokens, text.Language, text.Label, text.Digest, true
	p.Opening = nil
	if !p.NoIndex && !p.NoSnippet {
		p.Opening = text.Opening
	}
}

// source takes the title, time and terms of a page from its link rows, unless the page itself was crawled and has them.
// The page's own record comes before this one.
func (g *grouper) source() {
	if !g.Crawled {
		g.Page.Time = g.rec.Page.Time
	}
	if len(g.Page.Title) == 0 {
		g.Page.Title = g.rec.Page.Title
		g.title(g.rec.Terms)
	}
}

// link adds one link. A source counts once, however many link rows it has. If a page was crawled and also has link rows
// to the target, link uses the links on the page.
func (g *grouper) link() {
	again := g.last.kind != 0 && g.last.hash == g.rec.Source
	if again && g.last.kind != g.rec.Kind {
		return
	}
	if !again {
		g.release()
	}
	if n := g.pages[g.rec.Host]; n > 1 {
		g.held, g.heldOf = append(g.held, g.rec.Terms...), n
	} else {
		g.add(g.rec.Terms)
	}
	if !again {
		g.InLinks++
		g.hosts = append(g.hosts, g.rec.Host)
		g.last = source{hash: g.rec.Source, kind: g.rec.Kind}
	}
	if q := (Quote{g.rec.Source, g.rec.Before, g.rec.Anchor, g.rec.After, g.rec.Head}); !g.last.quoted && !q.empty() {
		g.last.quoted = true
		g.offer(q, g.rec.Host)
	}
}

// title adds the terms of the document's title, which are terms of content unless the title counts like a link; or the
// terms of all its words if bags are made of content.
func (g *grouper) title(terms []bags.Weighted) {
	if !g.by.OfContent && len(terms) > 0 && terms[0].Term.IsContent() {
		g.Title = append(g.Title, terms...)
		return
	}
	g.add(terms)
}

// release adds the held terms of one source, weighed as one of several pages of its host.
func (g *grouper) release() {
	g.held = bags.Sum(g.held)
	if factor := g.factors.of(g.by.Hosts, g.heldOf); factor != bags.Unit {
		damp(g.held, factor)
	}
	g.add(g.held)
	g.held = g.held[:0]
}

// countHosts counts the pages of each host that link to the target.
func (g *grouper) countHosts(all records) {
	if g.by.Hosts == EveryPage || g.by.Hosts == "" {
		return
	}
	if g.pages == nil {
		g.pages = map[uint64]int{}
	}
	clear(g.pages)
	last := uint64(0)
	for i := range all {
		source, host, ok := all.link(i)
		if !ok {
			continue
		}
		if source != last || len(g.pages) == 0 {
			g.pages[host]++
			last = source
		}
	}
}

func (q Quote) empty() bool { return len(q.Before)+len(q.Anchor)+len(q.After) == 0 }

func (g *grouper) add(terms []bags.Weighted) {
	g.Terms = append(g.Terms, terms...)
	if len(g.Terms)-g.summed > sumAfter {
		g.Terms = bags.Sum(g.Terms)
		g.summed = len(g.Terms)
	}
}

// offer appends the quote to the evidence if it is the first from its host, otherwise to later. Each holds at most
// MaxEvidence.
func (g *grouper) offer(q Quote, host uint64) {
	switch {
	case len(g.Evidence) == MaxEvidence:
	case !slices.Contains(g.quoted, host):
		g.Evidence, g.quoted = append(g.Evidence, q), append(g.quoted, host)
	case len(g.later) < MaxEvidence:
		g.later = append(g.later, q)
	}
}
