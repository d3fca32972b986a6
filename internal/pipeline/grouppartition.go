package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// partitionGrouper groups the partitions that one worker processes.
type partitionGrouper struct {
	ctx         context.Context
	b           *build
	dir         string
	superseded  *tables.CaptureSet
	repeated    *tables.CaptureSet
	hosts       *tables.CaptureSet // see hostVote
	redirects   *tables.Redirects
	frequencies frequencyCounter
	largest     chan struct{} // admits one worker at a time to largeSpan
	n           counts        // counts of the partition

	// Files of the partition, and buffers that write to them.
	bags, documents, sources io.Writer
	raw, record, hashes      []byte
}

// partition groups one partition, span by span if it is large. The records of a span may take an eighth of the
// worker's share of the memory, because their sorted references take as much again.
func (g *partitionGrouper) partition(i int, out *partFiles) (err error) {
	pieces := g.b.fromRead().fragments(i)
	if g.redirects.Len() > 0 {
		pieces = append(pieces, g.b.fromRead().redirected(i))
	}
	spans, err := splitPartition(g.ctx, pieces, i, g.b.partitions, g.b.memory/int64(8*g.b.workers), g.counts)
	if err != nil {
		return err
	}
	return g.frequencies.count(g.ctx, g.dir, g.b, out.path(groupTerms), func() error {
		return createAll([]string{out.named(rawFile(i)), out.path(groupDocuments), out.path(groupSources)}, func(w []io.Writer) error {
			g.bags, g.documents, g.sources = w[0], w[1], w[2]
			for _, s := range spans {
				if err := g.span(pieces, s); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// span groups the records of a span.
func (g *partitionGrouper) span(pieces []piece, s span) error {
	if s.large {
		return g.largeSpan(pieces, s)
	}
	return g.smallSpan(pieces, s)
}

// counts reports whether a record is used. It excludes links to URLs that redirect.
func (g *partitionGrouper) counts(body []byte) bool {
	return !g.superseded.Has(capture.Number(anchors.CaptureOf(body)))
}

// smallSpan groups the records of a span in memory.
func (g *partitionGrouper) smallSpan(pieces []piece, s span) error {
	records := make([]byte, 0, s.size)
	err := g.eachUsed(pieces, s, func(body []byte) error {
		records = append(binary.AppendUvarint(records, uint64(len(body))), body...)
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.grouping().Groups(records, g.keep); err != nil {
		return fmt.Errorf("%s: %w", pieces[0].path, err)
	}
	return nil
}

// largeSpan groups the records of a single hash that do not fit into memory. It puts their bodies in a mapped file.
func (g *partitionGrouper) largeSpan(pieces []piece, s span) error {
	select {
	case g.largest <- struct{}{}:
		defer func() { <-g.largest }()
	case <-g.ctx.Done():
		return g.ctx.Err()
	}
	if need := int64(s.records) * anchors.RefSize; need > g.b.memory/2 {
		return &MemoryError{Memory: g.b.memory, Least: 2 * need, What: fmt.Sprintf("%d links to one URL", s.records)}
	}
	path := filepath.Join(g.dir, "large")
	err := create(path, func(w io.Writer) error {
		return g.eachUsed(pieces, s, func(body []byte) error { return writeRecord(w, body) })
	})
	if err != nil {
		return err
	}
	defer os.Remove(path)
	return readWork(g.ctx, path, func(data []byte) error { return g.grouping().Groups(data, g.keep) })
}

// eachUsed calls do with each record of a span that is used.
func (g *partitionGrouper) eachUsed(pieces []piece, s span, do func(body []byte) error) error {
	return eachRecord(g.ctx, pieces, func(body []byte) error {
		if !s.has(anchors.TargetHash(body)) || !g.counts(body) {
			return nil
		}
		return do(body)
	})
}

// grouping returns how the records of a document are added up, and which of them are used.
func (g *partitionGrouper) grouping() anchors.Grouping {
	return anchors.Grouping{
		Hosts:      g.b.config.Hosts,
		OfContent:  g.b.config.Bags == config.FromContent,
		Superseded: func(number uint64) bool { return g.superseded.Has(capture.Number(number)) },
		Text:       func(number uint64) bool { return g.superseded.IsText(capture.Number(number)) },
		Speaks:     func(host uint64, language uint8) bool { return g.has(host, uint32(language)) },
		Foot: func(host uint64) func(bags.Term) bool {
			if !g.has(host, aFoot) {
				return nil
			}
			return func(t bags.Term) bool { return g.has(host, footVote(t)) }
		},
		Redirected: func(hash uint64, url []byte) bool {
			_, ok := g.redirects.FindHash(hash, string(url))
			return ok
		},
	}
}

// has reports whether a host has what its pages voted for.
func (g *partitionGrouper) has(host uint64, what uint32) bool {
	return g.hosts.Has(capture.Number(hostVote(host, what)))
}

// keep writes a group to the files of the partition.
func (g *partitionGrouper) keep(group *anchors.Group) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	if g.b.config.Bags == config.FromContent && !group.Crawled {
		return nil
	}
	if group.Crawled && group.Page.Label == anchors.Content && g.repeated.Has(capture.Number(group.TextOf)) {
		group.Page.Label, group.Content = anchors.Repeated, group.Content[:0]
	}
	if l := group.Page.Label; (l == anchors.NotFound || l == anchors.Repeated) && len(group.Terms) > 0 {
		group.Title = group.Title[:0] // it says nothing about the document, and would be half of the bag
	}
	if group.Crawled {
		group.Language = group.Page.Language
	}
	links, content := group.Raw.Fields()
	if links {
		g.n["of_links"]++
	}
	if content {
		g.n["of_content"]++
		g.n[contentIn(group.Language)]++
	}
	n, err := g.frequencies.add(&group.Raw)
	g.n["occurrences"] += n
	if err == nil {
		err = g.writeSources(group)
	}
	if err != nil {
		return err
	}
	g.record = appendGroup(g.record[:0], group)
	if err := writeRecord(g.documents, g.record); err != nil {
		return err
	}
	g.raw = group.Raw.Append(g.raw[:0])
	return writeRecord(g.bags, g.raw)
}

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
