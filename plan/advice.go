package plan

import (
	"fmt"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
)

// leastMemory returns the least --memory of a run with some documents and links to the target that has most of them. The
// keys of those links may take half of it: see pipeline.MemoryError.
func leastMemory(documents, links float64) int64 {
	return pipeline.LeastMemory + int64(max(documents*pipeline.BytesOfDocument, links*2*float64(anchors.KeySize)))
}

// A setting takes less disk than those of the run.
type setting struct {
	flags, about string
	disk         int64
}

// lessDisk returns the settings that take less disk, given the figures of the run.
func (p *Plan) lessDisk(f Figures, trials []Trial, c config.Config) (out []setting) {
	with := func(change func(f *Figures)) (peak int64) {
		changed := f
		change(&changed)
		for _, s := range Predict(changed, trials, c, p.Limits.Memory) {
			peak = max(peak, s.Disk)
		}
		return peak
	}
	if both := c.Views; len(both) > 1 {
		for i, view := range both {
			c.Views = both[i : i+1]
			out = append(out, setting{"--views " + view, "makes that view alone", with(func(f *Figures) {
				for _, q := range quantitiesOf[both[1-i]] {
					f[q] = 0
				}
			})})
		}
		c.Views = both
	}
	if c.Has(config.Syntactic) && !c.Sketched() {
		out = append(out, setting{"--keep sketches", "keeps a sketch of each page in place of its shingles, so that resemblance is an estimate", with(func(f *Figures) {
			f[Shingles] = min(f[Shingles], f[Pages]*sketchValues)
		})})
	}
	if c.Has(config.Topical) && c.Neighbours > fewNeighbours {
		out = append(out, setting{fmt.Sprintf("--neighbours %d --apart %d", fewNeighbours, fewNeighbours), "stores fewer pairs", with(func(f *Figures) {
			f[TopicalPairs] *= 2 * fewNeighbours / float64(c.Neighbours+c.Apart)
		})})
	}
	return out
}

// quantitiesOf are the quantities that only the stages of one view have.
var quantitiesOf = map[string][]Quantity{
	config.Topical:   {Nodes, Postings, TopicalPairs, Survivors},
	config.Syntactic: {Shingles, SyntacticPairs},
}

const (
	fewNeighbours = 5
	sketchValues  = 100 // about the number of values of a sketch
)

// judge tells whether the run fits, and what to change if it does not. least is the memory that it must have: a run keeps
// to its limit and sorts on disk what does not fit, but some things it must hold.
func (p *Plan) judge(least int64, less []setting) {
	p.Least = least
	p.Fits = p.Limits.Memory == 0 || least <= p.Limits.Memory
	if !p.Fits {
		p.Advice = append(p.Advice, fmt.Sprintf("--memory %s: the run must hold something for each document and for each link to the most popular target", Size(least+least/8)))
	}
	if p.Limits.Disk == 0 || p.Disk <= p.Limits.Disk {
		return
	}
	p.Fits = false
	p.Advice = append(p.Advice, fmt.Sprintf("free space or another output directory, so that --disk %s can be given", Size(p.Disk+p.Disk/8)))
	for _, s := range less {
		if s.disk <= p.Limits.Disk {
			p.Advice = append(p.Advice, fmt.Sprintf("%s takes about %s of disk: it %s", s.flags, Size(s.disk), s.about))
		}
	}
}

// Size formats a number of bytes for people.
func Size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%dGiB", (n+1<<29)>>30)
	case n >= 1<<30:
		return fmt.Sprintf("%.1fGiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%dMiB", max(1, (n+1<<19)>>20))
}
