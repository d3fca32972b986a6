package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/tune"
)

// tuned holds all figures that tune prints.
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

	best      int // index of the best floor or choice, or -1
	maxBucket int // bound for which the choices are made
	measured  *query.Measured
}

type goal struct {
	Recall float64 `json:"recall"`
	At     float64 `json:"at"`
}

// estimate is a tune.Estimate with names for JSON. It is nil if there is no estimate.
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

// choice is a prediction and, if the choice was tried, the result of the trial.
type choice struct {
	tune.Choice
	Recall     *estimate `json:"recall"`
	RecallAt   float64   `json:"recall_at"`
	Candidates *estimate `json:"candidates"`
	Survivors  *estimate `json:"survivors"`
	Seconds    float64   `json:"cpu_seconds"`
	Memory     int64     `json:"memory"`            // of a run, in bytes
	Checked    *checked  `json:"checked,omitempty"` // absent if the choice was not tried
}

// checked holds the results of a trial of a choice on the sample.
type checked struct {
	Recall     *estimate `json:"recall"` // null if the sample has no pairs to find
	Candidates *estimate `json:"candidates"`
	Survivors  *estimate `json:"survivors"`
}

// counted holds the figures of the run in its manifest.
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

// edges are the edges of the ranges of similarity that are shown. Pairs of similarity 0 have a separate line.
var edges = []float64{1e-9, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.01}

func newTuned(ctx context.Context, t *tuning, r *query.Run, m *query.Measured, name string) (*tuned, error) {
	h := m.Similarities
	model := r.Model(m)
	x := &tuned{
		Run: name, Nodes: r.Nodes(), Pairs: h.Pairs(), Sample: h.Sampled(), Seed: t.seed,
		Goal: goal{t.goal.Recall, t.goal.At}, best: -1, measured: m,
		Present: predicted(model.Predict(r.Choice(), t.goal.At)), maxBucket: cmp.Or(t.maxBucket, r.Config.MaxBucket),
	}
	x.ranges()
	x.Present.Checked = tried(m.Own, t.goal.At)
	x.FoundAbove = x.Present.Checked.Recall
	if s, ok := r.Manifest.Stage("pair"); ok {
		x.Counted = &counted{s.In, s.In - s.Dropped["agreement-below-floor"], s.CPUSeconds, s.PeakAnon}
	}
	if t.threshold {
		x.floors(r, t.goal)
	} else if err := x.choose(ctx, model, r, t); err != nil {
		return nil, err
	}
	return x, x.note(ctx, model, r)
}

// ranges fills in the number of pairs by similarity and the share of them that the index of the run finds.
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

