// Package plan predicts what a run will hold and cost before it is built: documents, links and pairs, and processor
// time, memory and disk of each stage.
//
// [For] builds complete runs over growing excerpts of the inputs, within a few seconds, and removes them. The figures of
// the last two of them tell how each quantity grows ([Extrapolate]), and a table of coefficients tells what the stages
// cost at that size ([Predict]); what the excerpts cost corrects the coefficients, so that the rates are those of this
// machine and these inputs. Extrapolate and Predict are pure functions.
//
// The coefficients are in table.go, which make calibrate writes from the manifests of finished runs.
package plan

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
)

// Options are settings of a plan.
type Options struct {
	Workers int
	Memory  int64   // of the run in bytes; 0: pipeline.DefaultMemory
	Disk    int64   // bytes that the run directory may have; 0: not known
	Seconds float64 // of processor time that the excerpts should take in all; 0: DefaultSeconds
}

// DefaultSeconds is the processor time that a plan takes unless told otherwise.
const DefaultSeconds = 6

// Plan is what a run is expected to hold and to cost.
type Plan struct {
	Inputs         int     `json:"inputs"`
	Bytes          int64   `json:"bytes"`         // of the inputs, as they are stored
	Share          float64 `json:"sampled_share"` // of the inputs in the largest excerpt
	Reached        float64 `json:"reached_share"` // of the inputs over which the excerpts are spread; below 1 for long compressed streams
	Pages          int64   `json:"pages"`
	Links          int64   `json:"links"`
	Documents      int64   `json:"documents"`
	TopicalPairs   int64   `json:"topical_pairs"`
	SyntacticPairs int64   `json:"syntactic_pairs"`
	Recall         float64 `json:"recall,omitempty"` // share of the ten nearest neighbours that the largest excerpt has stored

	Stages     []Stage `json:"stages"`
	Seconds    float64 `json:"wall_seconds"` // on a machine that does nothing else
	CPUSeconds float64 `json:"cpu_seconds"`
	Memory     int64   `json:"peak_anon_bytes"`
	Disk       int64   `json:"peak_disk_bytes"`

	Least  int64    `json:"least_memory_bytes"` // the least limit with which the run can be built
	Limits Limits   `json:"limits"`
	Fits   bool     `json:"fits"`
	Advice []string `json:"advice,omitempty"` // what to change so that it fits
}

// Limits are those that a run must keep.
type Limits struct {
	Workers int   `json:"workers"`
	Memory  int64 `json:"memory_bytes"`
	Disk    int64 `json:"disk_bytes,omitempty"` // 0: not known
}

// Stage is what a stage is expected to cost.
type Stage struct {
	Name       string  `json:"name"`
	Seconds    float64 `json:"wall_seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Memory     int64   `json:"peak_anon_bytes"`
	Disk       int64   `json:"peak_disk_bytes"` // of the whole run directory
}

// The sizes of the excerpts in bytes of content. The last one is as large as the time allows.
const (
	firstExcerpt = 256 << 10
	growth       = 4
	mostExcerpt  = 64 << 20
)

// For plans a run over some inputs with a configuration. A run that comes after an earlier one is planned as one from
// nothing, which takes longer. For writes to a temporary folder, which it removes.
//
// Errors are those of pipeline.Cluster, and ErrStream.
func For(ctx context.Context, args []string, c config.Config, o Options) (*Plan, error) {
	if o.Memory <= 0 {
		o.Memory = pipeline.DefaultMemory
	}
	if o.Seconds <= 0 {
		o.Seconds = DefaultSeconds
	}
	o.Workers = pipeline.WorkersFor(o.Workers, o.Memory)
	in, err := open(ctx, args)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "lshclust-plan-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	trials, reached, err := in.trials(ctx, dir, c, o)
	if err != nil {
		return nil, err
	}
	f, last := Extrapolate(trials, c), trials[len(trials)-1]
	p := &Plan{
		Inputs: len(in.paths), Bytes: in.total, Share: last.Share, Reached: reached,
		Pages: int64(f[Pages]), Links: int64(f[Links]), Documents: int64(f[Documents]),
		TopicalPairs: int64(f[TopicalPairs]), SyntacticPairs: int64(f[SyntacticPairs]), Recall: last.Recall,
		Limits: Limits{o.Workers, o.Memory, o.Disk},
	}
	p.add(Predict(f, trials, c, o.Memory))
	p.judge(leastMemory(f[Documents], last.Seen.Most/last.Share), p.lessDisk(f, trials, c))
	return p, nil
}

// trials builds runs over growing excerpts until the next one would take too long, or there is no more.
func (in inputs) trials(ctx context.Context, dir string, c config.Config, o Options) (out []Trial, reached float64, err error) {
	spent, size := 0.0, int64(firstExcerpt)
	for {
		t, over, err := in.try(ctx, filepath.Join(dir, strconv.Itoa(len(out))), size, c, o)
		if err != nil {
			return nil, 0, err
		}
		out, reached = append(out, t), over
		cpu := t.cpu()
		spent += cpu
		next := min(growth, (o.Seconds-spent)/max(cpu, 0.01)) // the share of the size that is left
		if t.Share >= whole || size >= mostExcerpt || len(out) > 1 && next < 1.5 {
			return out, reached, ctx.Err()
		}
		size = int64(float64(size) * max(2, next))
	}
}

func (t Trial) cpu() (sum float64) {
	for _, s := range t.Stages {
		sum += s.CPU
	}
	return sum
}

// add adds the costs of the stages.
func (p *Plan) add(costs []Cost) {
	for _, s := range costs {
		at := Stage{s.Stage, wall(s.CPU, p.Limits.Workers), s.CPU, s.Memory, s.Disk}
		p.Stages = append(p.Stages, at)
		p.Seconds, p.CPUSeconds = p.Seconds+at.Seconds, p.CPUSeconds+s.CPU
		p.Memory, p.Disk = max(p.Memory, s.Memory), max(p.Disk, s.Disk)
	}
}
