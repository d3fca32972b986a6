package crawl

import (
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/warc"
)

// Fetcher reads single records again by their positions. A Fetcher with Options and no other field set is ready to use;
// the caller must Close it. Ascending positions cost least, because within one member the Fetcher reads on from where
// it is. A Fetcher is not safe for concurrent use.
type Fetcher struct {
	Options record.Options

	src *warc.Source
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
	if f.src == nil || f.src.Name() != pos.File {
		f.Close()
		o := f.Options
		o.Workers = 0
		open := func() (record.Source, error) { return Open(pos.File, o) }
		if strings.Contains(pos.File, zipMark) {
			open = func() (record.Source, error) { return openEntry(pos.File, o.WithDefaults()) }
		}
		src, err := open()
		if err != nil {
			return err
		}
		archive, ok := src.(*warc.Source)
		if !ok || !archive.CanSeek() {
			src.Close()
			return warc.ErrNotThere
		}
		f.src = archive
	}
	return nil
}

// Close closes the current file.
func (f *Fetcher) Close() {
	if f.src != nil {
		f.src.Close()
		f.src = nil
	}
}
