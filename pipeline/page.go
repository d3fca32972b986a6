package pipeline

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
	"github.com/zeebo/xxh3"
)

// Reasons for which a link does not count.
const (
	reasonSelfLink crawl.Reason = "self-link" // a page's links to itself count for nothing
	reasonNoFollow crawl.Reason = "nofollow"  // rel says that it is no recommendation

	reasonTooManyLinks crawl.Reason = "too-many-links" // of a page, beyond text.MaxLinks
	reasonTooManyWords crawl.Reason = "too-many-words" // of a page, beyond text.MaxWords
)

// pageReader is the read stage of one worker: records to pages to fragments.
type pageReader struct {
	config   *config.Config
	rules    *urls.Rules
	parser   text.Parser
	extract  *anchors.Extractor
	out      fragmentSink
	words    *wordSpill
	capture  *extsort.Appender
	places   *extsort.Appender
	shorts   *extsort.Appender
	revisits *revisits
	moves    *redirects
	claims   partitionWriter // of the redirects
	key      []byte
	targets  []string
	kept     scratch.Strings // of targets
	room     *scratch.Pool   // of what is large of a page; nil: memory
	url      []byte
	rec      anchors.Record
	shingle  *pageShingler // nil without the syntactic view
	dropped  drops
	pages    int64
	bytes    int64
	links    int64

	alternates int64 // hreflang

	part             part  // the capture to which the last row of a links table belongs
	surrounded, bare int64 // links that were given with and without words around them
}

// fragmentSink takes the current record. encode appends its bytes, at most bound.
type fragmentSink interface {
	add(hash uint64, bound int, encode func(dst []byte) []byte) error
	close() error
}

func newPageReader(b *build, files, shingled *partitions, s *spill) (*pageReader, error) {
	r, err := emptyPageReader(&b.config)
	if err != nil {
		return nil, err
	}
	if shingled != nil {
		if r.shingle, err = newPageShingler(b.config, shingled); err != nil {
			return nil, err
		}
	}
	out := newPartitionWriter(files)
	r.out, r.words, r.capture = &out, s.wordSpill(), s.captures.Appender()
	r.use(b.space().Pool())
	out.room = r.room
	r.parser.Vocabulary.Bound(b.memory/int64(8*b.workers), func() error { return r.words.drain(r.parser.Vocabulary) })
	r.shorts = s.shorts.Appender()
	r.places, r.revisits, r.dropped = s.revisits.sorter.Appender(), &s.revisits, s.dropped.drops()
	r.moves, r.claims = &s.redirects, newPartitionWriter(s.redirects.partitions)
	return r, nil
}

// emptyPageReader returns a reader that has nowhere to write to yet.
func emptyPageReader(c *config.Config) (*pageReader, error) {
	rules, err := c.Rules()
	if err != nil {
		return nil, err
	}
	vocabulary, err := text.NewVocabulary(c.TextAnalysis())
	if err != nil {
		return nil, err
	}
	return &pageReader{
		config: c, rules: rules,
		parser: text.Parser{Vocabulary: vocabulary}, extract: anchors.NewExtractor(c.AnchorWindow()),
	}, nil
}

