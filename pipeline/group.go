package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/text"
)

func rawFile(i int) string { return fmt.Sprintf("work/bags-%03d", i) }

func (b *build) grouping() stage {
	outputs := []string{tables.DocumentsFile, tables.EvidenceFile, tables.TermsFile, tables.CapturesFile}
	for i := range b.buckets {
		outputs = append(outputs, rawFile(i))
	}
	return stage{name: "group", outputs: outputs, work: b.group}
}

// grouped is some of what came out of one bucket.
type grouped struct {
	groups []anchors.Group // copies that own their bytes, without terms
	bags   int64           // with a term or more
	terms  int64           // of these bags
	bytes  int             // about what the groups take
}

// group puts the fragments of each target together and counts in how many bags each term is.
func (b *build) group(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	lost, err := verified(b, b.dir.Path(lostFile), openCaptureSet)
	if err != nil {
		return stats, err
	}
	defer lost.close()
	dir, err := b.dir.TempDir("sort-group")
	if err != nil {
		return stats, err
	}
	defer os.RemoveAll(dir)
	counts, err := extsort.New(extsort.Config{Size: dfSize, Memory: b.memory / 8, Dir: dir, Workers: b.workers})
	if err != nil {
		return stats, err
	}
	defer counts.Close()
	docs, err := tables.CreateDocuments(b.dir.Temp(tables.DocumentsFile), b.dir.Temp(tables.EvidenceFile))
	if err != nil {
		return stats, err
	}
	defer docs.Abort()
	captures, err := b.createCaptures(dir)
	if err != nil {
		return stats, err
	}
	defer captures.abort()
	said := map[string]int64{}
	nonempty, err := b.groupBuckets(ctx, dir, lost, counts, func(g *anchors.Group) error {
		docs.Add(g)
		countSaid(said, g)
		return captures.add(g)
	}, &stats)
	if err != nil {
		return stats, err
	}
	stats.Out = int64(docs.Len())
	if err := cmp.Or(docs.Close(), captures.close(ctx, said)); err != nil {
		return stats, err
	}
	if err := b.writeTerms(ctx, counts, uint64(nonempty), &stats); err != nil {
		return stats, err
	}
	maps.Copy(stats.Counts, said)
	return stats, nil
}

// countSaid counts what crawled pages are and say of themselves.
func countSaid(n map[string]int64, g *anchors.Group) {
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
	count("canonical_elsewhere", len(p.Canonical) > 0)
	count("label_"+p.Label.String(), p.Label != anchors.Content)
	count("language_"+text.LanguageName(p.Language), p.Language != 0)
}

func (b *build) groupBuckets(ctx context.Context, dir string, lost *captureSet, counts *extsort.Sorter, document func(*anchors.Group) error, stats *run.StageStats) (int64, error) {
	repeated, err := verified(b, b.dir.Path(repeatedFile), openCaptureSet)
	if err != nil {
		return 0, err
	}
	defer repeated.close()
	ways, err := verified(b, b.dir.Path(tables.RedirectsFile), tables.OpenRedirects)
	if err != nil {
		return 0, err
	}
	defer ways.Close()
	b.report.Stage("group", "buckets", int64(b.buckets))
	groupers := make([]bucketGrouper, b.workers)
	one := make(chan struct{}, 1)
	for i := range groupers {
		groupers[i] = bucketGrouper{ctx: ctx, b: b, dir: dir, lost: lost, repeated: repeated, ways: ways, counts: counts.Appender(), largest: one}
	}
	nonempty := int64(0)
	err = ordered(ctx, b.buckets, b.workers, b.memory/8,
		func(w, i int, emit func(grouped, int) error) error { return groupers[w].bucket(i, emit) },
		func(i int, g grouped) error {
			for j := range g.groups {
				if err := document(&g.groups[j]); err != nil {
					return err
				}
			}
			nonempty += g.bags
			stats.In += g.terms
			b.report.At(int64(i + 1))
			return nil
		})
	for i := range groupers {
		err = cmp.Or(err, groupers[i].counts.Close())
	}
	return nonempty, err
}

// bucketGrouper groups the buckets that one worker takes.
type bucketGrouper struct {
	ctx            context.Context
	b              *build
	dir            string
	lost, repeated *captureSet
	ways           *tables.Redirects
	counts         *extsort.Appender
	largest        chan struct{} // lets one worker at a time into largePart
	terms          []uint64
	raw            []byte
	out            grouped
	emit           func(grouped, int) error
}

