package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
)

// runView describes a run as a whole. It contains no path of the machine.
type runView struct {
	Name    string
	Facts   Facts
	Stages  Table
	Counts  Table
	LeftOut Table
	Config  Table
}

func showRun(ctx context.Context, q *Question) (*View, error) {
	s, err := ask.Stats{}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	wall := 0.0
	for _, t := range s.Stages {
		wall += t.Wall
	}
	v := &runView{Name: q.Run.Name, Facts: Facts{
		{"Built", s.Built.Format(time.DateTime) + " UTC"}, {"In", string(seconds(wall))},
		{"From", counted(s.Inputs, "input", "inputs") + ", " + string(amount(s.Bytes))}, {"Views", strings.Join(s.Views, " and ")}, {"Digest", s.Digest},
	}}
	if s.Version != "" {
		v.Facts = append(v.Facts, Fact{"By version", s.Version})
	}
	v.Stages, v.LeftOut, v.Counts = stageTable(s.Stages), leftOutTable(q, s), countTable(s.Counts)
	config, err := configTable(q.Run.Manifest.Config)
	if err != nil {
		return nil, err
	}
	v.Config = config
	return &View{Title: "Run " + q.Run.Name, JSON: q.JSON("stats"), Data: v}, nil
}

func stageTable(stages []ask.StatsStage) Table {
	t := Table{Caption: "Stages: what each read and wrote, and what it cost",
		Columns: []string{"Stage", "Records in", "Out", "Left out", "Time", "Processor", "Memory"}}
	for _, s := range stages {
		t.Rows = append(t.Rows, []any{s.Name, s.In, s.Out, s.LeftOut, seconds(s.Wall), seconds(s.CPU), amount(s.Peak)})
	}
	return t
}

// leftOutTable lists what the stages left out of the inputs.
func leftOutTable(q *Question, s *ask.StatsAnswer) Table {
	t := Table{Caption: "What was left out, and why", Columns: []string{"Reason", "Records", "Stage"}}
	ofInputs := map[string]bool{}
	for _, l := range s.LeftOut {
		ofInputs[l.Reason] = true
		stage := "read"
		if l.Damage {
			stage += ", damaged input"
		}
		t.Rows = append(t.Rows, []any{plain(l.Reason), l.Count, stage})
	}
	for _, stage := range q.Run.Manifest.Stages {
		for _, reason := range slices.Sorted(maps.Keys(stage.Dropped)) {
			if n := stage.Dropped[reason]; n > 0 && !ofInputs[reason] {
				t.Rows = append(t.Rows, []any{plain(reason), n, stage.Name})
			}
		}
	}
	return t
}

func countTable(counts map[string]int64) Table {
	t := Table{Caption: "What it holds", Columns: []string{"What", "Number"}}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Rows = append(t.Rows, []any{plain(name), counts[name]})
	}
	return t
}

// configTable lists the settings of a run.
func configTable(config json.RawMessage) (Table, error) {
	t := Table{Caption: "Settings", Columns: []string{"Setting", "Value"}}
	settings := map[string]json.RawMessage{}
	if err := json.Unmarshal(config, &settings); err != nil {
		return t, err
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		value := strings.Trim(string(settings[name]), `"`)
		if value == "null" || value == "" {
			continue
		}
		t.Rows = append(t.Rows, []any{plain(name), strings.ReplaceAll(strings.Trim(value, "[]"), `"`, "")})
	}
	return t, nil
}

// plain converts a name of a table or a reason to words.
func plain(name string) string { return strings.NewReplacer("-", " ", "_", " ").Replace(name) }

// seconds formats a duration for people.
func seconds(s float64) Amount {
	switch {
	case s < 0.1:
		return Amount(fmt.Sprintf("%.0f ms", s*1000))
	case s < 60:
		return Amount(fmt.Sprintf("%.1f s", s))
	}
	d := time.Duration(s * float64(time.Second)).Round(time.Second)
	if d < time.Hour {
		return Amount(fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60))
	}
	return Amount(fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60))
}

// amount formats a number of bytes for people.
func amount(n int64) Amount {
	v, units := float64(n), []string{"bytes", "KB", "MB", "GB", "TB"}
	for v >= 999.5 && len(units) > 1 {
		v, units = v/1000, units[1:]
	}
	return Amount(fmt.Sprintf("%.3g %s", v, units[0]))
}
