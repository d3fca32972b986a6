package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/query"
)

// tuned is all that tune tells.
type tuned struct {
	Run          string    `json:"run"`
	Nodes        int       `json:"distinct_bags"`
	Pairs        float64   `json:"pairs"`
	Sample       int       `json:"sample"`
	Seed         uint64    `json:"seed"`
	Goal         goal      `json:"goal"`
	Similarities []between `json:"similarities"`
	FoundAbove   *estimate `json:"found_at_goal"` // measured, of the sample; null if it has no such pairs
	Present      choice    `json:"present"`
	Counted      *counted  `json:"counted,omitempty"` // of the run, in its manifest
	Choices      []choice  `json:"choices,omitempty"`
	Floors       []floor   `json:"floors,omitempty"`
	Flags        string    `json:"flags"` // for lshclust cluster; empty if nothing reaches the goal
	Notes        []string  `json:"notes,omitempty"`

	best     int // among the floors or the choices, -1 for none
	maxRun   int // that the choices are told for
	measured *query.Measured
}

type goal struct {
	Recall float64 `json:"recall"`
	At     float64 `json:"at"`
}

// estimate is an lsh.Estimate under names for JSON; nil where there is none.
type estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// between is the pairs of a range of similarities.
type between struct {
	Range string    `json:"range"`
	From  float64   `json:"from"`
	To    float64   `json:"to"`             // not among them
	Mean  float64   `json:"mean,omitempty"` // similarity
	Pairs *estimate `json:"pairs"`
	Found *estimate `json:"found"`
}

// choice is a prediction.
type choice struct {
	lsh.Choice
	Recall     *estimate `json:"recall"`
	RecallAt   float64   `json:"recall_at"`
	Candidates *estimate `json:"candidates"`
	Survivors  *estimate `json:"survivors"`
	Seconds    float64   `json:"cpu_seconds"`
	Memory     int64     `json:"memory"`            // of a run, in bytes
	Checked    *checked  `json:"checked,omitempty"` // null: not tried
}

// checked is what the index of a choice finds of the sample, tried and not told by the model.
type checked struct {
	Recall     *estimate `json:"recall"`
	Candidates *estimate `json:"candidates"`
}

// counted is what the manifest says of the choice of the run.
type counted struct {
	Candidates int64   `json:"candidates"`
	Survivors  int64   `json:"survivors"`
	Seconds    float64 `json:"cpu_seconds"`
	PeakAnon   int64   `json:"peak_anon_bytes"`
}

type floor struct {
	Floor     float64   `json:"floor"`
	Least     int       `json:"equal_signatures"`
	Recall    *estimate `json:"recall"`
	Precision *estimate `json:"precision"`
	Survivors *estimate `json:"survivors"`
}

// edges are those of the ranges of similarity that are shown; pairs of similarity 0 have a line of their own.
var edges = []float64{1e-9, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.01}

func newTuned(ctx context.Context, t *tuning, r *query.Run, m *query.Measured, name string) (*tuned, error) {
	h := m.Similarities
	model, own := r.Model(m)
	x := &tuned{
		Run: name, Nodes: r.Nodes(), Pairs: h.Pairs(), Sample: h.Sampled(), Seed: t.seed,
		Goal: goal{t.goal.Recall, t.goal.At}, best: -1, measured: m,
		Present: predicted(own.Predict(r.Choice(), t.goal.At)), maxRun: cmp.Or(t.maxRun, r.Config.MaxRun),
	}
	x.ranges()
	if e, ok := h.Share(m.Found, t.goal.At, 2); ok {
		x.FoundAbove = estimated(e)
	}
	if s, ok := r.Manifest.Stage("pair"); ok {
		x.Counted = &counted{s.In, s.In - s.Dropped["agreement-below-floor"], s.CPUSeconds, s.PeakAnon}
	}
	if t.threshold {
		x.floors(model, r, t.goal)
	} else if err := x.choose(ctx, model, r, t); err != nil {
		return nil, err
	}
	x.note(model, own, r)
	return x, nil
}

// ranges fills in how many pairs there are by similarity, and how many of them the index of the run finds.
func (x *tuned) ranges() {
	add := func(name string, from, to float64) {
		b := between{Range: name, From: from, To: to, Pairs: estimated(x.measured.Similarities.Between(from, to))}
		if e, ok := x.measured.Similarities.Share(x.measured.Found, from, to); ok && from > 0 {
			b.Found = estimated(e)
			b.Mean, _ = x.measured.Similarities.Mean(from, to)
		}
		x.Similarities = append(x.Similarities, b)
	}
	add("0", 0, edges[0])
	for i := range len(edges) - 1 {
		name := fmt.Sprintf("%.2f to %.2f", edges[i], edges[i+1])
		switch i {
		case 0:
			name = fmt.Sprintf("up to %.2f", edges[1])
		case len(edges) - 2:
			name = fmt.Sprintf("%.2f to 1", edges[i])
		}
		add(name, edges[i], edges[i+1])
	}
}

// choose fills in the best choices by the model, and tries them until one does on the sample itself what was wanted.
func (x *tuned) choose(ctx context.Context, model *lsh.Model, r *query.Run, t *tuning) error {
	for _, p := range model.Tune(t.goal) {
		if len(x.Choices) < t.top {
			x.Choices = append(x.Choices, predicted(p))
		}
	}
	for i := range x.Choices {
		enough, err := x.try(ctx, model, r, i)
		if err != nil {
			return err
		}
		if enough {
			x.Flags, x.best = x.flags(r.Config, x.Choices[i].Choice), i
			return nil
		}
	}
	return nil
}

