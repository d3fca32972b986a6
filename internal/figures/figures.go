// Package figures describes the pictures that the commands, the reports and the pages of the server share, so that the
// same numbers look the same everywhere. Package chart draws them.
package figures

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/chart"
)

// Views returns the plane of the similarity of links and the resemblance of texts. The borders of the corners are those
// of different and of same links, and of different and of same texts.
func Views(title, caption string, counts [][]uint64, links, texts [2]float64) chart.Plane {
	return chart.Plane{
		Frame: chart.Frame{
			Title:       title,
			Description: caption + ", by the similarity of their links and the resemblance of their texts.",
			X:           chart.Axis{Label: "similarity of the links (bags)"}, Y: chart.Axis{Label: "resemblance of the texts (shingles)"},
		},
		Caption: caption,
		Counts:  counts,
		Corners: [4]string{"same text, different links", "both the same", "both different", "same links, different text"},
		XMarks:  links[:], YMarks: texts[:],
	}
}

// Resemblance returns the histogram of pages by the resemblance to their older versions. Pages of resemblance 1 are in
// a bin of their own at the right.
func Resemblance(counts []int) chart.Bars {
	there := 0
	values := chart.Values{Name: "pages"}
	b := chart.Bars{}
	for i, n := range counts {
		name := fmt.Sprintf("%.1f", float64(i)/float64(len(counts)-1))
		if i == len(counts)-1 {
			name = "1"
		}
		there += n
		b.Groups = append(b.Groups, name)
		values.Values = append(values.Values, chart.Point{Y: float64(n)})
	}
	b.Series = []chart.Values{values}
	b.Frame = chart.Frame{
		Title: "Resemblance of pages to their older versions", X: chart.Axis{Label: "resemblance"}, Y: chart.Axis{Label: "pages"},
		Description: fmt.Sprintf("%d pages that both crawls have, by the resemblance of their texts; 1 is the same text.", there),
	}
	return b
}
