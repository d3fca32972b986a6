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
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
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

// grouped is what came out of one bucket, or of a part of one.
type grouped struct {
	groups []anchors.Group // copies that own their bytes, without terms
	bags   int64           // with a term or more
	terms  int64           // of these bags
}

// group puts the fragments of each target together and counts in how many bags each term is.
func (b *build) group(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	lost, err := b.readLost()
	if err != nil {
		return stats, err
	}
	dir, err := b.dir.TempDir("sort-group")
	if err != nil {
		return stats, err
	}
	defer os.RemoveAll(dir)
	counts, err := extsort.New(extsort.Config{Size: dfSize, Memory: b.memory / 4, Dir: dir, Workers: b.workers})
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
	nonempty, err := b.groupBuckets(ctx, lost, counts, func(g *anchors.Group) error {
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

func (b *build) groupBuckets(ctx context.Context, lost map[uint64]bool, counts *extsort.Sorter, document func(*anchors.Group) error, stats *run.StageStats) (int64, error) {
	repeated, err := b.readCaptures(repeatedFile)
	if err != nil {
		return 0, err
	}
	ways, err := verified(b, b.dir.Path(tables.RedirectsFile), tables.OpenRedirects)
	if err != nil {
		return 0, err
	}
	defer ways.Close()
	b.report.Stage("group", "buckets", int64(b.buckets))
	groupers := make([]bucketGrouper, b.workers)
	for i := range groupers {
		groupers[i] = bucketGrouper{ctx: ctx, b: b, lost: lost, repeated: repeated, ways: ways, counts: counts.Appender()}
	}
	nonempty := int64(0)
	err = ordered(ctx, b.buckets, b.workers, func(w, i int) (grouped, error) { return groupers[w].bucket(i) },
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
	lost, repeated map[uint64]bool
	ways           *tables.Redirects
	counts         *extsort.Appender
	terms          []uint64
	raw            []byte
	out            grouped
}

// bucket groups one bucket, in parts if it is large: a worker may take a quarter of its share of the memory for bytes
// of records, since the sorted references and the results take as much again.
func (g *bucketGrouper) bucket(i int) (grouped, error) {
	paths := []string{g.b.dir.Path(bucketFile(i))}
	if g.ways.Len() > 0 {
		paths = append(paths, g.b.dir.Path(movedFile(i)))
	}
	size := int64(0)
	for _, path := range paths {
		st, err := os.Stat(path)
		if err != nil {
			return grouped{}, err
		}
		size += st.Size()
	}
	n := parts(size, g.b.memory/int64(4*g.b.workers))
	g.out = grouped{}
	err := create(g.b.dir.Temp(rawFile(i)), func(w io.Writer) error {
		for p := range n {
			records, err := readPart(g.ctx, paths[0], p, n, g.b.buckets)
			for _, path := range paths[1:] {
				more, errMore := readPart(g.ctx, path, p, n, g.b.buckets)
				records, err = append(records, more...), cmp.Or(err, errMore)
			}
			if err != nil {
				return err
			}
			if err := g.grouping().Groups(records, func(group *anchors.Group) error { return g.keep(group, w) }); err != nil {
				return fmt.Errorf("%s: %w", paths[0], err)
			}
			if err := g.count(); err != nil {
				return err
			}
		}
		return nil
	})
	return g.out, err
}

// grouping says which records count.
func (g *bucketGrouper) grouping() anchors.Grouping {
	return anchors.Grouping{
		Hosts: anchors.HostWeight(g.b.config.Hosts),
		Lost:  func(capture uint64) bool { return g.lost[capture] },
		Moved: func(hash uint64, url []byte) bool {
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
	if g.b.config.Bags == "content" && !group.Crawled {
		return nil
	}
	if len(group.Terms) > 0 {
		g.out.bags++
		g.out.terms += int64(len(group.Terms))
	}
	for _, t := range group.Terms {
		g.terms = append(g.terms, uint64(t.Term))
	}
	if group.Crawled && group.Page.Label == anchors.Content && g.repeated[group.Capture] {
		group.Page.Label = anchors.Repeated
	}
	g.out.groups = append(g.out.groups, detached(group))
	g.raw = anchors.AppendTerms(g.raw[:0], group.Terms)
	_, err := w.Write(g.raw)
	return err
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
	how := t.b.config.weighting()
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