// tries is the number of times that a choice is given a quarter more keys.
const tries = 4

// try gives choice i more keys, if need be, until it finds enough of the sample.
func (x *tuned) try(ctx context.Context, model *lsh.Model, r *query.Run, i int) (bool, error) {
	c := &x.Choices[i]
	for range tries {
		tried, err := r.Try(ctx, x.measured, c.Choice, x.maxRun)
		if err != nil {
			return false, err
		}
		c.Checked = &checked{Candidates: estimated(tried.Candidates)}
		recall, ok := tried.Recall(x.measured, x.Goal.At)
		if !ok {
			return true, nil // there is nothing to find: what the curve says has to do
		}
		c.Checked.Recall = estimated(recall)
		if recall.Value >= x.Goal.Recall {
			return true, nil
		}
		more, ok := c.MoreKeys()
		if !ok {
			return false, nil
		}
		last := c.Checked
		*c = predicted(model.Predict(more, x.Goal.At))
		c.Checked = last
	}
	return false, nil
}

// floors fills in what every floor does.
func (x *tuned) floors(model *lsh.Model, r *query.Run, g lsh.Goal) {
	all := model.Floors(r.Choice(), g.At)
	x.best, x.Floors = lsh.HighestFloor(all, g.Recall), []floor{}
	for _, f := range all {
		x.Floors = append(x.Floors, floor{f.Floor, f.Least, estimated(f.Recall), estimated(f.Precision), estimated(f.Survivors)})
	}
	if x.best >= 0 {
		c := r.Choice()
		c.Floor = all[x.best].Floor
		x.Flags = x.flags(r.Config, c)
	}
}

// flags are those of cluster that make a choice. What the preset of the run has otherwise is named where it matters here.
func (x *tuned) flags(c config.Config, best lsh.Choice) string {
	out := []string{fmt.Sprintf("--preset %s --signatures %d --key-size %d --keys %d --floor %s", c.Preset, best.M, best.K, best.L, trimFloat(best.Floor))}
	if p, err := config.Preset(c.Preset); err == nil {
		if p.MaxRun != x.maxRun {
			out = append(out, fmt.Sprintf("--max-run %d", x.maxRun))
		}
		if p.Reach != c.Reach {
			out = append(out, fmt.Sprintf("--reach %d", c.Reach))
		}
		if x.Goal.At < p.Similarity {
			out = append(out, "--min-similarity "+trimFloat(x.Goal.At))
		}
	}
	return strings.Join(out, " ")
}

// note says what the figures rest on and where they are thin.
func (x *tuned) note(model, own *lsh.Model, r *query.Run) {
	say := func(format string, args ...any) { x.Notes = append(x.Notes, fmt.Sprintf(format, args...)) }
	if !model.Measured(x.Goal.At) {
		say("no pair of similarity %.3g or more is in the sample: recall is then the mean of the predicted curve from %.3g to 1, and no floor can be chosen; raise --sample", x.Goal.At, x.Goal.At)
	}
	if model.Rates == lsh.DefaultRates {
		say("times rest on rates measured on another machine: the stage pair of this run was too short to scale them by")
	} else {
		say("times are scaled so that the choice of this run takes the %.3g s of processor time in its manifest", x.Counted.Seconds)
	}
	unbounded := (&lsh.Model{Similarities: own.Similarities, Rates: own.Rates}).Predict(r.Choice(), x.Goal.At)
	if lost := unbounded.Recall.Value - x.Present.Recall.Value; lost > 0.005 {
		say("long runs of equal keys (--max-run %d) cost this run about %.3f of that recall, and more keys do not bring all of it back: without the bound it would be %.3f, with %s candidates",
			r.Config.MaxRun, lost, unbounded.Recall.Value, large(unbounded.Candidates.Value))
	}
	if x.Flags != "" && x.Goal.At > 0.15 && r.Config.Floor < 0.1 && !strings.Contains(x.Flags, "--floor "+trimFloat(r.Config.Floor)+" ") {
		say("lists of related pages reach below similarity %.3g, and these flags find fewer pairs there; --at says how far down recall matters", x.Goal.At)
	}
}

func estimated(e lsh.Estimate) *estimate { return &estimate{e.Value, e.Low, e.High} }

// predicted is a prediction with the memory of a run: half of it goes to the index.
func predicted(p lsh.Prediction) choice {
	return choice{p.Choice, estimated(p.Recall), p.RecallAt, estimated(p.Candidates), estimated(p.Survivors), p.Seconds, 2 * p.Memory, nil}
}

// share is an estimate of a share for people, a dash where there is none.
func (e *estimate) share() string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", e.Value, e.Low, e.High)
}

// large is an estimate of a number for people.
func (e *estimate) large() string {
	return fmt.Sprintf("%s (%s to %s)", large(e.Value), large(e.Low), large(e.High))
}

// large is a number in three or four digits.
func large(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if v >= u.size {
			return fmt.Sprintf("%.1f%s", v/u.size, u.name)
		}
	}
	if v >= 1e5 {
		return fmt.Sprintf("%.0fk", v/1e3)
	}
	if v >= 10 || v == 0 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// sizeOf is a number of bytes for people.
func sizeOf(bytes int64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%.1fGiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.0fMiB", max(1, float64(bytes)/(1<<20)))
}
