package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// The name of a column, or of a member of a JSON object, decides what it means. Names are compared in lower case and
// without spaces, hyphens and underscores. A dot separates the name of a group or an object from that of a member. If
// several columns have names of the same field, the one whose name comes first in fieldNames is used. docs/format.md
// lists the names for users.

// Field is a kind of value that a column can hold.
type Field int

// The fields of a table.
const (
	fieldURL Field = iota
	fieldID
	fieldHTML
	fieldText
	fieldContent // HTML or text, recognized by the value
	fieldTime
	fieldTitle
	fieldRedirect
	fieldFeatures
	fieldStatus
	fieldLinks // links of a text
	FieldSource
	FieldTarget
	FieldAnchor
	fieldAlt
	fieldBefore
	fieldAfter
	fieldRel
	fieldFollow
	fieldNoFollow
	fieldUGC
	fieldSponsored
	fieldRedirects // the source redirects to the target
	fieldMention   // the source names the target without a link
	fieldDeleted   // the link is gone
	fieldFrame
	fieldForm
	fieldType
	fieldMethod // fields of a HAR
	fieldMime
	fieldEncoding
	NumFields
)

// Joins reports whether the elements of a list are the lines of one value.
func (f Field) Joins() bool { return f == fieldText || f == fieldContent }

// fieldNames holds the names of every field. --map takes the first; the others are alternative column names.
var fieldNames = [NumFields]string{
	fieldURL: "url uri u link pageurl warctargeturi targeturi originalurl address requesturl metadata.url metadata.uri metadata.warctargeturi metadata.sourceurl " +
		"meta.url warcheaders.warctargeturi source.url request.url request.endpoint",
	fieldID:      "id docid documentid",
	fieldHTML:    "html rawhtml pagehtml htmlcontent contenthtml source.html response.html",
	fieldText:    "text maintext cleantext plaintext extractedtext markdown markdown.rawmarkdown articlebody source.text",
	fieldContent: "content rawcontent pagecontent body contents content.rendered bodycontent response.body response.content source.content source.body source.bodycontent",
	fieldTime: "time date fetchtime timestamp crawldate crawltime warcdate fetchedat ts tstamp datedownload crawledat downloadedat scrapedat crawltimestamp " +
		"metadata.date metadata.fetchtime metadata.timestamp metadata.warcdate meta.date meta.timestamp warcheaders.warcdate",
	fieldTitle:     "title pagetitle metadata.title title.rendered source.title",
	fieldRedirect:  "redirect redirecturl redirecturi redirectto redirecttarget redirectlocation fetchredirect",
	fieldFeatures:  "features",
	fieldLinks:     "links outlinks outgoinglinks hyperlinks",
	fieldStatus:    "status statuscode httpstatus httpstatuscode httpcode responsestatus fetchstatus metadata.statuscode response.status response.statuscode",
	FieldSource:    "source sourceurl src srcurl sourcepage sourceuri from urlfrom fromurl linkfrom referringpageurl linkingpage pagefrom metadata.source fuente origen quelle origine origem",
	FieldTarget:    "targeturl destinationurl destination dst dsturl target targeturi dest desturl to urlto tourl linkto linkurl targetpage outlink href link destino ziel destinazione",
	FieldAnchor:    "anchor anchortext linktext text label ancla anker ancre ancora",
	fieldAlt:       "alt alttext textoalternativo textealternatif testoalternativo",
	fieldBefore:    "before textbefore contextbefore leftcontext snippetleft",
	fieldAfter:     "after textafter contextafter rightcontext snippetright",
	fieldRel:       "rel relation",
	fieldFollow:    "follow dofollow isdofollow seguir",
	fieldNoFollow:  "nofollow isnofollow flagnofollow",
	fieldUGC:       "ugc isugc flagugc",
	fieldSponsored: "sponsored issponsored flagsponsored",
	fieldRedirects: "flagredirect isredirect",
	fieldMention:   "flagmention",
	fieldDeleted:   "flagdeleted deleted lostlink linkstate",
	fieldFrame:     "flagframe frame isframe",
	fieldForm:      "form isform",
	fieldType:      "type linktype tipo typ",
}

