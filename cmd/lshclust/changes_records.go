package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
)

// recordChanges is the answer of changes --records.
type recordChanges struct {
	Matching int                   `json:"matching"`
	Near     int                   `json:"near"`
	Old      int                   `json:"old"`
	New      int                   `json:"new"`
	Items    []crawls.RecordChange `json:"items"`
}

func (f *changing) compareRecords(ctx context.Context, w io.Writer, older, newer *runs.Run) error {
	list, err := crawls.CompareRecords(ctx, older, newer)
	if err != nil {
		return err
	}
	a := &recordChanges{Items: list}
	for _, c := range list {
		*a.count(c.Change)++
	}
	put, end := answers(w, f.output, false, f.recordsTable)
	return errors.Join(put(a), end())
}

func (a *recordChanges) count(change string) *int {
	switch change {
	case crawls.RecordMatching:
		return &a.Matching
	case crawls.RecordNear:
		return &a.Near
	case crawls.RecordOld:
		return &a.Old
	}
	return &a.New
}

// recordsTable prints the numbers of responses and the first of those that do not match.
func (f *changing) recordsTable(w io.Writer, a *recordChanges) {
	fmt.Fprintf(w, "%s: %d matching, %d near, %d only in the older crawl, %d only in the newer one\n", count(len(a.Items), "response"), a.Matching, a.Near, a.Old, a.New)
	for _, kind := range []string{crawls.RecordNear, crawls.RecordOld, crawls.RecordNew} {
		n := *a.count(kind)
		if n == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s: %d\n", kind, n)
		shown := 0
		for _, c := range a.Items {
			if c.Change != kind || shown == f.Folders {
				continue
			}
			shown++
			said := fmt.Sprintf("%d  %9d bytes", c.StatusOld+c.StatusNew, c.BytesOld+c.BytesNew)
			if kind == crawls.RecordNear {
				said = fmt.Sprintf("%d → %d  %9d → %d bytes", c.StatusOld, c.StatusNew, c.BytesOld, c.BytesNew)
			}
			fmt.Fprintf(w, "  %s  %s\n", said, detail(c.URL, len(said)+4))
		}
		if n > shown {
			fmt.Fprintf(w, "  and %d more\n", n-shown)
		}
	}
}
