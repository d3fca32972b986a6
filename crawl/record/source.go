package record

import (
	"context"
	"iter"
)

// Source reads one input of one kind. It is used by one goroutine; only Offset may be called by others.
type Source interface {
	// Records cuts the input into records, in the order of the input. In the error position stand *Skip
	// for what was left out (go on) and at the end the context's error if it was cancelled.
	// It can be ranged over once.
	Records(ctx context.Context) iter.Seq2[*Record, error]
	Name() string   // path as given to Open
	Format() string // "jsonl", "html", "warc", "arc", "cdx", "wacz", "zip", "csv" or "parquet"
	Size() int64    // bytes on disk, -1 if not known
	Offset() int64  // of Size, how many have been read: for progress
	Close() error
}
