package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/run"
	"golang.org/x/sync/errgroup"
)

// Work files of the read stage.
const (
	wordsFile      = "work/words"
	supersededFile = "work/superseded.lsh"
	ledgerFile     = "work/ledger.json"
)

func fragmentFile(i int) string { return fmt.Sprintf("work/fragments-%03d", i) }

// batchBytes and batchRecords bound a batch. With little memory a batch has fewer bytes.
const (
	batchBytes   = 1 << 20
	batchRecords = 64
)

// cutWorkers is the number of goroutines that cut one large archive: parsing takes four times as long as cutting.
const cutWorkers = 4

// batch is some consecutive records of one input, with the number of the first.
type batch struct {
	records []*crawl.Record
	first   capture.Number
}

func (b *build) reading() stage {
	outputs := []string{wordsFile, supersededFile, repeatedFile, ledgerFile, redirectsFile, run.DroppedList}
	for i := range b.partitions {
		outputs = append(outputs, fragmentFile(i))
	}
	if b.config.Has(config.Syntactic) {
		for i := range b.partitions {
			outputs = append(outputs, shingleFile(i))
		}
	}
	return stage{name: "read", outputs: outputs, work: b.read}
}

// read cuts the inputs into records, and the workers turn these into fragments.
func (b *build) read(ctx context.Context) (run.StageStats, error) {
	files, err := createPartitions(b.partitions, func(i int) string { return b.dir.Temp(fragmentFile(i)) })
	if err != nil {
		return run.StageStats{}, err
	}
	defer files.close()
	files.flush = b.flushSize()
	var shingled *partitions
	if b.config.Has(config.Syntactic) {
		if shingled, err = createPartitions(b.partitions, func(i int) string { return b.dir.Temp(shingleFile(i)) }); err != nil {
			return run.StageStats{}, err
		}
		defer shingled.close()
		shingled.flush = b.flushSize()
	}
	spill, err := newSpill(b)
	if err != nil {
		return run.StageStats{}, err
	}
	defer spill.close()
	readers := make([]*pageReader, b.workers)
	for i := range readers {
		if readers[i], err = newPageReader(b, files, shingled, spill); err != nil {
			return run.StageStats{}, err
		}
	}
	cut, err := b.cutAndRead(ctx, readers, spill.dropped)
	if err != nil {
		return run.StageStats{}, err
	}
	if err := b.resolve(ctx, readers, &spill.revisits, cut); err != nil {
		return run.StageStats{}, err
	}
	stats, err := b.collect(ctx, readers, spill, cut)
	if shingled != nil {
		err = errors.Join(err, shingled.close())
	}
	return stats, errors.Join(err, files.close())
}

// cutAndRead runs the workers, and one cutter for every four workers.
func (b *build) cutAndRead(ctx context.Context, readers []*pageReader, list *run.DropList) (*cutter, error) {
	c := &cutter{b: b, list: list, out: make(chan batch, len(readers)), next: make(chan int)}
	if err := c.leave(b.skipped); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, in := range b.inputs {
		total += sizeOf(in)
	}
	b.report.Stage("read", "B", total)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(c.next)
		for i := range b.inputs {
			select {
			case c.next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var cutters sync.WaitGroup
	for range max(1, len(readers)/4) {
		cutters.Add(1)
		g.Go(func() error {
			defer cutters.Done()
			return c.run(ctx)
		})
	}
	go func() {
		cutters.Wait()
		close(c.out)
	}()
	for _, r := range readers {
		g.Go(func() error { return r.run(ctx, c.out) })
	}
	return c, g.Wait()
}

// cutter opens inputs and cuts them into records.
type cutter struct {
	b        *build
	list     *run.DropList
	next     chan int // numbers of the inputs to open
	out      chan batch
	captures atomic.Uint64 // handed out so far
	done     atomic.Int64  // bytes of the inputs that were read to the end

	mu      sync.Mutex
	dropped crawl.Ledger
}

// leave counts the parts of the inputs that were left out before an input was opened.
func (c *cutter) leave(skipped []*crawl.Skip) error {
	dropped := c.list.Drops()
	for _, s := range skipped {
		if err := dropped.Add(s); err != nil {
			return err
		}
	}
	return c.close(&dropped)
}

// run cuts inputs until there are no more.
func (c *cutter) run(ctx context.Context) error {
	dropped := c.list.Drops()
	for in := range c.next {
		if err := c.cut(ctx, in, &dropped); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.close(&dropped)
}

// close adds what one goroutine has dropped to the total.
func (c *cutter) close(d *run.Drops) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropped.Merge(&d.Ledger)
	return d.Close()
}

// cut cuts one input and hands out its records, numbered in their order.
func (c *cutter) cut(ctx context.Context, input int, dropped *run.Drops) error {
	options, err := c.b.readingOptions()
	if err != nil {
		return err
	}
	if len(c.b.inputs) < c.b.workers {
		options.Workers = min(c.b.workers, cutWorkers)
	}
	src, err := crawl.Open(c.b.inputs[input], options)
	if err != nil {
		return c.b.tooLittle(dropped.Add(err))
	}
	defer src.Close()
	var records []*crawl.Record
	most := int(min(batchBytes, c.b.share()))
	size, nth := 0, uint64(0)
	flush := func() error {
		if len(records) == 0 {
			return nil
		}
		n := uint64(len(records))
		first, err := capture.NumberRecords(input, nth, n)
		if err != nil {
			return fmt.Errorf("%s: %w", c.b.inputs[input], err)
		}
		select {
		case c.out <- batch{records, first}:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.captures.Add(n)
		records, size, nth = nil, 0, nth+n
		c.b.report.At(c.done.Load() + src.Offset())
		return nil
	}
	for r, err := range src.Records(ctx) {
		if err != nil {
			if err := dropped.Add(err); err != nil {
				return c.b.tooLittle(err)
			}
			continue
		}
		records, size = append(records, r), size+r.Size()
		if size >= most || len(records) == batchRecords {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	c.done.Add(max(0, src.Size()))
	return flush()
}
