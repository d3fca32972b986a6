package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// listAnchors lists where the parts of pages are now.
func (f *moving) listAnchors(ctx context.Context, w io.Writer, l *query.Crawls, lost []query.LostPage) error {
	a, err := answer.Anchors(ctx, l, lost)
	if err != nil {
		return err
	}
	put, end := answers(w, f.output, false, anchorsTable)
	return errors.Join(put(a), end())
}

// anchorsTable counts the anchors and lists those whose id is another one now.
func anchorsTable(w io.Writer, all *answer.AnchorsAnswer) {
	n, linked, mapped := map[moved.How]int{}, 0, 0
	for _, a := range all.Items {
		n[a.How]++
		if a.Links > 0 {
			if linked++; a.How != moved.OnlyPage {
				mapped++
			}
		}
	}
	fmt.Fprintf(w, "%s: %d with the same id, %d found by the heading, %d by the text, %d lead to the page only\n",
		count(len(all.Items), "anchor"), n[moved.SameID], n[moved.SameHeading], n[moved.SameText], n[moved.OnlyPage])
	fmt.Fprintf(w, "links point to %d of them, of which %d are found\n", linked, mapped)
	for _, a := range all.Items {
		if a.How != moved.SameID {
			fmt.Fprintf(w, "\n  %-7s  %s\n           %s\n", a.How, detail(a.URL, 11), detail(a.NewURL, 11))
		}
	}
}
