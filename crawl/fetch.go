package crawl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/warc"
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

// open opens the file of a position, unless it is the current file.
func (f *Fetcher) open(pos record.Position) error {
	if f.src != nil && f.src.Name() == pos.File {
		return nil
	}
	f.closeSource()
	o := f.Options
	o.Workers = 0
	in, err := f.input(pos.File, o.WithDefaults())
	if err != nil {
		return err
	}
	src, err := sniff(in, o.WithDefaults())
	if err != nil {
		in.Close()
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

// input opens a file, which may be in containers. Those that are open already stay open.
func (f *Fetcher) input(name string, o *record.Options) (*stream.Input, error) {
	paths := containerPaths(name)
	same := 0
	for same < min(len(paths), len(f.outer)) && f.outer[same].Name() == paths[same] {
		same++
	}
	f.closeOuter(same)
	for _, path := range paths[same:] {
		in, err := f.inOuter(path)
		if err != nil {
			return nil, err
		}
		src, err := sniff(in, o)
		if err != nil {
			in.Close()
			return nil, err
		}
		c, ok := src.(container)
		if !ok {
			src.Close()
			return nil, warc.ErrNotThere
		}
		f.outer = append(f.outer, c)
	}
	return f.inOuter(name)
}

// inOuter opens a file in the innermost container that is open.
func (f *Fetcher) inOuter(name string) (*stream.Input, error) {
	if len(f.outer) == 0 {
		return stream.Open(name)
	}
	last := f.outer[len(f.outer)-1]
	return last.file(strings.TrimPrefix(name, last.Name()+zipMark))
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
