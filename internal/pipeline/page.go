package pipeline

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// pageReader is a worker of the read stage. It turns records into pages and link rows: read makes fragments, write
// stores them, notes records facts about captures for later stages, and shingle makes and stores shingles.
type pageReader struct {
	config  *config.Config
	read    *capture.Reader
	write   partitionWriter // fragments, by the hash of their targets
	words   *wordSpill      // words of the terms
	notes   *captureNotes
	shingle *pageShingler // nil without the syntactic view
	dropped run.Drops
	out     *partOutput // the part that is being read
	count   counts      // counts of the part, besides those of the other fields
}

// newPageReader returns a reader for the views of the run. Without the topical view it needs no vocabulary, stemmer
// or windows, and records have no terms. Every run has the documents that pages link to, the numbers of pages and
// hosts that link to them, their linking sentences, and the number of words and the language of each page.
func newPageReader(b readStage) (*pageReader, error) {
	newReader := capture.NewReader
	if !b.config.Has(config.Topical) {
		newReader = capture.NewTermlessReader
	}
	read, err := newReader(&b.config)
	if err != nil {
		return nil, err
	}
	room := b.space().Pool()
	r := &pageReader{config: &b.config, read: read, write: newPartitionWriter(b.partitions, 0, b.flushSize()),
		words: &wordSpill{to: b.streamWriter(wordStream)}, notes: newCaptureNotes(b)}
	r.dropped = run.NewDrops(b.inputs, func(keys, lines []byte) error { return b.putDrops(r.out.Streams, keys, lines) })
	r.write.room = room
	read.Emit = func(f *anchors.Record) error { return r.write.add(f.TargetHash, f.Bound(), f.Append) }
	read.Dropped = &r.dropped.Ledger
	read.Use(room)
	if v := read.Vocabulary(); v != nil {
		v.Bound(b.memory/int64(8*b.workers), func() error { return r.words.drain(v) })
	}
	if b.config.Has(config.Syntactic) {
		if r.shingle, err = newPageShingler(b.config, newPartitionWriter(b.partitions, b.fromRead().shingleStream(), b.flushSize())); err != nil {
			return nil, err
		}
		r.shingle.use(room)
	}
	return r, nil
}

// begin begins a part.
func (r *pageReader) begin(out *partOutput) {
	r.out, r.count = out, counts{}
	r.write.to, r.words.to.to = out.Streams, out.Streams
	r.notes.begin(out)
	if r.shingle != nil {
		r.shingle.out.to = out.Streams
	}
	r.dropped.Ledger = crawl.Ledger{}
	r.read.Links, r.read.Alternates, r.read.Surrounded, r.read.Bare = 0, 0, 0, 0
}

// end writes what is still in memory.
func (r *pageReader) end() error {
	var errs []error
	if r.shingle != nil {
		errs = append(errs, r.shingle.out.flush())
	}
	errs = append(errs, r.words.flush(r.read.Vocabulary()), r.write.flush(), r.notes.flush(), r.dropped.Flush())
	return errors.Join(errs...)
}

// counts returns what was counted since begin.
func (r *pageReader) counts() counts {
	c := r.count
	c["links"], c["alternates"], c["surrounded"], c["bare"] = r.read.Links, r.read.Alternates, r.read.Surrounded, r.read.Bare
	c["redirects"], c["revisits"] = r.notes.redirects, r.notes.revisits
	return c
}

// run reads batches until there are no more.
func (r *pageReader) run(ctx context.Context, in <-chan batch) error {
	for b := range in {
		if err := r.batch(ctx, b); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (r *pageReader) batch(ctx context.Context, b batch) error {
	for _, s := range b.skips {
		if err := r.dropped.Add(s); err != nil {
			return err
		}
	}
	if b.page != nil {
		r.count["resolved"]++
		err := r.page(&b.page.page, b.page.number)
		b.page.page.Release()
		return err
	}
	r.count["records"] += int64(len(b.records))
	for i, rec := range b.records {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := r.record(rec, b.first+capture.Number(i))
		b.records[i] = nil
		rec.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// record reads one record. It leaves a revisit that can be resolved to resolve.
func (r *pageReader) record(rec *crawl.Record, number capture.Number) error {
	if later, err := r.notes.revisit(rec, number); later || err != nil {
		return err
	}
	page, err := rec.Page()
	if err != nil {
		if e := r.dropped.Add(err); e != nil {
			return e
		}
		return r.noPage(rec, err, number)
	}
	return errors.Join(r.dropped.AddPage(&page), r.notes.original(rec, number), r.page(&page, number))
}

// noPage notes a redirect, or the original of a revisit, in a record that is not a page.
func (r *pageReader) noPage(rec *crawl.Record, err error, number capture.Number) error {
	var skip *crawl.Skip
	switch {
	case errors.Is(err, record.ReasonNotSelected):
		return r.notes.original(rec, number)
	case errors.As(err, &skip) && skip.Redirect != nil:
		return r.notes.redirect(capture.RedirectOf(*skip.Redirect, capture.ByHTTP, number))
	}
	return nil
}

// page reads one page and the links that the input gives beside its text or instead of it.
func (r *pageReader) page(p *crawl.Page, number capture.Number) error {
	defer r.release()
	canonical := p.Canonical
	if !p.OnlyLinks() {
		if err := r.content(p, number); err != nil || p.Links == nil {
			return err
		}
	}
	p.Canonical = canonical
	return r.links(p, number)
}

// content reads the content of a page.
func (r *pageReader) content(p *crawl.Page, number capture.Number) error {
	if p.Rendered != crawl.NotRendered && r.config.Captures == config.CapturesAll {
		return r.dropped.Add(&crawl.Skip{Pos: p.Pos, Reason: capture.ReasonRendered, URL: p.Canonical})
	}
	content, doc := r.read.Parse(p)
	if err := r.notes.redirect(r.read.Redirect(p, doc, number)); err != nil {
		return err
	}
	if p.Alias != "" {
		if err := r.notes.redirect(capture.AliasOf(p, number)); err != nil {
			return err
		}
	}
	rec := r.read.Describe(p, content, doc, number)
	rec.Page.Label = labelOf(p, doc)
	r.count["pages"]++
	r.count["bytes"] += int64(len(content))
	if err := r.notes.page(p, doc, rec, number, r.read.Tells(p, rec.Page.Digest, doc)); err != nil {
		return err
	}
	if r.shingle != nil {
		if err := r.shingle.page(rec, p, content, doc.Text); err != nil {
			return err
		}
	}
	if _, err := r.read.Fragments(p, doc); err != nil {
		return err
	}
	return r.drain()
}

// links reads the links of a page that are not in its markup.
func (r *pageReader) links(p *crawl.Page, number capture.Number) error {
	if !p.Part {
		at := capture.Order{Millis: capture.Millis(p.Time), Record: number}
		if err := r.notes.redirect(capture.Redirect{Hash: capture.Hash(p.Canonical), Order: at}); err != nil {
			return err
		}
	}
	first, err := r.notes.links(r.read.DescribeLinks(p, number), p.Part, number)
	if err != nil {
		return err
	}
	if err := r.read.LinkFragments(p, first); err != nil {
		return err
	}
	return r.drain()
}

// drain empties a vocabulary that is full.
func (r *pageReader) drain() error {
	v := r.read.Vocabulary()
	if v == nil {
		return nil
	}
	if err := v.Err(); err != nil || !v.Full() {
		return err
	}
	return r.words.drain(v)
}

// release frees the large buffers of the last page.
func (r *pageReader) release() {
	if r.shingle != nil {
		r.shingle.release()
	}
	r.read.Release()
}
