package pipeline

import (
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
)

// The read stage does the work of both views at once, and none for a view that is left out:
//
//   - Without the topical view there are no vocabulary, no stemmer and no windows, and records have no terms. The other
//     things in them remain: the documents that pages link to, how many pages and hosts link to them, and their linking
//     sentences are part of every run. So are the number of words and the language of a page, for which the text is cut
//     into words. terms.lsh is empty.
//   - Without the syntactic view there are no shingles and no canonical texts; nothing else needs them.
//
// The later stages of a view are left out by [build.stages].

// newCaptureReader returns a reader for the views of the run.
func newCaptureReader(b *build) (*capture.Reader, error) {
	if b.config.Has(config.Topical) {
		return capture.NewReader(&b.config)
	}
	return capture.NewTermlessReader(&b.config)
}
