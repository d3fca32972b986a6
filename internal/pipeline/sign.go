package pipeline

import (
	"context"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/minhash"
)

// signNodes is the first step of the stage.
const signNodes = "sign-nodes"

// signaturesFile holds the signatures, which only the stage pair reads. Queries sign bags again.
const signaturesFile = "work/" + tables.SignaturesFile

// findNodes finds the distinct bags. From here on, all documents with the same bag are one node: what holds for one
// of them holds exactly for the others, and ten thousand pages made from one template cost no more than one.
func (b signStage) findNodes(_ context.Context, at partAt, out *partFiles) (counts, error) {
	bag := table(at.from, tables.BagsFile, tables.OpenBags)
	if err := at.from.Ready(); err != nil {
		return nil, err
	}
	nodeOf, first := bags.Nodes(bag)
	if err := tables.WriteNodes(out.named(tables.NodesFile), nodeOf, len(first)); err != nil {
		return nil, err
	}
	documents, largest, size := int64(0), int64(0), make([]int64, len(first))
	for _, node := range nodeOf {
		if node != tables.None {
			documents++
			size[node]++
			largest = max(largest, size[node])
		}
	}
	return counts{"nodes": int64(len(first)), "documents": documents, "largest_identical": largest}, nil
}

// signStep computes the signatures of the nodes, range by range.
func (b signStage) signStep() (*plan, error) {
	n, err := b.summed("sign", signNodes)
	nodes := int(n["nodes"])
	size := b.sizes.partNodes(nodes)
	parts, family := partsOf(nodes, size), minhash.NewFamily(b.config.Signatures, b.config.Seed)
	return &plan{
		unit: "bags", total: int64(nodes), parts: parts, several: b.severalOf(parts, int64(nodes*family.RowSize()), tables.BagsFile),
		open: func(_ context.Context, _ int, from *opened) (partFunc, error) {
			of := openNodeBags(from)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, nodes)
				row, elements := make([]byte, family.RowSize()), []uint32(nil)
				return nil, create(out.path(""), func(w io.Writer) error {
					return out.meter.each(ctx, first, end, func(node int) error {
						elements = of.At(uint32(node)).Elements(elements[:0], minhash.Element)
						family.Sign(row, elements)
						_, err := w.Write(row)
						return err
					})
				})
			}, nil
		},
	}, err
}

// countNodes returns the number of nodes, as the stage sign counted them.
func (b *build) countNodes() int {
	s, _ := b.dir.Stats("sign")
	return int(s.Out)
}

// openNodeBags opens the bags of the nodes.
func openNodeBags(from *opened) tables.NodeBags {
	return tables.NodeBags{Bags: table(from, tables.BagsFile, tables.OpenBags), Nodes: table(from, tables.NodesFile, tables.OpenNodes)}
}

// joinSignatures writes the table of signatures from those of all parts.
func (b signStage) joinSignatures(ctx context.Context, _ *opened) (run.StageStats, error) {
	n, err := b.summed("sign", signNodes)
	if err != nil {
		return run.StageStats{}, err
	}
	w, rows := tables.CreateSignatures(b.dir.Temp(signaturesFile), b.config.Signatures)
	defer w.Abort()
	err = b.eachFile(ctx, "sign", "sign", "", func(data []byte) error {
		rows.Bytes(data)
		return nil
	})
	if err != nil {
		return run.StageStats{}, err
	}
	return run.StageStats{In: n["documents"], Out: n["nodes"], Counts: map[string]int64{
		"identical_bags": n["documents"] - n["nodes"], "largest_identical": n["largest_identical"],
	}}, w.Close()
}
