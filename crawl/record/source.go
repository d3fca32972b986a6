package record

import (
	"context"
	"errors"
	"io"
	"iter"
)

// Source reads one input. Only Offset may be called by a goroutine other than the one that uses the source.
type Source interface {
	// Records cuts the input into records, in the order of the input. An error is a *Skip for something that was left
	// out, after which the iteration continues, or the error of the context, after which it ends. Records can be called
	// only once.
	Records(ctx context.Context) iter.Seq2[*Record, error]
	Name() string   // path as given to Open
	Format() string // "jsonl", "json", "har", "html", "warc", "arc", "cdx", "wacz", "zip", "tar", "mhtml", "csv", "parquet" or "text"
	Size() int64    // bytes on disk, -1 if not known
	Offset() int64  // bytes of Size that have been read, for progress
	Close() error
}

// Iterate implements Records by a function that returns the next record, a *Skip, io.EOF, or nothing if there is none yet.
func Iterate(ctx context.Context, next func() (*Record, error)) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			rec, err := next()
			if errors.Is(err, io.EOF) {
				return
			}
			if (rec != nil || err != nil) && !yield(rec, err) {
				return
			}
		}
	}
}

// Beginner is a Source that can begin at a record, so that a reader need not cut all records before it again.
type Beginner interface {
	Source
	// CanBegin reports whether another source of the same input can begin at the record that Records has yielded last,
	// given its position.
	CanBegin(at Position) bool
	// Begin makes Records begin at a record at which another source of the same input can begin, given the offset and the
	// number of the record. It is called before Records.
	Begin(at Position) error
}
