package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
)

// Gathered is the state of a run after its first three stages: the documents with their raw bags, which are not yet
// weighed. Its methods may be called by several goroutines at once.
type Gathered struct {
	dir       string
	config    config.Config
	documents *tables.Documents
	redirects *tables.Redirects
	terms     *tables.Terms
}

// Gather reads the inputs, follows the redirects and groups the fragments of each document, all in the run directory
// dir, as [Cluster] does, and stops there. It lets a caller weigh the same raw bags with several settings. The
// directory then holds a stopped run, which Cluster with the same arguments continues. The caller closes the result and
// removes the directory.
func Gather(ctx context.Context, dir string, inputs []string, c config.Config, o Options) (*Gathered, error) {
	b, err := begin(ctx, dir, inputs, c, o)
	if err != nil {
		return nil, err
	}
	if err := b.mended(func() error { return b.doAll(ctx, b.gathering()) }); err != nil {
		return nil, errors.Join(full(err), b.dir.Close())
	}
	if err := b.dir.Close(); err != nil {
		return nil, err
	}
	return openGathered(dir, c)
}

func openGathered(dir string, c config.Config) (*Gathered, error) {
	documents, err := tables.OpenDocuments(filepath.Join(dir, tables.DocumentsFile))
	if err != nil {
		return nil, err
	}
	redirects, err := tables.OpenRedirects(filepath.Join(dir, tables.RedirectsFile))
	if err != nil {
		return nil, errors.Join(err, documents.Close())
	}
	terms, err := tables.OpenTerms(filepath.Join(dir, tables.TermsFile))
	if err != nil {
		return nil, errors.Join(err, documents.Close(), redirects.Close())
	}
	return &Gathered{dir, c, documents, redirects, terms}, nil
}

// Close closes the files.
func (g *Gathered) Close() error {
	return errors.Join(g.documents.Close(), g.redirects.Close(), g.terms.Close())
}

// Len returns the number of documents. Their ids are 0 to Len()-1.
func (g *Gathered) Len() int { return g.documents.Len() }

// Find returns the id of the document of a canonical URL.
func (g *Gathered) Find(url string) (id uint32, ok bool) { return g.documents.Find(url) }

// Target returns the URL at which the redirects of url end, or url itself if it does not redirect.
func (g *Gathered) Target(url string) string { return g.redirects.Target(url) }

// IsCapture reports whether p is the page, or equal to the page, that the document of its name was made from. Another
// capture of the URL may have superseded it.
func (g *Gathered) IsCapture(p *crawl.Page) bool {
	id, ok := g.documents.Find(capture.Name(p, g.config.Captures == config.CapturesAll))
	if !ok {
		return false
	}
	d := g.documents.At(id)
	return d.Crawled && d.Digest == capture.Digest(p)
}

// Weigher returns a weigher that uses the document frequencies of all documents, as the stage weigh does.
func (g *Gathered) Weigher(how bags.Weighting) (*bags.Weigher, error) {
	var hashes []uint64
	var dfs []uint32
	all := g.terms.Hashes()
	for i, n := range g.terms.DFs() {
		if how.Keep(g.terms.Bags, n) {
			hashes, dfs = append(hashes, all[i]), append(dfs, n)
		}
	}
	dictionary, err := bags.NewDictionary(how, g.terms.Bags, hashes, dfs)
	if err != nil {
		return nil, err
	}
	return bags.NewWeigher(how, dictionary), nil
}

// RawBags yields the raw bag of every document in the order of the ids: its terms with the weights that they have
// before document frequencies are taken into account. A bag is valid until the next one.
func (g *Gathered) RawBags(ctx context.Context) iter.Seq2[*bags.Raw, error] {
	return func(yield func(*bags.Raw, error) bool) {
		n := 0
		for i := 0; ; i++ {
			path := filepath.Join(g.dir, filepath.FromSlash(rawFile(i)))
			err := eachRawBag(ctx, path, func(raw *bags.Raw) error {
				n++
				if !yield(raw, nil) {
					return errStopped
				}
				return nil
			})
			switch {
			case errors.Is(err, errStopped):
				return
			case i > 0 && errors.Is(err, fs.ErrNotExist): // there are no more files
				if n != g.Len() {
					yield(nil, fmt.Errorf("%s: %d raw bags of %d documents", g.dir, n, g.Len()))
				}
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
func eachRawBag(ctx context.Context, path string, do func(*bags.Raw) error) error {
	var raw bags.Raw
	return eachOfSize(ctx, path, 1, func(body []byte) error {
		if err := raw.Decode(body); err != nil {
			return err
		}
		return do(&raw)
	})
}
