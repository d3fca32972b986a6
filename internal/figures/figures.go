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

// Pairs returns the histogram of pairs by similarity, estimated from a sample of documents, and of those of them that
// the index of a run finds. none and all say how many pairs have nothing in common, and how many there are.
func Pairs(sample int, none, all string, edges, pairs, found []float64) chart.Histogram {
	return chart.Histogram{
		Frame: chart.Frame{
			Title: "Pairs by similarity",
			Description: fmt.Sprintf("Pairs of similarity above 0, estimated from %d sampled documents that were compared with all others, and those of them that the index of this run finds. %s more pairs of %s have nothing in common.",
				sample, none, all),
			X: chart.Axis{Label: "similarity"}, Y: chart.Axis{Label: "pairs", Log: true},
		},
		Edges:  edges,
		Series: []chart.Counts{{Name: "all pairs", Count: pairs}, {Name: "found by this run", Count: found}},
	}
}

// Curve returns the S-curves of some choices of an index, and the shares found of the pairs of a sample of documents.
// Pairs are wanted from a similarity on.
func Curve(sample int, wanted float64, curves []chart.Series, seen []chart.Point) chart.Lines {
	f := chart.Lines{
		Frame: chart.Frame{
			Title: "Pairs found by similarity",
			Description: fmt.Sprintf("Probability that a pair is found and agrees at the floor, by formula without large buckets, and the share of the pairs of %d sampled documents that the index of this run finds, with 95 %% intervals, at the mean similarity of a range. Where the points are below the curve of this run, its bound on buckets costs the difference.",
				sample),
			X: chart.Axis{Label: "similarity", Max: 1}, Y: chart.Axis{Label: "share found", Max: 1},
		},
		Series: curves,
		Marks:  []chart.Mark{{Name: fmt.Sprintf("wanted from %.3g", wanted), X: wanted}},
	}
	if len(seen) > 0 {
		f.Series = append(f.Series, chart.Series{Name: "found in the sample", Spread: chart.ErrorBars, NoLine: true, Points: seen})
	}
	return f
}
