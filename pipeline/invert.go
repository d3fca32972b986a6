package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"os"

	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/inverted"
	"github.com/lshclust/lshclust/run"
)

func (b *build) inverting() stage {
	return stage{name: "invert", outputs: []string{tables.InvertedFile}, work: b.inSteps("invert", b.joinSegments)}
}

// invertParter lists the nodes whose bags hold each term, so that the exact neighbours of a bag can be found. A part
// makes several segments.
type invertParter struct {
	set      tables.Set
	of       tables.NodeBags
	ends     []uint32 // of the segments
	builders []inverted.Builder
}

func (b *build) invertStep(name string) (*step, error) {
	p := &invertParter{set: b.partTables()}
	p.of = b.openNodeBags(&p.set)
	if err := p.set.Ready(); err != nil {
		return nil, err
	}
	p.ends = inverted.Ends(p.of)
	if err := cmp.Or(p.set.Err(), p.set.Close()); err != nil {
		return nil, err
	}
	parts := partsOf(len(p.ends), p.size())
	return &step{
		name: name, unit: "bags", total: int64(p.of.Len()), parts: parts, several: b.severalOf(parts, 0, tables.BagsFile),
		most: int(max(1, b.memory/4/inverted.BuilderMemory)),
		open: func(_ context.Context, workers int) (parter, error) {
			p.set, p.builders = b.partTables(), make([]inverted.Builder, workers)
			p.of = b.openNodeBags(&p.set)
			return p, p.set.Ready()
		},
	}, nil
}

// size returns the number of segments of a part.
func (p *invertParter) size() int { return max(1, (len(p.ends)+mostParts-1)/mostParts) }

func (p *invertParter) close() { p.set.Close() }

// part makes the segments of a part. Each is a record.
func (p *invertParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, p.size(), len(p.ends))
	n := counts{"segments": int64(to - from)}
	var body []byte
	err := create(out.path(""), func(w io.Writer) error {
		for at := from; at < to && ctx.Err() == nil; at++ {
			first := uint32(0)
			if at > 0 {
				first = p.ends[at-1]
			}
			s := p.builders[worker].Build(p.of, first, p.ends[at])
			n["nodes"], n["postings"] = n["nodes"]+int64(s.Nodes), n["postings"]+int64(s.Postings)
			body = appendSegment(body[:0], s)
			if err := writeRecord(w, body); err != nil {
				return err
			}
			out.meter.did(int64(s.Nodes))
		}
		return ctx.Err()
	})
	return n, cmp.Or(err, p.set.Err())
}

func appendSegment(dst []byte, s inverted.Segment) []byte {
	dst = binary.AppendUvarint(dst, uint64(s.Nodes))
	return appendU16s(appendU32s(appendU32s(dst, s.Terms), s.First), s.Lists)
}

// decodeSegment reads what the table needs of a segment that appendSegment has written.
func decodeSegment(body []byte, s *inverted.Segment) error {
	d := codec.Decoder{B: body}
	s.Nodes = int(d.Uvarint())
	decodeU32s(&d, &s.Terms)
	decodeU32s(&d, &s.First)
	decodeU16s(&d, &s.Lists)
	if d.Err == nil && (len(d.B) > 0 || len(s.First) != len(s.Terms)) {
		d.Err = codec.ErrMalformed
	}
	return d.Err
}

// joinSegments writes the table from the segments of all parts.
func (b *build) joinSegments(ctx context.Context) (run.StageStats, error) {
	parts, err := b.recorded("invert", "invert")
	if err != nil {
		return run.StageStats{}, err
	}
	path := b.dir.Temp(tables.InvertedFile)
	w, err := tables.CreateInverted(path)
	if err != nil {
		return run.StageStats{}, err
	}
	defer w.Abort()
	var s inverted.Segment
	for i := range parts {
		err := eachOfSize(ctx, b.dir.Path(stepFile("invert", "", i)), 1, func(body []byte) error {
			if err := decodeSegment(body, &s); err != nil {
				return err
			}
			return w.Add(s)
		})
		if err != nil {
			return run.StageStats{}, err
		}
	}
	if err := w.Close(); err != nil {
		return run.StageStats{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return run.StageStats{}, err
	}
	n, err := b.summed("invert", "invert")
	return run.StageStats{In: n["nodes"], Out: n["postings"], Counts: map[string]int64{"segments": n["segments"], "bytes": info.Size()}}, err
}
