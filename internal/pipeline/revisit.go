package pipeline

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/extsort"
)

// Revisits are resolved after all inputs have been read. The places of originals and revisits are sorted on disk,
// because their number grows with the input. Then each original that a revisit refers to is read again, as the page
// of the revisit. If a crawl has no revisits, the places are never read.

// fileNames numbers the files that positions refer to.
type fileNames struct {
	mu      sync.Mutex
	numbers map[string]uint32
	names   []string
}

func (f *fileNames) location(at crawl.Position) capture.Location {
	return capture.Location{File: f.number(at.File), Offset: at.Offset, Inner: at.Inner}
}

func (f *fileNames) number(file string) uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.numbers[file]
	if !ok {
		if f.numbers == nil {
			f.numbers = map[string]uint32{}
		}
		n = uint32(len(f.names))
		f.numbers[file], f.names = n, append(f.names, file)
	}
	return n
}

// position is the inverse of location. No worker may add files any more.
func (f *fileNames) position(at capture.Location) crawl.Position {
	return crawl.Position{File: f.names[at.File], Offset: at.Offset, Inner: at.Inner}
}

// resolve reads the originals of the revisits, as parts of their own, and passes revisits without an original to
// left.
func (r *reading) resolve(ctx context.Context, left func(error) error) error {
	parts, err := r.parts()
	if err != nil || !slices.ContainsFunc(parts, func(p readPart) bool { return p.Counts["revisits"] > 0 }) {
		return err
	}
	for _, s := range missing(parts) {
		if !s.from.ended(len(r.b.inputs)) {
			continue
		}
		if err := r.resolveStretch(ctx, s, left); err != nil {
			return err
		}
		left = func(error) error { return nil } // the next stretch leaves out the same
	}
	return nil
}

// resolveStretch reads the originals of the revisits of a stretch.
func (r *reading) resolveStretch(ctx context.Context, s stretch, left func(error) error) error {
	v := revisits{b: r.b}
	return sortOne(ctx, v.sorting(capture.MatchSize), func(to *extsort.Appender) error {
		return v.match(ctx, to, left)
	}, func(each eachRecordFunc) error {
		v.matched = each
		return r.stretch(ctx, s, v.readAgain)
	})
}

// revisits matches the revisits of all parts with their originals.
type revisits struct {
	b       readStage
	files   fileNames
	matched eachRecordFunc
}

func (v *revisits) sorting(size int) extsort.Config {
	return extsort.Config{Size: size, Memory: v.b.memory / 8, Dir: v.b.dir.Temp("sort-read"), Workers: v.b.workers}
}

// match finds the originals of the revisits.
func (v *revisits) match(ctx context.Context, to *extsort.Appender, left func(error) error) error {
	var matcher capture.Matcher
	var buf []byte
	return sortOne(ctx, v.sorting(capture.PlaceSize), func(to *extsort.Appender) error {
		return v.places(ctx, to)
	}, func(each eachRecordFunc) error {
		return each(func(b []byte) error {
			p := capture.DecodePlace(b)
			original, ok := matcher.Match(p)
			switch {
			case ok:
				buf = capture.Match{Original: original, Revisit: p.At, Number: p.Order.Record}.Append(buf[:0])
				return to.Append(buf)
			case p.Revisit:
				return left(unresolved(v.files.position(p.At), nil))
			}
			return nil
		})
	})
}

// places appends the places of all parts. Each part has its own numbers for files.
func (v *revisits) places(ctx context.Context, to *extsort.Appender) error {
	var names [][]string
	if err := v.b.facts(ctx, func(f partFacts) { names = append(names, f.Files) }); err != nil {
		return err
	}
	var buf []byte
	for i, piece := range v.b.fromRead().more(placeStream) {
		err := piece.blocks(ctx, func(block []byte) error {
			for ; len(block) >= capture.PlaceSize; block = block[capture.PlaceSize:] {
				p := capture.DecodePlace(block)
				p.At.File = v.files.number(names[i][p.At.File])
				buf = p.Append(buf[:0])
				if err := to.Append(buf); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func unresolved(at crawl.Position, err error) error {
	return &crawl.Skip{Pos: at, Reason: record.ReasonRecordType("revisit"), Err: err}
}

// numberedPage is the page of a revisit with the number of the revisit.
type numberedPage struct {
	page   crawl.Page
	number capture.Number
}

// readAgain reads originals and revisits, in order of the originals.
func (v *revisits) readAgain(ctx context.Context, s stretch, out chan<- batch) error {
	options, err := v.b.readingOptions()
	if err != nil {
		return err
	}
	options.Select.From, options.Select.To = time.Time{}, time.Time{} // an original may be older than the selected times
	originals, again := crawl.Fetcher{Options: options}, crawl.Fetcher{Options: options}
	defer originals.Close()
	defer again.Close()
	n := int64(0)
	return v.matched(func(b []byte) error {
		if n++; n <= s.from.Again || s.to != nil && n > s.to.Again {
			return nil
		}
		m := capture.DecodeMatch(b)
		at := v.files.position(m.Revisit)
		one := batch{again: n}
		page, err := revisitedPage(&originals, &again, v.files.position(m.Original), at)
		if err != nil {
			one.skips = []error{unresolved(at, err)}
		} else {
			one.page, one.size = &numberedPage{page, m.Number}, int64(len(page.HTML)+len(page.Text))
		}
		select {
		case out <- one:
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