func (r *pageReader) run(ctx context.Context, in <-chan batch) error {
	for b := range in {
		for i, rec := range b.records {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := r.record(rec, b.first+recordNumber(i))
			b.records[i] = nil
			rec.Release()
			if err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// record reads one record.
func (r *pageReader) record(rec *crawl.Record, number recordNumber) error {
	if later, err := r.revisit(rec, number); later || err != nil {
		return err
	}
	page, err := rec.Page()
	if err != nil {
		if e := r.dropped.add(err); e != nil {
			return e
		}
		return r.noPage(rec, err, number)
	}
	return errors.Join(r.dropped.page(&page), r.original(rec, number), r.page(&page, number))
}

// use makes the reader take large buffers from room.
func (r *pageReader) use(room *scratch.Pool) {
	r.room, r.kept.Room = room, room
	r.parser.Use(room)
	r.extract.Use(room)
	if r.shingle != nil {
		r.shingle.use(room)
	}
}

// release frees the large buffers of the last page.
func (r *pageReader) release() {
	if r.shingle != nil {
		r.shingle.release()
	}
	if r.extract.Release(); r.room.Large() {
		r.rec = anchors.Record{}
		clear(r.targets[:cap(r.targets)])
	}
	r.kept.Reset()
	r.parser.Release()
}

// noPage notes what a record that holds no page tells all the same.
func (r *pageReader) noPage(rec *crawl.Record, err error, number recordNumber) error {
	var skip *crawl.Skip
	switch {
	case errors.Is(err, crawl.ReasonNotSelected):
		return r.original(rec, number)
	case errors.As(err, &skip) && skip.Redirect != nil:
		return r.redirect(*skip.Redirect, tables.ByHTTP, number)
	}
	return nil
}

// finish writes what is still in memory.
func (r *pageReader) finish() error {
	if err := errors.Join(r.out.close(), r.claims.close()); err != nil {
		return err
	}
	if r.shingle != nil {
		if err := r.shingle.out.close(); err != nil {
			return err
		}
	}
	if err := errors.Join(r.words.drain(r.parser.Vocabulary), r.endPart()); err != nil {
		return err
	}
	return errors.Join(r.capture.Close(), r.shorts.Close(), r.dropped.close())
}

// page makes the fragments of one page.
func (r *pageReader) page(p *crawl.Page, number recordNumber) error {
	defer r.release()
	if p.Links != nil {
		return r.given(p, number)
	}
	if p.Rendered != crawl.NotRendered && r.config.Captures == config.CapturesAll {
		return r.dropped.add(&crawl.Skip{Pos: p.Pos, Reason: reasonRendered, URL: p.Canonical})
	}
	content, doc := r.parse(p)
	if err := r.leads(p, doc, number); err != nil {
		return err
	}
	p.Canonical = r.name(p)
	r.pages++
	r.bytes += int64(len(content))
	r.rec = anchors.Record{
		Kind: anchors.OfPage, Capture: uint64(number), Source: tables.Hash(p.Canonical), Host: xxh3.HashString(urls.Host(p.Canonical)),
		Page: anchors.Page{
			Title: doc.Title, Time: millis(p.Time), Digest: xxh3.Hash(content),
			Tokens: uint64(len(doc.Words)), Bytes: uint64(len(content)),
			Language: text.LanguageNumber(doc.Language), Label: labelOf(p, doc), NoIndex: doc.Meta.NoIndex || text.NoIndex(p.Robots),
			Canonical: r.canonical(p, doc), Languages: r.languages(p, doc),
		},
	}
	r.alternates += int64(len(doc.Meta.Alternates))
	r.dropped.AddReason(reasonTooManyLinks, int64(doc.CutLinks))
	r.dropped.AddReason(reasonTooManyWords, int64(doc.CutWords))
	if err := r.short(p, doc); err != nil {
		return err
	}
	if r.shingle != nil {
		if err := r.shingle.page(&r.rec, p, content, doc.Text); err != nil {
			return err
		}
	}
	order := captureOrder{captureTime(r.rec.Page.Time, p.Rendered != crawl.NotRendered), number}
	r.key = captureRecord(r.key[:0], r.rec.Source, order, r.rec.Capture)
	if err := r.capture.Append(r.key); err != nil {
		return err
	}
	if err := r.own(p, doc); err != nil {
		return err
	}
	if err := r.resolve(p, doc); err != nil {
		return err
	}
	if err := r.linked(doc); err != nil {
		return err
	}
	return r.drain()
}

// drain empties a vocabulary that is full.
func (r *pageReader) drain() error {
	if err := r.parser.Vocabulary.Err(); err != nil || !r.parser.Vocabulary.Full() {
		return err
	}
	return r.words.drain(r.parser.Vocabulary)
}

// canonical is the canonical URL of what a page names as its canonical form, nil for none and for its own.
func (r *pageReader) canonical(p *crawl.Page, doc *text.Doc) []byte {
	if doc.Meta.Canonical == "" {
		return nil
	}
	to, err := r.rules.Redirect(p.URL, doc.Base, doc.Meta.Canonical, p.Time)
	if err != nil {
		return nil
	}
	return []byte(to.To)
}

// languages are the canonical URLs under which a page says that it is in other languages, each with the language, as lines
// in order.
func (r *pageReader) languages(p *crawl.Page, doc *text.Doc) []byte {
	if len(doc.Meta.Alternates) == 0 {
		return nil
	}
	base, err := urls.Base(p.URL, doc.Base)
	if err != nil {
		return nil
	}
	own, _ := r.rules.Canonical(p.URL)
	var lines []string
	for _, a := range doc.Meta.Alternates {
		lang := strings.ToLower(strings.Join(strings.Fields(a.Lang), "-"))
		if url, err := r.rules.Resolve(base, a.Href); err == nil && url != own && lang != "" && len(lang) <= maxLanguageTag {
			lines = append(lines, lang+" "+url)
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(slices.Compact(lines), "\n"))
}

// maxLanguageTag is the length of the longest tag of a language that means something (RFC 5646, 4.4.1).
const maxLanguageTag = 35

// parse returns the bytes that make the page and its flat form, which is empty for a set of features.
func (r *pageReader) parse(p *crawl.Page) (content []byte, doc *text.Doc) {
	return capture.Content(p), capture.Parse(&r.parser, p)
}

// own writes what the page says of itself.
func (r *pageReader) own(p *crawl.Page, doc *text.Doc) error {
	r.rec.TargetHash, r.rec.Target = r.rec.Source, []byte(p.Canonical)
	switch {
	case r.config.Bags == config.FromContent:
		r.rec.Terms = r.content(doc)
	case r.config.Title && !r.namesItself(p, doc.Title):
		r.rec.Terms = r.extract.Own(r.parser.TitleWords())
	}
	return r.out.add(r.rec.TargetHash, r.rec.Bound(), r.rec.Append)
}

// namesItself tells whether a title is but the page's own URL, as generators write that know no better: thousands of
// such pages would be alike for the words of their host and folder.
func (r *pageReader) namesItself(p *crawl.Page, title []byte) bool {
	if !bytes.Contains(title, []byte("://")) {
		return false
	}
	url, err := r.rules.Canonical(string(title))
	return err == nil && strings.HasPrefix(p.Canonical, url)
}

// content returns the terms of all that the page says.
func (r *pageReader) content(doc *text.Doc) []bags.Weighted {
	return r.extract.Own(r.parser.TitleWords(), doc.Words)
}

// linked writes what the page says of the URLs that it links to.
func (r *pageReader) linked(doc *text.Doc) error {
	r.rec.Kind = anchors.OfLink
	return r.extract.Links(doc, r.targets, r.fragment)
}

// fragment writes what the page at hand says of one target.
func (r *pageReader) fragment(f *anchors.Fragment) error {
	r.links++
	r.rec.TargetHash, r.rec.Target = tables.Hash(f.Target), append(r.rec.Target[:0], f.Target...)
	r.rec.Terms, r.rec.Before, r.rec.Anchor, r.rec.After = nil, nil, nil, nil
	if r.config.Bags == config.FromAnchors {
		r.rec.Terms, r.rec.Before, r.rec.Anchor, r.rec.After = f.Terms, f.Before, f.Anchor, f.After
		if r.config.URLWords {
			r.rec.Terms = r.withURL(f)
		}
	}
	return r.out.add(r.rec.TargetHash, r.rec.Bound(), r.rec.Append)
}

// resolve sets targets to the canonical URL of every link that counts.
func (r *pageReader) resolve(p *crawl.Page, doc *text.Doc) error {
	r.targets = r.targets[:0]
	base, err := urls.Base(p.URL, doc.Base)
	if err != nil {
		r.dropped.AddReason("link-"+crawl.ReasonBadURL, int64(len(doc.Links)))
		return nil
	}
	for _, l := range doc.Links {
		target, err := r.target(p, base, l.Href, l.Rel)
		if err != nil {
			return err
		}
		r.targets = append(r.targets, r.kept.Keep(target))
	}
	return nil
}

// target is the canonical URL of a link, "" for one that does not count, which is put on the list of what is left out.
func (r *pageReader) target(p *crawl.Page, base *url.URL, href, rel string) (string, error) {
	t, err := r.rules.Resolve(base, href)
	var reason urls.Error
	switch {
	case errors.As(err, &reason):
		r.dropped.AddReason("link-"+crawl.Reason(reason), 1)
	case err != nil:
		return "", err
	case t == p.Canonical:
		r.dropped.AddReason(reasonSelfLink, 1)
	case !r.config.NoFollow && text.NoFollow(rel):
		r.dropped.AddReason(reasonNoFollow, 1)
	default:
		return t, nil
	}
	return "", nil
}

// millis is a time as the tables hold it: milliseconds since 1970, 0 when unknown.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// withURL adds the words of the target's URL, each once, to the terms of a fragment.
func (r *pageReader) withURL(f *anchors.Fragment) []bags.Weighted {
	_, rest, _ := strings.Cut(f.Target, "://")
	r.url = append(r.url[:0], rest...)
	return r.extract.With(f.Terms, r.parser.Words(r.url))
}

// name returns the name of a page in the run.
func (r *pageReader) name(p *crawl.Page) string {
	return capture.Name(p, r.config.Captures == config.CapturesAll)
}
