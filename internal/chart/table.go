package chart

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// Table is the numbers of a figure. A cell is a string, a float64, an int64, or nil if there is no value. All rows are
// as long as Columns.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]any
}

// longTable is the number of rows from which a table is folded in HTML.
const longTable = 25

var figure = template.Must(template.New("figure").Funcs(template.FuncMap{
	"cell": func(cell any) string { return clean(Text(cell)) }, "number": isNumber, "clean": clean,
}).Parse(
	`<figure class="chart-figure">
{{.SVG}}<figcaption>{{clean .Description}}</figcaption>
<details{{if .Short}} open{{end}}><summary>The figures: {{len .Table.Rows}} rows</summary>
<div class="table" role="region" tabindex="0" aria-label="{{clean .Table.Caption}}"><table><thead><tr>{{range .Table.Columns}}<th scope="col">{{clean .}}</th>{{end}}</tr></thead>
<tbody>{{range .Table.Rows}}
<tr>{{range $i, $c := .}}{{if $i}}<td{{if number $c}} class="number"{{end}}>{{cell $c}}</td>{{else}}<th scope="row">{{cell $c}}</th>{{end}}{{end}}</tr>{{end}}
</tbody></table></div></details>
</figure>
`))

// HTML returns a figure for a page: the picture, its description, and the table of its numbers, which is folded if it
// is long.
func HTML(f Figure) (template.HTML, error) {
	svg, err := f.SVG()
	if err != nil {
		return "", err
	}
	t := f.Table()
	var b bytes.Buffer
	err = figure.Execute(&b, struct {
		SVG         template.HTML
		Description string
		Table       Table
		Short       bool
	}{template.HTML(svg), describe(f), t, len(t.Rows) < longTable})
	return template.HTML(b.String()), err
}

func describe(f Figure) string {
	if d, ok := f.(interface{ description() string }); ok {
		return d.description()
	}
	return ""
}

func (f Frame) description() string { return f.Description }

func isNumber(cell any) bool {
	switch cell.(type) {
	case float64, int64:
		return true
	}
	return false
}

// Text formats a cell: numbers with four significant digits, whole numbers in full, and nil as a dash.
func Text(cell any) string {
	switch v := cell.(type) {
	case nil:
		return "–"
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return number(v)
	}
	return fmt.Sprint(cell)
}

func number(v float64) string {
	switch a := math.Abs(v); {
	case v == math.Trunc(v) && a < 1e15, a >= 1e4 && a < 1e15:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1e-4 && a < 1e4:
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// spreadColumns returns the columns of one series.
func spreadColumns(name string, s Spread) []string {
	if s == None {
		return []string{name}
	}
	return []string{name, name + ", low", name + ", high"}
}

func spreadCells(p Point, s Spread) []any {
	if s == None {
		return []any{p.Y}
	}
	return []any{p.Y, p.Low, p.High}
}
