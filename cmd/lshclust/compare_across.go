package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/resemble"
)

// across finds pages with equal or similar texts in two runs or files of sketches.
func (f *comparing) across(ctx context.Context, paths []string) error {
	runs, done, err := openAll(openEither, paths)
	defer done()
	if err != nil {
		return err
	}
	put, end := answers(f.output, false, sharedTable)
	rows := f.format != formatTable && f.format != formatJSON
	a, err := ask.Shared(ctx, runs[0], runs[1], f.Limit, func(x texts.CrossPair) error {
		if rows {
			return put(&ask.SharedAnswer{Items: []texts.CrossPair{x}})
		}
		return nil
	})
	if err == nil && !rows {
		err = put(a)
	}
	if err == nil {
		err = end()
	}
	return alike(err, runs)
}

// relationMeans explains the relations in a table.
var relationMeans = map[string]string{
	resemble.Identical.String(): " with the same bytes",
	resemble.Lexical.String():   " with the same words",
	resemble.Shingle.String():   " with the same shingles",
	resemble.Contained:          " in which one page contains the other",
}

// sharedTable counts the pairs of each relation and lists the closest ones.
func sharedTable(w io.Writer, a *ask.SharedAnswer) {
	fmt.Fprintf(w, "%s and %s: %s of equal texts, %s of similar ones\n", count(a.PagesA, "page"), count(a.PagesB, "page"),
		count(a.Equal, "pair"), count(a.Pairs, "pair"))
	for _, of := range a.Relations {
		fmt.Fprintf(w, "\n%s: %s\n", of.Relation, count(of.Pairs, "pair")+relationMeans[of.Relation])
		for _, x := range a.Items {
			if x.Relation == of.Relation {
				fmt.Fprintf(w, "  %s\n", detail(sharedNote(x), 4))
				pageList(w, pageRow{}, []pageRow{{figures: "    ", url: x.URLA}, {figures: "    ", url: x.URLB}})
			}
		}
	}
}

// sharedNote describes a pair.
func sharedNote(x texts.CrossPair) string {
	note := fmt.Sprintf("resemblance %.3f", x.Resemblance)
	if x.Estimated {
		note += fmt.Sprintf(" ±%.3f", x.StdErr)
	}
	if x.Relation == resemble.Contained && x.AInB.Known() {
		note += fmt.Sprintf("; %s of the first page, %s of the second", portion(float64(x.AInB)), portion(float64(x.BInA)))
	}
	if x.CopiesA+x.CopiesB > 0 {
		note += fmt.Sprintf("; copies: %d and %d", x.CopiesA, x.CopiesB)
	}
	return note
}
