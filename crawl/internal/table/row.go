package table

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// featureBytes is the approximate memory of a feature without its text.
const featureBytes = 64

// PageOf returns the page of a row or an object. rows says whether it describes a page or a link.
func PageOf(r *record.Record, v *Values, rows meaning) (record.Page, error) {
	v.dropNulls()
	if r.Opts.TextsOnly {
		return textOf(r, v)
	}
	if rows == linkRows {
		return linkOf(r, v)
	}
	url := v.name(r.Opts.Map)
	if rows == textRows && url == "" {
		url = fmt.Sprintf("%s#%d", r.Opts.ShortName(r.Pos.File), r.Pos.Record)
	}
	at := v.timeOf(r, url)
	p := record.Page{Pos: r.Pos, URL: url, Charset: "utf-8", Time: at, Status: v.statusOf(), Warnings: r.Notes}
	if !r.Opts.Select.WantsStatus(p.Status) {
		return record.Page{}, r.Unwanted(&p, payload.Trimmed(v.url(fieldRedirect)))
	}
	switch {
	case v.has(fieldHTML), v.has(fieldText), v.has(fieldContent):
		if err := v.content(r, &p); err != nil {
			return record.Page{}, err
		}
	case v.has(fieldFeatures):
		list := v.Of[fieldFeatures]
		if err := r.Opts.Needs(4*int64(len(list))+featureBytes*int64(bytes.Count(list, []byte(","))), r.Pos, "a list of features"); err != nil {
			return record.Page{}, r.Skip(record.ReasonBadJSON, p.URL, err)
		}
		var err error
		if p.Features, err = parseFeatures(v.Of[fieldFeatures], &r.Room); err != nil {
			return record.Page{}, r.Skip(record.ReasonBadJSON, p.URL, err)
		}
	case v.has(fieldLinks): // a page of links alone
	case v.has(fieldRedirect):
		return record.Page{}, r.Redirected(p.URL, payload.Trimmed(v.url(fieldRedirect)), p.Time, record.ReasonEmptyPage, "redirect")
	default:
		return record.Page{}, r.Skip(record.ReasonEmptyPage, p.URL, nil)
	}
	if p.Text != nil {
		p.Title = payload.Folded(payload.Decode(v.first(fieldTitle), p.Charset))
	}
	if p.HTML == nil && p.Features == nil && v.has(fieldLinks) {
		var err error
		if p.Links, err = pageLinks(r, v.Of[fieldLinks]); err != nil {
			return record.Page{}, r.Skip(record.ReasonBadJSON, p.URL, err)
		}
	}
	return r.IdentifyAny(p)
}

// content sets the markup or the text of a page.
func (v *Values) content(r *record.Record, p *record.Page) error {
	body, said := v.Of[fieldHTML], "html"
	switch {
	case len(body) > 0:
	case v.has(fieldText):
		body, said = v.Of[fieldText], "text"
	default:
		body, said = v.Of[fieldContent], "content"
	}
	body = unwrapped(&r.Room, body)
	if said != "text" {
		body = r.Unpack(body)
	}
	if err := r.CheckText(p, body, said); err != nil && !r.Opts.TextsOnly {
		return err
	}
	p.Text = r.DecodeText(p, body, "")
	if said == "html" || said == "content" && payload.SniffHTML(p.Text) {
		p.HTML, p.Text = p.Text, nil
	}
	return nil
}

