package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
)

// ReadPages reads the pages of some documents from the inputs of the run, because a run keeps no texts. The inputs must
// be unchanged at the paths in the manifest. Pages recognizes the page of a document by its name, its time and the
// digest of its content. It reads the inputs that contain the pages, and the others only if those contain just a
// revisit.
func ReadPages(ctx context.Context, r *Run, ids ...uint32) ([]crawl.Page, error) {
	found := r.read
	if slices.ContainsFunc(ids, func(id uint32) bool { _, ok := found[r.Docs.URL(id)]; return !ok }) {
		var err error
		if found, err = pagesOf(ctx, r, ids); err != nil {
			return nil, err
		}
	}
	out := make([]crawl.Page, len(ids))
	for i, id := range ids {
		f, ok := found[r.Docs.URL(id)]
		if !ok {
			return nil, fmt.Errorf("%s: the inputs of the run do not hold this page any more; lshclust info lists their paths and digests", r.Docs.URL(id))
		}
		out[i] = f.page
	}
	return out, nil
}

// Prefetch reads the pages of some documents at once and keeps them, so that [ReadPages] need not read the inputs again for
// each question. Nobody may ask the run meanwhile.
func Prefetch(ctx context.Context, r *Run, ids ...uint32) (err error) {
	r.read, err = pagesOf(ctx, r, ids)
	return err
}

// pagesOf reads the pages of some documents, as far as the inputs still hold them.
func pagesOf(ctx context.Context, r *Run, ids []uint32) (map[string]foundPage, error) {
	s := &pageSearch{r: r, wanted: map[string]uint32{}, found: map[string]foundPage{}}
	holds := map[string]bool{}
	for _, id := range ids {
		if !r.Docs.At(id).Crawled {
			return nil, r.NotCrawled(id)
		}
		s.wanted[r.Docs.URL(id)] = id
		holds[r.Input(id)] = true
	}
	for _, first := range []bool{true, false} {
		for _, in := range r.Manifest.Inputs {
			if holds[in.Path] != first || !first && len(s.found) == len(s.wanted) {
				continue
			}
			if err := s.scan(ctx, in.Path); err != nil {
				return nil, err
			}
		}
	}
	return s.found, nil
}

// pageSearch looks for the pages of documents by name.
type pageSearch struct {
	r      *Run
	wanted map[string]uint32
	found  map[string]foundPage
}

type foundPage struct {
	page crawl.Page
	own  bool // it has the input and the time of the document, so it is not another capture of the same content
}

// scan searches one input. If several captures may be the page of a document, the last one wins.
func (s *pageSearch) scan(ctx context.Context, path string) error {
	return eachPage(ctx, s.r, path, func(name string, p *crawl.Page) error {
		id, ok := s.wanted[name]
		d := s.r.Docs.At(id)
		if !ok || capture.Digest(p) != d.Digest {
			return nil
		}
		own := path == s.r.Input(id) && (p.Time.IsZero() && d.Time == 0 || !p.Time.IsZero() && p.Time.UnixMilli() == d.Time)
		if own || !s.found[name].own {
			s.found[name] = foundPage{*p, own}
		}
		return nil
	})
}

// IsSource reports whether a page of the inputs is the one whose links a document has. If a browser rendered its text,
// that is not the page with the digest.
func IsSource(r *Run, id uint32, p *crawl.Page) bool {
	if d := r.Docs.At(id); d.Rendered {
		return p.Rendered == crawl.NotRendered && capture.Millis(p.Time) == d.Time
	}
	return capture.Digest(p) == r.Docs.At(id).Digest
}

// EachPage reads all inputs of the run again and calls page for every page of a document of the run, in the order of
// the inputs. A URL that was captured twice is passed twice. EachPage skips damaged records and link rows. The page
// is valid until page returns.
func (r *Run) EachPage(ctx context.Context, page func(id uint32, p *crawl.Page) error) error {
	if r.SketchFile != "" {
		return fmt.Errorf("%s: a file of sketches holds no texts; name the run that it was made of", r.SketchFile)
	}
	for _, in := range r.Manifest.Inputs {
		err := eachPage(ctx, r, in.Path, func(name string, p *crawl.Page) error {
			if id, ok := r.Docs.Find(name); ok {
				return page(id, p)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachPage calls page with every page of an input and its name. It skips damaged records and link rows.
func eachPage(ctx context.Context, r *Run, path string, page func(name string, p *crawl.Page) error) error {
	src, err := OpenInput(r, path)
	if err != nil {
		return err
	}
	defer src.Close()
	for rec, err := range src.Records(ctx) {
		if _, skip := errors.AsType[*crawl.Skip](err); skip {
			continue
		}
		if err != nil {
			return err
		}
		p, err := rec.Page()
		if err != nil || p.OnlyLinks() {
			continue
		}
		if err := page(capture.Name(&p, r.Config.Captures == config.CapturesAll), &p); err != nil {
			return err
		}
	}
	return nil
}

// OpenInput opens an input with the settings of the run.
func OpenInput(r *Run, path string) (crawl.Source, error) {
	if path == "-" {
		return nil, errors.New("the run was read from standard input, and a run keeps no texts: they cannot be shown")
	}
	reading, err := r.Config.Reading()
	if err != nil {
		return nil, err
	}
	for _, in := range r.Manifest.Inputs {
		reading.Archives = append(reading.Archives, in.Path)
	}
	src, err := crawl.Open(path, reading)
	if err != nil {
		return nil, fmt.Errorf("the text of a page is read from the input of the run: %w", err)
	}
	return src, nil
}

// VisibleText returns the text of a page as it is compared with those of the run. The caller owns it.
func VisibleText(r *Run, page *crawl.Page) ([]byte, error) {
	parser, err := r.Parser()
	if err != nil {
		return nil, err
	}
	return slices.Clone(capture.Parse(parser, page).Text), nil
}
