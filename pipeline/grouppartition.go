package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
)

// grouped holds some of the documents of one partition.
type grouped struct {
	groups []anchors.Group // copies that own their bytes, without terms
	bags   int64           // those with at least one term
	terms  int64           // of these bags, each distinct one
	bytes  int             // approximate size of the groups
}

// partitionGrouper groups the partitions that one worker takes.
type partitionGrouper struct {
	ctx         context.Context
	b           *build
	dir         string
	superseded  *tables.CaptureSet
	repeated    *tables.CaptureSet
	redirects   *tables.Redirects
	frequencies frequencyCounter
	largest     chan struct{} // lets one worker at a time into largeSpan
	raw         []byte
	sources     io.Writer // of the hashes of the linking pages of the documents of the partition
	hashes      []byte    // that are written at once
	out         grouped
	emit        func(grouped, int) error
}

// emitAtOnce is the number of bytes of groups that a worker collects before it hands them on.
const emitAtOnce = 256 << 10

// partition groups one partition, span by span if it is large. The records of a span may take an eighth of the worker's
// share of the memory, since their sorted references and the groups take as much again.
func (g *partitionGrouper) partition(i int, emit func(grouped, int) error) error {
	g.emit, g.out = emit, grouped{}
	pieces := g.b.fragments(i)
	if g.redirects.Len() > 0 {
		pieces = append(pieces, g.b.redirected(i))
	}
	spans, err := splitPartition(g.ctx, pieces, i, g.b.partitions, g.b.memory/int64(8*g.b.workers), g.counts)
	if err != nil {
		return err
	}
	return create(g.b.dir.Temp(rawFile(i)), func(w io.Writer) error {
		err := create(sourcesPath(g.dir, i), func(sources io.Writer) error {
			g.sources = sources
			for _, s := range spans {
				if err := g.span(pieces, s, w); err != nil {
					return err
				}
			}
			return nil
		})
		return cmp.Or(err, g.frequencies.flush(), g.handOn())
	})
}

// span groups the records of a span. It hands on the groups of a large span only after largeSpan has returned: handing
// on may wait for the turn of this partition, and the worker whose turn it is may itself wait for largeSpan.
func (g *partitionGrouper) span(pieces []piece, s span, w io.Writer) error {
	if s.large {
		if err := g.largeSpan(pieces, s, func(group *anchors.Group) error { return g.keep(group, w) }); err != nil {
			return err
		}
		return g.handOnMuch()
	}
	return g.smallSpan(pieces, s, func(group *anchors.Group) error {
		if err := g.keep(group, w); err != nil {
			return err
		}
		return g.handOnMuch()
	})
}

// counts reports whether a record is used. Records of links to URLs that redirect are left out later.
func (g *partitionGrouper) counts(body []byte) bool {
	return !g.superseded.Has(capture.Number(anchors.CaptureOf(body)))
}

