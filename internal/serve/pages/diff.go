package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// diff compares the texts of two pages.
type diff struct {
	A, B    side
	Verdict string
	Figures *Table // nil without the syntactic view
	Score   *Score
	Rows    []diffRow
	LinesA  int
	LinesB  int
	Missing string // why the texts are not shown
	Folded  bool
	All     Link // link to the page with all lines, or without equal ones
	More    string
	First   string // link to the beginning
	Why     string
}

// textTime is how long the page waits for texts that are read again from the inputs of the run. After that it is
// shown without them.
const textTime = 8 * time.Second

func showDiff(ctx context.Context, q *Question) (*View, error) {
	a, urlA, err := pageOf(q, q.Args.Text("a"))
	if err != nil {
		return nil, err
	}
	b, urlB, err := pageOf(q, q.Args.Text("b"))
	if err != nil {
		return nil, err
	}
	d := &diff{A: newDiffSide("A", q, a), B: newDiffSide("B", q, b)}
	if q.Run.Need("topical") == nil {
		d.Why = q.Explain(urlA, urlB)
	}
	if err := d.compare(q, a, b); err != nil {
		return nil, err
	}
	v := &View{Title: "Texts of " + d.A.Heading + " and " + d.B.Heading, Accent: Text, JSON: q.JSON("explain", "a", urlA, "b", urlB, "texts", "true"), Data: d}
	if d.Missing = hidden(q.Run, urlA, urlB); d.Missing != "" {
		return v, nil
	}
	limited, stop := context.WithTimeout(ctx, textTime)
	defer stop()
	lines, err := texts.Diff(limited, q.Run.Run, a, b, true)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		d.Missing = "A run keeps no texts, and reading the inputs of the run again takes longer than a page may. The command lshclust explain --texts shows the texts on the machine of the run."
	case err != nil:
		d.Missing = "A run keeps no texts, and its inputs are not where they were when it was built, or have changed, so the texts cannot be shown. The figures are those of the run."
	default:
		d.show(q, urlA, urlB, lines)
	}
	return v, nil
}

// pageOf finds the page at a URL, or else the document.
func pageOf(q *Question, url string) (id uint32, canonical string, err error) {
	if id, err = q.Run.LookupPage(url); err != nil {
		if id, err = ask.Lookup(q.Run.Run, url); err != nil {
			return 0, "", err
		}
	}
	return id, q.Run.URL(id), nil
}

// hidden says why the texts of some pages must not or cannot be shown, or returns "".
func hidden(r *api.Run, urls ...string) string {
	for _, url := range urls {
		if err := r.MayShow(url); err != nil {
			problem, _ := api.ProblemOf(err)
			return problem.Detail
		}
	}
	return ""
}

// newDiffSide describes one of the two pages and its shingles.
func newDiffSide(letter string, q *Question, id uint32) side {
	url := q.Run.URL(id)
	s := side{Letter: letter, Heading: nameOf(q.Run, id), URL: q.Run.Seen(url), To: q.Page(url)}
	if n, left, err := texts.Boilerplate(q.Run.Run, id); err == nil {
		s.About = counted(n, "different shingle", "different shingles")
		if left > 0 {
			s.About += fmt.Sprintf(", of which %s boilerplate of the site and not compared", counted(left, "is", "are"))
		}
	}
	return s
}

// compare fills in the figures, if the run has them.
func (d *diff) compare(q *Question, a, b uint32) error {
	d.Verdict = "The run holds no text of both pages to compare."
	exact, err := texts.Overlap(q.Run.Run, a, b)
	if problem, ok := api.ProblemOf(err); err != nil && ok && problem.Status == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	stored, found, err := texts.StoredTexts(q.Run.Run, a, b)
	if err != nil {
		return err
	}
	d.Score, d.Verdict = &Score{exact.Resemblance, "resemblance", Text}, relationOf(exact, q.Run.Config.Shingle)
	d.Figures = figuresOf(exact, stored, found)
	return nil
}

// relationOf describes how two texts are related. words is the number of words of a shingle.
func relationOf(d texts.Duplicate, words int) string {
	const most = 0.9
	switch {
	case d.Relation == "identical":
		return "Both pages are the same, byte for byte."
	case d.Relation == "lexical":
		return "Both pages have the same words in the same order."
	case d.Relation == "shingle":
		return "Both pages have the same shingles."
	case d.ThisInOther >= most && d.OtherInThis >= most:
		return "The texts are nearly the same."
	case d.ThisInOther >= most:
		return "Nearly all of A is in B."
	case d.OtherInThis >= most:
		return "Nearly all of B is in A."
	case d.Resemblance >= 0.5:
		return "The texts share most of what they say."
	case d.Most() >= 0.3:
		return "The texts share a part."
	case d.Most() > 0:
		return "The texts share little."
	}
	return fmt.Sprintf("Apart from boilerplate, the texts have no %s in a row in common.", counted(words, "word", "words"))
}

// figuresOf shows the exact figures of two texts next to the estimates from the samples of the run.
func figuresOf(exact, stored texts.Duplicate, found bool) *Table {
	t := &Table{Caption: "Figures without boilerplate", Columns: []string{"Figure", "Exact", "Estimate of the run"}}
	if exact.Estimated {
		t.Columns[1] = "From sketches"
	}
	add := func(name string, v float64, estimate any) {
		t.Rows = append(t.Rows, []any{name, &Score{v, name, Text}, estimate})
	}
	var estimate any = "none: the run did not store the pair"
	switch {
	case found && stored.Samples > 0 && !exact.Estimated:
		estimate = figure(stored.Estimate) + " from " + count(stored.Samples) + " samples"
	case found && !exact.Estimated:
		estimate = "none needed: the pages are equal"
	case exact.Estimated:
		estimate = "± " + figure(exact.StdErr) + ", from " + count(exact.Samples) + " samples"
	}
	add("Resemblance", exact.Resemblance, estimate)
	if exact.ThisInOther.Known() {
		add("Share of A that is in B", float64(exact.ThisInOther), nil)
		add("Share of B that is in A", float64(exact.OtherInThis), nil)
	}
	return t
}
