package rules

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
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

// csvHead matches the names of the first columns of a table of redirects, csvNew that of the column with the new URL.
var (
	csvHead = regexp.MustCompile(`(?i)^\x{feff}?"?(?:from|old|source|origin|address|redirect from|request)[^\n]*[,;\t]\s*"?(?:to|new|target|dest|redirect|location)`)
	csvNew  = regexp.MustCompile(`(?i)^\s*(?:to|new|target|dest|redirect|location)`)
)

// csv reads a table with the old URL in its first column. Its first row may tell the column of the new one, and whether
// the old one is a pattern, as in the exports of WordPress.
func (p *parser) csv(text string) {
	to, prefix, regex := 1, -1, -1
	p.rows(text, func(line int, row []string) {
		is := func(at int) bool { return at >= 0 && at < len(row) && (row[at] == "true" || row[at] == "1") }
		switch {
		case line == 1 && csvHead.MatchString(strings.Join(row, ",")):
			to, prefix, regex = max(1, slices.IndexFunc(row, csvNew.MatchString)), slices.Index(row, "prefix"), slices.Index(row, "regex")
		case to >= len(row):
			p.wrong(line, "the row has no new URL")
		case is(regex):
			p.when(Rule{To: row[to], Line: line}, []cond{{pattern: row[0]}})
		default:
			p.add(Rule{From: row[0], To: row[to], Prefix: is(prefix), Line: line})
		}
	})
}

// vercel reads the redirects and rewrites of vercel.json and firebase.json.
func (p *parser) vercel(text string) {
	type entry struct {
		Source, Regex, Destination string
		Type, StatusCode           int
		Has, Missing               []any
	}
	type config struct{ Redirects, Rewrites []entry }
	var file struct {
		config
		Hosting config
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		p.wrong(1, err.Error())
		return
	}
	for i, e := range slices.Concat(file.Redirects, file.Hosting.Redirects, file.Rewrites, file.Hosting.Rewrites) {
		served := i >= len(file.Redirects)+len(file.Hosting.Redirects)
		r := Rule{To: strings.ReplaceAll(e.Destination, "$", "%24"), Line: 1 + strings.Count(text[:max(0, strings.Index(text, quoted(cmp.Or(e.Source, e.Regex))))], "\n"), Serves: served, Weak: served}
		if e.Regex == "" {
			e.Regex = "^" + segments.ReplaceAllStringFunc(e.Source, segment) + "/?$"
		}
		r.To = regexp.MustCompile(`%24(\d)`).ReplaceAllString(r.To, "$${$1}")
		r.To = regexp.MustCompile(`:([A-Za-z_]\w*)[*+]?`).ReplaceAllString(r.To, "$${$1}")
		if len(e.Has)+len(e.Missing) > 0 {
			p.doubt(r, []cond{{pattern: e.Regex}}, "the rule depends on more than the URL: has or missing")
			continue
		}
		p.when(r, []cond{{pattern: e.Regex}})
	}
}

// segments matches what is not literal in a path of Vercel or Firebase.
var segments = regexp.MustCompile(`/:\w+[*+]?(?:\([^)]*\))?[*?]?|\([^)]*\)|/?\*\*|\*|[.+]`)

func segment(s string) string {
	name := regexp.MustCompile(`\w+`).FindString(s)
	_, own, given := strings.Cut(s, "(")
	switch {
	case s == "." || s == "+":
		return `\` + s
	case strings.HasPrefix(s, "/:") && given:
		return "/(?P<" + name + ">" + strings.TrimSuffix(strings.TrimRight(own, "*?"), ")") + ")"
	case strings.HasPrefix(s, "/:") && strings.HasSuffix(s, "*"):
		return "(?:/(?P<" + name + ">.*))?"
	case strings.HasPrefix(s, "/:") && strings.HasSuffix(s, "+"):
		return "/(?P<" + name + ">.+)"
	case strings.HasPrefix(s, "/:"):
		return "/(?P<" + name + ">[^/]+)"
	case s == "/**":
		return "(?:/.*)?"
	case s == "**":
		return ".*"
	case s == "*":
		return "[^/]*"
	}
	return s
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

// cloudflare reads rows of a list of bulk redirects: source, target, status, and whether to keep the query, to include
// subdomains, to match what is below the path, and to append the rest of the path to the target.
func (p *parser) cloudflare(text string) {
	p.rows(text, func(line int, row []string) {
		from := row[0]
		if !strings.Contains(from, "://") {
			from = "https://" + from
		}
		is := func(at int) bool { return len(row) > at && strings.EqualFold(row[at], "true") }
		if is(5) && !is(6) {
			path := quoteMeta(decoded(strings.TrimSuffix(from[len(originOf(from)):], "/")))
			_, host, _ := strings.Cut(originOf(from), "://")
			p.when(Rule{To: strings.ReplaceAll(row[1], "$", "%24"), Line: line}, []cond{{part: ofHost, pattern: "^" + quoteMeta(host) + "$"}, {pattern: "^" + path + "(?:/.*)?$"}})
			return
		}
		p.add(Rule{From: from, To: row[1], Prefix: is(5), Line: line})
	})
}