// smallSpan groups the records of a span in memory.
func (g *partitionGrouper) smallSpan(pieces []piece, s span, group func(*anchors.Group) error) error {
	records := make([]byte, 0, s.size)
	err := eachRecord(g.ctx, pieces, func(body []byte) error {
		if s.has(anchors.TargetHash(body)) && g.counts(body) {
			records = append(binary.AppendUvarint(records, uint64(len(body))), body...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.grouping().Groups(records, group); err != nil {
		return fmt.Errorf("%s: %w", pieces[0].path, err)
	}
	return nil
}

// largeSpan groups the records of a single hash that do not fit into memory. Their bodies are in a mapped file.
func (g *partitionGrouper) largeSpan(pieces []piece, s span, group func(*anchors.Group) error) error {
	select {
	case g.largest <- struct{}{}:
		defer func() { <-g.largest }()
	case <-g.ctx.Done():
		return g.ctx.Err()
	}
	if need := int64(s.records) * anchors.KeySize; need > g.b.memory/2 {
		return &MemoryError{Memory: g.b.memory, Least: 2 * need, What: fmt.Sprintf("%d links to one URL", s.records)}
	}
	path := filepath.Join(g.dir, "large")
	w, err := mapped.Create(path, "bodies", 1)
	if err != nil {
		return err
	}
	defer w.Abort()
	bodies, large := w.Section("body", 1), g.grouping().Large(s.records)
	err = eachRecord(g.ctx, pieces, func(body []byte) error {
		if s.has(anchors.TargetHash(body)) && large.Add(body, bodies.Size()) {
			bodies.Bytes(body)
		}
		return w.Err()
	})
	if err := cmp.Or(err, w.Close()); err != nil {
		return err
	}
	f, err := mapped.Open(path, "bodies", 1)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := f.Bytes("body")
	if err := cmp.Or(err, f.Verify()); err != nil {
		return err
	}
	if err := large.Groups(b.All(), group); err != nil {
		return fmt.Errorf("%s: %w", pieces[0].path, err)
	}
	return os.Remove(path)
}

// grouping returns the settings by which the records of a document are added up, and which of them are used.
func (g *partitionGrouper) grouping() anchors.Grouping {
	return anchors.Grouping{
		Hosts:      g.b.config.Hosts,
		OfContent:  g.b.config.Bags == config.FromContent,
		Superseded: func(number uint64) bool { return g.superseded.Has(capture.Number(number)) },
		Redirected: func(hash uint64, url []byte) bool {
			_, ok := g.redirects.FindHash(hash, string(url))
			return ok
		},
	}
}

// keep writes the raw bag of a group and keeps the rest for the tables of documents.
func (g *partitionGrouper) keep(group *anchors.Group, w io.Writer) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	if g.b.config.Bags == config.FromContent && !group.Crawled {
		return nil
	}
	if group.Crawled && group.Page.Label == anchors.Content && g.repeated.Has(capture.Number(group.Capture)) {
		group.Page.Label, group.Content = anchors.Repeated, group.Content[:0]
	}
	if !group.Raw.Empty() {
		g.out.bags++
	}
	n, err := g.frequencies.add(&group.Raw)
	if err != nil {
		return err
	}
	g.out.terms += n
	if err := g.writeSources(group); err != nil {
		return err
	}
	own := detached(group)
	g.out.groups, g.out.bytes = append(g.out.groups, own), g.out.bytes+sizeOfGroup(&own)
	g.raw = group.Raw.Append(g.raw[:0])
	return writeRecord(w, g.raw)
}

// handOnMuch hands on the groups so far if they take emitAtOnce bytes.
func (g *partitionGrouper) handOnMuch() error {
	if g.out.bytes < emitAtOnce {
		return nil
	}
	return g.handOn()
}

// handOn hands on the groups so far.
func (g *partitionGrouper) handOn() error {
	out := g.out
	g.out = grouped{}
	return g.emit(out, out.bytes)
}

// sizeOfGroup returns about the number of bytes that a detached group takes.
func sizeOfGroup(g *anchors.Group) int {
	n := int(unsafe.Sizeof(*g)) + len(g.URL) + len(g.Page.Title) + len(g.Page.Canonical) + len(g.Page.Languages)
	for i := range g.Evidence {
		q := &g.Evidence[i]
		n += int(unsafe.Sizeof(*q)) + len(q.Before) + len(q.Anchor) + len(q.After)
	}
	return n
}

// detached copies a group without its terms, so that the copy does not keep the records of the partition in memory.
func detached(group *anchors.Group) anchors.Group {
	own := *group
	own.Detach()
	own.Raw, own.Evidence = bags.Raw{}, slices.Clone(group.Evidence)
	own.URL, own.Page.Title, own.Page.Canonical = bytes.Clone(group.URL), bytes.Clone(group.Page.Title), bytes.Clone(group.Page.Canonical)
	own.Page.Languages = bytes.Clone(group.Page.Languages)
	for i, q := range own.Evidence {
		own.Evidence[i] = anchors.Quote{Source: q.Source, Before: bytes.Clone(q.Before), Anchor: bytes.Clone(q.Anchor), After: bytes.Clone(q.After)}
	}
	return own
}
