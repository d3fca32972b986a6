package chart

import (
	"bytes"
	"html/template"
	"math"
	"strconv"
)

// longTable is the number of rows from which on a table is folded in HTML.
const longTable = 25

var figure = template.Must(template.New("figure").Funcs(template.FuncMap{
	"cell": text, "clean": clean,
}).Parse(
	`<figure class="chart-figure">
{{.SVG}}<figcaption>{{clean .Description}}</figcaption>
<details{{if .Short}} open{{end}}><summary>The figures: {{len .Table.Rows}} rows</summary>
<div class="table" role="region" tabindex="0" aria-label="{{clean .Table.Caption}}"><table><thead><tr>{{range .Table.Columns}}<th scope="col">{{clean .}}</th>{{end}}</tr></thead>
<tbody>{{range .Table.Rows}}
<tr>{{range $i, $c := .}}{{if $i}}<td{{if ne $c nil}} class="number"{{end}}>{{cell $c}}</td>{{else}}<th scope="row">{{cell $c}}</th>{{end}}{{end}}</tr>{{end}}
</tbody></table></div></details>
</figure>
`))

// HTML returns a figure for a page: the picture, its description, and the table of its numbers, which is folded if it
// is long.
func HTML(f Lines) (template.HTML, error) {
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
	}{template.HTML(svg), f.Description, t, len(t.Rows) < longTable})
	return template.HTML(b.String()), err
}

// text formats a cell, or a dash if there is no value.
func text(cell any) string {
	if v, ok := cell.(float64); ok {
		return number(v)
	}
	return "–"
}

// number formats a number with four significant digits, and a whole number in full.
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
