package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/run"
)

func (b *build) signing() stage {
	return stage{name: "sign", outputs: []string{tables.NodesFile, tables.SignaturesFile}, work: b.inSteps("sign", b.joinSignatures)}
}

// signNodes is the first step of the stage.
const signNodes = "sign-nodes"

// nodesStep finds the distinct bags, in one part. From here on, all documents with the same bag are one node: whatever
// holds for one of them holds exactly for the others, and ten thousand pages of a template cost no more than one.
func (b *build) nodesStep(name string) (*step, error) {
	return &step{name: name, parts: 1, open: func(context.Context, int) (parter, error) {
		return nodesParter{b}, nil
	}}, nil
}

type nodesParter struct{ b *build }

func (nodesParter) close() {}

func (p nodesParter) part(_ context.Context, _, _ int, out *partFiles) (counts, error) {
	bag, err := verified(p.b, p.b.dir.Path(tables.BagsFile), tables.OpenBags)
	if err != nil {
		return nil, err
	}
	defer bag.Close()
	nodeOf, first := bags.Nodes(bag)
	if err := tables.WriteNodes(out.named(tables.NodesFile), nodeOf, len(first)); err != nil {
		return nil, err
	}
	n := counts{"nodes": int64(len(first)), "largest_identical": largest(nodeOf, len(first))}
	for _, node := range nodeOf {
		if node != tables.None {
			n["documents"]++
		}
	}
	return n, bag.Err()
}

// largest returns the number of documents of the largest node.
func largest(nodeOf []uint32, nodes int) int64 {
	size := make([]int64, nodes)
	most := int64(0)
	for _, n := range nodeOf {
		if n != tables.None {
			size[n]++
			most = max(most, size[n])
		}
	}
	return most
}

// signStep computes the signatures of the nodes, range by range.
func (b *build) signStep(name string) (*step, error) {
	nodes, err := b.countNodes()
	parts := partsOf(nodes, b.sizes.partNodes(nodes))
	row := minhash.NewFamily(b.config.Signatures, b.config.Seed).RowSize()
	return &step{
		name: name, unit: "bags", total: int64(nodes), parts: parts,
		several: b.severalOf(parts, int64(nodes*row), tables.BagsFile), open: b.openSigning,
	}, err
}

// countNodes returns the number of nodes.
func (b *build) countNodes() (int, error) {
	nodes, err := verified(b, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	if err != nil {
		return 0, err
	}
	return nodes.Len(), nodes.Close()
}

// signParter computes signatures.
type signParter struct {
	set      tables.Set
	of       tables.NodeBags
	size     int // nodes of a part
	family   *minhash.Family
	elements [][]uint32 // by worker
}

func (b *build) openSigning(_ context.Context, workers int) (parter, error) {
	p := &signParter{set: b.partTables(), family: minhash.NewFamily(b.config.Signatures, b.config.Seed), elements: make([][]uint32, workers)}
	p.of = b.openNodeBags(&p.set)
	err := p.set.Ready()
	if err == nil {
		p.size = b.sizes.partNodes(p.of.Len())
	}
	return p, err
}

// openNodeBags opens the bags of the nodes.
func (b *build) openNodeBags(set *tables.Set) tables.NodeBags {
	return tables.NodeBags{
		Bags:  tables.Open(set, b.dir.Path(tables.BagsFile), tables.OpenBags),
		Nodes: tables.Open(set, b.dir.Path(tables.NodesFile), tables.OpenNodes),
	}
}

func (p *signParter) close() { p.set.Close() }

// signAtOnce is the number of nodes after which a part tells how far it is.
const signAtOnce = 4096

// part writes the rows of signatures of the nodes of a part.
func (p *signParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, p.size, p.of.Len())
	row, elements := make([]byte, p.family.RowSize()), p.elements[worker]
	err := create(out.path(""), func(w io.Writer) error {
		for node := from; node < to; node++ {
			elements = p.of.At(uint32(node)).Elements(elements[:0], minhash.Element)
			p.family.Sign(row, elements)
			if _, err := w.Write(row); err != nil {
				return err
			}
			if done := node + 1 - from; done%signAtOnce == 0 || node+1 == to {
				out.meter.did(int64((done-1)%signAtOnce + 1))
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		return nil
	})
	p.elements[worker] = elements
	return nil, cmp.Or(err, p.set.Err())
}

// joinSignatures writes the table of signatures from those of all parts.
func (b *build) joinSignatures(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	w, rows, err := tables.CreateSignatures(b.dir.Temp(tables.SignaturesFile), b.config.Signatures)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	parts, err := b.recorded("sign", "sign")
	if err != nil {
		return stats, err
	}
	for i := range parts {
		if err := eachBlock(ctx, b.dir.Path(stepFile("sign", "", i)), rows.Bytes); err != nil {
			return stats, err
		}
	}
	nodes, err := b.summed("sign", signNodes)
	if err != nil {
		return stats, err
	}
	stats.In, stats.Out = nodes["documents"], nodes["nodes"]
	stats.Counts = map[string]int64{"identical_bags": stats.In - stats.Out, "largest_identical": nodes["largest_identical"]}
	return stats, w.Close()
}

// eachBlock calls do with the bytes of a file of frames, block by block.
func eachBlock(ctx context.Context, path string, do func([]byte)) error {
	r, err := framed.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	for block := make([]byte, emitAtOnce); ; {
		n, err := r.Read(block)
		do(block[:n])
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}
