package plan

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/config"
)

// judge tells whether the run fits, and what to change if it does not. Memory is no question of that: a run keeps to its
// limit and sorts on disk what does not fit.
func (p *Plan) judge(c config.Config) {
	p.Fits = p.Limits.Disk == 0 || p.Disk <= p.Limits.Disk
	if p.Fits {
		return
	}
	p.Advice = append(p.Advice, fmt.Sprintf("free space or another output directory, so that --disk %s can be given", Size(p.Disk+p.Disk/8)))
	for _, view := range c.Views {
		if other := p.without(view, c); other > 0 && other <= p.Limits.Disk {
			p.Advice = append(p.Advice, fmt.Sprintf("--views %s alone takes about %s", view, Size(other)))
		}
	}
	if c.Has(config.Syntactic) && !c.Sketched() {
		p.Advice = append(p.Advice, "--keep sketches keeps a sketch of each page in place of its shingles; resemblance is then an estimate")
	}
	if c.Has(config.Topical) && c.Neighbours > 10 {
		p.Advice = append(p.Advice, "--neighbours 10 stores fewer pairs")
	}
}

// without returns about how much disk the run takes with one view alone: what the stages that both views have take, and
// what that view adds. It returns 0 if the run has one view only.
func (p *Plan) without(view string, c config.Config) int64 {
	if len(c.Views) < 2 {
		return 0
	}
	var before, peak int64 // the size before the stages of the view
	at := slices.IndexFunc(p.Stages, func(s Stage) bool { return views[s.Name] == view })
	if at > 0 {
		before = p.Stages[at-1].Disk
	}
	gathered := int64(0)
	for _, s := range p.Stages {
		switch views[s.Name] {
		case view:
			peak = max(peak, s.Disk-before)
		case "":
			if s.Name != "publish" {
				gathered = max(gathered, s.Disk)
			}
		}
	}
	return gathered + peak
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
