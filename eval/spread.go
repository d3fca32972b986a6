package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/run"
)

// Spread holds the figures of several runs of the same inputs against one gold: their means over the runs, and how far
// apart the runs are. Runs that differ only in their seed show how much a figure owes to one draw of permutations.
type Spread struct {
	Gold       string           `json:"gold"`
	Targets    int              `json:"targets"` // distinct URLs
	Known      int              `json:"known"`   // targets in the first run
	Categories []int            `json:"categories"`
	Half       score.Half       `json:"half"`
	Queries    int              `json:"queries"`
	Lists      int              `json:"lists"`
	Bootstrap  int              `json:"bootstrap"`          // resamples of every run
	Runs       []SpreadRun      `json:"runs"`               // in the order in which they were given
	Settings   []SpreadSetting  `json:"settings,omitempty"` // settings in which the runs differ, other than the seed
	Figures    []SpreadOfFigure `json:"figures"`            // in the order of Evaluation.Parts
	Warnings   []string         `json:"warnings,omitempty"` // of all evaluations, each once

	first *Evaluation
}

// SpreadRun is one of the runs.
type SpreadRun struct {
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
}

// SpreadSetting is a setting in which the runs differ.
type SpreadSetting struct {
	Name   string   `json:"name"`   // as in the manifest
	Values []string `json:"values"` // of each run, as JSON
}

// SpreadOfFigure is one figure over the runs. Mean, SD, Min and Max are nil if too few runs define it: SD needs two.
type SpreadOfFigure struct {
	Part     string         `json:"part"` // see Part
	CoLinked string         `json:"colinked"`
	Name     string         `json:"figure"`
	Runs     int            `json:"runs"` // runs that define it
	Mean     *float64       `json:"mean"`
	SD       *float64       `json:"sd"` // standard deviation, with the number of runs less one
	Min      *float64       `json:"min"`
	Max      *float64       `json:"max"`
	Interval score.Figure   `json:"-"`      // the mean with intervals whose ends are the means of those of the runs
	Values   []score.Figure `json:"values"` // of each run
}

// ErrOtherInputs is wrapped by the error for runs that were not made from the same inputs.
var ErrOtherInputs = errors.New("these runs were made from different inputs")

// SameInputs returns an error that wraps ErrOtherInputs unless all runs were made from the same inputs, in the same
// order. It compares the sizes and digests in the manifests, and not the paths.
func SameInputs(runs []NamedRun) error {
	for _, r := range runs[1:] {
		a, b := runs[0].Manifest.Inputs, r.Manifest.Inputs
		if len(a) != len(b) {
			return fmt.Errorf("%w: %s has %d, %s has %d", ErrOtherInputs, runs[0].Name, len(a), r.Name, len(b))
		}
		for i := range a {
			if a[i].Digest != b[i].Digest || a[i].Bytes != b[i].Bytes {
				return fmt.Errorf("%w: the digest of %s in %s is %s, that of %s in %s is %s",
					ErrOtherInputs, a[i].Path, runs[0].Name, a[i].Digest, b[i].Path, r.Name, b[i].Digest)
			}
		}
	}
	return nil
}

