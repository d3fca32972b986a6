package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// find lists the pages that may be the present ones of some URLs.
func (f *moving) find(ctx context.Context, history *crawls.Crawls) error {
	put, end := answers(f.output, len(f.urls) > 1, foundTable)
	var lost []crawls.LostPage
	var unknown []string
	for _, url := range f.urls {
		found, err := ask.Moved{URL: url, Limit: f.Limit}.Ask(ctx, history)
		if err != nil {
			return err
		}
		if len(found.Items) == 0 && found.Verdict == "" {
			unknown = append(unknown, whole(found.URL))
		}
		if found.Lost != nil {
			lost = append(lost, *found.Lost)
		}
		if !f.Anchors || f.format == formatTable {
			if err := put(found); err != nil {
				return err
			}
		}
	}
	if f.Anchors {
		if f.format == formatTable {
			fmt.Fprintln(printed)
		}
		end = func() error { return f.listAnchors(ctx, history, lost) }
	}
	if err := end(); err != nil {
		return err
	}
	if unknown != nil {
		return &exit{code: exitCondition, err: errors.New(strings.Join(unknown, ", ") + ": no run knows the URL, and the last one has no page with a similar one")}
	}
	return nil
}

func foundTable(w io.Writer, found *ask.MovedAnswer) {
	fold(w, whole(whereNow(found))+found.Said(), 0)
	for _, s := range found.Seen {
		fold(w, s.Run+": "+seen(s), 2)
	}
	for _, p := range found.Items {
		score := ""
		if p.Score > 0 {
			score = sure(p.Score)
		}
		fmt.Fprintln(w)
		pageFinding(w, fmt.Sprintf("%-12s  %5s", p.How, score), p.Name, p.URL, strings.Join(p.Why, "; "))
	}
}

// whereNow is the answer in a sentence.
func whereNow(found *ask.MovedAnswer) string {
	if found.Verdict == moved.Gone.String() {
		return fmt.Sprintf("What was at %s is nowhere (%s sure).", found.URL, strings.TrimSpace(sure(found.Confidence)))
	}
	if len(found.Items) == 0 {
		return "No run tells what was at " + found.URL + "."
	}
	switch p := found.Items[0]; {
	case p.How == crawls.HowThere:
		return "The last run has a page at " + found.URL + "."
	case p.How == crawls.HowRedirect:
		return found.URL + " redirects to " + p.URL + "."
	case string(p.How) == found.Verdict:
		return fmt.Sprintf("What was at %s %s %s (%s sure).", found.URL, strings.Replace(found.Verdict, "moved", "moved to", 1), p.URL,
			strings.TrimSpace(sure(p.Score)))
	}
	return fmt.Sprintf("No run tells where %s went; these pages are near it.", found.URL)
}

// seen says what a run knows of a URL.
func seen(s crawls.Sighting) string {
	var out []string
	switch s.Known {
	case texts.KnownPage:
		out = append(out, "has its page")
		if !s.Time.IsZero() {
			out = append(out, "of "+s.Time.Format(time.DateOnly))
		}
		if s.Name != "" {
			out = append(out, "“"+s.Name+"”")
		}
	case texts.KnownLinks:
		out = append(out, "knows it only from links")
	default:
		out = append(out, "does not know it")
	}
	if s.Redirect != "" {
		out = append(out, "and redirects it to", s.Redirect)
	}
	return strings.Join(out, " ")
}

// listAnchors lists where the parts of pages are now.
func (f *moving) listAnchors(ctx context.Context, l *crawls.Crawls, lost []crawls.LostPage) error {
	a, err := ask.Anchors(ctx, l, lost)
	if err != nil {
		return err
	}
	return show(f.output, a, anchorsTable)
}

// anchorsTable counts the anchors and lists those that have another id now.
func anchorsTable(w io.Writer, all *ask.AnchorsAnswer) {
	n, linked, mapped := map[moved.How]int{}, 0, 0
	for _, a := range all.Items {
		n[a.How]++
		if a.Links > 0 {
			linked++
			if a.How != moved.OnlyPage {
				mapped++
			}
		}
	}
	fold(w, fmt.Sprintf("%s: %d with the same id, %d found by the heading, %d by the text, %d lead to the page only; links point to %d of them, of which %d are found.",
		count(len(all.Items), "anchor"), n[moved.SameID], n[moved.SameHeading], n[moved.SameText], n[moved.OnlyPage], linked, mapped), 0)
	for _, a := range all.Items {
		if a.How != moved.SameID {
			pageFinding(w, fmt.Sprintf("%-7s", a.How), "", a.URL, "→ "+a.NewURL)
		}
	}
}
