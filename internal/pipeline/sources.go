package pipeline

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
)

// The linking pages of a document may be more than fit into memory, so they are not in its record. Each partition writes
// the hashes of the linking pages of all its documents to a file, 8 bytes each. When all partitions are grouped, the
// files are joined to sources.lsh.

// sourcesAtOnce is the number of hashes that are written at once.
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

// gatherSources appends the hashes of all partitions to the table, in the order of the documents.
func (b *build) gatherSources(to *tables.SourcesWriter) error {
	for i := range b.partitions {
		if err := readSources(b.dir.Path(stepFile("group", groupSources, i)), to.Source); err != nil {
			return err
		}
	}
	return nil
}

// readSources calls do with each hash of a file that writeSources wrote.
func readSources(path string, do func(hash uint64)) error {
	f, err := framed.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	var hash [8]byte
	for {
		_, err := io.ReadFull(r, hash[:])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		do(binary.LittleEndian.Uint64(hash[:]))
	}
}