// What a worker holds back before it hands it on: terms to count, and bytes of groups.
const (
	countAtOnce = 1 << 16
	emitAtOnce  = 256 << 10
)

// bucket groups one bucket, in parts if it is large: a worker may take an eighth of its share of the memory for the bytes
// of records, since the sorted references and the groups take as much again.
func (g *bucketGrouper) bucket(i int, emit func(grouped, int) error) error {
	g.emit, g.out = emit, grouped{}
	paths := []string{g.b.dir.Path(bucketFile(i))}
	if g.ways.Len() > 0 {
		paths = append(paths, g.b.dir.Path(movedFile(i)))
	}
	parts, err := cutBucket(g.ctx, paths, i, g.b.buckets, g.b.memory/int64(8*g.b.workers), g.counting)
	if err != nil {
		return err
	}
	return create(g.b.dir.Temp(rawFile(i)), func(w io.Writer) error {
		for _, part := range parts {
			if err := g.groupPart(paths, part, w); err != nil {
				return err
			}
		}
		return cmp.Or(g.count(), g.handOn())
	})
}

// groupPart groups the records of a part. It hands on the groups of a large part only after largePart has returned: handing on may
// wait for the turn of this bucket, and the worker whose turn it is may itself wait for largePart.
func (g *bucketGrouper) groupPart(paths []string, part bucketPart, w io.Writer) error {
	if part.large {
		if err := g.largePart(paths, part, func(group *anchors.Group) error { return g.keep(group, w) }); err != nil {
			return err
		}
		return g.handOnMuch()
	}
	return g.part(paths, part, func(group *anchors.Group) error {
		if err := g.keep(group, w); err != nil {
			return err
		}
		return g.handOnMuch()
	})
}

// counting tells whether a record may count: links to URLs that lead on are left out later.
func (g *bucketGrouper) counting(body []byte) bool { return !g.lost.has(anchors.CaptureOf(body)) }

