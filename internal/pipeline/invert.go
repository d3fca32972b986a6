package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// invertStep lists the nodes whose bags contain each term, which makes it possible to find the exact neighbours of a
// bag. A part writes a table of several segments.
func (b invertStage) invertStep() (*plan, error) {
	ends, nodes, err := b.segments()
	if err != nil {
		return nil, err
	}
	size := max(1, (len(ends)+mostParts-1)/mostParts)
	parts := partsOf(len(ends), size)
	return &plan{
		unit: "bags", total: int64(nodes), parts: parts, several: b.severalOf(parts, 0, tables.BagsFile),
		most: int(max(1, b.memory/4/inverted.BuilderMemory)),
		open: func(_ context.Context, workers int, from *opened) (partFunc, error) {
			of, builders := openNodeBags(from), make([]inverted.Builder, workers)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, len(ends))
				n := counts{"segments": int64(end - first)}
				w := tables.CreateInverted(out.path(""))
				defer w.Abort()
				for i := first; i < end; i++ {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					begin := uint32(0)
					if i > 0 {
						begin = ends[i-1]
					}
					s := builders[at.worker].Build(of, begin, ends[i])
					n["nodes"], n["postings"] = n["nodes"]+int64(s.Nodes), n["postings"]+int64(s.Postings)
					if err := w.Add(s); err != nil {
						return nil, err
					}
					out.meter.did(int64(s.Nodes))
				}
				return n, w.Close()
			}, nil
		},
	}, nil
}

// segments returns the nodes at which segments end, and the number of nodes.
func (b invertStage) segments() (ends []uint32, nodes int, err error) {
	err = b.opening(b.partTables(), func(from *opened) error {
		of := openNodeBags(from)
		if err := from.Ready(); err != nil {
			return err
		}
		ends, nodes = inverted.Ends(of), of.Len()
		return from.Err()
	})
	return ends, nodes, err
}

// joinSegments joins the tables of all parts.
func (b invertStage) joinSegments(ctx context.Context, from *opened) (run.StageStats, error) {
	path := b.dir.Temp(tables.InvertedFile)
	n, err := join(ctx, from, "invert", tables.OpenInverted, tables.CreateInverted(path))
	return run.StageStats{In: n["nodes"], Out: n["postings"], Counts: map[string]int64{"segments": n["segments"], "bytes": sizeOf(path)}}, err
}
