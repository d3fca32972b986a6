package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// The work of a stage is divided into steps, and the work of a step into parts. A part is a function from the files
// of earlier stages and steps to files that only this part writes. It shares no memory with other parts, so that it
// can be done alone, again, or by another process: see [DoParts]. The number of parts depends on the inputs and the
// configuration, but not on the workers or the memory. The bytes of the files are always the same: they are written
// in an order that does not depend on when the parts are done. They have checksums, except for Parquet files, whose
// digests are in the receipts.
//
// When all parts of all steps are recorded, the end of the stage joins their files to the tables of the stage: it
// concatenates them in order of the parts, merges what is sorted, and adds up counts.

// plan describes the parts of a step.
type plan struct {
	told     string // name in the progress; "" means that of the stage
	unit     string // unit of the progress; "" reports none
	total    int64  // total of these units
	parts    int
	several  int  // how many parts one process should do because each is small; 0 means one
	most     int  // number of workers that the memory allows; 0 means any
	together bool // whether all workers do one part together, because it needs much memory
	open     func(ctx context.Context, workers int, from *opened) (partFunc, error)
}

// partFunc does a part. Each worker does one part at a time.
type partFunc func(ctx context.Context, at partAt, out *partFiles) (counts, error)

// partAt says which part is done, by which worker, and where to open what is closed with the step.
type partAt struct {
	worker, number int
	from           *opened
}

// opened holds the tables and the temporary folders of a step, or of the end of a stage. They stay open until all parts are
// done. The error of a part includes damage that was found in these tables.
type opened struct {
	tables.Set
	b       *build
	folders []string
}

// tempDir makes a folder for temporary files.
func (o *opened) tempDir(name string) (dir string) {
	o.Do(func() (err error) {
		dir, err = o.b.dir.TempDir(name)
		o.folders = append(o.folders, dir)
		return err
	})
	return dir
}

// opening calls do with an empty set, and closes what do has opened.
func (b *build) opening(set tables.Set, do func(from *opened) error) error {
	from := &opened{Set: set, b: b}
	defer func() {
		from.Close() // the parts reported damage
		for _, dir := range from.folders {
			os.RemoveAll(dir)
		}
	}()
	return do(from)
}

// table opens a table of the run.
func table[T tables.Table](from *opened, name string, open func(path string) (T, error)) T {
	return tables.Open(&from.Set, from.b.dir.Path(name), open)
}

// workFile opens an intermediate file, which verifies itself block by block while it is read.
func workFile[T tables.Table](from *opened, name string, open func(path string) (T, error)) T {
	verify := from.Verify
	from.Verify = nil
	defer func() { from.Verify = verify }()
	return table(from, name, open)
}

// counts are figures of a part, recorded with it.
type counts map[string]int64

func (c counts) add(o counts) {
	for name, n := range o {
		c[name] += n
	}
}

// partFiles collects the names of the files that a part writes.
type partFiles struct {
	dir   *run.Dir
	step  string
	part  int
	names []string
	note  any // recorded instead of counts unless nil
	meter *meter
}

// path returns the path of the part's file of a kind. In a step with only one kind it may be "".
func (o *partFiles) path(kind string) string { return o.named(stepFile(o.step, kind, o.part)) }

// named returns the path of a file of the part whose name is not derived from the step.
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

// stepParts exceeds the number of parts of any step except that of the stage read.
const stepParts = 1 << 12

// doSteps does the parts of the steps of a stage that are not recorded yet, and ends the stage.
func (r *runner) doSteps(ctx context.Context, s stage) (run.StageStats, error) {
	told, first := r.again > 0, true
	for i := 0; i < len(s.steps); i++ {
		p, err := s.steps[i].plan()
		if err != nil {
			return run.StageStats{}, err
		}
		if r.lacksSteps(s, i, p) { // after damage
			if err := r.dir.ForgetParts(s.name); err != nil {
				return run.StageStats{}, err
			}
			i, first = -1, true
			continue
		}
		if err := r.lacksFiles(s, i, p); err != nil {
			return run.StageStats{}, err
		}
		if !told {
			told = r.continued(s, i, p, first)
			first = first && p.parts == 0
		}
		if err := r.doStep(ctx, s, i, p); err != nil {
			return run.StageStats{}, err
		}
		if err := r.freeUnread(s, i); err != nil {
			return run.StageStats{}, err
		}
	}
	var stats run.StageStats
	if s.end == nil { // the note of the only part has the figures of the stage
		err := json.Unmarshal(r.partsOfStep(s.name, 0)[0].Note, &stats)
		return stats, err
	}
	err := r.opening(r.tables(), func(from *opened) (err error) {
		stats, err = s.end(ctx, from)
		return errors.Join(err, from.Err())
	})
	return stats, err
}