// mappable holds the fields that a Map can name.
var mappable = map[string]Field{
	"url": fieldURL, "id": fieldID, "html": fieldHTML, "text": fieldText, "content": fieldContent, "time": fieldTime, "title": fieldTitle,
	"redirect": fieldRedirect, "status": fieldStatus, "source": FieldSource, "target": FieldTarget, "anchor": FieldAnchor, "before": fieldBefore, "after": fieldAfter, "rel": fieldRel,
}

// ParseMap parses entries of the form FIELD=COLUMN.
func ParseMap(entries ...string) (record.Map, error) {
	m := record.Map{}
	for _, e := range entries {
		name, column, ok := strings.Cut(e, "=")
		name, column = strings.TrimSpace(name), strings.TrimSpace(column)
		if _, known := mappable[name]; !ok || !known || column == "" {
			return nil, fmt.Errorf("map %q: must be FIELD=COLUMN, where FIELD is one of %s", e, strings.Join(mappableNames(), ", "))
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("map %q: %s is named twice", e, name)
		}
		m[name] = column
	}
	return m, nil
}

func mappableNames() []string {
	return slices.SortedFunc(maps.Keys(mappable), func(a, b string) int { return cmp.Compare(mappable[a], mappable[b]) })
}

// use is a meaning of a name: a field, and the name's rank among the names of that field.
type use struct {
	field Field
	rank  uint8
}

// names says what the columns of one level mean and which of them are groups with a level below.
type names struct {
	uses  map[string][]use
	below map[string]*names
}

func newNames() *names { return &names{uses: map[string][]use{}, below: map[string]*names{}} }

// knownNames is the tree of fieldNames, for inputs without a Map.
var knownNames = namesFor(nil)

// namesFor returns the tree of names for a Map.
func namesFor(m record.Map) *names {
	root := newNames()
	for f, list := range fieldNames {
		if !isMapped(m, Field(f)) {
			root.addAll(Field(f), list)
		}
	}
	for _, wrapper := range wrappers {
		root.below[wrapper] = root
	}
	for name, column := range m {
		root.add(column, use{mappable[name], 0})
	}
	return root
}

// namesOf returns the tree of the names of some fields.
func namesOf(fields map[Field]string) *names {
	root := newNames()
	for f, list := range fields {
		root.addAll(f, list)
	}
	return root
}

// addAll adds the names of a field, the first one with precedence.
func (n *names) addAll(f Field, list string) {
	for i, name := range strings.Fields(list) {
		n.add(name, use{f, uint8(i)})
	}
}

// wrappers are the names of members that hold the whole document in the dumps of Elasticsearch and CouchDB.
var wrappers = []string{"_source", "doc"}

// isMapped reports whether a map names the column of a field.
func isMapped(m record.Map, f Field) bool {
	for name := range m {
		if mappable[name] == f {
			return true
		}
	}
	return false
}

// add adds a name, both as a whole and split into levels at its dots.
func (n *names) add(path string, u use) {
	n.uses[path] = append(n.uses[path], u)
	first, rest, ok := strings.Cut(path, ".")
	if !ok {
		return
	}
	if n.below[first] == nil {
		n.below[first] = newNames()
	}
	n.below[first].add(rest, u)
}

// longestName is the maximum length of a name to normalize for comparison.
const longestName = 200

// of returns the meanings of a name at this level.
func (n *names) of(name []byte) []use {
	if u, ok := n.uses[string(name)]; ok || len(name) > longestName {
		return u
	}
	return n.uses[plainName(string(name))]
}

// group returns the level below a name, or nil if no name below it is known.
func (n *names) group(name []byte) *names {
	if g, ok := n.below[string(name)]; ok || len(name) > longestName {
		return g
	}
	return n.below[plainName(string(name))]
}

// plainName returns s in the form in which names are compared.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// Values are the values of one row or object. An absent value is nil.
type Values struct {
	Of     [NumFields][]byte
	rank   [NumFields]uint8
	names  uint64 // the fields that are named, with a value or without
	listed bool   // the URL is a list or an object of them
}

