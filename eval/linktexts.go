package eval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
)

// LinkTexts holds the texts around the links to one target of a directory.
type LinkTexts struct {
	URL     string   `json:"url"`
	Windows []string `json:"windows"` // empty if no page of the run links to the target
}

// ReadLinkTexts reads the inputs of a run again, or the given inputs in their place, and returns for each target of d the
// texts around the links to it, for programs that take texts and not bags. A text has the words that the configuration
// takes into a bag: the headings above the link, from the highest down, the anchor, and the window on both sides of it.
// Each page contributes one text to a target, the one around its first link to it. If there are more than most of them,
// ReadLinkTexts takes one from each host before it takes further ones, in the order of the inputs.
func ReadLinkTexts(ctx context.Context, r *query.Run, inputs []string, cfg config.Config, d *score.Directory, most int) ([]LinkTexts, error) {
	inputs = inputsOf(r, inputs)
	if slices.Contains(inputs, "-") {
		return nil, fmt.Errorf("%w: the run was made from standard input", ErrInputs)
	}
	reader, err := newWebReader(cfg, d, webOptions(r, 1))
	if err != nil {
		return nil, err
	}
	reader.read.Emit = func(*anchors.Record) error { return nil }
	c := textCollector{reader: reader, cfg: &cfg, most: most, of: make([]targetTexts, d.Len()), seen: map[uint64]bool{}}
	for _, in := range inputs {
		for b, err := range batches(ctx, in, reader.options) {
			if err == nil {
				err = c.batch(b)
			}
			if err = errors.Join(ctx.Err(), err); err != nil {
				return nil, err
			}
		}
	}
	if len(c.seen) == 0 {
		return nil, fmt.Errorf("%w: they hold no page of the run", ErrInputs)
	}
	out := make([]LinkTexts, d.Len())
	for i, t := range c.of {
		texts := slices.Concat(t.first, t.later)
		out[i] = LinkTexts{URL: d.URL(i), Windows: append([]string{}, texts[:min(most, len(texts))]...)}
	}
	return out, nil
}

// LinkingSentences returns for each target of d at most most of the linking sentences that the run has kept. They are
// shorter than windows, and no inputs are read.
func LinkingSentences(r *query.Run, d *score.Directory, most int) []LinkTexts {
	out := make([]LinkTexts, d.Len())
	for i := range out {
		out[i] = LinkTexts{URL: d.URL(i), Windows: []string{}}
		id, err := r.Lookup(d.URL(i))
		if err != nil {
			continue // not a document of the run
		}
		quotes := r.Quotes(id)
		for _, q := range quotes[:min(most, len(quotes))] {
			out[i].Windows = append(out[i].Windows, strings.TrimSpace(q.Before+" "+q.Anchor+" "+q.After))
		}
	}
	return out
}

// targetTexts holds the texts around the links to a target: those that are the first of their host, and others.
type targetTexts struct {
	hosts        []uint64 // hashes of the hosts of first
	first, later []string // at most as many as are wanted
}

// textCollector collects texts around links.
type textCollector struct {
	reader *webReader
	cfg    *config.Config
	most   int
	of     []targetTexts
	seen   map[uint64]bool // pages that were read
}

// batch reads the pages of a batch that the run has used.
func (c *textCollector) batch(b *pageBatch) error {
	return b.each(func(p *crawl.Page) error {
		name := tables.Hash(p.Canonical)
		if c.seen[name] || !c.reader.counts(p) {
			return nil
		}
		c.seen[name] = true
		return c.page(p)
	})
}

// page adds the texts of a page.
func (c *textCollector) page(p *crawl.Page) error {
	doc, targets, err := c.reader.parse(p)
	if err != nil {
		return err
	}
	host, linked := tables.Hash(urls.Host(p.Canonical)), map[int]bool{}
	for i, url := range targets {
		t, ok := c.reader.d.Index(url)
		if !ok || linked[t] {
			continue
		}
		linked[t] = true
		to := &c.of[t]
		switch other := slices.Contains(to.hosts, host); {
		case !other && len(to.first) < c.most:
			to.hosts, to.first = append(to.hosts, host), append(to.first, c.text(doc, &doc.Links[i]))
		case other && len(to.later) < c.most:
			to.later = append(to.later, c.text(doc, &doc.Links[i]))
		}
	}
	return nil
}

// text returns the words of the headings above a link, of the link, and of its window.
func (c *textCollector) text(doc *text.Doc, l *text.Link) string {
	at := len(doc.Heads) - 1
	for at >= 0 && doc.Heads[at].From > l.From {
		at--
	}
	var parts [][]byte
	for n := 0; n < c.cfg.Heads && at >= 0; n++ {
		parts = append(parts, between(doc, int(doc.Heads[at].From), int(doc.Heads[at].To)))
		at = doc.Heads[at].Above
	}
	slices.Reverse(parts)
	parts = append(parts, between(doc, int(l.From)-c.cfg.Window, int(l.To)+c.cfg.Window))
	return string(bytes.Join(bytes.Fields(bytes.Join(parts, []byte(" "))), []byte(" ")))
}

// between returns the text from one word to before another, within the page.
func between(doc *text.Doc, from, to int) []byte {
	from, to = max(from, 0), min(to, len(doc.Words))
	if from >= to {
		return nil
	}
	return doc.Text[doc.Words[from].From:doc.Words[to-1].To]
}
