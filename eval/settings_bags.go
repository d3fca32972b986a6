package eval

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/pipeline"
)

// gathered is a run directory up to its raw bags.
type gathered struct {
	dir       string
	documents *tables.Documents
	moved     *tables.Redirects
	terms     *tables.Terms
	raw       map[uint32][]anchors.Weighted // of the targets
}

func openGathered(dir string) (*gathered, error) {
	documents, err := tables.OpenDocuments(filepath.Join(dir, tables.DocumentsFile))
	if err != nil {
		return nil, err
	}
	moved, err := tables.OpenRedirects(filepath.Join(dir, tables.RedirectsFile))
	if err != nil {
		return nil, errors.Join(err, documents.Close())
	}
	terms, err := tables.OpenTerms(filepath.Join(dir, tables.TermsFile))
	if err != nil {
		return nil, errors.Join(err, documents.Close(), moved.Close())
	}
	return &gathered{dir: dir, documents: documents, moved: moved, terms: terms}, nil
}

func (m *gathered) close() error {
	return errors.Join(m.documents.Close(), m.moved.Close(), m.terms.Close())
}

// counts is CapturesOf of a run that is not finished.
func (m *gathered) counts(c config.Config) func(p *crawl.Page) bool {
	return func(p *crawl.Page) bool {
		id, ok := m.documents.Find(capture.Name(p, c.Captures == config.CapturesAll))
		if !ok {
			return false
		}
		d := m.documents.At(id)
		return d.Crawled && d.Digest == capture.Digest(p)
	}
}

// bags keeps the raw bags of some documents.
func (m *gathered) bags(ids map[uint32]bool) error {
	m.raw = map[uint32][]anchors.Weighted{}
	id := uint32(0)
	for bag, err := range pipeline.RawBags(m.dir) {
		if err != nil {
			return err
		}
		if ids[id] {
			m.raw[id] = slices.Clone(bag)
		}
		id++
	}
	if int(id) != m.documents.Len() {
		return fmt.Errorf("%s: %d raw bags of %d documents", m.dir, id, m.documents.Len())
	}
	return nil
}

// weigher weighs by the document frequencies among all documents, as the stage "weigh" does.
func (m *gathered) weigher(how bags.Weighting) (*bags.Weigher, error) {
	var hash []uint64
	var df []uint32
	all := m.terms.Hashes()
	for i, n := range m.terms.DFs() {
		if how.Keep(m.terms.Bags, n) {
			hash, df = append(hash, all[i]), append(df, n)
		}
	}
	terms, err := bags.NewDictionary(how, m.terms.Bags, hash, df)
	if err != nil {
		return nil, err
	}
	return bags.NewWeigher(how, terms), nil
}

// vectors returns the bags of the targets of a directory, empty ones for those that are no documents.
func (m *gathered) vectors(d *score.Directory, w *bags.Weigher) []vector {
	vectors := make([]vector, d.Len())
	for i := range vectors {
		id, ok := m.documents.Find(d.URL(i))
		if !ok {
			continue
		}
		bag := w.Weigh(m.raw[id])
		for j, t := range bag.Terms {
			vectors[i].add(t, float64(bag.Counts[j]))
		}
	}
	return vectors
}
