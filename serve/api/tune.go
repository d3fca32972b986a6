package api

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/tune"
)

// Tuning predicts what an index of a choice finds and costs, beside the index of the run.
type Tuning struct {
	Bags      int        `json:"distinct_bags" doc:"of the run"`
	Sample    int        `json:"sample" doc:"bags that were compared with all others"`
	Pairs     float64    `json:"pairs" doc:"of distinct bags"`
	Nothing   Estimate   `json:"pairs_without" doc:"of these, those with nothing in common"`
	At        float64    `json:"at" doc:"pairs of this similarity and above are wanted"`
	Measured  bool       `json:"measured" doc:"whether the sample has such pairs; if not, their recall is a mean over the curve"`
	MaxBucket int        `json:"max_bucket" doc:"documents in a bucket that the run pairs in full; the predictions know no bound"`
	MostKeys  int        `json:"most_keys" doc:"number of different keys of the chosen size"`
	Chosen    Prediction `json:"chosen"`
	Present   Prediction `json:"present" doc:"of the index of the run"`
	Found     *Estimate  `json:"found,omitempty" doc:"share of the wanted pairs of the sample that the index of the run finds; missing if there are none"`
	Histogram []PairsBin `json:"histogram" doc:"pairs by similarity above 0"`
	Curve     []Chance   `json:"curve" doc:"S-curves of both choices"`
	Seen      []Seen     `json:"seen" doc:"what the index of the run finds of the sample"`
	Scaled    bool       `json:"scaled" doc:"whether times are scaled by that of the run; if not, they are those of another machine"`
}

// Estimate is an estimated figure with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Prediction is what an index finds and costs, if no bucket is large.
type Prediction struct {
	Signatures int      `json:"signatures" doc:"m"`
	KeySize    int      `json:"key_size" doc:"k"`
	Keys       int      `json:"keys" doc:"l"`
	Floor      float64  `json:"floor" doc:"share of equal signatures from which a candidate is compared exactly"`
	Recall     Estimate `json:"recall" doc:"share of the wanted pairs that is found"`
	RecallAt   float64  `json:"recall_at" doc:"the same for pairs of exactly the smallest wanted similarity"`
	Candidates Estimate `json:"candidates" doc:"pairs with a common key"`
	Survivors  Estimate `json:"survivors" doc:"candidates that agree at the floor"`
	Seconds    float64  `json:"cpu_seconds"`
	Memory     int64    `json:"memory_bytes" doc:"of a run with this index"`
}

// PairsBin counts the pairs of a range of similarity, and those that the index of the run finds.
type PairsBin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Pairs float64 `json:"pairs"`
	Found float64 `json:"found"`
}

// Chance is the probability that pairs of a similarity are found.
type Chance struct {
	Similarity float64 `json:"similarity"`
	Chosen     float64 `json:"chosen"`
	Present    float64 `json:"present"`
}

// Seen is the share of the pairs of a range of similarity that is found.
type Seen struct {
	Similarity float64 `json:"similarity" doc:"mean of the pairs"`
	Estimate
}

// Bounds of what is measured and predicted.
const (
	tuneSample = 200 // bags that are compared with all others
	tuneSeed   = 1
	tuneBins   = 40
	tuneSteps  = 50
	mostKeys   = 2000
)

// MostKeySize is the largest key size of a prediction.
const MostKeySize = 5

