package crawl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/warc"
	"github.com/lshclust/lshclust/crawl/record"
)

// Fetcher reads single records again by their positions. A Fetcher with Options and no other field set is ready to use;
// the caller must Close it. Ascending positions cost least, because within one member the Fetcher reads on from where
// it is. A Fetcher is not safe for concurrent use.
type Fetcher struct {
	Options record.Options

	src   *warc.Source
	outer []container // around the current file, outermost first
}

// Record reads the record at a position that a WARC or ARC source returned.
func (f *Fetcher) Record(pos record.Position) (*record.Record, error) {
	err := f.open(pos)
	var rec *record.Record
	if err == nil {
		rec, err = f.src.RecordAt(pos)
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", pos, err)
	}
	return rec, nil
}

// open opens the file of a position, unless it is the current file. Containers that are open already stay open.
func (f *Fetcher) open(pos record.Position) error {
	if f.src != nil && f.src.Name() == pos.File {
		return nil
	}
	f.closeSource()
	paths, same := containerPaths(pos.File), 0
	for same < min(len(paths), len(f.outer)) && f.outer[same].Name() == paths[same] {
		same++
	}
	f.closeOuter(same)
	for _, path := range paths[same:] {
		src, err := f.source(path)
		if err != nil {
			return err
		}
		c, ok := src.(container)
		if !ok {
			src.Close()
			return warc.ErrNotThere
		}
		f.outer = append(f.outer, c)
	}
	src, err := f.source(pos.File)
	if err != nil {
		return err
	}
	archive, ok := src.(*warc.Source)
	if !ok || !archive.CanSeek() {
		src.Close()
		return warc.ErrNotThere
	}
	f.src = archive
	return nil
}

// source opens a file, in the innermost container that is open if there is one.
func (f *Fetcher) source(name string) (src record.Source, err error) {
	var in *stream.Input
	if len(f.outer) == 0 {
		in, err = stream.Open(name)
	} else {
		last := f.outer[len(f.outer)-1]
		in, err = last.file(strings.TrimPrefix(name, last.Name()+zipMark))
	}
	if err != nil {
		return nil, err
	}
	o := f.Options
	o.Workers = 0
	if src, err = sniff(in, o.WithDefaults()); err != nil {
		in.Close()
	}
	return src, err
}

// Close closes the current file.
func (f *Fetcher) Close() {
	f.closeSource()
	f.closeOuter(0)
}

func (f *Fetcher) closeSource() {
	if f.src != nil {
		f.src.Close()
		f.src = nil
	}
}

// closeOuter closes all containers but the first n, innermost first.
func (f *Fetcher) closeOuter(n int) {
	for _, c := range slices.Backward(f.outer[n:]) {
		c.Close()
	}
	f.outer = f.outer[:n]
}
