package rules

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// rows reads comma-separated values and calls f with each row of at least two cells.
func (p *parser) rows(text string, f func(line int, row []string)) {
	in := csv.NewReader(strings.NewReader(text))
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

func (p *parser) csv(text string) {
	p.rows(text, func(line int, row []string) {
		if line > 1 || row[0] != "from" {
			p.add(Rule{From: row[0], To: row[1], Prefix: len(row) > 2 && row[2] == "true", Line: line})
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