// linkOf turns a link row into the page that contains the link. The page has only this link.
func linkOf(r *record.Record, v *Values) (record.Page, error) {
	source, target := payload.Trimmed(v.url(FieldSource)), payload.Trimmed(v.url(FieldTarget))
	if v.Of[FieldSource] == nil {
		source = payload.Trimmed(v.url(fieldURL))
	}
	kind, is := v.kind()
	if is == noLink {
		return record.Page{}, r.Skip(record.ReasonNotLink, target, fmt.Errorf("type %q", record.Clip(kind, 40)))
	}
	if source == "" || target == "" {
		return record.Page{}, r.Skip(record.ReasonNoURL, cmp.Or(source, target), errors.New("a link needs a source and a target"))
	}
	if url := withScheme(source); url != source {
		source, target = url, withScheme(target)
	}
	at := v.timeOf(r, source)
	if is == redirect {
		return record.Page{}, r.Redirected(source, target, at, record.ReasonNotLink, record.Clip(kind, 40))
	}
	l := linkIn(v, kind, r.Data)
	l.Target = target
	return r.IdentifyAny(record.Page{Pos: r.Pos, URL: source, Time: at, Charset: "utf-8",
		Links: []record.Link{l}, Part: true, Warnings: r.Notes})
}

// linkIn returns the link that values of a kind describe. The bytes around them show the charset if they are not UTF-8.
func linkIn(v *Values, kind string, context []byte) record.Link {
	anchor := v.first(FieldAnchor)
	if len(bytes.TrimSpace(anchor)) == 0 {
		anchor = v.first(fieldAlt)
	}
	before := v.Of[fieldBefore]
	before = before[max(0, len(before)-payload.MaxAside):]
	after, charset := v.first(fieldAfter), "utf-8"
	if !utf8.Valid(anchor) || !utf8.Valid(before) || !utf8.Valid(after) {
		_, charset, _ = payload.ToUTF8(context, "")
	}
	text := func(b []byte) string { return string(payload.Decode(b, charset)) }
	l := record.Link{Target: payload.Trimmed(v.url(FieldTarget)),
		Anchor: text(anchor), Before: text(before), After: text(after), Rel: payload.ValidString(v.first(fieldRel))}
	l.Rel = strings.TrimSpace(l.Rel + v.rel(kind))
	return l
}

// withScheme adds a scheme to a URL that begins with its host, which is common in link data.
func withScheme(s string) string {
	host, _, _ := strings.Cut(s, "/")
	if !urls.IsHostName(host) {
		return s
	}
	return "https://" + s
}

// A text may come with a list of its links. Scrapers write them as strings, as objects such as {"href": …, "text": …},
// or in lists by kind: {"internal": […], "external": […]}. The words around such a link are those of its anchor.

// maxLinks is the maximum number of links in a list, as on a page of HTML.
const maxLinks = 1 << 17

// linkBytes is the approximate memory of a link without its text.
const linkBytes = 256

var linkNames = namesOf(map[Field]string{
	FieldTarget: "href url link target uri targeturl to absoluteurl", FieldAnchor: "text anchor anchortext linktext label title",
	fieldRel: "rel", fieldNoFollow: "nofollow", fieldBefore: "before", fieldAfter: "after",
})

var errManyLinks = errors.New("too many links")

// pageLinks reads the links of a page. It ignores what is no link. The error is about memory.
func pageLinks(r *record.Record, raw []byte) ([]record.Link, error) {
	n := min(int64(bytes.Count(raw, []byte(`"`))/2), maxLinks)
	if err := r.Opts.Needs(2*int64(len(raw))+linkBytes*n, r.Pos, "a list of links"); err != nil {
		return nil, err
	}
	links := []record.Link{}
	in := readerOf(raw, &r.Room)
	defer in.done()
	_ = in.links(&links, 1) // the syntax was checked with that of the object
	return links, nil
}

// links reads a list of links, or an object of such lists.
func (r *lineReader) links(to *[]record.Link, depth int) error {
	switch kind := r.PeekKind(); {
	case kind == '{' && depth > 0:
		return r.members(func([]byte) error { return r.links(to, depth-1) })
	case kind != '[':
		return r.SkipValue()
	}
	return r.elements(func() (err error) {
		if len(*to) == maxLinks {
			return errManyLinks
		}
		var v Values
		switch r.PeekKind() {
		case '"':
			var raw jsontext.Value
			if raw, err = r.ReadValue(); err == nil {
				v.Of[FieldTarget] = r.text(raw)
			}
		case '{':
			err = r.object(&v, linkNames)
		default:
			err = r.SkipValue()
		}
		if err == nil && v.has(FieldTarget) {
			*to = append(*to, linkIn(&v, "", v.Of[FieldAnchor]))
		}
		return err
	})
}

