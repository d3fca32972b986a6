package pages

import (
	"context"
	"fmt"
	"html"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/views"
)

// compareData is the data of the template.
type compareData struct {
	*ask.CompareAnswer
	Agree   Table
	None    Empty
	Any     bool // whether there are any pairs
	Matrix  []matrixRow
	Columns []string
	Chosen  *pairList // pairs of the requested cell or corner
	Corners []pairList
}

// pairList is a list of pairs with a heading.
type pairList struct {
	Anchor, Title, About, Rule string
	Count                      uint64
	Unlinked                   string // how many of them have a page that no page links to
	Pairs                      []pair
	LeftOut                    int    // number of pairs left out because of their long URLs
	All                        string // link to the whole list
	More                       string // link to the next pairs
}

// pair is two pages side by side.
type pair struct {
	A, B        Row
	Links, Text *Score
	Shared      []string
	Contains    string // "" unless the containment is much larger than the resemblance
	Why, Diff   string
}

type matrixRow struct {
	Name  string
	Cells []matrixCell
}

type matrixCell struct {
	Count  uint64
	Shade  int // 1 to 8, darker for more pairs
	To     string
	Chosen bool
}

// cornerTexts describes the corners in the order of the table.
var cornerTexts = []struct{ name, title, about string }{
	{"same-text", "Same text, different links", "Mirrors, and copies that nobody links to."},
	{"both", "Same text, same links", "Copies that people link to in the same words."},
	{"neither", "Different text, different links", "One view stored them just above its threshold."},
	{"same-links", "Same links, different text", "Successors, rewrites, rivals: the web says the same of both."},
}

// Numbers of pairs that the page shows.
const (
	pairsOfCorner = 3
	pairsOfList   = 10
)

func showCompare(ctx context.Context, q *Question) (*View, error) {
	args := []string{"corner", q.Args.Text("corner"), "x", q.Args.Text("x"), "y", q.Args.Text("y")}
	rows, err := q.window(pairsOfList)
	if err != nil {
		return nil, err
	}
	compared, err := ask.Compared(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	o := ask.Compare{Window: rows}
	q.fill(&o)
	x := o.Of(q.Run.Run, compared)
	d := &compareData{CompareAnswer: x, Agree: agreementTable(x.Agreement),
		None: Empty{Text: "No pair of pages is in both views, so there is nothing to compare."}}
	left := roomForRows
	if o.HasCell() || o.Corner != "" {
		d.Chosen = q.chosenPairs(x, string(o.Corner), &left)
		d.Chosen.More = q.more(x, "/compare", args...)
	}
	q.table(d)
	for i, c := range cornerTexts {
		some := ask.Compare{Corner: views.Corner(c.name), Window: ask.Window{Limit: pairsOfCorner}}.Of(q.Run.Run, compared)
		l := pairList{Anchor: c.name, Title: c.title, About: c.about, Rule: cornerRule(i, x.Options)}
		l.setCount(x, c.name)
		l.add(q, some.Items, &left)
		if int(l.Count) > len(l.Pairs) {
			l.All = q.Compare(c.name)
		}
		d.Corners = append(d.Corners, l)
	}
	return &View{Title: "Both views", JSON: q.JSON("compare", args...), Data: d, List: x}, nil
}

// setCount sets the number of pairs in a corner, and says how many have a page of which the web says nothing.
func (l *pairList) setCount(x *ask.CompareAnswer, corner string) {
	for _, c := range x.Corners {
		switch {
		case string(c.Corner) != corner:
			continue
		case c.Unlinked == c.Count && c.Count > 0:
			l.Unlinked = "In each of them, a page has no links."
		case c.Unlinked > 0:
			l.Unlinked = "In " + count(c.Unlinked) + " of them, a page has no links."
		}
		l.Count = c.Count
	}
}

// agreementTable shows how far the clusters of both views agree, and explains each figure.
func agreementTable(a views.Agreement) Table {
	return Table{
		Caption: "Agreement of the topical with the syntactic clusters", Columns: []string{"measure", "value", "meaning"},
		Rows: [][]any{
			{"adjusted Rand index", a.AdjustedRand, "1: the same clusters; 0: agreement as by chance"},
			{"B-cubed precision", a.Precision, "how much of a topical cluster has the same text"},
			{"B-cubed recall", a.Recall, "how much of a syntactic cluster has similar links"},
			{"B-cubed F", a.F1, "both in one; a page alone in both views agrees"},
		},
	}
}

// cornerRule describes the bounds of a corner, given its index in cornerTexts.
func cornerRule(i int, b views.CompareOptions) string {
	text, links := fmt.Sprintf("resemblance ≥ %.3g", b.SameText), fmt.Sprintf("similarity ≥ %.3g", b.SameLinks)
	if i > 1 {
		text = fmt.Sprintf("resemblance ≤ %.3g", b.OtherText)
	}
	if i%2 == 0 {
		links = fmt.Sprintf("similarity ≤ %.3g", b.OtherLinks)
	}
	return text + ", " + links
}

// chosenPairs returns the list of the requested cell or corner.
func (q *Question) chosenPairs(x *ask.CompareAnswer, corner string, left *room) *pairList {
	l := &pairList{Anchor: "pairs"}
	for i, c := range cornerTexts {
		if c.name == corner {
			l.Title, l.About, l.Rule = "Corner: "+c.title, c.about, cornerRule(i, x.Options)
			l.setCount(x, corner)
		}
	}
	if c := x.Cell; c != nil {
		l.Title = "Pairs of a cell"
		l.Rule = "similarity of the links " + span(c.FromX, c.ToX) + ", resemblance of the texts " + span(c.FromY, c.ToY)
		l.About, l.Count = "Those of the pages that most others link to come first.", uint64(c.Pairs)
	}
	l.add(q, x.Items, left)
	return l
}

func span(from, to float64) string {
	if to == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g to %.3g", from, to)
}

// add adds the pairs that fit on the page.
func (l *pairList) add(q *Question, pairs []views.ComparedPair, left *room) {
	for _, p := range pairs {
		if !left.spend(5, p.NameA+p.NameB, p.URLA, p.URLB) {
			l.LeftOut++
			continue
		}
		out := pair{
			A: q.Row(p.URLA, p.NameA), B: q.Row(p.URLB, p.NameB),
			Links: &Score{p.Similarity, "links", Web}, Text: &Score{p.Resemblance, "text", Text},
			Shared: p.Shared, Why: q.Explain(p.URLA, p.URLB), Diff: q.Diff(p.URLA, p.URLB),
		}
		switch c := p.Contained(); {
		case c < p.Resemblance+0.2:
		case p.AInB > p.BInA:
			out.Contains = fmt.Sprintf("The second has %s %% of the first.", percent(c))
		default:
			out.Contains = fmt.Sprintf("The first has %s %% of the second.", percent(c))
		}
		l.Pairs = append(l.Pairs, out)
	}
}

// room is the number of bytes left for rows. It keeps a page small, however long URLs and titles are.
type room int

// roomForRows is the initial room of a page.
const roomForRows room = 42_000

// rowBytes is the size of a row without its URLs and titles.
const rowBytes = 1000

// spend takes the room for a row with its titles and a number of links to each of its URLs. It returns false if there
// is not enough.
func (r *room) spend(links int, titles string, urls ...string) bool {
	need := rowBytes + len(html.EscapeString(titles))
	for _, u := range urls {
		need += links * len(url.QueryEscape(u))
	}
	if need > int(*r) {
		return false
	}
	*r -= room(need)
	return true
}

// table makes the table of all pairs by both similarities. The most similar texts are at the top.
func (q *Question) table(d *compareData) {
	x, most := d.CompareAnswer, uint64(1)
	for _, column := range x.Histogram {
		most = max(most, slices.Max(column))
	}
	bins := len(x.Histogram) - 1
	name := func(bin int) string {
		switch bin {
		case 0:
			return "0"
		case 1:
			return ">0"
		}
		return fmt.Sprintf("≥%.2g", float64(bin-1)/float64(bins))
	}
	for j := bins; j >= 0; j-- {
		row := matrixRow{Name: name(j)}
		for i, column := range x.Histogram {
			c := matrixCell{Count: column[j], Chosen: x.Cell != nil && x.Cell.X == i && x.Cell.Y == j}
			if c.Count > 0 {
				c.To, d.Any = q.cellLink(i, j), true
				c.Shade = 1 + int(7*math.Log(float64(c.Count))/max(math.Log(float64(most)), 1))
			}
			row.Cells = append(row.Cells, c)
		}
		d.Matrix = append(d.Matrix, row)
		d.Columns = append(d.Columns, name(bins-j))
	}
}

// cellLink returns the link to the pairs in a cell.
func (q *Question) cellLink(x, y int) string {
	to := q.To("/compare", "x", strconv.Itoa(x), "y", strconv.Itoa(y))
	if to == "" {
		return ""
	}
	return to + "#pairs"
}
