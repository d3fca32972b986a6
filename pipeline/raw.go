package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/anchors"
)

// RawBags yields the raw bags of a run directory that was built until "group" or "weigh" (Options.Until), in the order
// of the documents: terms with their weights before document frequencies count for anything. A finished run has none
// any more. A bag is valid until the next one.
func RawBags(dir string) iter.Seq2[[]anchors.Weighted, error] {
	return func(yield func([]anchors.Weighted, error) bool) {
		for i := 0; ; i++ {
			path := filepath.Join(dir, filepath.FromSlash(rawFile(i)))
			err := eachRawBag(context.Background(), path, func(terms []anchors.Weighted) error {
				if !yield(terms, nil) {
					return errStopped
				}
				return nil
			})
			switch {
			case i > 0 && errors.Is(err, fs.ErrNotExist), errors.Is(err, errStopped):
				return
			case err != nil:
				yield(nil, err)
				return
			}
		}
	}
}

var errStopped = errors.New("the caller has stopped")

// eachRawBag calls do with the raw bags of a file. A bag is valid until the next one.
func eachRawBag(ctx context.Context, path string, do func(terms []anchors.Weighted) error) error {
	var terms []anchors.Weighted
	return eachOfSize(ctx, path, 1, func(body []byte) error {
		d := anchors.Decoder{B: body}
		if terms = d.Terms(terms[:0]); d.Err != nil {
			return d.Err
		}
		return do(terms)
	})
}
