package plan

import (
	"math"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/run"
)

// Quantity is something that a run has a number of, and on which costs depend.
type Quantity int

// The quantities. Each run has one Fixed, for costs that do not depend on anything.
const (
	Fixed          Quantity = iota
	Bytes                   // of the content of the pages and tables
	Pages                   // that the crawl holds
	Links                   // between documents
	Documents               // crawled or linked to
	Occurrences             // of terms in raw bags
	Nodes                   // different bags
	Postings                // terms of all nodes
	Collisions              // of nodes in buckets of the index
	Survivors               // candidates that agree at the floor
	Comparisons             // of bags, exact ones
	Spread                  // comparisons, times a logarithm of the nodes: bags that are far apart in memory cost cache misses
	TopicalPairs            // that are stored
	Clusters                // topical ones
	Shingles                // of all pages
	Samples                 // sampled shingles
	SyntacticPairs          // that are stored
	quantities
)

var names = [quantities]string{
	"Fixed", "Bytes", "Pages", "Links", "Documents", "Occurrences", "Nodes", "Postings", "Collisions", "Survivors", "Comparisons", "Spread",
	"TopicalPairs", "Clusters", "Shingles", "Samples", "SyntacticPairs",
}

// String returns the name of the constant.
func (q Quantity) String() string { return names[q] }

// Figures are the quantities of a run.
type Figures [quantities]float64

// FiguresOf returns the quantities of a run from what its stages have counted.
func FiguresOf(stages []run.StageStats) (f Figures) {
	f[Fixed] = 1
	for _, s := range stages {
		n := func(name string) float64 { return float64(s.Counts[name]) }
		switch s.Name {
		case "read":
			f[Bytes], f[Pages], f[Links] = n("content_bytes"), float64(s.Out), n("links")
		case "group":
			f[Documents], f[Occurrences] = float64(s.Out), n("term_occurrences")
		case "sign":
			f[Nodes] = float64(s.In) - n("identical_bags")
		case "invert":
			f[Postings] = float64(s.Out)
		case "pair":
			f[Collisions], f[TopicalPairs] = n("collisions"), float64(s.Out)
			f[Survivors] = float64(s.In - s.Dropped["agreement-below-floor"])
			f[Comparisons] = n("compared") + n("compared_in_round_1")
		case "cluster":
			f[Clusters] = float64(s.Out)
		case "shingle":
			f[Shingles] = n("shingles")
		case "resemble":
			f[Samples], f[SyntacticPairs] = n("sampled_shingles"), float64(s.Out)
		}
	}
	f.derive()
	return f
}

// derive computes the quantities that follow from others.
func (f *Figures) derive() { f[Spread] = f[Comparisons] * math.Log2(2+f[Nodes]/1000) }

// recallOf returns the share of the exact neighbours of a sample that a run has stored, and false if it took no sample.
func recallOf(stages []run.StageStats) (recall float64, ok bool) {
	for _, s := range stages {
		if n := s.Counts[config.CountSampled]; s.Name == "pair" && n > 0 {
			return float64(s.Counts[config.CountStored]) / float64(n), true
		}
	}
	return 0, false
}
