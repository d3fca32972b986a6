package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/framed"
)

// RawBags yields the raw bags of a run directory that was built until "group" or "weigh" (Options.Until), in the order
// of the documents: terms with their weights before document frequencies count for anything. A finished run has none
// any more. A bag is valid until the next one.
func RawBags(dir string) iter.Seq2[[]anchors.Weighted, error] {
	return func(yield func([]anchors.Weighted, error) bool) {
		var terms []anchors.Weighted
		for i := 0; ; i++ {
			path := filepath.Join(dir, filepath.FromSlash(rawFile(i)))
			raw, err := framed.ReadFile(path)
			if i > 0 && errors.Is(err, fs.ErrNotExist) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for d := (anchors.Decoder{B: raw}); len(d.B) > 0; {
				if terms = d.Terms(terms[:0]); d.Err != nil {
					yield(nil, fmt.Errorf("%s: %w", path, d.Err))
					return
				}
				if !yield(terms, nil) {
					return
				}
			}
		}
	}
}
