package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/run"
)

// signBlock is the number of nodes that are signed at a time.
const signBlock = 4096

func (b *build) signing() stage {
	return stage{name: "sign", outputs: []string{tables.NodesFile, tables.SignaturesFile}, work: b.sign}
}

// sign finds the distinct bags and computes their signatures. From here on, all documents with the same bag are one
// node: whatever holds for one of them holds exactly for the others, and ten thousand pages of a template cost no more
// than one.
func (b *build) sign(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	bag, err := verified(b, b.dir.Path(tables.BagsFile), tables.OpenBags)
	if err != nil {
		return stats, err
	}
	defer bag.Close()
	nodeOf, first := bags.Nodes(bag)
	if err := tables.WriteNodes(b.dir.Temp(tables.NodesFile), nodeOf, len(first)); err != nil {
		return stats, err
	}
	w, rows, err := tables.CreateSignatures(b.dir.Temp(tables.SignaturesFile), b.config.Signatures)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	family := minhash.NewFamily(b.config.Signatures, b.config.Seed)
	blocks := (len(first) + signBlock - 1) / signBlock
	b.report.Stage("sign", "bags", int64(len(first)))
	signers := make([]signer, b.workers)
	err = parallel.Ordered(ctx, blocks, b.workers, b.memory/8, func(worker, i int, emit func([]byte, int) error) error {
		rows := signers[worker].block(family, bag, first[i*signBlock:min(len(first), (i+1)*signBlock)])
		return emit(rows, len(rows))
	}, func(i int, block []byte) error {
		rows.Bytes(block)
		b.report.At(int64(min(len(first), (i+1)*signBlock)))
		return w.Err()
	})
	if err != nil {
		return stats, err
	}
	for _, n := range nodeOf {
		if n != tables.None {
			stats.In++
		}
	}
	stats.Out = int64(len(first))
	stats.Counts = map[string]int64{"identical_bags": stats.In - stats.Out, "largest_identical": largest(nodeOf, len(first))}
	return stats, w.Close()
}

// signer computes signatures on one worker.
type signer struct{ elements []uint32 }

// block returns the rows of signatures of some documents.
func (s *signer) block(f *minhash.Family, bag *tables.Bags, ids []uint32) []byte {
	rows := make([]byte, len(ids)*f.RowSize())
	for i, id := range ids {
		s.elements = bag.At(id).Elements(s.elements[:0], minhash.Element)
		f.Sign(rows[i*f.RowSize():(i+1)*f.RowSize()], s.elements)
	}
	return rows
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
