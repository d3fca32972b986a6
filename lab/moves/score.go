package moves

import (
	"math"

	"github.com/lshclust/lshclust/lab/pairs"
	"github.com/lshclust/lshclust/lab/score"
)

// Move is a verdict on a page for which a gold has a row.
type Move struct {
	Resemblance float64 // of the page and its new version in the gold; negative if the gold does not say
	There       bool    // the newer crawl has the new version
	Named       bool    // the verdict names a page
	Right       bool    // it names the new version
	Confidence  float64
}

// MovesAt holds the figures of the verdicts with at least a given confidence. The intervals are Wilson's.
type MovesAt struct {
	Confidence float64      `json:"confidence"`
	Precision  score.Figure `json:"precision"` // right verdicts among the verdicts that name a page
	Recall     score.Figure `json:"recall"`    // share of the pages with an existing new version that a verdict names
}

// MovesBin holds the figures of the pages in a range of resemblance.
type MovesBin struct {
	Name  string    `json:"name"`
	Pages int       `json:"pages"` // pages whose new version exists
	Curve []MovesAt `json:"curve"`
}

// Calibration compares the confidence of verdicts with how often they are right.
type Calibration struct {
	From  float64      `json:"from"` // the least confidence; the next entry has the upper bound
	Mean  float64      `json:"mean"` // confidence
	Right score.Figure `json:"right"`
}

// MovedReach is the resemblance from which shingles should find a moved page.
const MovedReach = 0.5

// Figures holds the figures of verdicts on pages that moved.
type Figures struct {
	Bins        []MovesBin    `json:"bins"` // all pages, those that shingles should find (MovedReach), and those that were rewritten
	Calibration []Calibration `json:"calibration"`

	// CalibrationError is the mean distance between the confidence and the share that is right, over all verdicts that
	// name a page (expected calibration error).
	CalibrationError score.Figure `json:"calibration_error"`
}

// confidences are the points of the curves.
var confidences = []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99}

// newFigures scores verdicts. A page without an existing new version counts as rewritten if a verdict names any page.
func newFigures(pages []Move) (m Figures) {
	for _, bin := range []struct {
		name string
		in   func(p Move) bool
	}{
		{"all", func(Move) bool { return true }},
		{"similar", func(p Move) bool { return p.There && p.Resemblance >= MovedReach }},
		{"rewritten", func(p Move) bool { return !p.There || p.Resemblance < MovedReach }},
	} {
		b := MovesBin{Name: bin.name}
		for _, p := range pages {
			if p.There && bin.in(p) {
				b.Pages++
			}
		}
		for _, c := range confidences {
			var precision, recall pairs.Proportion
			for _, p := range pages {
				if !bin.in(p) {
					continue
				}
				named := p.Named && p.Confidence >= c
				if named {
					precision.Count(p.Right)
				}
				if p.There {
					recall.Count(named && p.Right)
				}
			}
			b.Curve = append(b.Curve, MovesAt{c, precision.Figure(), recall.Figure()})
		}
		m.Bins = append(m.Bins, b)
	}
	m.Calibration = calibration(pages)
	m.CalibrationError = calibrationError(m.Calibration)
	return m
}

// calibrationError returns the expected calibration error: the mean distance of the bins, weighted by their verdicts.
func calibrationError(bins []Calibration) (f score.Figure) {
	sum := 0.0
	for _, b := range bins {
		sum += math.Abs(b.Mean-b.Right.Value) * float64(b.Right.N)
		f.N += b.Right.N
	}
	if f.N > 0 {
		f.Value = sum / float64(f.N)
	}
	return f
}

// calibration returns an entry for each range of confidence that has verdicts.
func calibration(pages []Move) (out []Calibration) {
	for i, from := range confidences {
		var right pairs.Proportion
		sum := 0.0
		for _, p := range pages {
			if p.Named && p.Confidence >= from && (i+1 == len(confidences) || p.Confidence < confidences[i+1]) {
				right.Count(p.Right)
				sum += p.Confidence
			}
		}
		if right.Of > 0 {
			out = append(out, Calibration{from, sum / float64(right.Of), right.Figure()})
		}
	}
	return out
}
