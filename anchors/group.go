package anchors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
)

// Group is everything that pages say about one target. Its slices are valid until the next group.
type Group struct {
	Hash     uint64 // of the URL
	URL      []byte // canonical
	bags.Raw        // what the pages that link to it say, its title and its content
	InLinks  uint64 // pages that link to it
	InHosts  uint64 // hosts of those pages
	Evidence []Quote
	Crawled  bool
	Capture  uint64 // of the page, if Crawled
	Page     Page   // if Crawled; otherwise at most the title and time that came with its link rows

	records records // valid until the next group
}

// Sources yields the hashes of the canonical URLs of the pages that link to the target, InLinks distinct ones in
// ascending order. They are read from the records, so that a target to which millions of pages link needs no more
// memory.
func (g *Group) Sources() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if g.records == nil {
			return
		}
		last, found := uint64(0), false
		for i := range g.records.len() {
			source, _, ok := g.records.link(i)
			if !ok || found && source == last {
				continue
			}
			if last, found = source, true; !yield(source) {
				return
			}
		}
	}
}

// Quote is a linking sentence with the page that contains it.
type Quote struct {
	Source                uint64 // hash of the page's canonical URL
	Before, Anchor, After []byte
}

// MaxEvidence is the number of linking sentences that are kept for a target: first one from each host, then further
// ones, both in the order of the hashes of the pages.
const MaxEvidence = 8

// Grouping selects the records of a partition that are used, and their weights. The zero value uses all of them as they
// are.
type Grouping struct {
	Superseded func(capture uint64) bool          // captures that another one of their URL replaces: their records are left out
	Redirected func(hash uint64, url []byte) bool // targets that redirect to another URL: links to them are left out
	Hosts      HostWeight
	OfContent  bool // the terms of a page's own record are all of its words, and not those of its title
}

