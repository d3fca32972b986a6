package pipeline

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// invertStep lists the nodes whose bags contain each term, which makes it possible to find the exact neighbours of a
// bag. A part writes several segments.
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
				var body []byte
				return n, create(out.path(""), func(w io.Writer) error {
					for i := first; i < end && ctx.Err() == nil; i++ {
						begin := uint32(0)
						if i > 0 {
							begin = ends[i-1]
						}
						s := builders[at.worker].Build(of, begin, ends[i])
						n["nodes"], n["postings"] = n["nodes"]+int64(s.Nodes), n["postings"]+int64(s.Postings)
						body = appendSegment(body[:0], s)
						if err := writeRecord(w, body); err != nil {
							return err
						}
						out.meter.did(int64(s.Nodes))
					}
					return ctx.Err()
				})
			}, nil
		},
	}, nil
}

// segments returns the nodes at which segments end, and the number of nodes.
func (b invertStage) segments() (ends []uint32, nodes int, err error) {
	from := &opened{Set: b.partTables(), b: b.build}
	defer from.close()
	of := openNodeBags(from)
	if err := from.Ready(); err != nil {
		return nil, 0, err
	}
	return inverted.Ends(of), of.Len(), from.Err()
}

func appendSegment(dst []byte, s inverted.Segment) []byte {
	dst = binary.AppendUvarint(dst, uint64(s.Nodes))
	return append(appendArray(appendArray(dst, s.Terms), s.First), s.Lists...)
}

// decodeSegment reads the fields that the table needs of a segment that appendSegment wrote.
func decodeSegment(body []byte, s *inverted.Segment) error {
	d := codec.Decoder{B: body}
	s.Nodes = int(d.Uvarint())
	decodeArray(&d, &s.Terms)
	decodeArray(&d, &s.First)
	s.Lists = d.B
	if d.Err == nil && len(s.First) != len(s.Terms) {
		d.Err = codec.ErrMalformed
	}
	return d.Err
}

// joinSegments writes the table from the segments of all parts.
func (b invertStage) joinSegments(ctx context.Context) (run.StageStats, error) {
	path := b.dir.Temp(tables.InvertedFile)
	w := tables.CreateInverted(path)
	defer w.Abort()
	var s inverted.Segment
	err := b.eachFile(ctx, "invert", "invert", "", bodies(ctx, func(body []byte) error {
		if err := decodeSegment(body, &s); err != nil {
			return err
		}
		return w.Add(s)
	}))
	if err != nil {
		return run.StageStats{}, err
	}
	if err := w.Close(); err != nil {
		return run.StageStats{}, err
	}
	n, err := b.summed("invert", "invert")
	return run.StageStats{In: n["nodes"], Out: n["postings"], Counts: map[string]int64{"segments": n["segments"], "bytes": sizeOf(path)}}, err
}
