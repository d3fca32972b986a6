package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// Web holds everything in the inputs of a run that is about the targets of a directory: the links to them, the words
// around these links, and their pages. Its size depends on the size of the directory and on the number of these links.
type Web struct {
	Pages   int64        // number of captures that were used
	Linking []Linking    // pages that link to a target, sorted by their hashes
	Crawled []bool       // whether the inputs hold the page of each target
	Dropped crawl.Ledger // what was left out, by reason

	// Raw bags of each target: terms and their weights before idf, sorted by term. A target without words has a nil bag.
	Windows [][]bags.Weighted // words of the windows around links, and others that the configuration adds, such as titles
	Anchors [][]bags.Weighted // words of the anchors only; a page contributes a word once
	Content [][]bags.Weighted // words of the page itself and its title
}

// Linking is a page that links to targets.
type Linking struct {
	Page  uint64  // hash of its name in the run
	Links []int32 // targets of all its links at any position and with any rel, including itself; ascending
	Cites []int32 // targets of the links that the configuration uses; ascending
}

// WebOptions holds the options of ReadWeb.
type WebOptions struct {
	Workers int // at least 1

	// Counts reports whether the run used a capture for the page of its URL (see CapturesOf). If it is nil, ReadWeb
	// uses the first capture of each URL, in the order of the inputs.
	Counts func(p *crawl.Page) bool

	// RedirectTarget returns the canonical URL that url redirects to, or url itself (see query.Run.RedirectTarget). Links
	// to a URL that redirects are links to that URL. If RedirectTarget is nil, ReadWeb follows no redirects.
	RedirectTarget func(url string) string
}

// reasonOtherCapture is the reason for captures that the run did not use for the page of their URL.
const reasonOtherCapture crawl.Reason = "other-capture"

// ErrInputs is wrapped by the error for inputs of a run that cannot be read again.
var ErrInputs = errors.New("the inputs cannot be read again")

// ReadWeb reads the inputs of a run again, in one pass, and collects everything about the targets of d. It finds links
// and windows according to the configuration, but always makes all three kinds of bags. The result depends only on the
// inputs and the configuration. What cannot be read is counted in Dropped; if no page is left, the error is ErrInputs.
func ReadWeb(ctx context.Context, inputs []string, cfg config.Config, d *score.Directory, o WebOptions) (*Web, error) {
	if slices.Contains(inputs, "-") {
		return nil, fmt.Errorf("%w: the run was made from standard input", ErrInputs)
	}
	w := &Web{
		Crawled: make([]bool, d.Len()),
		Windows: make([][]bags.Weighted, d.Len()),
		Anchors: make([][]bags.Weighted, d.Len()),
		Content: make([][]bags.Weighted, d.Len()),
	}
	m := webMerger{web: w, hosts: cfg.Hosts, seen: map[uint64]bool{}, summed: map[*[]bags.Weighted]int{}, held: make([][]heldLink, d.Len())}
	if err := readPages(ctx, inputs, cfg, d, o, m.batch); err != nil {
		return nil, err
	}
	m.finish()
	if w.Pages == 0 {
		return nil, fmt.Errorf("%w: they hold no page of the run", ErrInputs)
	}
	return w, nil
}

// webMerger merges the results of the workers in the order of the inputs.
type webMerger struct {
	web    *Web
	seen   map[uint64]bool          // pages that were merged
	summed map[*[]bags.Weighted]int // terms of a bag that were in order after the last Sum

	hosts anchors.HostWeight
	held  [][]heldLink // links to each target, held until the number of pages of their host is known; empty if all pages count
}

// heldLink is the contribution of one page to the bag of a target.
type heldLink struct {
	host  uint64
	terms []bags.Weighted
}

// batch adds the pages of one batch of records.
func (m *webMerger) batch(b *pageBatch) error {
	m.web.Dropped.Merge(&b.dropped)
	m.web.Pages += b.pages
	for i := range b.said {
		p := &b.said[i]
		if m.seen[p.Page] {
			m.web.Pages--
			m.web.Dropped.AddReason(reasonOtherCapture, 1)
			continue
		}
		m.seen[p.Page] = true
		m.page(p)
	}
	return nil
}

func (m *webMerger) page(p *pageSaid) {
	if len(p.Links) > 0 {
		m.web.Linking = append(m.web.Linking, p.Linking)
	}
	for _, s := range p.windows {
		if s.target == p.self || m.hosts == anchors.EveryPage {
			m.add(&m.web.Windows[s.target], s.terms)
		} else {
			m.held[s.target] = append(m.held[s.target], heldLink{p.host, s.terms})
		}
	}
	for _, s := range p.anchors {
		m.add(&m.web.Anchors[s.target], s.terms)
	}
	if p.self >= 0 {
		m.web.Crawled[p.self] = true
		m.add(&m.web.Content[p.self], p.content)
	}
}

// sumAfter is the number of new terms after which the bag of a popular target is summed up. Weights are whole numbers,
// so it makes no difference when.
const sumAfter = 1 << 14

func (m *webMerger) add(bag *[]bags.Weighted, terms []bags.Weighted) {
	*bag = append(*bag, terms...)
	if len(*bag)-m.summed[bag] > sumAfter {
		*bag = bags.Sum(*bag)
		m.summed[bag] = len(*bag)
	}
}

// release adds the held links to the bags of their targets, weighted by the number of pages of their host.
func (m *webMerger) release() {
	for t, links := range m.held {
		pages := map[uint64]int{}
		for _, l := range links {
			pages[l.host]++
		}
		for _, l := range links {
			m.hosts.Damp(l.terms, pages[l.host])
			m.add(&m.web.Windows[t], l.terms)
		}
		m.held[t] = nil
	}
}

func (m *webMerger) finish() {
	m.release()
	for _, all := range [][][]bags.Weighted{m.web.Windows, m.web.Anchors, m.web.Content} {
		for i, b := range all {
			all[i] = slices.Clip(bags.Sum(b))
		}
	}
	slices.SortFunc(m.web.Linking, func(a, b Linking) int { return cmp.Compare(a.Page, b.Page) })
}

// CoLinks returns the pairs that [Match.CoLinks] returns for a run of these inputs.
func (w *Web) CoLinks() (score.CoLinks, error) {
	pages := make([][]int32, len(w.Linking))
	for i, p := range w.Linking {
		pages[i] = p.Cites
	}
	return coLinks(len(w.Crawled), pages)
}

// InLinks returns, for each target, the number of pages that cite it.
func (w *Web) InLinks() []int {
	n := make([]int, len(w.Crawled))
	for _, p := range w.Linking {
		for _, t := range p.Cites {
			n[t]++
		}
	}
	return n
}

// inverse inverts lists of targets: it returns, for each target, the lists that hold it, in ascending order.
func inverse(targets, lists int, list func(i int) []int32) [][]int32 {
	out := make([][]int32, targets)
	for i := range lists {
		for _, t := range list(i) {
			out[t] = append(out[t], int32(i))
		}
	}
	return out
}

// CapturesOf returns a function that reports whether a run used a capture for the page of its URL. It compares the name
// and the digest of the content.
func CapturesOf(r *query.Run) func(p *crawl.Page) bool {
	return func(p *crawl.Page) bool {
		id, err := r.Lookup(capture.Name(p, r.Config.Captures == config.CapturesAll))
		if err != nil {
			return false
		}
		doc := r.Document(id)
		return doc.Crawled && doc.Digest == capture.Digest(p)
	}
}
