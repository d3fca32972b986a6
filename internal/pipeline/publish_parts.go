package pipeline

import (
	"context"
	"errors"
	"slices"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// The parts of the stage publish are tables and shares of large tables, so that a stopped run repeats little of the
// stage. A large table has two steps of its own: the first writes its shares; the second copies their row groups into
// the table and removes the shares before the next table is written. A row group ends where a share ends, so the
// sizes of these parts, unlike those of other steps, determine bytes: they belong to the run format.

// tableMemory estimates the memory that a table takes while it is written: the rows of a row group, its columns and the
// finished pages.
const tableMemory = 48 << 20

// share is what a part writes: the rows of some documents, or all rows of a table that is not divided.
type share struct {
	path     string
	from, to uint32
	rows     func(n int64) // reports that rows were written
}

// sharesOf returns the number of shares of a table, or 0 if it is not divided.
func (b *build) sharesOf(t published) int {
	if t.join == nil {
		return 0
	}
	s, _ := b.dir.Stats("group")
	if n := partsOf(int(s.Out), b.sizes.shareRows(int(s.Out))); n > 1 {
		return n
	}
	return 0
}

// sharesStep writes the shares of a table.
func (b publishStage) sharesStep(t published) (*plan, error) {
	group, _ := b.dir.Stats("group")
	n, documents := b.sharesOf(t), int(group.Out)
	return b.writing(&plan{unit: "rows", total: group.Out, parts: n, several: b.severalOf(n, 0, tables.DocumentsFile)}, func(at int, out *partFiles) (published, share) {
		from, to := rangeOf(at, b.sizes.shareRows(documents), documents)
		return t, share{out.path(""), uint32(from), uint32(to), out.meter.did}
	}), nil
}

// tablesStep writes the tables that are not divided, one per part.
func (b publishStage) tablesStep() (*plan, error) {
	group, _ := b.dir.Stats("group")
	whole := slices.DeleteFunc(b.published(), func(t published) bool { return b.sharesOf(t) > 0 })
	return b.writing(&plan{unit: "tables", total: int64(len(whole)), parts: len(whole)}, func(at int, out *partFiles) (published, share) {
		t := whole[at]
		return t, share{out.named(t.name), 0, uint32(group.Out), func(int64) {}}
	}), nil
}

// writing completes the plan of a step whose parts are tables or shares of them.
func (b publishStage) writing(p *plan, part func(at int, out *partFiles) (published, share)) *plan {
	p.most = int(max(1, b.memory/2/tableMemory))
	p.open = func(_ context.Context, _ int, from *opened) (partFunc, error) {
		of, err := b.openPublishing(from)
		return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
			t, to := part(at.number, out)
			rows, err := t.write(of, ctx, to)
			if p.unit == "tables" {
				out.meter.did(1)
			}
			return counts{"rows": rows}, err
		}, err
	}
	return p
}

// joinStep verifies the shares of a table and joins them.
func (b publishStage) joinStep(t published) (*plan, error) {
	if b.sharesOf(t) == 0 {
		return &plan{}, nil
	}
	return one(func(ctx context.Context, _ partAt, out *partFiles) (counts, error) {
		var shares []string
		for _, p := range b.partsOfStep("publish", b.stage("publish").index(t.step())) {
			path := b.dir.Path(p.Files[0])
			switch err := b.dir.VerifyPart(ctx, "publish", p.Files[0]); {
			case errors.Is(err, run.ErrDamaged):
				return nil, &framed.Error{File: path, What: "it is not as its receipt says"}
			case err != nil:
				return nil, err
			}
			shares = append(shares, path)
		}
		return nil, t.join(ctx, out.named(t.name), shares)
	})()
}
