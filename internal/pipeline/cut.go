package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"golang.org/x/sync/errgroup"
)

// batchBytes and batchRecords limit a batch. With little memory a batch has fewer bytes, and it is never more than a
// sixteenth of a part, because workers wait for each other at the end of a part.
const (
	batchBytes   = 1 << 20
	batchRecords = 64
)

// cutWorkers is the number of goroutines that cut one large archive: parsing takes four times as long as cutting.
const cutWorkers = 4

// batch is a sequence of items of one input, or the page of a revisit.
type batch struct {
	records []*crawl.Record
	first   capture.Number // number of the first record
	skips   []error        // *crawl.Skip
	size    int64          // bytes of the records
	to      within         // place after the items
	end     bool           // whether the input has no more items
	done    int64          // bytes of all inputs read so far

	page  *numberedPage // page of a revisit; nil if its original cannot be read
	again int64         // number of matched revisits so far, including this one; 0 for items of an input
}

// cutter opens inputs and cuts them into records, from one place to another.
type cutter struct {
	b    readStage
	from place
	to   *place // nil for the end of the inputs
	next chan int
	out  chan<- batch
	done atomic.Int64 // bytes of inputs that were read to the end
}

// cut cuts a stretch of the inputs. It uses one goroutine for every four workers.
func (b readStage) cut(ctx context.Context, s stretch, out chan<- batch) error {
	c := &cutter{b: b, from: s.from, to: s.to, next: make(chan int), out: out}
	end := len(b.inputs)
	if s.to != nil {
		end = s.to.Next
	}
	var todo []int
	for i := range end {
		if _, ended := s.from.in(i); ended {
			c.done.Add(sizeOf(b.inputs[i]))
		} else {
			todo = append(todo, i)
		}
	}
	b.report.At(c.done.Load())
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(c.next)
		for _, i := range todo {
			select {
			case c.next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range max(1, b.workers/4) {
		g.Go(func() error {
			for in := range c.next {
				if err := c.cut(ctx, in); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// cut cuts one input and passes on its items. It numbers records in order.
func (c *cutter) cut(ctx context.Context, input int) error {
	start, _ := c.from.in(input)
	items := itemCutter{c: c, ctx: ctx, at: start, stop: -1, most: min(batchBytes, c.b.share(), c.b.sizeOfPart()/16)}
	if c.to != nil {
		if w, ended := c.to.in(input); !ended {
			items.stop = w.Items
		}
	}
	if items.stop == start.Items {
		return items.flush(true)
	}
	options, err := c.b.readingOptions()
	if err != nil {
		return err
	}
	if len(c.b.inputs) < c.b.workers {
		options.Workers = min(c.b.workers, cutWorkers)
	}
	items.src, err = crawl.Open(c.b.inputs[input], options)
	if err != nil {
		if err := items.skip(err); err != nil {
			return err
		}
		return items.flush(true)
	}
	defer items.src.Close()
	n := int64(0)
	if m, ok := items.src.(crawl.Beginner); ok && start.Mark.Items > 0 {
		n = start.Mark.Items
		if err := m.Begin(crawl.Position{Offset: start.Mark.Offset, Record: start.Mark.Record}); err != nil {
			return fmt.Errorf("%s: record %d: %w", items.src.Name(), start.Mark.Record, err)
		}
	}
	return items.cut(n, start.Items)
}

// itemCutter cuts one input.
type itemCutter struct {
	c    *cutter
	ctx  context.Context
	src  crawl.Source // nil if the input cannot be opened
	at   within       // place after the last batch
	stop int64        // number of items after which to stop, -1 for all
	most int64        // bytes of a batch

	records []*crawl.Record
	skips   []error
	size    int64
}

// cut passes on the items after the first ones, which belong to an earlier part. The source begins after n of them.
func (i *itemCutter) cut(n, first int64) error {
	from, _ := i.src.(crawl.Beginner)
	for r, err := range i.src.Records(i.ctx) {
		if i.ctx.Err() != nil {
			return i.ctx.Err()
		}
		if n == i.stop {
			if r != nil {
				r.Release()
			}
			break
		}
		if r != nil && from != nil && from.CanBegin(r.Pos) {
			i.at.Mark = mark{r.Pos.Offset, r.Pos.Record, n}
		}
		if n++; n <= first {
			if r != nil {
				r.Release()
			}
			continue
		}
		if err != nil {
			err = i.skip(err)
		} else {
			i.records, i.size = append(i.records, r), i.size+int64(r.Size())
		}
		if err == nil && (i.size >= i.most || len(i.records)+len(i.skips) >= batchRecords) {
			err = i.flush(false)
		}
		if err != nil {
			return err
		}
	}
	i.c.done.Add(max(0, i.src.Size()))
	return i.flush(true)
}

// skip adds an item that was left out. It returns other errors.
func (i *itemCutter) skip(err error) error {
	var little *crawl.MemoryError
	var skip *crawl.Skip
	if errors.As(err, &little) || !errors.As(err, &skip) {
		return i.c.b.tooLittle(err)
	}
	i.skips = append(i.skips, err)
	return nil
}

// flush passes on the items since the last batch.
func (i *itemCutter) flush(end bool) error {
	n := uint64(len(i.records))
	first, err := capture.NumberRecords(i.at.Input, i.at.Records, n)
	if err != nil {
		return fmt.Errorf("%s: %w", i.c.b.inputs[i.at.Input], err)
	}
	i.at.Items, i.at.Records = i.at.Items+int64(len(i.skips))+int64(n), i.at.Records+n
	done := i.c.done.Load()
	if i.src != nil && !end {
		done += i.src.Offset()
	}
	select {
	case i.c.out <- batch{records: i.records, first: first, skips: i.skips, size: i.size, to: i.at, end: end, done: done}:
	case <-i.ctx.Done():
		return i.ctx.Err()
	}
	i.records, i.skips, i.size = nil, nil, 0
	i.c.b.report.At(done)
	return nil
}
