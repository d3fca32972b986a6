// Package contest runs programs that find near-duplicates on the same corpus, in turn, and says what they cost and what
// their results are worth.
package contest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Contestant is a program that reads a corpus and writes PairsFile and ClustersFile to a folder.
type Contestant struct {
	Name     string
	Settings string
	Command  func(corpus, out string) []string
}

// Result is what one contestant has shown: the medians of its rounds, and the score of the last one.
type Result struct {
	Name     string    `json:"name"`
	Settings string    `json:"settings"`
	CPU      float64   `json:"cpu_seconds"`
	Wall     float64   `json:"wall_seconds"`
	Peak     float64   `json:"peak_anonymous_mib"`
	CPUs     []float64 `json:"cpu_seconds_of_rounds"`
	Score
	Failure string `json:"failure,omitempty"`
}

// Options say how a contest is run.
type Options struct {
	Corpus   string // folder with CorpusFile and TruthFile
	Rounds   int
	Limit    time.Duration // for one run of one contestant
	Scratch  string        // folder for results, which are removed
	Progress io.Writer
}

// Run lets the contestants run in turn, Rounds times. A contestant that fails or exceeds the limit is out, and its result
// says why.
func Run(ctx context.Context, contestants []Contestant, o Options) ([]Result, error) {
	usages := make([][]Usage, len(contestants))
	results := make([]Result, len(contestants))
	for i, c := range contestants {
		results[i].Name, results[i].Settings = c.Name, c.Settings
	}
	for round := range o.Rounds {
		for i, c := range contestants {
			r := &results[i]
			if r.Failure != "" {
				continue
			}
			u, score, err := runOne(ctx, c, o)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				r.Failure = err.Error()
				fmt.Fprintf(o.Progress, "round %d: %s failed: %v\n", round+1, c.Name, err)
				continue
			}
			fmt.Fprintf(o.Progress, "round %d: %s: %.1f s of processor time, %.1f s wall, %d MiB; recall %.3f, precision %.3f\n",
				round+1, c.Name, u.CPU.Seconds(), u.Wall.Seconds(), u.Peak>>20, score.Recall, score.Precision)
			r.Score = score
			usages[i] = append(usages[i], u)
		}
	}
	for i := range results {
		results[i].summarise(usages[i])
	}
	return results, nil
}

// runOne runs a contestant in an empty folder and judges what it wrote there.
func runOne(ctx context.Context, c Contestant, o Options) (Usage, Score, error) {
	out, err := os.MkdirTemp(o.Scratch, c.Name+"-")
	if err != nil {
		return Usage{}, Score{}, err
	}
	defer os.RemoveAll(out)
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	u, err := Measure(limited, c.Command(filepath.Join(o.Corpus, CorpusFile), out), nil)
	if err != nil {
		return Usage{}, Score{}, err
	}
	score, err := Judge(o.Corpus, out)
	return u, score, err
}

func (r *Result) summarise(usages []Usage) {
	if len(usages) == 0 {
		return
	}
	for _, u := range usages {
		r.CPUs = append(r.CPUs, u.CPU.Seconds())
	}
	r.CPU = median(usages, func(u Usage) float64 { return u.CPU.Seconds() })
	r.Wall = median(usages, func(u Usage) float64 { return u.Wall.Seconds() })
	r.Peak = median(usages, func(u Usage) float64 { return float64(u.Peak) / (1 << 20) })
}

// median returns the median of a figure; of an even number of items, the mean of the two in the middle.
func median[T any](items []T, figure func(T) float64) float64 {
	var figures []float64
	for _, item := range items {
		figures = append(figures, figure(item))
	}
	slices.Sort(figures)
	n := len(figures)
	return (figures[(n-1)/2] + figures[n/2]) / 2
}

// Table writes results as a table in Markdown.
func Table(w io.Writer, results []Result) {
	fmt.Fprintln(w, "| | CPU s | wall s | peak MiB | recall | precision | pairs | clusters |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range results {
		if r.Failure != "" {
			fmt.Fprintf(w, "| %s: %s | failed | | | | | | |\n", r.Name, r.Settings)
			continue
		}
		fmt.Fprintf(w, "| %s: %s | %.1f | %.1f | %.0f | %.3f | %.3f | %d | %d |\n",
			r.Name, r.Settings, r.CPU, r.Wall, r.Peak, r.Recall, r.Precision, r.Pairs, r.Clusters)
	}
}
