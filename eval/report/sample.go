// Package report writes the page on which a person marks a sample of neighbours ([WriteSample]).
//
// The page needs no other file and runs no code from the crawl: it shows titles, URLs and golds as text. The same sample
// gives the same bytes.
package report

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/zeebo/xxh3"
)

var (
	//go:embed web/sample.html
	samplePage string
	//go:embed web/sample.css
	sampleStyle string
	//go:embed web/sample.js
	sampleScript string
)

var sampleTemplate = template.Must(template.New("sample").Funcs(template.FuncMap{
	"percent": func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) },
	"web":     func(u string) bool { return strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://") },
}).Parse(samplePage))

// sampleView is the data of the template.
type sampleView struct {
	*eval.Sample
	Key      string // distinguishes the marks of this sample from others
	Style    template.CSS
	Script   template.JS
	Verdicts []verdict
	Sections []sampleSection
}

type verdict struct{ Value, Label string }

type sampleSection struct {
	Number int
	eval.SampleQuery
	Columns []sampleColumn // in their initial order
}

type sampleColumn struct {
	eval.SampleList
	Title          string
	Letter         string
	Open, Shuffled int // position with methods shown, and with methods hidden
	Neighbours     []sampleRow
}

type sampleRow struct {
	eval.SampleNeighbour
	Field string // name of its three radio buttons
}

// WriteSample writes a sample as one page that needs nothing else. A person marks the neighbours on it, by mouse or
// keyboard, and saves the marks in the form that gold.ReadMarks reads. In a blind sample, lists have letters and are
// shuffled for each query by the seed of the sample.
func WriteSample(w io.Writer, s *eval.Sample) error {
	v := sampleView{
		Sample: s, Style: template.CSS(sampleStyle), Script: template.JS(sampleScript), //nolint:gosec // our own files
		Verdicts: []verdict{{gold.Good, "good"}, {gold.Bad, "bad"}, {gold.DontKnow, "don’t know"}},
	}
	var err error
	if v.Key, err = sampleKey(s); err != nil {
		return err
	}
	for i, q := range s.Queries {
		v.Sections = append(v.Sections, querySection(s, i, q))
	}
	return sampleTemplate.Execute(w, v)
}

// sampleKey returns a key that is the same for samples with equal lists.
func sampleKey(s *eval.Sample) (string, error) {
	b, err := json.Marshal(s.Marks())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x", xxh3.Hash(b)), nil
}

func querySection(s *eval.Sample, i int, q eval.SampleQuery) sampleSection {
	out := sampleSection{Number: i + 1, SampleQuery: q}
	order := shuffled(s, q)
	for m, l := range q.Lists {
		c := sampleColumn{
			SampleList: l, Title: s.Methods[m].Title, Open: m, Shuffled: order[m],
			Letter: string(rune('A' + order[m])),
		}
		for _, n := range l.Neighbours {
			c.Neighbours = append(c.Neighbours, sampleRow{n, fmt.Sprintf("q%dm%dr%d", i+1, m+1, n.Rank)})
		}
		out.Columns = append(out.Columns, c)
	}
	if s.Options.Blind {
		slices.SortFunc(out.Columns, func(a, b sampleColumn) int { return cmp.Compare(a.Shuffled, b.Shuffled) })
	}
	return out
}

// shuffled returns the position of each method for a query, by the hash of both.
func shuffled(s *eval.Sample, q eval.SampleQuery) []int {
	methods := make([]int, len(s.Methods))
	for i := range methods {
		methods[i] = i
	}
	at := func(m int) uint64 { return xxh3.HashStringSeed(s.Methods[m].Name+" "+q.URL, s.Options.Seed) }
	slices.SortFunc(methods, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
	place := make([]int, len(methods))
	for p, m := range methods {
		place[m] = p
	}
	return place
}
