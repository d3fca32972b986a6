package ask

import (
	"context"
	"time"
)

// StatsAnswer describes a run. It omits the paths of its inputs.
type StatsAnswer struct {
	Run       string           `json:"run" doc:"name of the run that answers"`
	Runs      []string         `json:"runs" doc:"names of all runs of the server; the first one answers unless the parameter run names another"`
	Digest    string           `json:"digest" doc:"of the run; it changes when the run is replaced"`
	Built     time.Time        `json:"built"`
	Version   string           `json:"tool_version" doc:"of the program that built the run"`
	Views     []string         `json:"views"`
	Documents int              `json:"documents" doc:"crawled or only linked to"`
	Counts    map[string]int64 `json:"counts" doc:"what the run holds"`
	Inputs    int              `json:"inputs" doc:"number of inputs"`
	Bytes     int64            `json:"input_bytes" doc:"of the inputs"`
	Stages    []StatsStage     `json:"stages" doc:"of building the run"`
	LeftOut   []LeftOut        `json:"left_out" doc:"of the inputs"`
}

// StatsStage is a stage of building the run.
type StatsStage struct {
	Name    string  `json:"name"`
	In      int64   `json:"in" doc:"records read"`
	Out     int64   `json:"out" doc:"records written"`
	Wall    float64 `json:"wall_seconds"`
	CPU     float64 `json:"cpu_seconds"`
	Peak    int64   `json:"peak_anon_bytes" doc:"of memory"`
	LeftOut int64   `json:"left_out" doc:"records"`
}

// LeftOut counts the input left out for one reason.
type LeftOut struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
	Damage bool   `json:"damage" doc:"whether the input was unreadable there"`
}

// Stats asks what the run holds.
type Stats struct{}

// Ask answers the question. The caller sets the names of the runs of a server.
func (Stats) Ask(_ context.Context, r *Run) (*StatsAnswer, error) {
	m := r.Manifest
	s := &StatsAnswer{
		Run: r.Name, Runs: []string{}, Digest: m.Digest, Built: m.Finished.UTC(), Version: m.ToolVersion, Views: List(r.Config.Views),
		Documents: r.Len(), Counts: m.Counts, Inputs: len(m.Inputs), Stages: []StatsStage{}, LeftOut: []LeftOut{},
	}
	if s.Counts == nil {
		s.Counts = map[string]int64{}
	}
	for _, in := range m.Inputs {
		s.Bytes += in.Bytes
	}
	for _, t := range m.Stages {
		left := int64(0)
		for _, n := range t.Dropped {
			left += n
		}
		s.Stages = append(s.Stages, StatsStage{t.Name, t.In, t.Out, t.WallSeconds, t.CPUSeconds, t.PeakAnon, left})
	}
	for _, d := range m.Dropped {
		s.LeftOut = append(s.LeftOut, LeftOut{d.Reason, d.Count, d.Damage})
	}
	return s, nil
}
