package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

func rawFile(i int) string { return fmt.Sprintf("work/bags-%03d", i) }

// rawFiles returns the names of the files of raw bags.
func (b *build) rawFiles() (out []string) {
	for i := range b.partitions {
		out = append(out, rawFile(i))
	}
	return out
}

// Kinds of files of a part of the stage group, besides that of the raw bags.
const (
	groupDocuments = "documents" // records of the documents
	groupSources   = "sources"   // hashes of the linking pages of each document
	groupTerms     = "terms"     // terms with their document frequencies
)

// groupStep adds up the fragments of each document to its raw bag, partition by partition, and counts the bags that
// contain each term.
func (b groupStage) groupStep() (*plan, error) {
	return &plan{
		unit: "partitions", total: int64(b.partitions), parts: b.partitions, several: b.severalOf(b.partitions, 0, b.fromRead().names()...),
		open: func(_ context.Context, workers int, from *opened) (partFunc, error) {
			like := partitionGrouper{
				b: b.build, dir: from.tempDir("sort-group"), largest: make(chan struct{}, 1),
				superseded: table(from, supersededFile, tables.OpenCaptureSet),
				repeated:   table(from, repeatedFile, tables.OpenCaptureSet),
				hosts:      table(from, hostsFile, tables.OpenCaptureSet),
				redirects:  table(from, tables.RedirectsFile, tables.OpenRedirects),
			}
			groupers := slices.Repeat([]partitionGrouper{like}, workers)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				g := &groupers[at.worker]
				g.ctx, g.n = ctx, counts{}
				err := g.partition(at.number, out)
				out.meter.did(1)
				return g.n, err
			}, nil
		},
	}, nil
}

// joinGroups writes the tables from the files of all partitions.
func (b groupStage) joinGroups(ctx context.Context, from *opened) (run.StageStats, error) {
	dir := from.tempDir("join-group")
	n, err := b.summed("group", "group")
	if err := errors.Join(err, from.Ready()); err != nil {
		return run.StageStats{}, err
	}
	stats, kinds := run.StageStats{In: n["occurrences"]}, map[string]int64{}
	joins := []func() error{
		func() error {
			var languages bags.Languages
			for l := range languages {
				languages[l] = uint64(n[contentIn(uint8(l))])
			}
			return b.writeTerms(ctx, dir, bags.Corpus{Links: uint64(n["of_links"]), Content: uint64(n["of_content"])}, &languages, &stats)
		},
		func() (err error) {
			stats.Out, err = b.joinDocuments(ctx, dir, kinds)
			return err
		},
	}
	err = parallel.Each(ctx, len(joins), b.workers, func(_, i int) error { return joins[i]() })
	if err != nil {
		return stats, err
	}
	maps.Copy(stats.Counts, kinds)
	return stats, nil
}

// contentIn is the name of the number of bags with content in a language.
func contentIn(language uint8) string { return fmt.Sprintf("content_in_%d", language) }

// eachDocument calls do with the record of each document in order of ids. It is valid until the next one.
func (b groupStage) eachDocument(ctx context.Context, do func(*anchors.Group) error) error {
	var g anchors.Group
	return b.eachFile(ctx, "group", "group", groupDocuments, bodies(ctx, func(body []byte) error {
		if err := decodeGroup(body, &g); err != nil {
			return err
		}
		return do(&g)
	}))
}

