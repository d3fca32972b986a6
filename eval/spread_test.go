package eval

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
)

// described returns a run of which only the manifest exists.
func described(name, configuration, digest string) NamedRun {
	m := &run.Manifest{
		Config: json.RawMessage(configuration),
		Inputs: []run.Input{{Path: name + ".jsonl", Bytes: 7, Digest: digest}},
		Tables: []run.Table{{Name: "bags.lsh", Digest: "b"}},
	}
	return NamedRun{name, &query.Run{Manifest: m, Config: config.Config{Seed: 1}}}
}

func TestSpreadOf(t *testing.T) {
	value := func(x, low, high float64) score.Figure {
		return score.Figure{Value: x, N: 3, Lists: &score.Interval{Low: low, High: high}}
	}
	f := spreadOf("related", "kept", "coverage", []score.Figure{value(.2, .1, .3), value(.4, .2, .6), {}, value(.9, .6, .9)})
	if f.Runs != 3 || math.Abs(*f.Mean-.5) > 1e-12 || *f.Min != .2 || *f.Max != .9 || math.Abs(*f.SD-math.Sqrt(.13)) > 1e-12 {
		t.Errorf("%d runs, mean %v ± %v, %v to %v", f.Runs, *f.Mean, *f.SD, *f.Min, *f.Max)
	}
	if i := f.Interval.Lists; math.Abs(i.Low-.3) > 1e-12 || math.Abs(i.High-.6) > 1e-12 {
		t.Errorf("interval %v", *i)
	}
	if i := f.Interval.Queries; i != nil {
		t.Errorf("an interval of nothing: %v", *i)
	}
	if f := spreadOf("", "", "", []score.Figure{{}, value(.2, .1, .3)}); f.Runs != 1 || f.SD != nil || *f.Mean != .2 {
		t.Errorf("one value: %+v", f)
	}
	if f := spreadOf("", "", "", []score.Figure{{}, {}}); f.Runs != 0 || f.Mean != nil {
		t.Errorf("no value: %+v", f)
	}
}

// TestSpreadFigures: a figure that some run does not have is left out.
func TestSpreadFigures(t *testing.T) {
	part := func(name string, values ...float64) Part {
		p := Part{Name: name, CoLinked: "kept"}
		for i, v := range values {
			p.Figures = append(p.Figures, score.Named{Name: string(rune('a' + i)), Figure: score.Figure{Value: v, N: 1}})
		}
		return p
	}
	var s Spread
	s.figures([][]Part{{part("x", 1, 2), part("only first", 3)}, {part("x", 3, 4), part("only second", 5)}})
	var got []string
	for _, f := range s.Figures {
		got = append(got, f.Part+" "+f.Name)
	}
	if d := cmp.Diff([]string{"x a", "x b"}, got); d != "" || *s.Figure("x", "kept", "b").Mean != 3 || s.Figure("x", "kept", "c").Mean != nil {
		t.Error(d, s.Figures)
	}
}

func TestSameInputs(t *testing.T) {
	one, same, other := described("one", "{}", "d"), described("two", "{}", "d"), described("three", "{}", "e")
	if err := SameInputs([]NamedRun{one, same}); err != nil {
		t.Error(err)
	}
	if err := SameInputs([]NamedRun{one, same, other}); !errors.Is(err, ErrOtherInputs) {
		t.Errorf("other digest: %v", err)
	}
	same.Manifest.Inputs = append(same.Manifest.Inputs, run.Input{})
	if err := SameInputs([]NamedRun{one, same}); !errors.Is(err, ErrOtherInputs) {
		t.Errorf("other number: %v", err)
	}
}

func TestDifferentSettings(t *testing.T) {
	runs := []NamedRun{
		described("one", `{"seed": 1, "keys": 160, "views": ["topical"]}`, "d"),
		described("two", `{"seed": 2, "keys": 80, "views": [ "topical" ], "new": true}`, "d"),
	}
	got, err := differentSettings(runs)
	want := []SpreadSetting{{"keys", []string{"160", "80"}}, {"new", []string{"null", "true"}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
}

// TestSharedKey: runs whose bags are made in different ways share nothing.
func TestSharedKey(t *testing.T) {
	key := func(configuration string) string {
		k, err := sharedKey(described("one", configuration, "d").Manifest)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if key(`{"seed": 1, "keys": 160, "window": 32}`) != key(`{"window": 32, "keys": 80, "seed": 2}`) {
		t.Error("another index, other keys")
	}
	if key(`{"window": 32}`) == key(`{"window": 16}`) {
		t.Error("another window, the same key")
	}
}
