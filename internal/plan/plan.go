// Package plan estimates the contents and the cost of a run from runs over two excerpts of its inputs.
//
// [For] builds both runs with the real stages, on this machine, and removes them. It extrapolates the counts and the
// costs of each stage to the size of the inputs. Small excerpts say little about how pairs grow, so expect the right
// order of magnitude rather than a bound; a run keeps to its own limits whatever was planned.
package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// ErrStream says that an input is a stream. Taking an excerpt would take it from the run.
var ErrStream = errors.New("a stream can be read only once, so it cannot be planned: save it to a file first")

// Limits are the limits of the run.
type Limits struct {
	Workers int   `json:"workers"`
	Memory  int64 `json:"memory_bytes"`         // 0 means pipeline.DefaultMemory
	Disk    int64 `json:"disk_bytes,omitempty"` // 0 if unknown
}

// Plan is the expected contents and cost of a run.
type Plan struct {
	Inputs int              `json:"inputs"`
	Bytes  int64            `json:"bytes"`         // size of the inputs as stored
	Share  float64          `json:"sampled_share"` // share of the inputs in the larger excerpt
	Counts map[string]int64 `json:"counts"`        // counts as in run.json
	Cost
	Stages []Cost `json:"stages"`
	Limits Limits `json:"limits"`
	Least  int64  `json:"least_memory_bytes"` // least memory limit with which the run can be built
	Fits   bool   `json:"fits"`
}

// Cost is the cost of a stage or of the whole run.
type Cost struct {
	Name    string  `json:"name,omitempty"`
	Seconds float64 `json:"wall_seconds"`
	Memory  int64   `json:"peak_anon_bytes"`
	Disk    int64   `json:"peak_disk_bytes"` // size of the whole run directory
}

// The first excerpt has firstExcerpt bytes of the inputs. The second is as large as fits into about enough time, but
// at least twice and at most mostGrowth times as large.
const (
	firstExcerpt = 512 << 10
	enough       = 8 * time.Second
	mostGrowth   = 16
)

// For plans a run over inputs with a configuration. It writes to a temporary folder, which it removes. Errors are
// those of pipeline.Cluster, and ErrStream.
func For(ctx context.Context, args []string, c config.Config, limits Limits) (*Plan, error) {
	if limits.Memory <= 0 {
		limits.Memory = pipeline.DefaultMemory
	}
	limits.Workers = pipeline.WorkersFor(limits.Workers, limits.Memory)
	in, err := open(args)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lshclust-plan-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	small, err := in.try(ctx, filepath.Join(dir, "1"), firstExcerpt, c, limits)
	if err != nil {
		return nil, err
	}
	large := small
	if small.share < 1 {
		growth := min(max(2, float64(enough)/float64(time.Since(began))), mostGrowth)
		if large, err = in.try(ctx, filepath.Join(dir, "2"), int64(firstExcerpt*growth), c, limits); err != nil {
			return nil, err
		}
	}
	p := &Plan{Inputs: len(in.paths), Bytes: in.total, Share: large.share, Counts: map[string]int64{}, Limits: limits}
	p.extrapolate(small, large)
	p.Least = pipeline.LeastMemory + p.Counts["documents"]*pipeline.BytesOfDocument
	p.Fits = p.Least <= limits.Memory && (limits.Disk == 0 || p.Disk <= limits.Disk)
	return p, nil
}

// trial is a run over an excerpt.
type trial struct {
	*run.Manifest
	share float64 // share of the bytes of the inputs
}

// extrapolate fills in the counts and the costs. A run takes no more memory than its limit.
func (p *Plan) extrapolate(small, large trial) {
	of := func(a, b float64) float64 { return Grown(a, b, small.share, large.share) }
	for name, b := range large.Counts {
		p.Counts[name] = int64(of(float64(small.Counts[name]), float64(b)))
	}
	for i, b := range large.Stages {
		a := small.Stages[i]
		memory, disk := of(float64(a.PeakAnon), float64(b.PeakAnon)), of(float64(a.PeakDisk), float64(b.PeakDisk))
		c := Cost{b.Name, of(a.WallSeconds, b.WallSeconds), min(int64(memory), p.Limits.Memory), int64(disk)}
		p.Stages = append(p.Stages, c)
		p.Seconds, p.Memory, p.Disk = p.Seconds+c.Seconds, max(p.Memory, c.Memory), max(p.Disk, c.Disk)
	}
}

