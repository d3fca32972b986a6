package capture

import (
	"bytes"
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Reasons for ignoring a link.
const (
	ReasonSelfLink crawl.Reason = "self-link" // it links to its own page
	ReasonNoFollow crawl.Reason = "nofollow"  // its rel attribute says that it is not a recommendation

	ReasonTooManyLinks crawl.Reason = "too-many-links" // the page has more than text.MaxLinks
	ReasonTooManyWords crawl.Reason = "too-many-words" // unread words beyond text.MaxWords
)

// Reader turns captures into records: it parses a page, resolves its links and makes a fragment for every URL that the
// page links to. It is not safe for concurrent use.
//
// For a page, call [Reader.Parse], then [Reader.Redirect] and [Reader.Describe] if you need them, and
// [Reader.Fragments]; for link rows, call [Reader.DescribeLinks] and [Reader.LinkFragments]. Their results are valid
// until the next page.
type Reader struct {
	// Emit takes the records. It must not keep them.
	Emit func(*anchors.Record) error
	// Dropped counts the ignored links.
	Dropped *crawl.Ledger

	// Fragments of links so far, and links to a page in other languages.
	Links, Alternates int64
	// Link rows so far, with words around the link and without.
	Surrounded, Bare int64

	config  *config.Config
	rules   *urls.Rules
	parser  text.Parser
	extract *anchors.Extractor
	rec     anchors.Record
	targets []string
	kept    scratch.Strings // of targets
	url     []byte
	opening []byte
	room    *scratch.Pool // for large buffers; nil for memory
}

// NewReader returns a reader for a valid configuration. The caller sets Emit.
func NewReader(c *config.Config) (*Reader, error) {
	vocabulary, err := text.NewVocabulary(c.TextAnalysis())
	if err != nil {
		return nil, err
	}
	r, err := NewTermlessReader(c)
	if err != nil {
		return nil, err
	}
	r.parser, r.extract = text.Parser{Vocabulary: vocabulary}, anchors.NewExtractor(c.AnchorWindow())
	return r, nil
}

// NewTermlessReader returns a reader for runs without the topical view. Its records have no terms, so it needs neither
// a vocabulary nor the windows around links. Everything else in them is as with NewReader: targets, linking sentences,
// titles, languages, numbers of words.
func NewTermlessReader(c *config.Config) (*Reader, error) {
	rules, err := c.Rules()
	if err != nil {
		return nil, err
	}
	guessing, among := c.TextAnalysis().Guesses()
	return &Reader{
		Dropped: &crawl.Ledger{}, config: c, rules: rules,
		parser: text.Parser{Guessing: guessing, Among: among}, extract: new(anchors.Extractor),
	}, nil
}

// Vocabulary returns the vocabulary of all words so far, or nil if the reader makes no terms. A caller that does not
// need the words should empty it when it is full.
func (r *Reader) Vocabulary() *text.Vocabulary { return r.parser.Vocabulary }

// Use makes the reader take large buffers from room. Call Release after each page, before freeing room.
func (r *Reader) Use(room *scratch.Pool) {
	r.room, r.kept.Room = room, room
	r.parser.Use(room)
	r.extract.Use(room)
}

// Release drops the last page's buffers from the room.
func (r *Reader) Release() {
	r.extract.Release()
	if r.room.Large() {
		r.rec = anchors.Record{}
		clear(r.targets[:cap(r.targets)])
	}
	r.kept.Reset()
	r.parser.Release()
}

// Name returns the name of the document that a page becomes.
func (r *Reader) Name(p *crawl.Page) string { return Name(p, r.config.Captures == config.CapturesAll) }

// Parse returns the content of a page, which its digest is made from, and its parsed form, which is empty for a set of
// features.
func (r *Reader) Parse(p *crawl.Page) (content []byte, doc *text.Doc) {
	if r.Vocabulary() == nil && p.HTML == nil && p.Text != nil {
		doc = r.parser.Count(p.Text)
		doc.Title = append(doc.Title, p.Title...)
		return p.Text, doc
	}
	return Content(p), Parse(&r.parser, p)
}

// Describe sets p.Canonical to the name of a parsed page and returns the record that describes the page. The caller may
// change the record before it calls Fragments.
func (r *Reader) Describe(p *crawl.Page, content []byte, doc *text.Doc, number Number) *anchors.Record {
	canonical, languages := r.canonical(p, doc), r.languages(p, doc)
	seen := r.rules.AsCrawled(p.URL, p.Canonical)
	p.Canonical = r.Name(p)
	r.rec = anchors.Record{
		Kind: anchors.OfPage, Capture: uint64(number), Source: Hash(p.Canonical), Host: xxh3.HashString(urls.Host(p.Canonical)),
		Page: anchors.Page{
			Title: doc.Title, Seen: []byte(seen), Time: Millis(p.Time), Digest: xxh3.Hash(content),
			Tokens: uint64(len(doc.Words) + doc.Counted), Bytes: uint64(len(content)),
			Language: text.LanguageNumber(doc.Language), NoIndex: doc.Meta.NoIndex || text.NoIndex(p.Robots),
			NoSnippet: doc.Meta.NoSnippet || text.NoSnippet(p.Robots),
			Canonical: canonical, Languages: languages,
		},
	}
	if p := &r.rec.Page; !p.NoIndex && !p.NoSnippet {
		r.opening = doc.Opening(r.opening)
		p.Opening, p.Heads = r.opening, doc.Headings()
	}
	r.Alternates += int64(len(doc.Meta.Alternates))
	r.Dropped.AddReason(ReasonTooManyLinks, int64(doc.CutLinks))
	r.Dropped.AddReason(ReasonTooManyWords, int64(doc.CutWords))
	return &r.rec
}

// Tells returns what tells a parsed page apart from others with its name, given the digest of its content.
func (r *Reader) Tells(p *crawl.Page, digest uint64, doc *text.Doc) Tells {
	if p.HTML != nil { // of which much may differ but the text
		digest = xxh3.Hash(doc.Text)
	}
	return Tells{TextOf(digest), r.rules.Trace(p.URL, p.Canonical)}
}

// canonical returns the canonical form of the canonical link of a page, or nil if it has none or links to itself.
func (r *Reader) canonical(p *crawl.Page, doc *text.Doc) []byte {
	if doc.Meta.Canonical == "" {
		return nil
	}
	to, err := r.rules.Redirect(p.URL, doc.Base, doc.Meta.Canonical, p.Time)
	if err != nil {
		return nil
	}
	return []byte(to.To)
}

// languages returns the canonical URLs that the page gives for other languages, as sorted lines of language, blank,
// URL.
func (r *Reader) languages(p *crawl.Page, doc *text.Doc) []byte {
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

// maxLanguageTag is the length of the longest sensible language tag (RFC 5646, 4.4.1).
const maxLanguageTag = 35

// Redirect returns the redirect of a parsed page; most pages have none. Call it before Describe names the page, because
// redirects concern URLs, not captures.
func (r *Reader) Redirect(p *crawl.Page, doc *text.Doc, number Number) Redirect {
	refresh, canonical := cmp.Or(text.Refresh(p.Refresh), doc.Meta.Refresh, doc.Unscripted()), ""
	if r.config.Canonical == config.CanonicalTrust {
		canonical = doc.Meta.Canonical
	}
	for _, at := range [...]struct {
		location string
		by       RedirectBy
	}{{refresh, ByRefresh}, {canonical, ByCanonical}} {
		if at.location == "" {
			continue
		}
		if to, err := r.rules.Redirect(p.URL, doc.Base, at.location, p.Time); err == nil {
			return RedirectOf(to, at.by, number)
		}
	}
	return Redirect{Hash: Hash(p.Canonical), Order: Order{Millis(p.Time), number}}
}

// Fragments emits the records of a named page: what the page contributes to its own document, and one record for every
// URL that it links to. It returns for each link of doc the canonical URL to which the link counts, or "" for an
// ignored link.
func (r *Reader) Fragments(p *crawl.Page, doc *text.Doc) (targets []string, err error) {
	if err := r.own(p, doc); err != nil {
		return nil, err
	}
	if err := r.resolve(p, doc); err != nil {
		return nil, err
	}
	r.rec.Kind, r.rec.Content = anchors.OfLink, nil
	return r.targets, r.extract.Links(doc, r.targets, r.fragment)
}

// own emits the contribution of the page to its own document.
func (r *Reader) own(p *crawl.Page, doc *text.Doc) error {
	r.rec.TargetHash, r.rec.Target = r.rec.Source, []byte(p.Canonical)
	if likely := slices.Clone(doc.Likely); len(likely) > 0 {
		for _, r.parser.Language = range likely {
			r.terms(p, Parse(&r.parser, p))
			r.rec.Likely = append(r.rec.Likely, anchors.Likely{
				Language: text.LanguageNumber(r.parser.Language), Terms: slices.Clone(r.rec.Terms), Content: slices.Clone(r.rec.Content),
			})
		}
		r.parser.Language = ""
		Parse(&r.parser, p) // doc again
	}
	r.terms(p, doc)
	return r.Emit(&r.rec)
}

// terms sets the terms and the content of the record of a page.
func (r *Reader) terms(p *crawl.Page, doc *text.Doc) {
	switch {
	case r.Vocabulary() == nil:
	case r.config.Bags == config.FromContent:
		r.rec.Terms = r.Content(doc)
	case r.config.Title && !r.namesItself(p, doc.Title):
		r.rec.Terms = r.title()
	}
	if r.Vocabulary() != nil && r.config.Bags == config.FromBoth && r.rec.Page.Label == anchors.Content {
		r.rec.Content = ofContent(r.extract.Content(doc))
	}
}

// Content returns the terms of the whole text of the last parsed page, including its title.
func (r *Reader) Content(doc *text.Doc) []bags.Weighted {
	return ofContent(r.extract.Own(r.parser.TitleWords(), doc.Words))
}

// title returns the terms of the title of the last parsed page.
func (r *Reader) title() []bags.Weighted {
	terms := r.extract.Own(r.parser.TitleWords())
	if r.config.Bags == config.FromLinks {
		return terms
	}
	return ofContent(terms)
}

// ofContent makes terms to terms of content, in place.
func ofContent(terms []bags.Weighted) []bags.Weighted {
	for i := range terms {
		terms[i].Term = terms[i].Term.OfContent()
	}
	return terms
}

// namesItself reports whether a title is only the URL of its page. Generators write such titles for lack of a better
// one, and the words of host and folder would make thousands of pages alike.
func (r *Reader) namesItself(p *crawl.Page, title []byte) bool {
	if !bytes.Contains(title, []byte("://")) {
		return false
	}
	url, err := r.rules.Canonical(string(title))
	return err == nil && strings.HasPrefix(p.Canonical, url)
}

// resolve sets targets to the canonical URLs of the links that count.
func (r *Reader) resolve(p *crawl.Page, doc *text.Doc) error {
	r.targets = r.targets[:0]
	if len(doc.Links) == 0 {
		return nil
	}
	base, err := urls.Base(p.URL, doc.Base)
	if err != nil {
		r.Dropped.AddReason("link-"+record.ReasonBadURL, int64(len(doc.Links)))
		return nil
	}
	for _, l := range doc.Links {
		target, err := r.target(p, base, l.Href, l.Rel)
		if err != nil {
			return err
		}
		if l.Embedded && urls.Host(target) != urls.Host(p.Canonical) {
			target = "" // a video, a map or an advertisement
		}
		r.targets = append(r.targets, r.kept.Keep(target))
	}
	return nil
}

// target returns the canonical URL of the document that a link points at, or "" for an ignored link, which it counts in
// Dropped.
func (r *Reader) target(p *crawl.Page, base *url.URL, href, rel string) (string, error) {
	t, err := r.rules.Resolve(base, href)
	var reason urls.Error
	switch {
	case errors.As(err, &reason):
		r.Dropped.AddReason("link-"+crawl.Reason(reason), 1)
		return "", nil
	case err != nil:
		return "", err
	case t == p.Canonical:
		r.Dropped.AddReason(ReasonSelfLink, 1)
		return "", nil
	case !r.config.NoFollow && text.NoFollow(rel):
		r.Dropped.AddReason(ReasonNoFollow, 1)
		return "", nil
	}
	return t, nil
}

// fragment emits the contribution of the current page to one target.
func (r *Reader) fragment(f *anchors.Fragment) error {
	r.Links++
	r.rec.TargetHash, r.rec.Target = Hash(f.Target), append(r.rec.Target[:0], f.Target...)
	r.rec.Terms, r.rec.Before, r.rec.Anchor, r.rec.After, r.rec.Head = nil, nil, nil, nil, 0
	if r.config.Bags != config.FromContent {
		r.rec.Terms, r.rec.Before, r.rec.Anchor, r.rec.After, r.rec.Head = f.Terms, f.Before, f.Anchor, f.After, f.Head
		if r.config.URLWords && r.Vocabulary() != nil {
			r.rec.Terms = r.withURL(f)
		}
	}
	return r.Emit(&r.rec)
}

// withURL adds the words of the target's URL, each once, to the terms of a fragment.
func (r *Reader) withURL(f *anchors.Fragment) []bags.Weighted {
	_, rest, _ := strings.Cut(f.Target, "://")
	r.url = append(r.url[:0], rest...)
	return r.extract.With(f.Terms, r.parser.Words(r.url))
}
