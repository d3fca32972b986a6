package pipeline

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// The parts of the stage publish are tables and shares of large tables, so that a stopped run repeats little of the
// stage. A large table has two steps of its own: the first writes its shares; the second copies their row groups into
// the table and removes the shares before the next table is written. A row group ends where a share ends, so the
// sizes of these parts, unlike those of other steps, determine bytes: they belong to the run format.

// split says how a large table is divided.
type split struct {
	step string // step that writes the shares
	join func(ctx context.Context, to string, shares []string) error
}

// pagesByDocuments divides the table that has a row for each document.
var pagesByDocuments = split{"publish-pages", run.JoinTables[run.PageRow]}

// share is what a part writes: the rows of some documents, or all rows of a table that is not divided.
type share struct {
	path     string
	from, to uint32
}

// sharesOf returns the number of shares of a table, or 0 if it is not divided.
func (b *build) sharesOf(t published) int {
	if t.split == nil {
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
	n := b.sharesOf(t)
	return &plan{
		parts: n, together: true, several: b.severalOf(n, 0, tables.DocumentsFile),
		open: func(_ context.Context, _ int, from *opened) (partFunc, error) {
			p, err := b.openPublishing(from)
			if err != nil {
				return nil, err
			}
			size := b.sizes.shareRows(p.docs.Len())
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				from, to := rangeOf(at.number, size, p.docs.Len())
				return p.write(ctx, t, share{out.path(""), uint32(from), uint32(to)})
			}, nil
		},
	}, nil
}

// tablesStep writes the tables that are not divided, one per part. All workers encode the rows of one table.
func (b publishStage) tablesStep() (*plan, error) {
	var whole []published
	for _, t := range b.published() {
		if b.sharesOf(t) == 0 {
			whole = append(whole, t)
		}
	}
	return &plan{parts: len(whole), together: true, open: func(_ context.Context, _ int, from *opened) (partFunc, error) {
		p, err := b.openPublishing(from)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
			t := whole[at.number]
			return p.write(ctx, t, share{path: out.named(t.name), to: uint32(p.docs.Len())})
		}, nil
	}}, nil
}

// write writes a table or a share of it.
func (p *publishing) write(ctx context.Context, t published, to share) (counts, error) {
	_, write := t.of(p)
	n, err := write(ctx, to)
	return counts{"documents": int64(p.docs.Len()), "rows": n}, err
}

// joinStep verifies the shares of a table and joins them.
func (b publishStage) joinStep(t published) (*plan, error) {
	if b.sharesOf(t) == 0 {
		return &plan{}, nil
	}
	return one(func(ctx context.Context, _ partAt, out *partFiles) (counts, error) {
		var shares []string
		for _, p := range b.partsOfStep("publish", b.stage("publish").index(t.split.step)) {
			path := b.dir.Path(p.Files[0])
			switch err := b.dir.VerifyPart(ctx, "publish", p.Files[0]); {
			case errors.Is(err, run.ErrDamaged):
				return nil, &framed.Error{File: path, What: "it is not as its receipt says"}
			case err != nil:
				return nil, err
			}
			shares = append(shares, path)
		}
		return nil, t.split.join(ctx, out.named(t.name), shares)
	})()
}
