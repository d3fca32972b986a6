package pipeline

import (
	"testing"

	"github.com/lshclust/lshclust/config"
)

// A reader for the syntactic view alone has no vocabulary, hence no stemmer.
func TestReaderOfView(t *testing.T) {
	for _, view := range []string{config.Topical, config.Syntactic} {
		c, err := config.Preset("web")
		if err != nil {
			t.Fatal(err)
		}
		c.Views = []string{view}
		r, err := newCaptureReader(&build{config: c})
		if err != nil {
			t.Fatal(err)
		}
		if has := r.Vocabulary() != nil; has != (view == config.Topical) {
			t.Errorf("%s: a vocabulary: %t", view, has)
		}
	}
}
