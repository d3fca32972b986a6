package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// Revisits of a WARC are pages whose content stands in another record, before, behind or in another file. So where
// pages lie is sorted, with what revisits refer to, on disk like all that grows with the input; then the originals that
// are asked for are read once more, each as the page that its revisit stands for. A crawl without revisits skips all
// of it but the writing.

// placeSize is the size of a place record, big-endian so that the bytes sort: key (8), role (1), order of the capture (16),
// file (4), offset (8), inner (8), padding (3).
const placeSize = 48

const (
	original = 0
	revisit  = 1
)

const (
	placeAt   = 9 + captureOrderSize // where in a place record file, offset and inner stand
	placeEnds = placeAt + 20
)

// place is where a record lies, under one of the keys by which revisits refer to originals: a payload digest, or a URL.
type place struct {
	key   uint64
	role  byte
	order captureOrder // its time is that of the original, or of the original that a revisit means
	at    crawl.Position
}

// revisits collects places from all workers.
type revisits struct {
	sorter *extsort.Sorter
	files  fileNames
	any    atomic.Bool

	resolved int64 // captures that were found to be those of an original
}

// fileNames numbers the files that positions name.
type fileNames struct {
	mu      sync.Mutex
	numbers map[string]uint32
	names   []string
}

func (f *fileNames) number(name string) uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.numbers[name]
	if !ok {
		if f.numbers == nil {
			f.numbers = map[string]uint32{}
		}
		n = uint32(len(f.names))
		f.numbers[name], f.names = n, append(f.names, name)
	}
	return n
}

func digestKey(digest string) uint64 { return xxh3.HashStringSeed(digest, 1) }
func urlKey(canonical string) uint64 { return xxh3.HashStringSeed(canonical, 2) }

// add writes a place for one worker.
func (v *revisits) add(to *extsort.Appender, p place) error {
	var rec [placeSize]byte
	b := binary.BigEndian.AppendUint64(rec[:0], p.key)
	b = append(b, p.role)
	b = p.order.append(b)
	b = binary.BigEndian.AppendUint32(b, v.files.number(p.at.File))
	b = binary.BigEndian.AppendUint64(b, uint64(p.at.Offset))
	binary.BigEndian.AppendUint64(b, uint64(p.at.Inner))
	return to.Append(rec[:])
}

func (v *revisits) decode(b []byte) place {
	be := binary.BigEndian
	return place{be.Uint64(b), b[8], decodeCaptureOrder(b[9:]), crawl.Position{
		File: v.files.names[be.Uint32(b[placeAt:])], Offset: int64(be.Uint64(b[placeAt+4:])), Inner: int64(be.Uint64(b[placeAt+12:])),
	}}
}

// revisit notes a revisit, and reports whether it can be resolved later.
func (r *pageReader) revisit(rec *crawl.Record, number recordNumber) (bool, error) {
	v, ok := rec.Revisit()
	if !ok || !rec.Again() {
		return false, nil
	}
	p := place{key: digestKey(v.Digest), role: revisit, order: captureOrder{millis(v.RefersTo), number}, at: rec.Pos}
	if v.Digest == "" { // the server said "not modified": the capture that it means, or the last one before this
		p.key = urlKey(v.Canonical)
		if v.RefersURL != "" {
			p.key = urlKey(v.RefersURL)
		}
		if v.RefersTo.IsZero() {
			p.order.millis = millis(v.Time)
		}
	}
	r.revisits.any.Store(true)
	return true, r.revisits.add(r.places, p)
}

// original notes where a page lies to which revisits may refer; those of another time than is wanted as well.
func (r *pageReader) original(rec *crawl.Record, number recordNumber) error {
	v, ok := rec.Original()
	if !ok || !rec.Again() {
		return nil
	}
	at := place{key: urlKey(v.Canonical), role: original, order: captureOrder{millis(v.Time), number}, at: rec.Pos}
	if err := r.revisits.add(r.places, at); err != nil || v.Digest == "" {
		return err
	}
	at.key = digestKey(v.Digest)
	return r.revisits.add(r.places, at)
}

// matchSize: place of the original (20), place of the revisit (20), number of the revisit (8).
const matchSize = 48