// Groups reads the records of one partition and calls group for each target, in the order of (hash, URL).
func (by Grouping) Groups(partition []byte, group func(*Group) error) error {
	refs, err := index(partition)
	if err != nil {
		return err
	}
	g := grouper{weight: by.Hosts, content: by.OfContent}
	for i := 0; i < len(refs); {
		j := i + 1
		for j < len(refs) && refs[j].hash == refs[i].hash && bytes.Equal(target(refs[j].body), target(refs[i].body)) {
			j++
		}
		if err := g.group(by.used(refs[i:j]), group); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// used removes from the records of one target those that are not used.
func (by Grouping) used(refs refs) refs {
	redirected := by.Redirected != nil && by.Redirected(refs[0].hash, target(refs[0].body))
	if !redirected && by.Superseded == nil {
		return refs
	}
	return slices.DeleteFunc(refs, func(r ref) bool {
		return redirected && isLink(r.body) || by.Superseded != nil && by.Superseded(CaptureOf(r.body))
	})
}

func isLink(body []byte) bool { return Kind(body[kindAt]).IsLink() }

// ref is a record in the order of its target, then its source, then its bytes.
type ref struct {
	hash, source uint64
	body         []byte
}

// refs are records whose bodies are in memory.
type refs []ref

func (r refs) len() int          { return len(r) }
func (r refs) body(i int) []byte { return r[i].body }

func (r refs) link(i int) (source, host uint64, ok bool) {
	return r[i].source, hostOf(r[i].body), isLink(r[i].body)
}

// CaptureOf returns the number of the capture in the body of a record.
func CaptureOf(body []byte) uint64 { return binary.LittleEndian.Uint64(body[captureAt:]) }

func sourceOf(body []byte) uint64 { return binary.LittleEndian.Uint64(body[sourceAt:]) }
func hostOf(body []byte) uint64   { return binary.LittleEndian.Uint64(body[hostAt:]) }

const kindAt, captureAt, sourceAt, hostAt, targetAt = 8, 9, 17, 25, 33 // offsets in a body

func index(partition []byte) (refs, error) {
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
	refs := make(refs, 0, n)
	for {
		body, rest, err := codec.Next(partition)
		if err != nil {
			return nil, err
		}
		if body == nil {
			break
		}
		refs = append(refs, ref{TargetHash(body), sourceOf(body), body})
		partition = rest
	}
	slices.SortFunc(refs, func(a, b ref) int {
		if c := cmp.Compare(a.hash, b.hash); c != 0 {
			return c
		}
		if c := bytes.Compare(target(a.body), target(b.body)); c != 0 {
			return c
		}
		if c := cmp.Compare(a.source, b.source); c != 0 {
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

// grouper makes the groups, one after another, and holds their buffers.
type grouper struct {
	Group
	rec    Record
	hosts  []uint64
	quoted []uint64 // hosts of the evidence
	later  []Quote  // from hosts that are quoted already
	last   source   // the source of the last link
	summed int      // number of terms after the last call of bags.Sum

	content bool
	weight  HostWeight
	pages   map[uint64]int  // by host, the number of pages that link to the target; nil if every page has the full weight
	held    []bags.Weighted // terms of the last source, until they are weighed as those of one of heldOf pages
	heldOf  int
	factors factors
}

// source is a page that links to the target.
type source struct {
	hash   uint64
	kind   Kind // 0: none yet
	quoted bool
}

// sumAfter is the number of terms after which the terms of a popular target are added up. Since weights are whole
// numbers, the sums do not depend on when that happens.
const sumAfter = 1 << 18

// records holds the records of one target that are used, in order.
type records interface {
	len() int
	link(i int) (source, host uint64, ok bool) // ok tells whether record i is a link
	body(i int) []byte                         // the caller may keep it until the end of the group
}

// group calls do with the group of the records of one target, unless there are none.
func (g *grouper) group(r records, do func(*Group) error) error {
	if r.len() == 0 {
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
	g.last = source{}
	g.countHosts(r)
	for i := range r.len() {
		if err := g.rec.Decode(r.body(i)); err != nil {
			return err
		}
		g.Hash = g.rec.TargetHash
		g.URL = g.rec.Target
		switch g.rec.Kind {
		case OfPage:
			g.Crawled, g.Capture, g.Page = true, g.rec.Capture, g.rec.Page
			g.Content = append(g.Content, g.rec.Content...)
			g.title(g.rec.Terms)
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

// source takes the title, time and terms of a page that came with its link rows, unless the page itself was crawled and
// has them. The record of the page comes before this one.
func (g *grouper) source() {
	if !g.Crawled {
		g.Page.Time = g.rec.Page.Time
	}
	if len(g.Page.Title) == 0 {
		g.Page.Title = g.rec.Page.Title
		g.title(g.rec.Terms)
	}
}

// link adds one link. A source counts once, however many link rows it has. If a page was crawled and has link rows to
// the same target too, the links on the page are used.
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
		g.Pages += g.factors.of(g.weight, g.pages[g.rec.Host])
		g.hosts = append(g.hosts, g.rec.Host)
		g.last = source{hash: g.rec.Source, kind: g.rec.Kind}
	}
	if q := (Quote{g.rec.Source, g.rec.Before, g.rec.Anchor, g.rec.After}); !g.last.quoted && !q.empty() {
		g.last.quoted = true
		g.offer(q, g.rec.Host)
	}
}

// title adds the terms of the document's own title, or all of its words if bags are made of content.
func (g *grouper) title(terms []bags.Weighted) {
	if !g.content {
		g.Title = append(g.Title, terms...)
	}
	g.add(terms)
}

// release adds the terms that are held of one source, weighed as those of one page among several of its host.
func (g *grouper) release() {
	g.held = bags.Sum(g.held)
	if factor := g.factors.of(g.weight, g.heldOf); factor != bags.Unit {
		damp(g.held, factor)
	}
	g.add(g.held)
	g.held = g.held[:0]
}

// countHosts counts the pages of each host that link to the target.
func (g *grouper) countHosts(all records) {
	if g.weight == EveryPage || g.weight == "" {
		return
	}
	if g.pages == nil {
		g.pages = map[uint64]int{}
	}
	clear(g.pages)
	last := uint64(0)
	for i := range all.len() {
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

// offer appends the quote to the evidence if it is the first of its host, otherwise to later; each holds at most
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