// Grown extrapolates a figure that was a for one share of the inputs, and b for a larger share, to all inputs. A
// figure that grew more slowly than the inputs is extrapolated along a straight line, whose value at 0 is what every
// run takes. One that grew faster, such as the number of pairs, because both pages of a pair must be in the excerpt,
// is extrapolated by the mean of that line and of the power law through both figures.
func Grown(a, b, shareA, shareB float64) float64 {
	if shareA >= shareB || shareB >= 1 {
		return b
	}
	line := b + max(0, b-a)/(shareB-shareA)*(1-shareB)
	if a <= 0 || b/a <= shareB/shareA {
		return line
	}
	power := min(math.Log(b/a)/math.Log(shareB/shareA), 2)
	return math.Sqrt(line * b * math.Pow(1/shareB, power))
}

// inputs are the files from which excerpts are made.
type inputs struct {
	paths []string
	sizes []int64
	total int64
}

// open lists the inputs with their sizes.
func open(args []string) (in inputs, err error) {
	files, _, err := crawl.Expand(args)
	if err != nil {
		return in, err
	}
	for _, path := range files {
		if path == "-" {
			return in, ErrStream
		}
		info, err := os.Stat(path)
		if err != nil {
			return in, err
		}
		size := info.Size()
		switch {
		case info.IsDir():
			size = pipeline.DirSize(path)
		case !info.Mode().IsRegular():
			return in, fmt.Errorf("%s: %w", path, ErrStream)
		}
		in.paths, in.sizes, in.total = append(in.paths, path), append(in.sizes, size), in.total+size
	}
	return in, nil
}

// mostInputs is the maximum number of inputs in an excerpt.
const mostInputs = 24

// try builds a run over an excerpt of about budget bytes of the inputs and removes it. If there are many inputs, it
// divides all bytes into equal parts and takes the inputs at their ends, so that large inputs are more likely to be
// chosen.
func (in inputs) try(ctx context.Context, dir string, budget int64, c config.Config, limits Limits) (trial, error) {
	defer os.RemoveAll(dir)
	parts := int64(min(mostInputs, len(in.paths)))
	var paths []string
	taken, end, part := 0.0, int64(0), int64(0)
	for i, path := range in.paths {
		end += in.sizes[i]
		n := int64(0)
		for ; part < parts && ((2*part+1)*in.total/(2*parts) < end || i == len(in.paths)-1); part++ {
			n++
		}
		if n == 0 {
			continue
		}
		below := filepath.Join(dir, strconv.Itoa(i))
		if err := os.MkdirAll(below, 0o777); err != nil {
			return trial{}, err
		}
		made, share, err := excerpt(below, path, max(1, n*budget/parts))
		if err != nil {
			return trial{}, err
		}
		if err := beside(made, path); err != nil {
			return trial{}, err
		}
		paths, taken = append(paths, made), taken+share*float64(in.sizes[i])
	}
	r, err := pipeline.Cluster(ctx, filepath.Join(dir, "run"), paths, c, pipeline.Options{Workers: limits.Workers, Memory: limits.Memory})
	if err != nil {
		return trial{}, err
	}
	if in.total == 0 {
		return trial{r.Manifest, 1}, nil
	}
	return trial{r.Manifest, taken / float64(in.total)}, nil
}

// beside links to the files next to an index, because they include its archives.
func beside(made, path string) error {
	if made == path || !strings.Contains(strings.ToLower(filepath.Base(path)), ".cdx") {
		return nil
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	all, err := os.ReadDir(folder)
	for _, e := range all {
		if err == nil && e.Name() != filepath.Base(path) {
			err = os.Symlink(filepath.Join(folder, e.Name()), filepath.Join(filepath.Dir(made), e.Name()))
		}
	}
	return err
}
