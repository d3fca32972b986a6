package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// listAnchors lists where the parts of pages are now.
func (f *moving) listAnchors(ctx context.Context, w io.Writer, l *query.Crawls, lost []query.LostPage) error {
	anchors, err := l.Anchors(ctx, lost)
	if err != nil {
		return err
	}
	if f.format != formatTable {
		out := f.rows(w, "url", "new_url", "how", "score", "links")
		for _, a := range anchors {
			if err := out.row(a.URL, a.NewURL, string(a.How), a.Score, a.Links); err != nil {
				return err
			}
		}
		return out.close()
	}
	anchorsTable(w, anchors)
	return nil
}

// anchorsTable counts the anchors and lists those whose id is another one now.
func anchorsTable(w io.Writer, anchors []query.Anchor) {
	n, linked, mapped := map[moved.How]int{}, 0, 0
	for _, a := range anchors {
		n[a.How]++
		if a.Links > 0 {
			if linked++; a.How != moved.OnlyPage {
				mapped++
			}
		}
	}
	fmt.Fprintf(w, "%s: %d with the same id, %d found by the heading, %d by the text, %d lead to the page only\n",
		count(int64(len(anchors)), "anchor"), n[moved.SameID], n[moved.SameHeading], n[moved.SameText], n[moved.OnlyPage])
	fmt.Fprintf(w, "links point to %d of them, of which %d are found\n", linked, mapped)
	for _, a := range anchors {
		if a.How == moved.SameID {
			continue
		}
		fmt.Fprintf(w, "\n  %-7s  %s\n", a.How, detail(a.URL, 11))
		fmt.Fprintf(w, "           %s\n", detail(a.NewURL, 11))
	}
}