// part groups the records of a part in memory.
func (g *bucketGrouper) part(paths []string, part bucketPart, group func(*anchors.Group) error) error {
	records := make([]byte, 0, part.size)
	err := eachOf(g.ctx, paths, func(body []byte) error {
		if part.has(anchors.TargetHash(body)) && g.counting(body) {
			records = append(binary.AppendUvarint(records, uint64(len(body))), body...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.grouping().Groups(records, group); err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	return nil
}

// largePart groups the records of one hash that are too many for memory. It stores their bodies in a mapped file.
func (g *bucketGrouper) largePart(paths []string, part bucketPart, group func(*anchors.Group) error) error {
	select {
	case g.largest <- struct{}{}:
		defer func() { <-g.largest }()
	case <-g.ctx.Done():
		return g.ctx.Err()
	}
	if need := int64(part.records) * anchors.KeySize; need > g.b.memory/2 {
		return &MemoryError{Memory: g.b.memory, Least: 2 * need, What: fmt.Sprintf("%d links to one URL", part.records)}
	}
	path := filepath.Join(g.dir, "large")
	w, err := mapped.Create(path, "bodies", 1)
	if err != nil {
		return err
	}
	defer w.Abort()
	bodies, large := w.Section("body", 1), g.grouping().Large(part.records)
	err = eachOf(g.ctx, paths, func(body []byte) error {
		if part.has(anchors.TargetHash(body)) && large.Add(body, bodies.Size()) {
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
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	return os.Remove(path)
}

// grouping says which records count.
func (g *bucketGrouper) grouping() anchors.Grouping {
	return anchors.Grouping{
		Hosts:      anchors.HostWeight(g.b.config.Hosts),
		Superseded: g.lost.has,
		Redirected: func(hash uint64, url []byte) bool {
			_, ok := g.ways.FindHash(hash, string(url))
			return ok
		},
	}
}

// keep writes a group's raw bag and keeps the rest for the document tables.
func (g *bucketGrouper) keep(group *anchors.Group, w io.Writer) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	if g.b.config.Bags == config.FromContent && !group.Crawled {
		return nil
	}
	if len(group.Terms) > 0 {
		g.out.bags++
		g.out.terms += int64(len(group.Terms))
	}
	for _, t := range group.Terms {
		if len(g.terms) >= countAtOnce {
			if err := g.count(); err != nil {
				return err
			}
		}
		g.terms = append(g.terms, uint64(t.Term))
	}
	if group.Crawled && group.Page.Label == anchors.Content && g.repeated.has(group.Capture) {
		group.Page.Label = anchors.Repeated
	}
	own := detached(group)
	g.out.groups, g.out.bytes = append(g.out.groups, own), g.out.bytes+sizeOfGroup(&own)
	g.raw = bags.AppendTerms(g.raw[:0], group.Terms)
	return writeRecord(w, g.raw)
}

// handOnMuch hands on the groups so far if they take emitAtOnce bytes.
func (g *bucketGrouper) handOnMuch() error {
	if g.out.bytes < emitAtOnce {
		return nil
	}
	return g.handOn()
}

// handOn hands on the groups so far.
func (g *bucketGrouper) handOn() error {
	out := g.out
	g.out = grouped{}
	return g.emit(out, out.bytes)
}

// sizeOfGroup is about the number of bytes that a detached group takes.
func sizeOfGroup(g *anchors.Group) int {
	n := int(unsafe.Sizeof(*g)) + len(g.URL) + len(g.Page.Title) + len(g.Page.Canonical) + len(g.Page.Languages)
	for i := range g.Evidence {
		q := &g.Evidence[i]
		n += int(unsafe.Sizeof(*q)) + len(q.Before) + len(q.Anchor) + len(q.After)
	}
	return n
}

// detached copies a group without its terms, so that it does not hold on to the bucket.
func detached(group *anchors.Group) anchors.Group {
	own := *group
	own.Terms, own.Evidence = nil, slices.Clone(group.Evidence)
	own.URL, own.Page.Title, own.Page.Canonical = bytes.Clone(group.URL), bytes.Clone(group.Page.Title), bytes.Clone(group.Page.Canonical)
	own.Page.Languages = bytes.Clone(group.Page.Languages)
	for i, q := range own.Evidence {
		own.Evidence[i] = anchors.Quote{Source: q.Source, Before: bytes.Clone(q.Before), Anchor: bytes.Clone(q.Anchor), After: bytes.Clone(q.After)}
	}
	return own
}

// dfSize is the size of a document frequency record: term (8) and count (4), big-endian.
const dfSize = 12

// count hands the document frequencies of the terms since the last count to the sorter.
func (g *bucketGrouper) count() error {
	slices.Sort(g.terms)
	var rec [dfSize]byte
	for i := 0; i < len(g.terms); {
		j := i + 1
		for j < len(g.terms) && g.terms[j] == g.terms[i] {
			j++
		}
		binary.BigEndian.PutUint64(rec[:], g.terms[i])
		binary.BigEndian.PutUint32(rec[8:], uint32(j-i))
		if err := g.counts.Append(rec[:]); err != nil {
			return err
		}
		i = j
	}
	g.terms = g.terms[:0]
	return nil
}

// writeTerms adds up the document frequencies, drops terms too rare or too common, and finds a word to show for each.
func (b *build) writeTerms(ctx context.Context, counts *extsort.Sorter, n uint64, stats *run.StageStats) error {
	w, err := tables.CreateTerms(b.dir.Temp(tables.TermsFile), n)
	if err != nil {
		return err
	}
	defer w.Abort()
	f, err := framed.Open(b.dir.Path(wordsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	words := &wordReader{r: f}
	words.next()
	t := termFilter{b: b, n: n, words: words, out: w}
	err = records(ctx, counts, func(r []byte) error {
		return t.add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
	})
	if err := cmp.Or(err, t.flush()); err != nil {
		return err
	}
	stats.Counts = map[string]int64{"bags": int64(n), "terms": t.kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": t.rare, "term-too-common": t.common}
	stats.In = t.kept + t.rare + t.common
	return w.Close()
}

// termFilter adds up the counts of one term after another.
type termFilter struct {
	b                  *build
	n                  uint64
	words              *wordReader
	out                *tables.TermsWriter
	term               uint64
	df                 uint32
	kept, rare, common int64
}

func (t *termFilter) add(term uint64, df uint32) error {
	if term != t.term {
		if err := t.flush(); err != nil {
			return err
		}
		t.term = term
	}
	t.df += df
	return nil
}

func (t *termFilter) flush() error {
	df := t.df
	t.df = 0
	how := t.b.config.BagWeighting()
	switch {
	case df == 0:
		return nil
	case df < how.MinDF:
		t.rare++
		return nil
	case !how.Keep(t.n, df):
		t.common++
		return nil
	}
	t.kept++
	word, err := t.words.best(t.term)
	if err != nil {
		return err
	}
	t.out.Add(t.term, df, word)
	return nil
}
