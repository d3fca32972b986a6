package table

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

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
