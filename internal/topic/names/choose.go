package names

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/sets"
)

// Document is what the name of a document is chosen from.
type Document struct {
	URL   string
	Title string
	Links []Link

	// Common reports whether links to many documents have a text with this name, made by [Of], or whether most titles of a
	// host end like this, made by [TitleEnd].
	Common func(name string) bool
}

// Link is a link to the document: its text, and the words before it in its sentence.
type Link struct{ Text, Before string }

// longestLead is the length in bytes of the longest text before a link that can name what the link points at.
const longestLead = 100

// Choose returns what a document is called. It is the first of these that the document has:
//   - its title, unless that is a URL, without an end that most titles of its host have or that names the host;
//   - the text of a link, if few other documents have it, too, or the URL has it;
//   - the words before a link with a common text, as in "SQLite (Code)";
//   - the end of its path, or else its host.
//
// Of several texts it takes the one that most links have, and of these the one with the lesser name.
func Choose(d Document) string {
	if title := strings.TrimSpace(d.Title); title != "" && !d.isURL(title) {
		if rest, end := CutEnd(title); end != "" && hasLetter(rest) && d.Common(TitleEnd(d.URL, end)) {
			return rest
		}
		return d.withoutSite(title)
	}
	end := pathEnd(d.URL)
	for _, of := range []func(Link) string{
		func(l Link) string { return d.own(d.withoutSite(l.Text), end) },
		func(l Link) string { return d.lead(l.Before) },
	} {
		if name := mostUsed(d.Links, of); name != "" {
			return name
		}
	}
	if end != "" {
		return end
	}
	host, _ := splitURL(d.URL)
	return host
}

// TitleEnd returns what stands in [Document].Common for the end of a title of the host of a URL. It is no name of a text.
func TitleEnd(canonical, end string) string {
	host, _ := splitURL(canonical)
	return host + "\x00" + end
}

// isURL reports whether a text is a URL, or that of the document.
func (d *Document) isURL(text string) bool {
	host, path := splitURL(d.URL)
	return (strings.Contains(text, "://") || strings.HasPrefix(text, "www.")) && !strings.ContainsAny(text, " \t") || path != "" && strings.TrimPrefix(Of(text), "www") == Of(host+path)
}

// withoutSite cuts the name of the site off the end of a text, unless the document is its main page or the rest tells nothing.
func (d *Document) withoutSite(text string) string {
	rest, end := CutEnd(text)
	host, path := splitURL(d.URL)
	label, _ := Host(host)
	if name := Of(end); path == "" || name == "" || name != label && name != Of(host) || !hasLetter(rest) || tellNothing[Of(rest)] {
		return text
	}
	return rest
}

// own returns the text of a link if it tells the document from others.
func (d *Document) own(text, end string) string {
	name := Of(text)
	host, path := splitURL(d.URL)
	label, main := Host(host)
	switch {
	case !hasLetter(name) || strings.Contains(text, "://") || d.isURL(text):
		return ""
	case name == Of(end) || path == "" && main && name == label:
		return text
	case tellNothing[name] || d.Common(name):
		return ""
	}
	return text
}

// lead returns the words before a link that a sign ends, without those in brackets and those after a dash.
func (d *Document) lead(before string) string {
	before = strings.TrimSpace(before)
	if len(before) > longestLead || !strings.ContainsAny(before[max(0, len(before)-1):], "([|:)]-–—·") {
		return "" // it may be cut, or describes rather than names
	}
	if i := strings.IndexAny(before, "([|"); i >= 0 {
		before = before[:i]
	}
	for _, dash := range []string{" - ", " – ", " — "} {
		before, _, _ = strings.Cut(before, dash)
	}
	before = strings.TrimFunc(before, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-–—•·*,:", r) })
	if name := Of(before); utf8.RuneCountInString(name) < 2 || !hasLetter(name) || tellNothing[name] || d.Common(name) {
		return ""
	}
	return before
}

// mostUsed returns the text that most links have, in the spelling that most of them use.
func mostUsed(links []Link, of func(Link) string) string {
	type used struct {
		name, text string
	}
	var all []used
	for _, l := range links {
		if s := strings.Join(strings.Fields(of(l)), " "); s != "" {
			all = append(all, used{Of(s), s})
		}
	}
	names, texts := map[string]int{}, map[used]int{}
	for _, u := range all {
		names[u.name]++
		texts[u]++
	}
	if len(all) == 0 {
		return ""
	}
	return slices.MinFunc(all, func(a, b used) int {
		return cmp.Or(cmp.Compare(names[b.name], names[a.name]), cmp.Compare(a.name, b.name), cmp.Compare(texts[b], texts[a]), cmp.Compare(a.text, b.text))
	}).text
}

// tellNothing are names that tell nothing in any crawl, however few documents have them: texts of links, parts of paths.
var tellNothing = sets.OfWords(`actions article backer blob blog blogpost changelog click clickhere code comments commit commits contributing
	contributors demo docs documentation download downloads edit events feed git github here hn home homepage index issues
	item license link lobsters main master more page pdf permalink post pull readme readmore reddit releases repo repository
	search slides source sourcecode sponsor sponsors status this thread tree triage tweet url video view watch web website
	wiki`)

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// splitURL returns the host of a URL without www. and its path and query without a slash at the end.
func splitURL(canonical string) (host, path string) {
	host, path = urls.Cut(canonical)
	return strings.TrimPrefix(host, "www."), strings.TrimRight("/"+path, "/")
}

// pathEnd returns the title in a query, as wikis have it, or the last segment of the path that names something, with blanks
// for the signs between its words.
func pathEnd(canonical string) string {
	_, path := splitURL(canonical)
	path, query, _ := strings.Cut(path, "?")
	if values, err := url.ParseQuery(query); err == nil { // the page of a wiki
		path += "/" + url.PathEscape(values.Get("title"))
	}
	all := strings.Split(strings.Trim(path, "/"), "/")
	for i := len(all) - 1; i >= 0; i-- {
		s := Segment(all[i])
		if strings.Count(s, " ") == 0 {
			s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == '+' }), " ")
		}
		if name := Of(s); hasLetter(name) && !tellNothing[name] && utf8.RuneCountInString(s) > 1 {
			return s
		}
	}
	return ""
}

// Segment returns a segment of a path, decoded and without its extension.
func Segment(s string) string {
	for _, ext := range []string{".html", ".htm", ".php", ".git", ".md", ".pdf"} {
		s = strings.TrimSuffix(s, ext)
	}
	if decoded, err := url.PathUnescape(s); err == nil && utf8.ValidString(decoded) {
		return decoded
	}
	return s
}
