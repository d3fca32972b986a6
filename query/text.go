package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/pipeline"
)

// Pages reads the pages of some documents from the inputs of the run once more: a run keeps no texts. The inputs must
// stand where the manifest says, unchanged; the page of a document is known by its name and its content's digest.
func (r *Run) Pages(ctx context.Context, ids ...uint32) ([]crawl.Page, error) {
	wanted := map[string]int{}
	for i, id := range ids {
		if !r.docs.At(id).Crawled {
			return nil, fmt.Errorf("%s: %w: it is linked to, but its text is not in the crawl", r.docs.URL(id), ErrUnknown)
		}
		wanted[r.docs.URL(id)] = i
	}
	found := make([]crawl.Page, len(ids))
	left := len(wanted)
	for _, in := range r.Manifest.Inputs {
		if left == 0 {
			break
		}
		n, err := r.scan(ctx, in.Path, ids, wanted, found)
		if err != nil {
			return nil, err
		}
		left -= n
	}
	for i, id := range ids {
		if j := wanted[r.docs.URL(id)]; j != i {
			found[i] = found[j]
		}
		if found[i].Canonical == "" {
			return nil, fmt.Errorf("%s: not found in the inputs of the run as it was then; do they still stand where info says?", r.docs.URL(id))
		}
	}
	return found, nil
}

// scan looks through one input and returns how many of the pages it had.
func (r *Run) scan(ctx context.Context, path string, ids []uint32, wanted map[string]int, found []crawl.Page) (n int, err error) {
	src, err := r.source(path)
	if err != nil {
		return 0, err
	}
	defer src.Close()
	var skip *crawl.Skip
	for rec, err := range src.Records(ctx) {
		if errors.As(err, &skip) {
			continue
		}
		if err != nil {
			return n, err
		}
		p, err := rec.Page()
		if err != nil || p.Links != nil {
			continue
		}
		i, ok := wanted[r.Config.Name(&p)]
		if ok && found[i].Canonical == "" && pipeline.ContentDigest(&p) == r.docs.At(ids[i]).Digest {
			found[i] = p
			if n++; n == len(wanted) {
				return n, nil
			}
		}
	}
	return n, nil
}

// EachPage reads all inputs of the run once more and calls page for every page of a document of the run, in the order of
// the inputs; damage is passed over, as it was then. A URL that was captured twice comes twice. Links that were given without
// their pages are passed over. The page is good until page returns.
func (r *Run) EachPage(ctx context.Context, page func(id uint32, p *crawl.Page) error) error {
	for _, in := range r.Manifest.Inputs {
		if err := r.eachPage(ctx, in.Path, page); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) eachPage(ctx context.Context, path string, page func(id uint32, p *crawl.Page) error) error {
	src, err := r.source(path)
	if err != nil {
		return err
	}
	defer src.Close()
	var skip *crawl.Skip
	for rec, err := range src.Records(ctx) {
		if errors.As(err, &skip) {
			continue
		}
		if err != nil {
			return err
		}
		p, err := rec.Page()
		if err != nil || p.Links != nil {
			continue
		}
		if id, ok := r.docs.Find(r.Config.Name(&p)); ok {
			if err := page(id, &p); err != nil {
				return err
			}
		}
	}
	return nil
}

// source opens an input of the run as it was opened then.
func (r *Run) source(path string) (crawl.Source, error) {
	if path == "-" {
		return nil, errors.New("the run was read from standard input and keeps no texts: they cannot be shown")
	}
	reading, err := r.Config.Reading()
	if err != nil {
		return nil, err
	}
	src, err := crawl.Open(path, reading)
	if err != nil {
		return nil, fmt.Errorf("the text of a page is read from the input of the run: %w", err)
	}
	return src, nil
}
