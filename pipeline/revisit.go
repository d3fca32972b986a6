package pipeline

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/run"
	"golang.org/x/sync/errgroup"
)

// Revisits are resolved when all inputs have been read. The places of originals and revisits are sorted on disk,
// because their number grows with the input. Then each original that a revisit refers to is read again, as the page of
// the revisit. If a crawl has no revisits, the places are never read.

// revisits collects the places of all workers.
type revisits struct {
	sorter   *extsort.Sorter // of capture.Place
	files    fileNames
	any      atomic.Bool // whether there is a revisit
	resolved int64       // revisits whose original was found
}

// fileNames numbers the files that positions name.
type fileNames struct {
	mu      sync.Mutex
	numbers map[string]uint32
	names   []string
}

func (f *fileNames) location(at crawl.Position) capture.Location {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.numbers[at.File]
	if !ok {
		if f.numbers == nil {
			f.numbers = map[string]uint32{}
		}
		n = uint32(len(f.names))
		f.numbers[at.File], f.names = n, append(f.names, at.File)
	}
	return capture.Location{File: n, Offset: at.Offset, Inner: at.Inner}
}

// position is the inverse of location. No worker may add files any more.
func (f *fileNames) position(at capture.Location) crawl.Position {
	return crawl.Position{File: f.names[at.File], Offset: at.Offset, Inner: at.Inner}
}

// resolve reads the originals of the revisits and hands them to the workers. Revisits without an original are left out.
func (b *build) resolve(ctx context.Context, readers []*pageReader, v *revisits, c *cutter) error {
	for _, r := range readers {
		if err := r.notes.places.Close(); err != nil {
			return err
		}
	}
	if !v.any.Load() {
		return nil
	}
	matched, err := extsort.New(extsort.Config{Size: capture.MatchSize, Memory: b.memory / 8, Dir: b.dir.Temp("sort-read"), Workers: b.workers})
	if err != nil {
		return err
	}
	defer matched.Close()
	dropped := c.list.Drops()
	to := matched.Appender()
	if err := errors.Join(v.match(ctx, to, &dropped), to.Close()); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	out := make(chan numberedPage, 2*len(readers))
	g.Go(func() error {
		defer close(out)
		return b.readAgain(ctx, v, matched, &dropped, out)
	})
	for _, r := range readers {
		g.Go(func() error {
			for c := range out {
				err := r.page(&c.page, c.number)
				if c.page.Release(); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	return errors.Join(g.Wait(), c.close(&dropped))
}

// match finds the originals of the revisits.
func (v *revisits) match(ctx context.Context, to *extsort.Appender, dropped *run.Drops) error {
	var matcher capture.Matcher
	var buf []byte
	return records(ctx, v.sorter, func(b []byte) error {
		p := capture.DecodePlace(b)
		original, ok := matcher.Match(p)
		switch {
		case ok:
			buf = capture.Match{Original: original, Revisit: p.At, Number: p.Order.Record}.Append(buf[:0])
			return to.Append(buf)
		case p.Revisit:
			return dropped.Add(unresolved(v.files.position(p.At), nil))
		}
		return nil
	})
}

func unresolved(at crawl.Position, err error) error {
	return &crawl.Skip{Pos: at, Reason: crawl.ReasonRecordType("revisit"), Err: err}
}

// numberedPage is the page of a revisit with the number of the revisit.
type numberedPage struct {
	page   crawl.Page
	number capture.Number
}

// readAgain reads originals and revisits, in the order of the originals.
func (b *build) readAgain(ctx context.Context, v *revisits, matched *extsort.Sorter, dropped *run.Drops, out chan<- numberedPage) error {
	options, err := b.readingOptions()
	if err != nil {
		return err
	}
	options.Select.From, options.Select.To = time.Time{}, time.Time{} // an original may be older than what is selected
	originals, again := crawl.Fetcher{Options: options}, crawl.Fetcher{Options: options}
	defer originals.Close()
	defer again.Close()
	return records(ctx, matched, func(b []byte) error {
		m := capture.DecodeMatch(b)
		at := v.files.position(m.Revisit)
		page, err := revisitedPage(&originals, &again, v.files.position(m.Original), at)
		if err != nil {
			return dropped.Add(unresolved(at, err))
		}
		select {
		case out <- numberedPage{page, m.Number}:
			v.resolved++
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// revisitedPage returns the page of a revisit.
func revisitedPage(originals, again *crawl.Fetcher, original, revisit crawl.Position) (crawl.Page, error) {
	rec, err := originals.Record(original)
	if err != nil {
		return crawl.Page{}, err
	}
	page, err := rec.Page()
	if err != nil {
		rec.Release()
		return crawl.Page{}, err
	}
	if rec, err = again.Record(revisit); err != nil {
		page.Release()
		return crawl.Page{}, err
	}
	v, _ := rec.Revisit()
	rec.Release()
	capture.Revisited(&page, v, revisit)
	return page, nil
}
