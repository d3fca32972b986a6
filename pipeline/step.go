package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/run"
)

// The work of some stages is divided into steps, and the work of a step into parts. A part is a function of the files
// of earlier stages and steps to files that only this part writes. It shares no memory with other parts, so that it can
// be done alone, again, and by another process: see [DoPart]. How many parts there are follows from the inputs and the
// configuration, but not from the workers or the memory. The bytes of the files are always the same: they are written
// in an order that does not depend on when the parts are done, and they have checksums.
//
// When all parts of all steps are recorded, the last piece of work of the stage puts the files of the parts together to
// the tables of the stage: it concatenates them in the order of the parts, merges what is sorted, and adds up counts.

// step is a step of a stage.
type step struct {
	name     string // by which the files of its parts are named; it begins with the name of the stage
	told     string // the name by which progress is told; "": that of the stage
	unit     string // that progress is told in; "": it is not told
	total    int64  // of these units
	parts    int
	several  int    // how many parts one process should do, since each is small; 0: one
	most     int    // workers that the memory allows; 0: any number
	together bool   // all workers do one part together, since it needs much memory
	joins    string // the table that join puts the files of all parts together to before the next step; "": none
	join     func(ctx context.Context, to string, parts []string) error
	open     func(ctx context.Context, workers int) (parter, error)
}

// parter does the parts of a step. Each worker does one part at a time.
type parter interface {
	part(ctx context.Context, worker, i int, out *partFiles) (counts, error)
	close()
}

// counts are figures of a part, which are recorded with it.
type counts map[string]int64

// stepOf is a step of a stage that is known before the earlier steps are done.
type stepOf struct {
	name string
	make func(name string) (*step, error) // called when the earlier steps are done
}

// partFiles collects the names of the files that a part writes.
type partFiles struct {
	dir   *run.Dir
	step  string
	part  int
	names []string
	note  any // that is recorded instead of counts; nil: counts
	meter *meter
}

// noted returns the note that is recorded with the part.
func (o *partFiles) noted(n counts) any {
	if o.note != nil {
		return o.note
	}
	return n
}

// path returns the path at which the part writes its file of a kind. A step with only one kind may call it "".
func (o *partFiles) path(kind string) string { return o.named(stepFile(o.step, kind, o.part)) }

// named returns the path at which the part writes a file with a name that is not that of its step.
func (o *partFiles) named(name string) string {
	o.names = append(o.names, name)
	return o.dir.Temp(name)
}

// stepFile returns the name of the file of a kind that part i of a step writes.
func stepFile(step, kind string, i int) string {
	if kind != "" {
		step += "-" + kind
	}
	return fmt.Sprintf("work/%s-%03d", step, i)
}

// stepParts is larger than the number of parts of any step. The last numbers are those of the part that remains of a step
// whose files were removed, and of the part that puts the files of a step together.
const (
	stepParts  = 1 << 12
	freedPart  = stepParts - 1
	joinedPart = stepParts - 2
)

// inSteps returns the work of a stage: it does the parts of the steps that are not recorded yet and then calls finish.
func (b *build) inSteps(stage string, finish func(context.Context) (run.StageStats, error)) func(context.Context) (run.StageStats, error) {
	return func(ctx context.Context) (run.StageStats, error) {
		steps, told, first := b.stepsOf(stage), b.again > 0, true
		for i := 0; i < len(steps); i++ {
			s, err := steps[i].make(steps[i].name)
			if err == nil && b.lacksSteps(stage, s) { // after damage
				if err := b.dir.ForgetParts(stage); err != nil {
					return run.StageStats{}, err
				}
				i, first = -1, true
				continue
			}
			if err == nil {
				err = b.lacksFiles(stage, s)
			}
			if err == nil && !told {
				told = b.continued(stage, s, first, i == len(steps)-1)
				first = first && s.parts == 0
			}
			if err == nil {
				err = b.doStep(ctx, stage, s)
			}
			if err == nil {
				err = b.join(ctx, stage, s)
			}
			if err == nil {
				err = b.freeUnread(stage, i)
			}
			if err != nil {
				return run.StageStats{}, err
			}
		}
		return finish(ctx)
	}
}

// continued reports how far an earlier process came in a stage, once: at the first step that it has not done, or at the
// last one.
func (b *build) continued(stage string, s *step, first, last bool) (told bool) {
	missing := len(b.missing(stage, s))
	if missing == 0 && !last {
		return false
	}
	if missing < s.parts || !first {
		b.report.Continued(stage, s.name, 100*float64(s.parts-missing)/float64(s.parts))
	}
	return true
}

