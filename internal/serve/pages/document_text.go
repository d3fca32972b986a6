package pages

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

func textSideOf(ctx context.Context, q *Question, p *ask.PageAnswer) (side textSide, err error) {
	d := p.Document
	if !d.Crawled && len(p.Captures) == 0 {
		side.Missing = "The crawl does not hold this page. All that is known of it is what others say."
		return side, nil
	}
	side.Facts, side.Opening = textFacts(d), d.Opening
	side.Words = heaviestWords(p.Bag, func(w topics.BagWord) int { return w.Content })
	if q.Run.Need("syntactic") != nil {
		side.Same = Rows{Empty: Empty{Text: "The run does not compare texts: it was built without this view."}}
		return side, nil
	}
	if c := p.Syntactic; c != nil && c.Size > 1 {
		side.Cluster, side.Size = Link{counted(c.Size, "page", "pages"), q.Cluster("syntactic", c.ID)}, c.Size
	}
	same, err := ask.Duplicates{URL: d.URL, Window: ask.Window{Limit: mostRows, Most: copiesCompared}}.Ask(ctx, q.Run.Run)
	if _, several := errors.AsType[*runs.CapturesError](err); several {
		side.Missing = "There are several captures of this page, listed below. Each has its text."
		return side, nil
	}
	if err != nil {
		return side, err
	}
	side.Same = Rows{Name: "Copies, versions and parts", Empty: Empty{Text: "No page in the crawl has the same text, or much of it."}}
	if len(same.Items) > 0 {
		side.Who = q.Who(d.URL)
	}
	for _, n := range same.Items {
		row := q.Row(n.URL, n.Name)
		row.Score, row.Notes, row.Diff = &Score{n.Resemblance, "resemblance", Text}, []string{relation(n)}, q.Diff(d.URL, n.URL)
		if q.asksToBeHidden(d.URL) || q.asksToBeHidden(n.URL) {
			row.Diff = "" // the text must not be shown
		}
		side.Same.List = append(side.Same.List, row)
	}
	return side, nil
}

// asksToBeHidden reports whether a page asks not to be indexed or quoted.
func (q *Question) asksToBeHidden(url string) bool {
	id, err := q.Run.Lookup(url)
	return err == nil && q.Run.Run.Docs.Hidden(id)
}

// relation describes how the text of a page relates to that of the requested page.
func relation(d texts.Duplicate) string {
	switch d.Relation {
	case "identical":
		return "the same bytes"
	case "lexical":
		return "the same words"
	case "shingle":
		return "the same phrases"
	case "contained":
		if d.ThisInOther > d.OtherInThis {
			return "holds " + percent(float64(d.ThisInOther)) + "% of this page"
		}
		return percent(float64(d.OtherInThis)) + "% of it is in this page"
	case "chain":
		return "connected through other pages"
	}
	return d.Relation
}

func textFacts(d runs.Document) Facts {
	facts := Facts{{"Words", int(d.Words)}}
	if d.Language != "" {
		facts = append(facts, Fact{"Language", strings.ToUpper(d.Language[:1]) + d.Language[1:]})
	}
	if !d.Time.IsZero() {
		facts = append(facts, Fact{"Fetched", d.Time.Format(time.DateOnly)})
	}
	if d.Label != "" {
		facts = append(facts, Fact{"Not content", d.Label})
	}
	if d.Canonical != "" {
		facts = append(facts, Fact{"Names as canonical", Out(d.Canonical)})
	}
	return facts
}