// choose fills in the best choices by the model and tries them until one reaches the goal in the sample.
func (x *tuned) choose(ctx context.Context, model *tune.Model, r *query.Run, t *tuning) error {
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

// tries is the number of trials of a choice; after each but the last it gets a quarter more keys.
const tries = 4

// try tries choice i and gives it more keys until it finds enough of the sample. It returns false if it does not.
func (x *tuned) try(ctx context.Context, model *tune.Model, r *query.Run, i int) (bool, error) {
	c := &x.Choices[i]
	for n := range tries {
		trial, err := r.Try(ctx, x.measured, c.Choice, x.maxBucket)
		if err != nil {
			return false, err
		}
		c.Checked = tried(trial, x.Goal.At)
		if c.Checked.Recall == nil || c.Checked.Recall.Value >= x.Goal.Recall {
			return true, nil // without pairs to find, the prediction decides
		}
		more, ok := c.MoreKeys()
		if !ok || n == tries-1 {
			break
		}
		*c = predicted(model.Predict(more, x.Goal.At))
	}
	return false, nil
}

// floors fills in the effect of every floor.
func (x *tuned) floors(r *query.Run, g tune.Goal) {
	all := x.measured.Own.Floors(g.At)
	x.best, x.Floors = tune.HighestFloor(all, g.Recall), []floor{}
	for _, f := range all {
		x.Floors = append(x.Floors, floor{f.Floor, f.Least, estimated(f.Recall), estimated(f.Precision), estimated(f.Survivors)})
	}
	if x.best >= 0 {
		c := r.Choice()
		c.Floor = all[x.best].Floor
		x.Flags = x.flags(r.Config, c)
	}
}

// flags returns the flags of cluster for a choice. Settings of the run that differ from its preset are included if they
// matter here.
func (x *tuned) flags(c config.Config, best tune.Choice) string {
	out := []string{fmt.Sprintf("--preset %s --signatures %d --key-size %d --keys %d --floor %s", c.Preset, best.M, best.K, best.L, trimFloat(best.Floor))}
	if p, err := config.Preset(c.Preset); err == nil {
		if p.MaxBucket != x.maxBucket {
			out = append(out, fmt.Sprintf("--max-bucket %d", x.maxBucket))
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

// note adds notes on the method behind the figures and on uncertain figures.
func (x *tuned) note(ctx context.Context, model *tune.Model, r *query.Run) error {
	say := func(format string, args ...any) { x.Notes = append(x.Notes, fmt.Sprintf(format, args...)) }
	if !model.Measured(x.Goal.At) {
		say("no pair of similarity %.3g or more is in the sample: recall is therefore the mean of the predicted curve from %.3g to 1, and no floor can be chosen; raise --sample", x.Goal.At, x.Goal.At)
	}
	switch {
	case r.Config.Neighbours > 0:
		say("times are those of the index alone, based on rates of another machine: the stage pair of this run also compared neighbours of neighbours")
	case model.Rates == tune.DefaultRates:
		say("times are based on rates of another machine, because the stage pair of this run was too short to measure")
	default:
		say("times are scaled by the %.3g s of processor time that the manifest of this run has for the stage pair", x.Counted.Seconds)
	}
	if err := x.noteBuckets(ctx, r, say); err != nil {
		return err
	}
	if x.Flags != "" && x.Goal.At > 0.15 && r.Config.Floor < 0.1 && !strings.Contains(x.Flags, "--floor "+trimFloat(r.Config.Floor)+" ") {
		say("lists of related pages reach below similarity %.3g, where these flags find fewer pairs; lower --at if such pairs matter", x.Goal.At)
	}
	return nil
}

// noteBuckets adds a note on the recall that large buckets cost this run, if they cost any.
func (x *tuned) noteBuckets(ctx context.Context, r *query.Run, say func(string, ...any)) error {
	if x.FoundAbove == nil {
		return nil
	}
	if s, ok := r.Manifest.Stage("pair"); ok && s.Counts["buckets_paired_in_part"] == 0 {
		return nil
	}
	unbounded, err := r.Try(ctx, x.measured, r.Choice(), math.MaxInt32)
	if err != nil {
		return err
	}
	recall, _ := unbounded.Recall(x.Goal.At)
	if lost := recall.Value - x.FoundAbove.Value; lost > 0.005 {
		if r.Config.Neighbours > 0 {
			say("large buckets (--max-bucket %d) cost the index of this run about %.3f of that recall; comparing neighbours of neighbours brings most of it back", r.Config.MaxBucket, lost)
			return nil
		}
		say("large buckets (--max-bucket %d) cost this run about %.3f of that recall, and more keys do not bring all of it back: without the bound it would be %.3f, with %s candidates",
			r.Config.MaxBucket, lost, recall.Value, large(unbounded.Candidates().Value))
	}
	return nil
}

// tried returns the figures of a trial.
func tried(t *tune.Trial, at float64) *checked {
	c := &checked{Candidates: estimated(t.Candidates()), Survivors: estimated(t.Survivors())}
	if recall, ok := t.Recall(at); ok {
		c.Recall = estimated(recall)
	}
	return c
}

func estimated(e tune.Estimate) *estimate { return &estimate{e.Value, e.Low, e.High} }

// predicted returns a prediction with the memory of a run, half of which goes to the index.
func predicted(p tune.Prediction) choice {
	return choice{p.Choice, estimated(p.Recall), p.RecallAt, estimated(p.Candidates), estimated(p.Survivors), p.Seconds, 2 * p.Memory, nil}
}

// share formats an estimate of a share, as a dash if there is none.
func (e *estimate) share() string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", e.Value, e.Low, e.High)
}

// large formats an estimate of a number.
func (e *estimate) large() string {
	return fmt.Sprintf("%s (%s to %s)", large(e.Value), large(e.Low), large(e.High))
}

// large formats a number with three or four digits.
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

// sizeOf formats a number of bytes.
func sizeOf(bytes int64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%.1fGiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%.0fMiB", max(1, float64(bytes)/(1<<20)))
}
