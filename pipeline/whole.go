package pipeline

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/run"
)

// A stage whose work is small or cannot be divided, such as CENTER and union-find, is whole: it has one step with one
// part, which writes the outputs of the stage.

// inOnePart returns a stage that is whole so that its work is done as a part, whose files are its outputs.
func (b *build) inOnePart(s stage) stage {
	var files []string
	work := b.inSteps(s.name, func(context.Context) (run.StageStats, error) {
		n, err := b.summed(s.name, s.name)
		for _, p := range b.dir.Parts(s.name) {
			files = append(files, p.Files...)
		}
		return n.stats(), err
	})
	return stage{name: s.name, work: work, also: func() []string { return files }}
}

// wholeStep returns the only step of a stage.
func wholeStep(s stage) stepOf {
	return stepOf{s.name, func(string) (*step, error) {
		return &step{name: s.name, parts: 1, together: true, open: func(context.Context, int) (parter, error) { return wholeParter{s}, nil }}, nil
	}}
}

// wholeParter does the work of a stage as one part.
type wholeParter struct{ stage }

func (wholeParter) close() {}

func (p wholeParter) part(ctx context.Context, _, _ int, out *partFiles) (counts, error) {
	stats, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range p.allOutputs() {
		out.named(name)
	}
	return countsOf(stats), nil
}

// Prefixes of the names of counts of a part that are the counts of its stage.
const (
	countDropped = "dropped/"
	countOther   = "counts/"
)

// countsOf returns what a stage counted as the counts of a part.
func countsOf(s run.StageStats) counts {
	n := counts{"in": s.In, "out": s.Out}
	for name, count := range s.Dropped {
		n[countDropped+name] = count
	}
	for name, count := range s.Counts {
		n[countOther+name] = count
	}
	return n
}

// stats is the inverse of countsOf.
func (n counts) stats() run.StageStats {
	s := run.StageStats{In: n["in"], Out: n["out"], Dropped: map[string]int64{}, Counts: map[string]int64{}}
	for name, count := range n {
		if of, ok := strings.CutPrefix(name, countDropped); ok {
			s.Dropped[of] = count
		} else if of, ok := strings.CutPrefix(name, countOther); ok {
			s.Counts[of] = count
		}
	}
	return s
}
