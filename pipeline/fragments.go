package pipeline

import (
	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/text"
)

// Fragments takes pages apart as the read stage of a run does, for measurements that need what was said of some URLs
// once more: a run keeps the weighted bags alone. Not safe for concurrent use.
type Fragments struct {
	r      *pageReader
	wanted func(url string) bool
	leads  func(url string) string
	doc    *text.Doc
}

// NewFragments returns a reader by a configuration. wanted tells of which canonical URLs fragments are made, and leads where
// the links to a URL count, if not nil.
func NewFragments(c config.Config, wanted func(url string) bool, leads func(url string) string) (*Fragments, error) {
	r, err := emptyPageReader(&c)
	if err != nil {
		return nil, err
	}
	return &Fragments{r: r, wanted: wanted, leads: leads}, nil
}

// Page gives the fragments of one page, its own (OfPage) first, and sets p.Canonical to its name in the run. targets[i]
// is the canonical URL of doc.Links[i], "" if that link does not count or is not wanted. All that it returns and gives
// is valid until the next page.
func (f *Fragments) Page(p *crawl.Page, fragment func(*anchors.Record) error) (doc *text.Doc, targets []string, err error) {
	r := f.r
	if r.parser.Vocabulary.Full() {
		forget(r.parser.Vocabulary)
	}
	_, f.doc = r.parse(p)
	p.Canonical = r.name(p)
	r.out = recordSink{&r.rec, fragment}
	r.rec = anchors.Record{Kind: anchors.OfPage, Source: tables.Hash(p.Canonical)}
	if f.wanted(p.Canonical) {
		if err := r.own(p, f.doc); err != nil {
			return nil, nil, err
		}
	}
	if err := r.resolve(p, f.doc); err != nil {
		return nil, nil, err
	}
	for i, t := range r.targets {
		if f.leads != nil && t != "" {
			if t = f.leads(t); t == p.Canonical {
				t = ""
			}
			r.targets[i] = t
		}
		if t != "" && !f.wanted(t) {
			r.targets[i] = ""
		}
	}
	return f.doc, r.targets, r.linked(f.doc)
}

// Content returns the terms of all that the last page says, its title included. It is valid until the next call of any
// method.
func (f *Fragments) Content() []bags.Weighted { return f.r.content(f.doc) }

// recordSink hands records on as they are.
type recordSink struct {
	rec      *anchors.Record
	fragment func(*anchors.Record) error
}

func (s recordSink) add(uint64, int, func([]byte) []byte) error { return s.fragment(s.rec) }
func (s recordSink) close() error                               { return nil }

// forget empties a vocabulary whose words nobody will ask for.
func forget(v *text.Vocabulary) {
	v.Drain(func(bags.Term, string, uint64) error { return nil }) //nolint:errcheck // the function returns none
}
