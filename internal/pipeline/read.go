package pipeline

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/run"
)

// Work files of the read stage.
const (
	wordsFile      = "work/words"
	supersededFile = "work/superseded.lsh"
	ledgerFile     = "work/ledger.json"
)

// read reads the inputs in parts, then the originals of revisits, and sorts what the parts have in common.
func (b readStage) read(ctx context.Context) (run.StageStats, error) {
	r := b.newReading()
	if err := r.addReaders(); err != nil {
		return run.StageStats{}, err
	}
	dir, err := b.dir.TempDir("sort-read")
	if err != nil {
		return run.StageStats{}, err
	}
	defer os.RemoveAll(dir)
	if err := r.readInputs(ctx); err != nil {
		return run.StageStats{}, err
	}
	dropped, err := run.NewDropList(dir, b.inputs, b.memory/16, b.workers)
	if err != nil {
		return run.StageStats{}, err
	}
	defer dropped.Close()
	drops := dropped.Drops()
	for _, s := range b.skipped {
		if err := drops.Add(s); err != nil {
			return run.StageStats{}, err
		}
	}
	if err := r.resolve(ctx, drops.Add); err != nil {
		return run.StageStats{}, err
	}
	if err := drops.Flush(); err != nil {
		return run.StageStats{}, err
	}
	parts, err := r.parts()
	if err != nil {
		return run.StageStats{}, err
	}
	return b.collect(ctx, parts, dropped, &drops.Ledger)
}

// readInputs reads the items of the inputs that are not in any part.
func (r *reading) readInputs(ctx context.Context) error {
	b := r.b
	total := int64(0)
	for _, in := range b.inputs {
		total += sizeOf(in)
	}
	b.report.Stage("read", "B", total)
	if b.stream { // streams cannot be told apart
		if err := b.dir.ForgetParts("read"); err != nil {
			return err
		}
	}
	parts, err := r.parts()
	if err != nil {
		return err
	}
	if len(parts) > 0 && b.again == 0 {
		b.report.Continued("read", "read", 100*float64(b.sizeOfParts(parts))/float64(max(1, total)))
	}
	for _, s := range missing(parts) {
		if s.from.ended(len(b.inputs)) && s.part > 0 {
			break
		}
		if s.to != nil && s.to.Again > 0 { // parts of inputs and of revisits are missing: read everything from here on again
			if err := r.forgetFrom(s.part); err != nil {
				return err
			}
			s.to, s.last = nil, -1
		}
		if err := r.stretch(ctx, s, b.cut); err != nil {
			return err
		}
		if s.to == nil {
			break
		}
	}
	return nil
}

// sizeOfParts returns the approximate number of bytes of the inputs in some parts.
func (b readStage) sizeOfParts(parts []readPart) (n int64) {
	for _, p := range parts {
		n += b.before(p.To) - b.before(p.From)
	}
	return n
}

// before returns the approximate number of bytes of the inputs before a place.
func (b readStage) before(p place) (n int64) {
	for i := range min(p.Next, len(b.inputs)) {
		if at, ended := p.in(i); ended {
			n += sizeOf(b.inputs[i])
		} else {
			n += at.Mark.Offset
		}
	}
	return n
}

// forgetFrom forgets the parts from a number on.
func (r *reading) forgetFrom(number int) error {
	for _, p := range slices.Backward(r.b.dir.Parts("read")) {
		if p.Number < number {
			break
		}
		if err := r.b.dir.ForgetPart(r.b.dir.Path(p.Files[0])); err != nil {
			return fmt.Errorf("part %d: %w", p.Number, err)
		}
	}
	return nil
}
