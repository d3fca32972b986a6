package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/tables"
)

// The linking pages of a document may not fit into memory, so they are not in its record. Each partition writes the
// hashes of the linking pages of all its documents to a file, 8 bytes each. When all partitions are grouped, the
// files are joined to sources.lsh.

// sourcesAtOnce is the number of hashes written at once.
const sourcesAtOnce = 512

// writeSources writes the hashes of the linking pages of a group.
func (g *partitionGrouper) writeSources(group *anchors.Group) error {
	g.hashes = g.hashes[:0]
	for hash := range group.Sources() {
		if len(g.hashes) == 8*sourcesAtOnce {
			if _, err := g.sources.Write(g.hashes); err != nil {
				return err
			}
			g.hashes = g.hashes[:0]
		}
		g.hashes = binary.LittleEndian.AppendUint64(g.hashes, hash)
	}
	_, err := g.sources.Write(g.hashes)
	return err
}

// gatherSources appends the hashes of all partitions to the table, in order of the documents.
func (b groupStage) gatherSources(ctx context.Context, to *tables.SourcesWriter) error {
	return b.eachFile(ctx, "group", "group", groupSources, func(hashes []byte) error {
		to.Sources(hashes)
		return nil
	})
}