// set sets a field unless its present value has precedence. A value replaces an empty one. A value that is not empty
// also replaces the value of a name that comes later in fieldNames. If a key occurs twice, the last value wins.
func (v *Values) set(u use, value []byte) {
	v.names |= 1 << u.field
	have := v.Of[u.field]
	if u.rank != v.rank[u.field] && len(have) > 0 && (len(value) == 0 || u.rank > v.rank[u.field]) {
		return
	}
	v.Of[u.field], v.rank[u.field] = value, u.rank
}

func (v *Values) has(f Field) bool { return len(v.Of[f]) > 0 }

func (v *Values) named(f Field) bool { return v.names&(1<<f) != 0 }

// means decides by the names alone what an object describes.
func (v *Values) means() meaning {
	if m := means(v.named); m != nothing || !v.isText() {
		return m
	}
	return textRows
}

// isText reports whether an object is a text without a member for its name.
func (v *Values) isText() bool {
	return v.named(fieldText) && !v.named(fieldURL) && !v.named(fieldID) && !v.named(fieldHTML)
}

// first returns the first MaxAside bytes of a value.
func (v *Values) first(f Field) []byte { return v.Of[f][:min(len(v.Of[f]), payload.MaxAside)] }

// url returns a value that is a URL or another name. A value that is too long to be a URL is cut.
func (v *Values) url(f Field) []byte { return v.Of[f][:min(len(v.Of[f]), 8*urls.MaxURL+1)] }

// timeOf returns the time of the page at url.
func (v *Values) timeOf(r *record.Record, url string) time.Time {
	return r.ParseTime(url, payload.Trimmed(v.url(fieldTime)))
}

// statusOf returns the HTTP status, 0 if there is none. A column of this name may hold something else, such as "active".
func (v *Values) statusOf() int {
	code, rest, _ := strings.Cut(strings.TrimPrefix(payload.Trimmed(v.url(fieldStatus)), "HTTP/1.1 "), " ")
	n, err := strconv.Atoi(strings.TrimSuffix(code, ".0"))
	if err != nil || n < 100 || n > 599 || len(rest) > 40 {
		return 0
	}
	return n
}

// Useful reports whether the values are enough for a page or a link, wanted or not.
func (v *Values) Useful(rows meaning, o *record.Options) bool {
	switch rows {
	case textRows:
		return v.has(fieldText)
	case linkRows:
		return (v.has(FieldSource) || v.has(fieldURL)) && v.has(FieldTarget)
	}
	content := v.has(fieldHTML) || v.has(fieldText) || v.has(fieldContent) || v.has(fieldFeatures) || v.has(fieldRedirect) || v.statusOf() != 0
	return content && v.name(o.Map) != ""
}

// name returns the URL of a page, or its id. The column source may hold the URL, or the name of a collection.
func (v *Values) name(m record.Map) string {
	url, source := payload.Trimmed(v.url(fieldURL)), payload.Trimmed(v.url(FieldSource))
	if url == "" && m["url"] == "" && isAddress(source) {
		return source
	}
	return cmp.Or(url, string(v.url(fieldID)))
}

// isAddress reports whether s begins with the scheme of a web page.
func isAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// meaning is what the rows of a table or the objects of a file describe.
type meaning int

const (
	nothing meaning = iota
	pageRows
	textRows // pages that have no URL and no id
	linkRows
)

// means decides from the fields that are present whether the rows are pages or links. A source without a target does
// not make a row a link, because data sets also use that name for their origin or for the URL of the page. A target with
// an anchor is a link of the page at url.
func means(has func(Field) bool) meaning {
	page := has(fieldHTML) || has(fieldText) || has(fieldContent) || has(fieldFeatures) || has(fieldRedirect) || has(fieldLinks)
	named := has(fieldURL) || has(fieldID) || has(FieldSource)
	switch {
	case has(FieldSource) && has(FieldTarget) && !(page && has(fieldURL)):
		return linkRows
	case has(fieldURL) && has(FieldTarget) && has(FieldAnchor) && !page:
		return linkRows
	case page && named:
		return pageRows
	}
	return nothing
}