// linkKind says what a row of a table of links is about.
type linkKind int

const (
	hyperlink linkKind = iota
	redirect
	noLink // an image, a style sheet, a script, a frame, a mention, a link that is gone
)

// linkKinds holds the types of rows that are hyperlinks or redirects, as crawlers and sellers of link data write them.
// Names are in the form of plainName. Rows of other types are not links.
var linkKinds = map[string]linkKind{
	"hyperlink": hyperlink, "href": hyperlink, "ahref": hyperlink, "a": hyperlink, "link": hyperlink, "text": hyperlink, "textlink": hyperlink,
	"imagelink": hyperlink, "image": hyperlink, "follow": hyperlink, "dofollow": hyperlink, "nofollow": hyperlink, "ugc": hyperlink, "sponsored": hyperlink,
	"internal": hyperlink, "external": hyperlink, "nav": hyperlink, "content": hyperlink,
	"hipervínculo": hyperlink, "hyperlien": hyperlink, "collegamentoipertestuale": hyperlink,
	"httpredirect": redirect, "metarefresh": redirect, "javascriptredirect": redirect, "hstspolicy": redirect, "redirect": redirect,
	"301": redirect, "302": redirect, "303": redirect, "307": redirect, "308": redirect, "metaredirect": redirect,
}

// noLinks holds the flags of rows that are not links.
var noLinks = []struct {
	field Field
	name  string
}{{fieldMention, "mention"}, {fieldFrame, "frame"}, {fieldForm, "form"}, {fieldDeleted, "deleted"}}

// kind returns the type of a row and what it means. A type may be a list: a row of "text, image" is a link. A row of type
// image is about the image itself if the table has a column of alt texts or the target is an image, and otherwise about a
// link around an image, whose anchor is the alt text.
func (v *Values) kind() (name string, is linkKind) {
	for _, flag := range noLinks {
		if b := v.Of[flag.field]; isTrue(b) || says(b, "deleted", "lost", "removed", "gone") {
			return flag.name, noLink
		}
	}
	if isTrue(v.Of[fieldRedirects]) {
		return "redirect", redirect
	}
	if name, is = payload.Trimmed(v.url(fieldType)), noLink; name == "" {
		return name, hyperlink
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == ',' || r == ';' || r == '/' }) {
		part = plainName(part)
		if k, ok := linkKinds[part]; ok && !(part == "image" && (v.Of[fieldAlt] != nil || isImage(v.url(FieldTarget)))) {
			is = min(is, k)
		}
	}
	return name, is
}

// isImage reports whether a URL ends in the name of an image file.
func isImage(url []byte) bool {
	path, _, _ := strings.Cut(payload.Trimmed(url), "?")
	switch strings.ToLower(path[max(0, strings.LastIndexByte(path, '.')):]) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico", ".avif", ".bmp":
		return true
	}
	return false
}

// rel returns what the columns of a row and its type add to the rel attribute.
func (v *Values) rel(kind string) (rel string) {
	if kind = plainName(kind); says(v.Of[fieldFollow], "false", "0", "no", "n", "f", "-") || isTrue(v.Of[fieldNoFollow]) || kind == "nofollow" {
		rel += " nofollow"
	}
	if isTrue(v.Of[fieldUGC]) || kind == "ugc" {
		rel += " ugc"
	}
	if isTrue(v.Of[fieldSponsored]) || kind == "sponsored" {
		rel += " sponsored"
	}
	return rel
}

// says reports whether a flag is one of some words.
func says(flag []byte, words ...string) bool {
	return len(flag) > 0 && slices.Contains(words, strings.ToLower(payload.Trimmed(flag[:min(len(flag), 16)])))
}

func isTrue(b []byte) bool { return says(b, "+", "true", "1", "yes", "y", "t", "x") }