// doStep does the parts of a step that are not recorded yet.
func (b *build) doStep(ctx context.Context, stage string, of *step) error {
	missing := b.missing(stage, of)
	if len(missing) == 0 {
		return nil
	}
	workers := of.workers(b.workers, len(missing))
	meter := &meter{report: func(int64) {}}
	if of.unit != "" {
		b.report.Stage(cmp.Or(of.told, stage), of.unit, of.total)
		meter.report = b.report.At
	}
	meter.did(of.total * int64(of.parts-len(missing)) / int64(of.parts))
	p, err := of.open(ctx, workers)
	if err != nil {
		return err
	}
	defer p.close()
	holes := b.holesBehind(stage, of, missing)
	return parallel.Each(ctx, len(missing), workers, func(worker, at int) error {
		out := &partFiles{dir: b.dir, step: of.name, part: missing[at], meter: meter}
		n, err := p.part(ctx, worker, missing[at], out)
		if err != nil {
			return err
		}
		if err := b.dir.FinishPart(stage, b.partNumber(stage, of.name, missing[at]), out.noted(n), out.names...); err != nil {
			return err
		}
		return holes.done(missing[at])
	})
}

// workers returns how many of some workers do the parts that are missing.
func (s *step) workers(workers, missing int) int {
	if s.together {
		return 1
	}
	if s.most > 0 {
		workers = min(workers, s.most)
	}
	return min(workers, missing)
}

// partNumber returns the number by which part i of a step is recorded. Each step has a range of stepParts numbers.
func (b *build) partNumber(stage, step string, i int) int {
	at := slices.IndexFunc(b.stepsOf(stage), func(s stepOf) bool { return s.name == step })
	return at*stepParts + i
}

// missing returns the parts of a step that are not recorded.
func (b *build) missing(stage string, of *step) (out []int) {
	if b.freed(stage, of.name) != nil {
		return nil
	}
	done, first := map[int]bool{}, b.partNumber(stage, of.name, 0)
	for _, p := range b.dir.Parts(stage) {
		done[p.Number-first] = true
	}
	for i := range of.parts {
		if !done[i] {
			out = append(out, i)
		}
	}
	return out
}

// recorded returns the counts of the recorded parts of a step in the order of the parts.
func (b *build) recorded(stage, step string) (out []counts, err error) {
	first := b.partNumber(stage, step, 0)
	if p := b.freed(stage, step); p != nil {
		return freedCounts(p)
	}
	for _, p := range b.dir.Parts(stage) {
		if p.Number < first || p.Number >= first+joinedPart {
			continue
		}
		var n counts
		if err := json.Unmarshal(p.Note, &n); err != nil {
			return nil, fmt.Errorf("counts of part %d of stage %s: %w", p.Number, stage, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// summed returns the sums of the counts of the parts of a step.
func (b *build) summed(stage, step string) (counts, error) {
	all, err := b.recorded(stage, step)
	sum := counts{}
	for _, part := range all {
		for name, n := range part {
			sum[name] += n
		}
	}
	return sum, err
}

// meter adds up what the workers have done.
type meter struct {
	mu     sync.Mutex
	done   int64
	report func(done int64)
}

func (m *meter) did(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
	m.report(m.done)
}

// stepsOf returns the steps of a stage in their order, none if its work is not divided.
func (b *build) stepsOf(stage string) []stepOf {
	switch stage {
	case "read":
		return []stepOf{{"read", b.readStep}}
	case "group":
		return []stepOf{{"group", b.groupStep}}
	case "weigh":
		return []stepOf{{"weigh", b.weighStep}}
	case "sign":
		return []stepOf{{signNodes, b.nodesStep}, {"sign", b.signStep}}
	case "invert":
		return []stepOf{{"invert", b.invertStep}}
	case "pair":
		return b.pairSteps()
	case "cluster":
		return b.clusterSteps()
	case "tree":
		return []stepOf{{treeBuild, b.treeStep}, {treeAbove, b.aboveStep}, {treeLeaves, b.leavesStep}}
	case "publish":
		return b.publishSteps()
	}
	for _, s := range b.stages() {
		if s.name == stage && s.whole {
			return []stepOf{wholeStep(s)}
		}
	}
	return nil
}

// rangeOf returns the range of part i of the numbers below n, of which each part has size.
func rangeOf(i, size, n int) (from, to int) { return i * size, min((i+1)*size, n) }

// processBytes is how much the parts that one process does should read and write. That takes about a second, and to start
// a process and verify tables takes a fraction of it.
const processBytes = 32 << 20

// severalOf returns how many parts one process should do of a step with so many parts, which divide files of the run and
// write so many other bytes. A file that is not there counts nothing: the step is done then.
func (b *build) severalOf(parts int, written int64, files ...string) int {
	bytes := written
	for _, name := range files {
		if info, err := os.Stat(b.dir.Path(name)); err == nil {
			bytes += info.Size()
		}
	}
	return int(max(1, int64(parts)*processBytes/max(1, bytes)))
}

// partsOf returns the number of parts of a size that n things make, at least one.
func partsOf(n, size int) int { return max(1, (n+size-1)/size) }
