package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

// find lists what may be the pages of some URLs now.
func (f *moving) find(ctx context.Context, w io.Writer, runs []string, crawls *query.Crawls) error {
	var out *rowWriter
	if f.format != formatTable && !f.anchors {
		out = f.rows(w, "query", "verdict", "url", "name", "how", "score", "why")
	}
	var lost []query.LostPage
	var unknown []string
	for i, url := range f.urls {
		found, err := crawls.Find(ctx, url, f.limit)
		if err != nil {
			return err
		}
		if len(found.Pages) == 0 {
			unknown = append(unknown, whole(found.URL))
		}
		if found.Lost != nil {
			lost = append(lost, *found.Lost)
		}
		switch {
		case out != nil:
			err = foundRows(out, found)
		case f.format == formatTable:
			if i > 0 {
				fmt.Fprintln(w)
			}
			foundTable(w, runs, found)
		}
		if err != nil {
			return err
		}
	}
	if out != nil {
		if err := out.close(); err != nil {
			return err
		}
	}
	if f.anchors {
		if f.format == formatTable {
			fmt.Fprintln(w)
		}
		if err := f.listAnchors(ctx, w, crawls, lost); err != nil {
			return err
		}
	}
	if unknown != nil {
		return &exit{code: exitCondition, err: fmt.Errorf("%s: no run knows the URL, and the last one has no page with a similar one", strings.Join(unknown, ", "))}
	}
	return nil
}

func foundRows(out *rowWriter, found *query.LostURL) error {
	for _, p := range found.Pages {
		if err := out.row(found.URL, orNull(verdictOn(found)), p.URL, orNull(p.Title), string(p.How), p.Score, p.Why); err != nil {
			return err
		}
	}
	return nil
}

// verdictOn returns the verdict on a URL, "" if there is none.
func verdictOn(found *query.LostURL) string {
	if found.Lost == nil {
		return ""
	}
	return found.Lost.Verdict.Kind.String()
}

func foundTable(w io.Writer, runs []string, found *query.LostURL) {
	out, flush := narrow(w)
	defer flush()
	fmt.Fprintln(out, whole(found.URL))
	for i, s := range found.Seen {
		fold(w, fmt.Sprintf("%s: %s", runs[i], seen(s)), 2)
	}
	if found.Lost != nil {
		fmt.Fprintf(out, "  verdict: %s, confidence %.2f\n", found.Lost.Verdict.Kind, found.Lost.Verdict.Confidence)
	}
	const before = 20 // columns before URLs
	urls := make([]string, len(found.Pages))
	for i, p := range found.Pages {
		urls[i] = p.URL
	}
	urls = stdout().lastColumn(urls, before)
	for i, p := range found.Pages {
		score := ""
		if p.Score > 0 {
			score = fmt.Sprintf("%.2f", p.Score)
		}
		fmt.Fprintf(out, "\n%s\n", joined(fmt.Sprintf("  %-12s  %4s", p.How, score), urls[i]))
		if p.Title != "" {
			fmt.Fprintf(out, "      %s\n", detail(p.Title, 6))
		}
		fold(w, strings.Join(p.Why, "; "), 6)
	}
}

// seen puts into words what a run knows of a URL.
func seen(s query.Sighting) string {
	var out []string
	switch s.Known {
	case query.KnownPage:
		out = append(out, "has its page")
		if !s.Time.IsZero() {
			out = append(out, "of "+day(s.Time))
		}
		if s.Title != "" {
			out = append(out, "“"+s.Title+"”")
		}
	case query.KnownLinks:
		out = append(out, "knows it only from links")
	default:
		out = append(out, "does not know it")
	}
	if s.Redirect != "" {
		out = append(out, "and redirects it to", s.Redirect)
	}
	return strings.Join(out, " ")
}
