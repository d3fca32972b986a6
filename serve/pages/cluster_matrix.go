package pages

import (
	"fmt"
	"math"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/chart"
	"github.com/lshclust/lshclust/query"
)

// matrix shows how similar the leading members of a cluster are to one another: the lower half of a square, with the
// names of the members in the upper half.
type matrix struct {
	Width, Height float64
	Cells         []cellOf
	Members       []matrixMember
	Pairs         int
	Table         Table
	Figure        string // what is compared

	values [][]float64
}

type cellOf struct {
	X, Y  float64
	Shade int // 0 to shadesOf
	Name  string
}

type matrixMember struct {
	Link
	Number       int
	X, Y         float64 // of the number
	NameX, NameY float64
	Name         string // shortened
	url          string
}

const (
	cellSize   = 30.0
	nameRoom   = 250.0
	shadesOf   = 9 // of cells, beside that for 0
	matrixFont = 13
)

// newMatrix draws a matrix of the values of pairs of members; value(i, j) is asked for j < i.
func newMatrix(members []matrixMember, figureName string, value func(i, j int) (float64, error)) (*matrix, error) {
	n := len(members)
	distinguish(members)
	m := &matrix{Width: float64(n)*cellSize + nameRoom, Height: float64(n) * cellSize, Members: members, Figure: figureName, values: make([][]float64, n)}
	m.Table = Table{Caption: "The " + figureName + " of each two of the leading members", Columns: []string{"Member"}}
	for i := range members {
		at := float64(i) * cellSize
		x := &members[i]
		x.Number, x.X, x.Y = i+1, at+cellSize/2, at+cellSize/2+5
		x.NameX, x.NameY = at+cellSize+6, x.Y
		x.Name, _ = chart.Fit(x.Text, matrixFont*1.2, m.Width-x.NameX)
		if i < n-1 {
			m.Table.Columns = append(m.Table.Columns, fmt.Sprint(i+1))
		}
		row := []any{Link{fmt.Sprintf("%d %s", i+1, x.Text), x.To}}
		m.values[i] = make([]float64, i)
		for j := range i {
			v, err := value(i, j)
			if err != nil {
				return nil, err
			}
			m.values[i][j], m.Pairs = v, m.Pairs+1
			m.Cells = append(m.Cells, cellOf{float64(j)*cellSize + 1, at + 1, shadeOf(v), fmt.Sprintf("%d and %d: %s", j+1, i+1, figure(v))})
			row = append(row, figure(v))
		}
		for len(row) < n {
			row = append(row, "")
		}
		m.Table.Rows = append(m.Table.Rows, row)
	}
	return m, nil
}

// distinguish gives members that have the name of another one their URL for a name.
func distinguish(members []matrixMember) {
	count := map[string]int{}
	for _, m := range members {
		count[m.Text]++
	}
	for i, m := range members {
		if count[m.Text] > 1 {
			members[i].Text = short(m.url)
		}
	}
}

// shadeOf returns the shade of a value from 0 to 1. Small values, which are the most frequent, have more shades.
func shadeOf(v float64) int {
	if v <= 0 {
		return 0
	}
	return min(shadesOf, 1+int(math.Sqrt(v)*shadesOf))
}

// below returns the number of pairs below a value.
func (m *matrix) below(v float64) (n int) {
	for _, row := range m.values {
		for _, x := range row {
			if x < v {
				n++
			}
		}
	}
	return n
}

// weakest returns the weakest of the links that hold the members together: the smallest value on a maximum spanning
// tree. It returns nil for fewer than two members.
func (m *matrix) weakest() *line {
	if m == nil || len(m.Members) < 2 {
		return nil
	}
	of := func(i, j int) float64 { return m.values[max(i, j)][min(i, j)] }
	in := make([]bool, len(m.Members))
	in[0] = true
	lowest := &line{similarity: 2}
	for range len(in) - 1 {
		next := line{similarity: -1}
		for i := range in {
			for j := range in {
				if in[i] && !in[j] && of(i, j) > next.similarity {
					next = line{from: i, to: j, similarity: of(i, j)}
				}
			}
		}
		in[next.to] = true
		if next.similarity < lowest.similarity {
			*lowest = next
		}
	}
	return lowest
}

// topicalMatrix compares the bags of the leading members of a topical cluster.
func topicalMatrix(q *Question, members []query.TopicalMember) (*matrix, error) {
	members = members[:min(len(members), mostMatrix)]
	var named []matrixMember
	for _, m := range members {
		named = append(named, matrixMember{Link: Link{nameOf(q.Run, m.ID), q.Page(m.URL)}, url: m.URL})
	}
	return newMatrix(named, "similarity", func(i, j int) (float64, error) {
		return bags.Similarity(q.Run.Bag(members[i].ID), q.Run.Bag(members[j].ID)), nil
	})
}

// syntacticMatrix compares the texts of the leading members of a syntactic cluster.
func syntacticMatrix(q *Question, members []uint32) (*matrix, error) {
	var named []matrixMember
	for _, id := range members {
		d := q.Run.Document(id)
		named = append(named, matrixMember{Link: Link{nameOf(q.Run, id), q.Page(d.URL)}, url: d.URL})
	}
	return newMatrix(named, "resemblance", func(i, j int) (float64, error) {
		d, err := q.Run.Overlap(members[i], members[j])
		return d.Resemblance, err
	})
}