// joinDocuments writes the tables of the documents and counts the crawled pages by kind.
func (b groupStage) joinDocuments(ctx context.Context, dir string, kinds map[string]int64) (n int64, err error) {
	docs := tables.CreateDocuments(b.dir.Temp(tables.DocumentsFile), b.dir.Temp(tables.EvidenceFile))
	defer docs.Abort()
	sources := tables.CreateSources(b.dir.Temp(tables.SourcesFile))
	defer sources.Abort()
	captures := tables.CreateCaptures(b.dir.Temp(tables.CapturesFile))
	defer captures.Abort()
	c := extsort.Config{Size: captureSize, Memory: b.memory / 16, Dir: dir, Workers: b.workers}
	err = sortOne(ctx, c, func(to *extsort.Appender) error {
		return b.eachByOrder(ctx, dir, kinds, func(g *anchors.Group) error {
			id := uint32(docs.Len())
			docs.Add(g)
			sources.Add(g.InLinks)
			countKinds(kinds, g)
			captures.Add(inputOf(g))
			if b.config.Captures != config.CapturesAll {
				return nil
			}
			return addCapture(to, id, g)
		})
	}, func(each eachRecordFunc) error { return writeCaptures(captures, each, kinds) })
	if err != nil {
		return 0, err
	}
	if err := b.gatherSources(ctx, sources); err != nil {
		return 0, err
	}
	return int64(docs.Len()), cmp.Or(docs.Close(), sources.Close(), captures.Close())
}

// countKinds counts the crawled pages by label, by language, and by what they ask of search engines.
func countKinds(n map[string]int64, g *anchors.Group) {
	if !g.Crawled {
		return
	}
	count := func(name string, is bool) {
		if is {
			n[name]++
		}
	}
	p := &g.Page
	count("noindex", p.NoIndex)
	count("texts_of_the_browser", p.Rendered)
	count("canonical_elsewhere", len(p.Canonical) > 0)
	count("label_"+p.Label.String(), p.Label != anchors.Content)
	count("language_"+text.LanguageName(p.Language), p.Language != 0)
}

// A part of the stage group writes a record for each document with the contents of the tables of documents: all of a
// group except its raw bag and its linking pages, which have files of their own.

// groupCrawled is a bit of the first byte; the others are those of anchors.Page.Flags.
const groupCrawled = 1 << 7

func appendGroup(dst []byte, g *anchors.Group) []byte {
	p := &g.Page
	flags := p.Flags()
	if g.Crawled {
		flags |= groupCrawled
	}
	dst = append(dst, flags, p.Language, byte(p.Label))
	for _, x := range [...]uint64{g.Hash, g.Capture, p.Digest, uint64(p.Time)} {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	for _, x := range [...]uint64{g.InLinks, g.InHosts, p.Tokens} {
		dst = binary.AppendUvarint(dst, x)
	}
	for _, s := range [...][]byte{g.URL, p.Title, p.Seen, p.Canonical, p.Languages, p.Opening, p.Heads} {
		dst = codec.AppendBytes(dst, s)
	}
	for i := range g.Evidence {
		q := &g.Evidence[i]
		dst = binary.LittleEndian.AppendUint64(dst, q.Source)
		dst = codec.AppendBytes(codec.AppendBytes(codec.AppendBytes(dst, q.Before), q.Anchor), q.After)
		dst = binary.AppendUvarint(dst, uint64(q.Head))
	}
	return dst
}

// decodeGroup reads a group that appendGroup wrote. Its strings point into body.
func decodeGroup(body []byte, g *anchors.Group) error {
	d := codec.Decoder{B: body}
	flags, p := d.U8(), &g.Page
	g.Crawled = flags&groupCrawled != 0
	p.SetFlags(flags)
	p.Language, p.Label = d.U8(), anchors.Label(d.U8())
	g.Hash, g.Capture, p.Digest, p.Time = d.U64(), d.U64(), d.U64(), int64(d.U64())
	g.InLinks, g.InHosts, p.Tokens = d.Uvarint(), d.Uvarint(), d.Uvarint()
	g.URL, p.Title, p.Seen = d.Bytes(), d.Bytes(), d.Bytes()
	p.Canonical, p.Languages, p.Opening, p.Heads = d.Bytes(), d.Bytes(), d.Bytes(), d.Bytes()
	for g.Evidence = g.Evidence[:0]; len(d.B) > 0 && d.Err == nil; {
		g.Evidence = append(g.Evidence, anchors.Quote{Source: d.U64(), Before: d.Bytes(), Anchor: d.Bytes(), After: d.Bytes(), Head: int(d.Uvarint())})
	}
	return d.Err
}
