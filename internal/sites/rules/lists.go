package rules

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

// rows reads comma-separated values and calls f with each row of at least two cells.
func (p *parser) rows(text string, f func(line int, row []string)) {
	in := csv.NewReader(strings.NewReader(text))
	if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, ",") && strings.ContainsAny(first, ";\t") {
		in.Comma = rune(first[strings.IndexAny(first, ";\t")])
	}
	in.FieldsPerRecord, in.Comment, in.LazyQuotes = -1, '#', true
	for {
		row, err := in.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.As(err, &wrong):
			p.wrong(wrong.Line, wrong.Err.Error())
			continue
		}
		line, _ := in.FieldPos(0)
		if len(row) < 2 {
			p.wrong(line, "the row has fewer than two cells")
			continue
		}
		f(line, row)
	}
}

func (w *writer) csv(rules []Rule) {
	out := csv.NewWriter(w)
	for _, r := range rules {
		out.Write([]string{r.From, w.target(r), fmt.Sprint(r.Prefix)}) //nolint:errcheck // kept by the writer
	}
	out.Flush()
}

const csvStart = `(?i)^\x{feff}?"?(?:from|old|source|origin|address|redirect from|request)[^\n]*[,;\t]\s*"?(?:to|new|target|dest|redirect|location)`

// csvHead matches the names of the first columns of a table of redirects, csvNew that of the column with the new URL.
var (
	csvHead = expression(csvStart)
	csvNew  = expression(`(?i)^\s*(?:to|new|target|dest|redirect|location)`)
)

// csv reads a table with the old URL in its first column. Its first row may tell the column of the new one, and whether
// the old one is a pattern, as in the exports of WordPress.
func (p *parser) csv(text string) {
	to, prefix, regex := 1, -1, -1
	p.rows(text, func(line int, row []string) {
		is := func(at int) bool { return at >= 0 && at < len(row) && (row[at] == "true" || row[at] == "1") }
		switch {
		case line == 1 && csvHead().MatchString(strings.Join(row, ",")):
			to, prefix, regex = max(1, slices.IndexFunc(row, csvNew().MatchString)), slices.Index(row, "prefix"), slices.Index(row, "regex")
		case to >= len(row):
			p.wrong(line, "the row has no new URL")
		case is(regex):
			p.lead(Rule{To: row[to], Line: line}, []cond{{pattern: row[0]}})
		default:
			p.add(Rule{From: row[0], To: row[to], Prefix: is(prefix), Line: line})
		}
	})
}

// vercel reads the redirects and rewrites of vercel.json and firebase.json.
func (p *parser) vercel(text string) {
	objects(text, func(line int, served bool, of map[string][]string) {
		value := func(name string) string { return unquoted(append(of[name], "")[0]) }
		pattern, names := value("regex"), []string{}
		if pattern == "" {
			pattern, names = pathPattern(value("source"))
			pattern = "^" + pattern + "/?$"
		}
		r := Rule{To: named(regexp.MustCompile(`(:\w+)[*+?]`).ReplaceAllString(value("destination"), "$1"), names), Line: line, Serves: served, Weak: served}
		if of["has"] != nil || of["missing"] != nil {
			r.Unsure = "it depends on more than the URL: has or missing"
		}
		if r.To = regexp.MustCompile(`\$(\d)`).ReplaceAllString(r.To, "$${$1}"); r.To != "" {
			p.when(r, cond{pattern: pattern})
		}
	})
}

func (w *writer) cloudflare(rules []Rule) {
	out := csv.NewWriter(w)
	for _, r := range rules {
		_, from, _ := strings.Cut(r.From, "://")
		to, is := w.target(r), func(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }
		if strings.Contains(from, "?") { // a source has no query
			w.left++
			continue
		}
		out.Write([]string{from, to, "301", is(!strings.Contains(to, "?")), "FALSE", is(r.Prefix), is(r.Prefix)}) //nolint:errcheck // kept by the writer
	}
	out.Flush()
}

const cloudflareRow = `(?m)^"?[^\s,]+"?,"?https?://[^\s,]*"?,30\d`

// cloudflare reads rows of a list of bulk redirects: source, target, status, and whether to keep the query, to include
// subdomains, to match what is below the path, and to append the rest of the path to the target. Other lines are those of
// _redirects, whose rules on Cloudflare come before pages.
func (p *parser) cloudflare(text string) {
	if !regexp.MustCompile(`(?m)^"?[^/\s,;][^\s,;]*"?[,;\t]"?https?://`).MatchString(text) {
		p.before = true
		p.netlify(text)
		return
	}
	p.rows(text, func(line int, row []string) {
		from := row[0]
		if !strings.Contains(from, "://") {
			from = "https://" + from
		}
		is := func(at int) bool { return len(row) > at && strings.EqualFold(row[at], "true") }
		if is(5) && !is(6) {
			path := quoteMeta(ascii.Unescaped(strings.TrimSuffix(from[len(originOf(from)):], "/")))
			_, host, _ := strings.Cut(originOf(from), "://")
			p.when(Rule{To: row[1], Line: line}, cond{of: ofHost, pattern: "^" + quoteMeta(host) + "$"}, cond{pattern: "^" + path + "(?:/.*)?$"})
			return
		}
		p.add(Rule{From: from, To: row[1], Prefix: is(5), Line: line})
	})
}