// continued reports once how far an earlier process came in a stage: at the first step that it has not done, or at
// the last one.
func (r *runner) continued(s stage, i int, p *plan, first bool) (told bool) {
	missing := len(r.missing(s, i, p))
	if missing == 0 && i < len(s.steps)-1 {
		return false
	}
	if missing < p.parts || !first {
		r.report.Continued(s.name, s.steps[i].name, 100*float64(p.parts-missing)/float64(p.parts))
	}
	return true
}

// doStep does the parts of step i of a stage that are not recorded yet.
func (r *runner) doStep(ctx context.Context, s stage, i int, p *plan) error {
	missing := r.missing(s, i, p)
	if len(missing) == 0 {
		return nil
	}
	workers := p.workers(r.workers, len(missing))
	meter := &meter{report: func(int64) {}}
	if p.unit != "" {
		r.report.Stage(cmp.Or(p.told, s.name), p.unit, p.total)
		meter.report = r.report.At
	}
	meter.did(p.total * int64(p.parts-len(missing)) / int64(p.parts))
	return r.openStep(ctx, p, workers, func(do partFunc, from *opened) error {
		return parallel.Each(ctx, len(missing), workers, func(worker, at int) error {
			number := missing[at]
			out := &partFiles{dir: r.dir, step: s.steps[i].name, part: number, meter: meter}
			note, err := doPart(ctx, do, partAt{worker, number, from}, out)
			if err != nil {
				return err
			}
			return r.dir.FinishPart(s.name, i*stepParts+number, note, out.names...)
		})
	})
}

// openStep calls do with the function for the parts of a step, and closes what the step has opened.
func (r *runner) openStep(ctx context.Context, p *plan, workers int, do func(partFunc, *opened) error) error {
	return r.opening(r.partTables(), func(from *opened) error {
		part, err := p.open(ctx, workers, from)
		if err != nil {
			return err
		}
		if err := from.Ready(); err != nil {
			return err
		}
		return do(part, from)
	})
}

// doPart does a part and returns the note to record with it.
func doPart(ctx context.Context, do partFunc, at partAt, out *partFiles) (note any, err error) {
	n, err := do(ctx, at, out)
	if err == nil {
		err = at.from.Err()
	}
	if out.note != nil {
		return out.note, err
	}
	return n, err
}

// workers returns how many of the workers do the missing parts.
func (p *plan) workers(workers, missing int) int {
	if p.together {
		return 1
	}
	if p.most > 0 {
		workers = min(workers, p.most)
	}
	return min(workers, missing)
}

// missing returns the parts of step i of a stage that are not recorded.
func (r *runner) missing(s stage, i int, p *plan) (out []int) {
	done := map[int]bool{}
	for _, part := range r.dir.Parts(s.name) {
		done[part.Number-i*stepParts] = true
	}
	for part := range p.parts {
		if !done[part] {
			out = append(out, part)
		}
	}
	return out
}

// index returns the index of a step in its stage, or -1 if the stage has no such step.
func (s stage) index(name string) int {
	return slices.IndexFunc(s.steps, func(x step) bool { return x.name == name })
}

// partsOfStep returns the recorded parts of step i of a stage, in order.
func (b *build) partsOfStep(stage string, i int) []run.Part {
	return slices.DeleteFunc(b.dir.Parts(stage), func(p run.Part) bool { return p.Number/stepParts != i })
}

// recorded returns the counts of the recorded parts of a step, in order of the parts.
func (b *build) recorded(stage, step string) (out []counts, err error) {
	i := b.stage(stage).index(step)
	if i < 0 {
		return nil, nil
	}
	for _, p := range b.partsOfStep(stage, i) {
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
		sum.add(part)
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

// metered is the number of things after which a part reports its progress.
const metered = 256

// each calls do with the numbers from to to-1 and reports how many are done.
func (m *meter) each(ctx context.Context, from, to int, do func(i int) error) error {
	for i := from; i < to; i++ {
		if err := do(i); err != nil {
			return err
		}
		if done := i + 1 - from; done%metered == 0 || i+1 == to {
			m.did(int64((done-1)%metered + 1))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// rangeOf returns the range of part i of the numbers below n, divided into parts of a size.
func rangeOf(i, size, n int) (from, to int) { return i * size, min((i+1)*size, n) }

// processBytes is how much the parts that one process does should read and write. That takes about a second; starting
// a process and verifying tables takes a fraction of it.
const processBytes = 32 << 20

// severalOf returns how many parts one process should do of a step whose parts divide files of the run and write
// written other bytes. A missing file counts nothing: the step is then done.
func (b *build) severalOf(parts int, written int64, files ...string) int {
	bytes := written
	for _, name := range files {
		if info, err := os.Stat(b.dir.Path(name)); err == nil {
			bytes += info.Size()
		}
	}
	return int(max(1, int64(parts)*processBytes/max(1, bytes)))
}

// partsOf returns the number of parts of a size for n things, at least one.
func partsOf(n, size int) int { return max(1, (n+size-1)/size) }