// resolve reads the originals of the revisits and hands them to the workers. It counts what it does not find.
func (b *build) resolve(ctx context.Context, readers []*pageReader, v *revisits, c *cutter) error {
	for _, r := range readers {
		if err := r.places.Close(); err != nil {
			return err
		}
	}
	if !v.any.Load() {
		return nil
	}
	matched, err := extsort.New(extsort.Config{Size: matchSize, Memory: b.memory / 8, Dir: b.dir.Temp("sort-read"), Workers: b.workers})
	if err != nil {
		return err
	}
	defer matched.Close()
	dropped := c.list.drops()
	to := matched.Appender()
	if err := errors.Join(v.match(ctx, to, &dropped), to.Close()); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	out := make(chan capturedPage, 2*len(readers))
	g.Go(func() error {
		defer close(out)
		return b.refetch(ctx, v, matched, &dropped, out)
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

// match goes through the places by key: the originals of a key, the newest first, then its revisits.
func (v *revisits) match(ctx context.Context, to *extsort.Appender, dropped *drops) error {
	var key uint64
	var found []found
	return records(ctx, v.sorter, func(b []byte) error {
		p := v.decode(b)
		if p.key != key {
			key, found = p.key, found[:0]
		}
		if p.role == original {
			found = remember(found, p.order.millis, b[placeAt:placeEnds])
			return nil
		}
		i := nearest(found, p.order.millis)
		if i < 0 {
			return dropped.add(unresolved(p.at, nil))
		}
		rec := append(append(make([]byte, 0, matchSize), found[i].at[:]...), b[placeAt:placeEnds]...)
		return to.Append(binary.BigEndian.AppendUint64(rec, uint64(p.order.record)))
	})
}

// found is an original with its place as it is stored.
type found struct {
	millis int64
	at     [20]byte
}

// maxOriginals bounds how many captures with one key are kept in memory: the newest ones, and the oldest.
const maxOriginals = 1024

func remember(list []found, millis int64, at []byte) []found {
	if n := len(list); n > 0 && list[n-1].millis == millis { // of one time the one that wins comes first
		return list
	}
	if len(list) == maxOriginals {
		list = list[:maxOriginals-1]
	}
	return append(list, found{millis, [20]byte(at)})
}

// nearest is the newest original up to a time, else the oldest; -1 if there is none.
func nearest(list []found, millis int64) int {
	for i := range list {
		if list[i].millis <= millis {
			return i
		}
	}
	return len(list) - 1
}

func unresolved(at crawl.Position, err error) error {
	return &crawl.Skip{Pos: at, Reason: crawl.ReasonRecordType("revisit"), Err: err}
}

type capturedPage struct {
	page   crawl.Page
	number recordNumber
}

// refetch reads originals and revisits, in the order of the originals.
func (b *build) refetch(ctx context.Context, v *revisits, matched *extsort.Sorter, dropped *drops, out chan<- capturedPage) error {
	options, err := b.readingOptions()
	if err != nil {
		return err
	}
	options.Select.From, options.Select.To = time.Time{}, time.Time{} // an original may be older than what is wanted
	originals, again := crawl.Fetcher{Options: options}, crawl.Fetcher{Options: options}
	defer originals.Close()
	defer again.Close()
	at := func(b []byte) crawl.Position {
		be := binary.BigEndian
		return crawl.Position{File: v.files.names[be.Uint32(b)], Offset: int64(be.Uint64(b[4:])), Inner: int64(be.Uint64(b[12:]))}
	}
	return records(ctx, matched, func(m []byte) error {
		page, err := resolved(&originals, &again, at(m), at(m[20:]))
		if err != nil {
			return dropped.add(unresolved(at(m[20:]), err))
		}
		select {
		case out <- capturedPage{page, recordNumber(binary.BigEndian.Uint64(m[40:]))}:
			v.resolved++
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// resolved is the page that a revisit stands for: the content of the original, under the URL and time of the revisit.
func resolved(originals, again *crawl.Fetcher, from, to crawl.Position) (crawl.Page, error) {
	rec, err := originals.Record(from)
	if err != nil {
		return crawl.Page{}, err
	}
	page, err := rec.Page()
	if err != nil {
		rec.Release()
		return crawl.Page{}, err
	}
	if rec, err = again.Record(to); err != nil {
		page.Release()
		return crawl.Page{}, err
	}
	v, _ := rec.Revisit()
	rec.Release()
	page.URL, page.Canonical, page.Time, page.Pos, page.Warnings = v.URL, v.Canonical, v.Time, to, nil
	return page, nil
}
