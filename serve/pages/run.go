package pages

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lshclust/lshclust/serve/api"
)

func runPage() *Page { return &Page{Name: "run", Path: "/run", Nav: "Run", Show: showRun} }

// runView is what is known about a run as a whole.
type runView struct {
	Name    string
	Facts   Facts
	Counts  Table
	Stages  Table
	LeftOut Table
	Config  Table
}

func showRun(ctx context.Context, q *Question) (*View, error) {
	s, err := Ask[api.Stats](ctx, q, "stats")
	if err != nil {
		return nil, err
	}
	wall := 0.0
	for _, t := range s.Stages {
		wall += t.Wall
	}
	v := &runView{Name: s.Run, Facts: Facts{
		{"Built", s.Built.Format(time.DateTime) + " UTC"}, {"By", s.Version}, {"In", seconds(wall)}, {"From", fmt.Sprintf("%s, %s", counted(s.Inputs, "input", "inputs"), bytesText(s.Bytes))},
		{"Views", strings.Join(s.Views, ", ")}, {"Digest", s.Digest},
	}}
	v.Stages, v.LeftOut = stageTable(s.Stages), leftOutTable(s.LeftOut)
	return &View{Title: "Run " + s.Run, JSON: q.JSON("stats"), Data: v}, nil
}

func stageTable(stages []api.Stage) Table {
	t := Table{Caption: "Stages", Columns: []string{"Stage", "Records in", "out", "left out", "Time", "Processor", "Memory"}}
	for _, s := range stages {
		t.Rows = append(t.Rows, []any{s.Name, s.In, s.Out, s.LeftOut, seconds(s.Wall), seconds(s.CPU), bytesText(s.Peak)})
	}
	return t
}

func leftOutTable(list []api.LeftOut) Table {
	t := Table{Caption: "Left out of the inputs", Columns: []string{"Reason", "Records"}}
	for _, l := range list {
		t.Rows = append(t.Rows, []any{strings.ReplaceAll(l.Reason, "-", " "), l.Count})
	}
	return t
}

// seconds returns a time as people read it.
func seconds(s float64) string {
	switch {
	case s < 0.1:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 60:
		return fmt.Sprintf("%.1f s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// bytesText returns a number of bytes as people read it.
func bytesText(n int64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB"}
	v, i := float64(n), 0
	for v >= 1000 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	if i == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.3g %s", v, units[i])
}
