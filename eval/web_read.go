package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
	"golang.org/x/sync/errgroup"
)

// pageBatch is a batch of records of one input, and the result of reading them.
type pageBatch struct {
	records []*crawl.Record
	ready   chan struct{} // closed when the result is complete

	pages   int64
	said    []pageSaid
	dropped crawl.Ledger
}

// pageSaid holds the links and the words of one page that are about targets.
type pageSaid struct {
	Linking
	windows, anchors []ofTarget
	host             uint64 // hash of the page's host
	self             int    // number of the page as a target, -1 if it is not a target
	content          []bags.Weighted
}

// ofTarget holds the terms that a page contributes to the bag of a target.
type ofTarget struct {
	target int
	terms  []bags.Weighted
}

// batchBytes and batchRecords limit the size of a batch.
const (
	batchBytes   = 1 << 20
	batchRecords = 64
)

// readPages cuts the inputs into batches, reads them in parallel, and passes them to take in the order of the inputs.
func readPages(ctx context.Context, inputs []string, cfg config.Config, d *score.Directory, o WebOptions, take func(*pageBatch) error) error {
	workers := max(1, o.Workers)
	readers := make([]*webReader, workers)
	for i := range readers {
		r, err := newWebReader(cfg, d, o)
		if err != nil {
			return err
		}
		readers[i] = r
	}
	g, ctx := errgroup.WithContext(ctx)
	work, order := make(chan *pageBatch), make(chan *pageBatch, 2*workers)
	g.Go(func() error {
		defer close(work)
		defer close(order)
		return cutInputs(ctx, inputs, readers[0].options, work, order)
	})
	for _, r := range readers {
		g.Go(func() error {
			for b := range work {
				if err := r.batch(b); err != nil {
					return err
				}
				close(b.ready)
			}
			return nil
		})
	}
	g.Go(func() error {
		for b := range order {
			select {
			case <-b.ready:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := take(b); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return g.Wait()
}

// cutInputs sends the records of all inputs in batches to the workers, and in the same order to the merger.
func cutInputs(ctx context.Context, inputs []string, o crawl.Options, work, order chan<- *pageBatch) error {
	for _, in := range inputs {
		for b, err := range batches(ctx, in, o) {
			if err != nil {
				return err
			}
			b.ready = make(chan struct{})
			for _, to := range []chan<- *pageBatch{order, work} {
				select {
				case to <- b:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	}
	return nil
}

// batches cuts one input into batches. The ledgers of the batches count records that cannot be read. A missing input is
// an error, because the figures would then be about other data.
func batches(ctx context.Context, in string, o crawl.Options) iter.Seq2[*pageBatch, error] {
	return func(yield func(*pageBatch, error) bool) {
		b, size := &pageBatch{}, 0
		src, err := crawl.Open(in, o)
		switch {
		case errors.Is(err, crawl.ReasonUnreadableFile):
			yield(nil, fmt.Errorf("%w: %w", ErrInputs, err))
			return
		case b.dropped.Add(err):
			yield(b, nil)
			return
		case err != nil:
			yield(nil, err)
			return
		}
		defer src.Close()
		for r, err := range src.Records(ctx) {
			if err != nil {
				if !b.dropped.Add(err) {
					yield(nil, err)
					return
				}
				continue
			}
			b.records, size = append(b.records, r), size+r.Size()
			if size >= batchBytes || len(b.records) == batchRecords {
				if !yield(b, nil) {
					return
				}
				b, size = &pageBatch{}, 0
			}
		}
		yield(b, nil)
	}
}

// webReader is one worker. It resolves all links of a page, and separately those that the configuration uses.
type webReader struct {
	d       *score.Directory
	counts  func(*crawl.Page) bool
	options crawl.Options
	read    *capture.Reader
	leads   func(url string) string
	anchors *anchors.Extractor // extracts only the words of anchors
}

func newWebReader(cfg config.Config, d *score.Directory, o WebOptions) (*webReader, error) {
	cfg.Bags, cfg.Content = "anchors", 0
	options, err := cfg.Reading()
	if err != nil {
		return nil, err
	}
	read, err := capture.NewReader(&cfg)
	if err != nil {
		return nil, err
	}
	read.Wanted = func(url string) bool { _, ok := d.Index(url); return ok }
	read.Target = o.RedirectTarget
	leads := o.RedirectTarget
	if leads == nil {
		leads = func(url string) string { return url }
	}
	return &webReader{
		d: d, counts: o.Counts, read: read, leads: leads,
		options: options,
		anchors: anchors.NewExtractor(anchors.Window{Damping: anchors.NoDamping}),
	}, nil
}

func (r *webReader) batch(b *pageBatch) error {
	err := b.each(func(p *crawl.Page) error {
		b.dropped.AddPage(p)
		if r.counts != nil && !r.counts(p) {
			b.dropped.AddReason(reasonOtherCapture, 1)
			return nil
		}
		b.pages++
		said, err := r.page(p)
		if err == nil && (said.self >= 0 || len(said.Links) > 0) {
			b.said = append(b.said, said)
		}
		return err
	})
	b.records = nil
	return err
}

// each calls do with the page of each record. Records that give no page are counted.
func (b *pageBatch) each(do func(p *crawl.Page) error) error {
	for _, rec := range b.records {
		p, err := rec.Page()
		if err == nil {
			err = do(&p)
		} else if b.dropped.Add(err) {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parse parses a page and emits its records. It returns the target of each link, "" if the link is not used or its target
// is not one of the directory.
func (r *webReader) parse(p *crawl.Page) (doc *text.Doc, targets []string, err error) {
	if v := r.read.Vocabulary(); v.Full() {
		v.Drain(func(bags.Term, string, uint64) error { return nil }) //nolint:errcheck // the function returns none
	}
	content, doc := r.read.Parse(p)
	r.read.Describe(p, content, doc, 0)
	targets, err = r.read.Fragments(p, doc)
	return doc, targets, err
}

// page collects the links and words of one page that are about targets.
func (r *webReader) page(p *crawl.Page) (said pageSaid, err error) {
	self := -1
	r.read.Emit = func(f *anchors.Record) error {
		i, _ := r.d.Index(string(f.Target))
		if f.Kind == anchors.OfPage {
			self = i
		} else {
			said.Cites = append(said.Cites, int32(i))
		}
		said.windows = append(said.windows, ofTarget{i, slices.Clone(f.Terms)}) // even without words, because the pages of a host are counted
		return nil
	}
	doc, targets, err := r.parse(p)
	if err != nil {
		return said, err
	}
	err = r.anchors.Links(doc, targets, func(f *anchors.Fragment) error {
		if len(f.Terms) > 0 {
			i, _ := r.d.Index(f.Target)
			said.anchors = append(said.anchors, ofTarget{i, slices.Clone(f.Terms)})
		}
		return nil
	})
	if err != nil {
		return said, err
	}
	said.Page, said.self, said.host = tables.Hash(p.Canonical), self, tables.Hash(urls.Host(p.Canonical))
	if self >= 0 {
		said.content = slices.Clone(r.read.Content(doc))
	}
	base, err := urls.Base(p.URL, doc.Base)
	if err != nil {
		return said, nil // no link of the page can be resolved
	}
	for _, l := range doc.Links {
		if t, err := r.options.Rules.Resolve(base, l.Href); err == nil {
			if i, ok := r.d.Index(r.leads(t)); ok {
				said.Links = append(said.Links, int32(i))
			}
		}
	}
	slices.Sort(said.Links)
	said.Links = slices.Compact(said.Links)
	return said, nil
}