func tuneOperation() *Operation {
	return &Operation{
		ID: "tune", Path: "/v1/tune", Summary: "What another index would find and cost",
		Description: "Predicts the recall and the cost of an index from the similarities of a sample of bags to all others. Parameters that are missing are those of the run. The first question to a large run is answered with 503 while the sample is being compared.",
		Params: []Param{
			{Name: "m", Doc: "number of signatures", Kind: Whole, Least: 1, Most: minhash.MaxMask},
			{Name: "k", Doc: "signatures in a key", Kind: Whole, Least: 1, Most: MostKeySize},
			{Name: "l", Doc: "number of keys; all different ones if there are not so many", Kind: Whole, Least: 1, Most: mostKeys},
			{Name: "floor", Doc: "share of equal signatures from which a candidate is compared exactly", Kind: Number, Least: 0, Most: 1},
			{Name: "at", Doc: "smallest similarity of the pairs that are wanted", Kind: Number, Default: "0.3", Least: 0.01, Most: 0.99},
		},
		Answer: Tuning{},
		Heavy:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			if err := q.Run.Need("topical"); err != nil {
				return nil, err
			}
			m, err := q.Run.measured(ctx)
			if err != nil {
				return nil, err
			}
			return q.tuning(m), nil
		},
	}
}

// measured returns the similarities of a sample of the run.
func (r *Run) measured(ctx context.Context) (*query.Measured, error) {
	m, err := Kept(ctx, r, "tune", "A sample of the run is being compared with all its bags, which takes a while for a large run, and once.",
		func(ctx context.Context) (*query.Measured, error) { return r.Measure(ctx, tuneSample, tuneSeed) })
	if errors.Is(err, query.ErrSmall) {
		return nil, notFound("small-run", "The run has too few different bags to predict anything.", "Ask a larger run.")
	}
	return m, err
}

// choice returns the choice that a question is about, within what an index can have.
func (q *Question) choice() tune.Choice {
	c := q.Run.Choice()
	for name, field := range map[string]*int{"m": &c.M, "k": &c.K, "l": &c.L} {
		if q.Args.Has(name) {
			*field = q.Args.Int(name)
		}
	}
	if q.Args.Has("floor") {
		c.Floor = q.Args.Number("floor")
	}
	c.K = min(c.K, c.M)
	c.L = min(c.L, lsh.MostKeys(c.M, c.K))
	return c
}

func (q *Question) tuning(m *query.Measured) Tuning {
	model, at := q.Run.Model(m), q.Args.Number("at")
	chosen, present := q.choice(), q.Run.Choice()
	t := Tuning{
		Bags: q.Run.Nodes(), Sample: m.Similarities.Sampled(), Pairs: m.Similarities.Pairs(), Nothing: Estimate(m.Similarities.Between(0, 1e-9)),
		At: at, Measured: model.Measured(at), MaxBucket: q.Run.Config.MaxBucket, MostKeys: min(mostKeys, lsh.MostKeys(chosen.M, chosen.K)),
		Chosen: prediction(model.Predict(chosen, at)), Present: prediction(model.Predict(present, at)),
		Scaled: model.Rates != tune.DefaultRates, Seen: []Seen{},
	}
	if found, ok := m.Own.Recall(at); ok {
		e := Estimate(found)
		t.Found = &e
	}
	edges, pairs, found := m.Bins(tuneBins)
	for i := range pairs {
		t.Histogram = append(t.Histogram, PairsBin{edges[i], edges[i+1], pairs[i], found[i]})
	}
	for i := range tuneSteps + 1 {
		s := float64(i) / tuneSteps
		t.Curve = append(t.Curve, Chance{s, lsh.Found(chosen.M, chosen.K, chosen.L, chosen.Floor, s), lsh.Found(present.M, present.K, present.L, present.Floor, s)})
	}
	for i := range 10 {
		low, high := max(float64(i)/10, 1e-9), float64(i+1)/10+float64(i/9)
		mean, some := m.Similarities.Mean(low, high)
		if share, ok := m.Similarities.Share(m.Found, low, high); ok && some {
			t.Seen = append(t.Seen, Seen{mean, Estimate(share)})
		}
	}
	return t
}

// prediction returns a prediction with the memory of a run, half of which goes to the index.
func prediction(p tune.Prediction) Prediction {
	return Prediction{
		p.M, p.K, p.L, p.Floor, Estimate(p.Recall), p.RecallAt, Estimate(p.Candidates), Estimate(p.Survivors), p.Seconds, 2 * p.Memory,
	}
}
