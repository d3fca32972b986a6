package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/bags"
)

// RawBags yields the raw bags of a run directory that was built until "group" or "weigh" (Options.Until), in the order
// of the documents: terms with their weights before document frequencies count for anything. A finished run has none
// any more. A bag is valid until the next one.
func RawBags(dir string) iter.Seq2[[]bags.Weighted, error] {
	return func(yield func([]bags.Weighted, error) bool) {
		for i := 0; ; i++ {
			path := filepath.Join(dir, filepath.FromSlash(rawFile(i)))
			err := eachRawBag(context.Background(), path, func(terms []bags.Weighted) error {
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
func eachRawBag(ctx context.Context, path string, do func(terms []bags.Weighted) error) error {
	var terms []bags.Weighted
	return eachOfSize(ctx, path, 1, func(body []byte) error {
		var err error
		if terms, _, err = bags.DecodeTerms(terms[:0], body); err != nil {
			return err
		}
		return do(terms)
	})
}
