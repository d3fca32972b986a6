package pages

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/serve/api"
)

// Link is a text that links to a page of this site, unless To is "".
type Link struct{ Text, To string }

// Out is a URL of the web, shown as a link to it.
type Out string

// Row is a document in a list: partial "row", or "rows" for a list.
type Row struct {
	URL, Title string
	To         string   // link to its page
	Visit      string   // its URL as it was crawled
	Score      *Score   // nil for none
	Scaled     *Scaled  // in place of Score, nil for none
	Words      []string // shown below it, such as shared words
	Sentence   []Piece  // shown below it in place of words
	Notes      []string // short remarks, such as "not crawled"
	Why        string   // links, "" for none
	Diff       string
}

// Piece is a part of a text, marked or not.
type Piece struct {
	Text   string
	Marked bool
}

// Heading returns the text of the main link of a row.
func (r Row) Heading() string { return heading(r.Title, r.URL) }

// longestName is the number of characters of a name that are shown.
const longestName = 200

// heading returns the beginning of the name of a document or, if the name is missing or a URL, the short form of its
// URL.
func heading(name, url string) string {
	if strings.TrimSpace(name) == "" || strings.Contains(name, "://") {
		return short(url)
	}
	return head(name, longestName)
}

// nameOf returns the heading of a document.
func nameOf(r *api.Run, id uint32) string { return heading(r.NameOf(id), r.URL(id)) }

// Rows is a list of documents, and what to show if it is empty: partial "rows".
type Rows struct {
	Name  string // name of the list for screen readers
	List  []Row
	Empty Empty
	More  string // link to the next rows, "" for none
}

// Empty says why there is nothing to show and what to do: partial "empty".
type Empty struct {
	Text string
	Link Link
}

// Score is a share, shown as a bar with a figure: partial "score".
type Score struct {
	Value float64 // 0 to 1
	Name  string  // name of the figure, such as "similarity"
	View  string  // Web or Text, sets the colour
}

// Scaled is a share whose bar is scaled to the best one of its list, in the colours of both views: partial "scaled".
type Scaled struct {
	Value     float64
	Said      string  // what the share is, in words
	Web, Text float64 // widths of the parts of the bar, 0 to 1
}

// newScaled returns a share of which a part comes from the links, and the rest from own words. name is its name, such as
// "similarity", or "" if only the length of the bar says something.
func newScaled(name string, value, best, fromLinks float64) *Scaled {
	if best <= 0 {
		best = 1
	}
	s := &Scaled{value, name + " " + hundred(value) + " of 100", fromLinks * value / best, (1 - fromLinks) * value / best}
	switch percent := 100 * fromLinks; {
	case s.Text == 0:
		s.Said += ", from links"
	case s.Web == 0:
		s.Said += ", from own words"
	default:
		s.Said += fmt.Sprintf(", %.0f %% from links, %.0f %% from own words", percent, 100-percent)
	}
	return s
}

// Bars is a list of numbers with bars: partial "bars".
type Bars struct {
	Caption string
	List    []Bar
}

// Bar is an entry of Bars.
type Bar struct {
	Label Link
	Value int
	Share float64 // width of the bar, 0 to 1
	View  string  // Web or Text, sets the colour
}

// Table is a table: partial "table". A cell is a Link, Out, *Score, Amount, string, int, int64, float64, or nil for
// an empty one. The first cell of a row is its heading.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]any
}

// numeric reports whether a column of a table holds numbers, by its first cell that is not empty.
func numeric(t Table, column int) bool {
	for _, row := range t.Rows {
		if column < len(row) && row[column] != nil {
			return isNumber(row[column])
		}
	}
	return false
}

// Amount is a number with its unit.
type Amount string

// Facts are names with values, which are cells as in Table: partial "facts".
type Facts []Fact

// Fact is a name with a value.
type Fact struct {
	Name  string
	Value any
}

// out returns a URL if it may be linked to, that is if it is http or https, and otherwise "".
func out(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return link
}

// shortest is the number of characters of a URL that are always shown.
const shortest = 68

// short returns a URL in readable form: without https and www, with letters in place of their escapes, and without
// the middle of a long path.
func short(link string) string {
	s := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(link, "https://"), "http://"), "/")
	s = escapes.ReplaceAllStringFunc(strings.TrimPrefix(s, "www."), letters)
	if r := []rune(s); len(r) > shortest {
		return string(r[:shortest*2/3]) + "…" + string(r[len(r)-shortest/3:])
	}
	return s
}

// ending returns the end of a URL in readable form: its last segment.
func ending(link string) string {
	s := short(link)
	if i := strings.LastIndex(s, "/"); i > 0 {
		return "…" + s[i:]
	}
	return s
}

// breaks returns a text as HTML that lets narrow screens break lines after slashes rather than within words.
func breaks(s string) template.HTML {
	s = template.HTMLEscapeString(s)
	return template.HTML(slash.ReplaceAllString(s, "$0<wbr>")) //nolint:gosec // it is escaped
}

// slash matches slashes within a text.
var slash = regexp.MustCompile(`\b/+\b`)

// escapes matches percent escapes of non-ASCII characters.
var escapes = regexp.MustCompile(`(%[89A-Fa-f][0-9A-Fa-f])+`)

// letters decodes escapes of letters. It keeps other escapes, such as those of marks that change the direction of
// writing.
func letters(escaped string) string {
	s, err := url.PathUnescape(escaped)
	if err != nil || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		return escaped
	}
	return s
}

// percent formats a share as the width of a bar.
func percent(share float64) string {
	if math.IsNaN(share) {
		share = 0
	}
	return strconv.FormatFloat(math.Round(1000*min(max(share, 0), 1))/10, 'f', -1, 64)
}

// hundred formats a share as a whole number from 0 to 100.
func hundred(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) }

// figure formats a share with two decimals.
func figure(share float64) string {
	switch {
	case share > 0.995 && share < 1:
		return "0.99"
	case share > 0 && share < 0.005:
		return "<0.01"
	}
	return strconv.FormatFloat(share, 'f', 2, 64)
}

// count formats an integer with commas between thousands.
func count(n any) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// cell formats a cell that is a number or text.
func cell(v any) string {
	switch n := v.(type) {
	case int, int64:
		return count(n)
	case Amount:
		return string(n)
	case float64:
		return strconv.FormatFloat(n, 'g', 4, 64)
	case nil:
		return "–"
	}
	return fmt.Sprint(v)
}

func isNumber(v any) bool {
	switch v.(type) {
	case int, int64, float64, Amount:
		return true
	}
	return false
}

// kind returns how a cell is shown: link, out, score, or "" for a number or text.
func kind(v any) string {
	switch v.(type) {
	case Link:
		return "link"
	case Out:
		return "out"
	case Row:
		return "row"
	case *Score:
		return "score"
	}
	return ""
}

// Row returns the row of a document with its links. It ignores a name that is a URL.
func (q *Question) Row(url, name string) Row {
	if strings.Contains(name, "://") {
		name = ""
	}
	return Row{URL: url, Title: name, To: q.Page(url), Visit: q.Run.Seen(url)}
}

// tenth rounds a coordinate or width of a picture.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }
