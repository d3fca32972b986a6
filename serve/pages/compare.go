package pages

import (
	"context"
	"fmt"
	"html"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/compare"
	"github.com/lshclust/lshclust/serve/api"
)

func comparePage() *Page {
	most := float64(10)
	return &Page{
		Name: "compare", Path: "/compare", Nav: "Both views",
		Params: []api.Param{
			{Name: "corner", Doc: "corner whose pairs are listed", Kind: api.Text, Enum: []string{"same-text", "same-links", "both", "neither"}, Most: 20},
			{Name: "x", Doc: "column of the cell whose pairs are listed", Kind: api.Whole, Least: 0, Most: most},
			{Name: "y", Doc: "row of the cell", Kind: api.Whole, Least: 0, Most: most},
			cursorParam(),
		},
		Show: showCompare,
	}
}

// compareData is what the template shows.
type compareData struct {
	*answer.CompareAnswer
	Alone   [2]uint64 // pairs that only the topical view stored, and only the syntactic one
	Agree   Table
	None    Empty
	Any     bool // there are pairs
	Matrix  []matrixRow
	Columns []string
	Chosen  *pairList // pairs of the cell or of the corner that was asked for
	Corners []pairList
}

// pairList is a list of pairs with a heading.
type pairList struct {
	Anchor, Title, About, Rule string
	Count                      uint64
	Pairs                      []pair
	LeftOut                    int    // pairs whose URLs are too long for the page
	All                        string // link to the whole list
	More                       string // link to the pairs that follow
}

// pair is two pages side by side.
type pair struct {
	A, B        Row
	Links, Text *Score
	Shared      []string
	Contains    string // "" unless one contains much more of the other than they resemble each other
	Why, Diff   string
}

type matrixRow struct {
	Name  string
	Cells []matrixCell
}

type matrixCell struct {
	Count  uint64
	Shade  int // 1 to 8, the more pairs the darker
	To     string
	Chosen bool
}

// cornerTexts describe the corners, in the order in which they are in the table.
var cornerTexts = []struct{ name, title, about string }{
	{"same-text", "Same text, different links", "Mirrors, and copies that nobody links to."},
	{"both", "Same text, same links", "Copies that people link to in the same words."},
	{"neither", "Different text, different links", "One view stored them just above its threshold."},
	{"same-links", "Same links, different text", "Successors, rewrites, rivals: the web says the same of both."},
}

// Numbers of pairs on the page.
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
	compared, err := q.Run.Compared(ctx)
	if err != nil {
		return nil, err
	}
	o := api.CompareOptions(q.Args, rows)
	x := answer.Compare(q.Run.Run, compared, o)
	d := &compareData{CompareAnswer: x, Alone: [2]uint64{x.Topical - x.Both, x.Syntactic - x.Both}, Agree: agreementTable(x.Agreement),
		None: Empty{Text: "No pair of pages is in both views, so there is nothing to compare."}}
	left := roomForRows
	if o.Cell != nil || o.Corner != "" {
		d.Chosen = q.chosenPairs(x, o.Corner, &left)
		d.Chosen.More = q.more(x, "/compare", args...)
	}
	q.table(d)
	for i, c := range cornerTexts {
		some := answer.Compare(q.Run.Run, compared, answer.CompareOptions{Corner: c.name, Window: answer.Window{Limit: pairsOfCorner}})
		l := pairList{Anchor: c.name, Title: c.title, About: c.about, Rule: cornerRule(i, x.Options), Count: countOf(x, c.name)}
		l.add(q, some.Items, &left)
		if int(l.Count) > len(l.Pairs) {
			l.All = q.Compare(c.name)
		}
		d.Corners = append(d.Corners, l)
	}
	return &View{Title: "Both views", JSON: q.JSON("compare", args...), Data: d}, nil
}

func countOf(x *answer.CompareAnswer, corner string) uint64 {
	for _, c := range x.Corners {
		if string(c.Corner) == corner {
			return c.Count
		}
	}
	return 0
}

// agreementTable tells how far the clusters of both views agree, and what each figure means.
func agreementTable(a compare.Agreement) Table {
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

// cornerRule returns the bounds of a corner, by its place in cornerTexts.
func cornerRule(i int, b query.CompareOptions) string {
	text, links := fmt.Sprintf("resemblance ≥ %.3g", b.SameText), fmt.Sprintf("similarity ≥ %.3g", b.SameLinks)
	if i > 1 {
		text = fmt.Sprintf("resemblance ≤ %.3g", b.OtherText)
	}
	if i%2 == 0 {
		links = fmt.Sprintf("similarity ≤ %.3g", b.OtherLinks)
	}
	return text + ", " + links
}

// chosenPairs returns the list of the cell or the corner that was asked for.
func (q *Question) chosenPairs(x *answer.CompareAnswer, corner string, left *room) *pairList {
	l := &pairList{Anchor: "pairs"}
	for i, c := range cornerTexts {
		if c.name == corner {
			l.Title, l.About, l.Rule, l.Count = "Corner: "+c.title, c.about, cornerRule(i, x.Options), countOf(x, corner)
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
func (l *pairList) add(q *Question, pairs []query.ComparedPair, left *room) {
	for _, p := range pairs {
		if !left.spend(5, p.NameA+p.NameB, p.URLA, p.URLB) {
			l.LeftOut++
			continue
		}
		out := pair{
			A: named(p.URLA, p.NameA, q.Page(p.URLA)), B: named(p.URLB, p.NameB, q.Page(p.URLB)),
			Links: &Score{p.Similarity, "links", Web}, Text: &Score{p.Resemblance, "text", Text},
			Shared: p.Shared, Why: q.Explain(p.URLA, p.URLB), Diff: q.Diff(p.URLA, p.URLB),
		}
		switch c := p.Contained(); {
		case c < p.Resemblance+0.2:
		case p.ContainmentAB > p.ContainmentBA:
			out.Contains = fmt.Sprintf("The second has %s %% of the first.", percent(c))
		default:
			out.Contains = fmt.Sprintf("The first has %s %% of the second.", percent(c))
		}
		l.Pairs = append(l.Pairs, out)
	}
}

// named returns the row of a document without links but the one to its page. A name that is a URL is no name.
func named(url, name, to string) Row {
	if strings.Contains(name, "://") {
		name = ""
	}
	return Row{URL: url, Title: name, To: to}
}

// room is the number of bytes that rows may still take on a page, which keeps it small whatever the URLs and titles.
type room int

// roomForRows is the room of a page.
const roomForRows room = 42_000

// rowBytes is what a row takes beside its URLs and titles.
const rowBytes = 1000

// spend takes the room of a row with its titles and some links to each of its URLs, or returns false if there is not
// enough.
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

// table makes the table of all pairs by both similarities, with the most alike texts at the top.
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

// cellLink returns the link to the pairs of a cell.
func (q *Question) cellLink(x, y int) string {
	to := q.To("/compare", "x", strconv.Itoa(x), "y", strconv.Itoa(y))
	if to == "" {
		return ""
	}
	return to + "#pairs"
}