// EvaluateRuns evaluates several runs of the same inputs against a gold. What does not depend on the index, such as the
// comparison of all bags, is measured once for all runs that have the same bags.
func EvaluateRuns(ctx context.Context, runs []NamedRun, g *gold.Gold, o Options) (*Spread, error) {
	if err := SameInputs(runs); err != nil {
		return nil, err
	}
	settings, err := differentSettings(runs)
	if err != nil {
		return nil, err
	}
	o.Examples, o.shared = 0, new(shared)
	s := &Spread{Gold: g.Name, Half: o.Half, Bootstrap: o.Bootstrap, Settings: settings}
	var all [][]Part
	for _, r := range runs {
		e, err := Evaluate(ctx, r.Run, g, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		s.add(r, e)
		all = append(all, e.Parts())
	}
	s.figures(all)
	return s, nil
}

// add adds the description of one run.
func (s *Spread) add(r NamedRun, e *Evaluation) {
	if s.first == nil {
		s.first, s.Targets, s.Known, s.Categories, s.Queries, s.Lists = e, e.Targets, e.Known, e.Categories, e.Queries, e.Lists
	}
	s.Runs = append(s.Runs, SpreadRun{r.Name, r.Config.Seed})
	for _, w := range e.Warnings {
		if !slices.Contains(s.Warnings, w) {
			s.Warnings = append(s.Warnings, w)
		}
	}
}

// First returns the evaluation of the first run.
func (s *Spread) First() *Evaluation { return s.first }

// figures fills in the figures of all parts that every run has.
func (s *Spread) figures(all [][]Part) {
	type key struct{ part, colinked, figure string }
	values := map[key][]score.Figure{}
	for i, parts := range all {
		for _, p := range parts {
			for _, n := range p.Figures {
				k := key{p.Name, p.CoLinked, n.Name}
				if len(values[k]) == i { // otherwise an earlier run does not have it
					values[k] = append(values[k], n.Figure)
				}
			}
		}
	}
	for _, p := range all[0] {
		for _, n := range p.Figures {
			if v := values[key{p.Name, p.CoLinked, n.Name}]; len(v) == len(all) {
				s.Figures = append(s.Figures, spreadOf(p.Name, p.CoLinked, n.Name, v))
			}
		}
	}
}

// Figure returns the spread of a figure, or one without values if there is none.
func (s *Spread) Figure(part, colinked, name string) SpreadOfFigure {
	i := slices.IndexFunc(s.Figures, func(f SpreadOfFigure) bool {
		return f.Part == part && f.CoLinked == colinked && f.Name == name
	})
	if i < 0 {
		return SpreadOfFigure{Part: part, CoLinked: colinked, Name: name}
	}
	return s.Figures[i]
}

func spreadOf(part, colinked, name string, values []score.Figure) SpreadOfFigure {
	f := SpreadOfFigure{Part: part, CoLinked: colinked, Name: name, Values: values}
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range values {
		if v.Defined() {
			f.Runs++
			sum += v.Value
			low, high = min(low, v.Value), max(high, v.Value)
		}
	}
	if f.Runs == 0 {
		return f
	}
	mean, squares := sum/float64(f.Runs), 0.0
	f.Mean, f.Min, f.Max = &mean, &low, &high
	f.Interval = score.Figure{
		Value: mean, N: f.Runs,
		Queries: meanInterval(values, func(v score.Figure) *score.Interval { return v.Queries }),
		Lists:   meanInterval(values, func(v score.Figure) *score.Interval { return v.Lists }),
	}
	if f.Runs > 1 {
		for _, v := range values {
			if v.Defined() {
				squares += (v.Value - mean) * (v.Value - mean)
			}
		}
		sd := math.Sqrt(squares / float64(f.Runs-1))
		f.SD = &sd
	}
	return f
}

// meanInterval returns the interval whose ends are the means of those of the values, or nil if a defined value has no
// interval.
func meanInterval(values []score.Figure, of func(score.Figure) *score.Interval) *score.Interval {
	var sum score.Interval
	n := 0.0
	for _, v := range values {
		i := of(v)
		switch {
		case !v.Defined():
			continue
		case i == nil:
			return nil
		}
		sum.Low, sum.High, n = sum.Low+i.Low, sum.High+i.High, n+1
	}
	return &score.Interval{Low: sum.Low / n, High: sum.High / n}
}

// differentSettings returns the settings in the manifests, other than the seed, in which some runs differ.
func differentSettings(runs []NamedRun) (out []SpreadSetting, err error) {
	values := map[string][]string{}
	for i, r := range runs {
		var config map[string]json.RawMessage
		if err := json.Unmarshal(r.Manifest.Config, &config); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		for name, raw := range config {
			if values[name] == nil {
				values[name] = slices.Repeat([]string{"null"}, len(runs))
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, raw); err != nil {
				return nil, fmt.Errorf("%s: %w", r.Name, err)
			}
			values[name][i] = compact.String()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if v := values[name]; name != "seed" && len(slices.Compact(slices.Clone(v))) > 1 {
			out = append(out, SpreadSetting{name, v})
		}
	}
	return out, nil
}

// shared holds what runs with the same bags have in common while they are evaluated one after another.
type shared struct {
	of     string // sharedKey of the run that it was made from
	web    *Web
	webErr error
	co     score.CoLinks
	coErr  error
	scores map[string]BaselineScores // of baselines that compare all targets with one another
}

// indexSettings are the settings that have no effect on documents, links and bags.
var indexSettings = []string{
	"seed", "signatures", "key_size", "keys", "max_bucket", "reach", "floor", "min_similarity", "neighbours", "threshold", "order",
}

// sharedKey returns a text that is the same for two runs only if they have the same documents, links and bags. A
// setting that is not known to have no effect on these makes the texts of two runs differ.
func sharedKey(m *run.Manifest) (string, error) {
	var config map[string]json.RawMessage
	if err := json.Unmarshal(m.Config, &config); err != nil {
		return "", err
	}
	for _, name := range indexSettings {
		delete(config, name)
	}
	digests := make([]string, 0, 2)
	for _, name := range []string{"documents.lsh", "bags.lsh"} {
		t, _ := m.Table(name)
		digests = append(digests, t.Digest)
	}
	key, err := json.Marshal(struct { // sorts the settings by name
		Config  map[string]json.RawMessage
		Digests []string
	}{config, digests})
	return string(key), err
}

// forRun returns the cache for a run. It is empty if the runs before had other bags, or if there is only one run.
func (s *shared) forRun(m *run.Manifest) (*shared, error) {
	if s == nil {
		return &shared{}, nil
	}
	key, err := sharedKey(m)
	if err == nil && key != s.of {
		*s = shared{of: key, scores: map[string]BaselineScores{}}
	}
	return s, err
}
