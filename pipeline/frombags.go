package pipeline

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// BagSource is a set of documents with finished bags. Its methods are called by several goroutines.
type BagSource interface {
	// Name identifies the contents: sources with the same name are equal.
	Name() string
	// Documents and Terms return the numbers of documents and of different terms.
	Documents() int
	Terms() int
	// Word returns the word of a term. Words are different, in lower case, and their own stems.
	Word(term int) string
	// URL returns the canonical URL of a document. URLs are different.
	URL(doc int) string
	// Document describes a document in g. It does not set the hash, nor terms.
	Document(doc int, g *anchors.Group)
	// Bag makes the bag of a document in b, with its terms in any order.
	Bag(doc int, b *bags.Bag)
}

// ErrBagsOnly says that a run from bags cannot have the configuration.
var ErrBagsOnly = errors.New("a run from bags has the topical view only")

// ClusterBags builds the run directory out from bags, as [Cluster] does from pages: two stages write what the stages
// read, redirect, group and weigh would have left, and the other stages of the topical view follow. A stopped run is
// continued if the source has the same name.
func ClusterBags(ctx context.Context, out string, source BagSource, c config.Config, o Options) (Result, error) {
	if !slices.Equal(c.Views, []string{config.Topical}) {
		return Result{}, ErrBagsOnly
	}
	if err := cmp.Or(c.Validate(), config.Workers(o.Workers)); err != nil {
		return Result{}, err
	}
	if int64(source.Documents()) > math.MaxUint32-1 || int64(source.Terms()) > math.MaxUint32 {
		return Result{}, fmt.Errorf("%d documents with %d terms are more than a run can hold", source.Documents(), source.Terms())
	}
	if least := int64(source.Documents()) * BytesOfDocument; o.Memory > 0 && least > o.Memory {
		return Result{}, &MemoryError{Memory: o.Memory, Least: least, What: fmt.Sprintf("the bags of %d documents", source.Documents())}
	}
	name := source.Name()
	sum := xxh3.HashString128(name)
	dir, err := run.Create(out, c, []run.Input{{Path: name, Bytes: int64(len(name)), Digest: fmt.Sprintf("%016x%016x", sum.Hi, sum.Lo)}})
	if err != nil {
		return Result{}, err
	}
	b := newBuild(dir, c, nil, o)
	defer b.dir.Close()
	if err := b.verifyStopped(ctx); err != nil {
		return Result{}, err
	}
	from := fromBags{b, source}
	stages := []stage{
		{name: "group", outputs: []string{
			orderFile, ledgerFile, run.DroppedList, tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.CapturesFile, tables.RedirectsFile,
		}, work: from.documents},
		{name: "weigh", outputs: []string{tables.TermsFile, tables.BagsFile, tables.OriginsFile}, work: from.bags},
		b.signing(), b.inverting(), b.pairing(), b.clustering(), b.nesting(), b.publishing(),
	}
	var m *run.Manifest
	err = b.mended(func() (err error) {
		if err = b.doAll(ctx, stages); err == nil {
			m, err = b.manifest(ctx, o.Version)
		}
		return err
	})
	return Result{Manifest: m}, full(err)
}

// BytesOfDocument is the memory that the stages behind weigh take for each document, whatever the limit: most in the
// stage pair, for large buckets and a part of the keys.
const BytesOfDocument = 64

// orderFile holds the numbers that the source gives to the documents, in the order of the ids.
const orderFile = "work/order"

// fromBags is the state of a run from bags.
type fromBags struct {
	*build
	source BagSource
}

// orderBlock is the number of documents that a worker makes at a time.
const orderBlock = 1024

// documents writes the tables of documents, and empty ones of what pages alone can have.
func (f fromBags) documents(ctx context.Context) (run.StageStats, error) {
	n := f.source.Documents()
	stats := run.StageStats{In: int64(n), Out: int64(n), Counts: map[string]int64{"bags": int64(n), "terms": int64(f.source.Terms())}}
	f.report.Stage("group", "documents", int64(n))
	if err := f.writeOrder(ctx); err != nil {
		return stats, err
	}
	if err := f.writeEmpty(ctx); err != nil {
		return stats, err
	}
	docs, err := tables.CreateDocuments(f.dir.Temp(tables.DocumentsFile), f.dir.Temp(tables.EvidenceFile))
	if err != nil {
		return stats, err
	}
	defer docs.Abort()
	captures, err := tables.CreateCaptures(f.dir.Temp(tables.CapturesFile))
	if err != nil {
		return stats, err
	}
	defer captures.Abort()
	sources, err := tables.CreateSources(f.dir.Temp(tables.SourcesFile))
	if err != nil {
		return stats, err
	}
	defer sources.Abort()
	order := f.order(ctx, f.dir.Temp(orderFile))
	err = parallel.Stream(ctx, order, f.workers, f.memory/8, func(_ int, some []uint32, emit func([]anchors.Group, int) error) error {
		groups, size := make([]anchors.Group, len(some)), 0
		for i, doc := range some {
			g := &groups[i]
			f.source.Document(int(doc), g)
			g.Hash = tables.Hash(string(g.URL))
			size += sizeOfGroup(g)
		}
		return emit(groups, size)
	}, func(groups []anchors.Group) error {
		for i := range groups {
			docs.Add(&groups[i])
			captures.Add(tables.NoInput)
			sources.Add(0)
		}
		f.report.At(int64(docs.Len()))
		return nil
	})
	if err != nil {
		return stats, err
	}
	return stats, cmp.Or(docs.Close(), captures.Close(), sources.Close())
}

// writeOrder sorts the documents by the hashes of their URLs.
func (f fromBags) writeOrder(ctx context.Context) error {
	dir, err := f.dir.TempDir("sort-order")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sorter, err := extsort.New(extsort.Config{Size: 12, Memory: f.memory / 4, Dir: dir, Workers: f.workers})
	if err != nil {
		return err
	}
	defer sorter.Close()
	to := make([]*extsort.Appender, f.workers)
	for i := range to {
		to[i] = sorter.Appender()
	}
	n := f.source.Documents()
	err = parallel.Each(ctx, (n+orderBlock-1)/orderBlock, f.workers, func(w, block int) error {
		var rec [12]byte
		for doc := block * orderBlock; doc < min(n, (block+1)*orderBlock); doc++ {
			binary.BigEndian.PutUint64(rec[:], tables.Hash(f.source.URL(doc)))
			binary.BigEndian.PutUint32(rec[8:], uint32(doc))
			if err := to[w].Append(rec[:]); err != nil {
				return err
			}
		}
		return nil
	})
	for _, a := range to {
		err = cmp.Or(err, a.Close())
	}
	if err != nil {
		return err
	}
	return create(f.dir.Temp(orderFile), func(w io.Writer) error {
		return records(ctx, sorter, func(rec []byte) error {
			_, err := w.Write(rec[8:])
			return err
		})
	})
}

// order yields blocks of the numbers of the documents in the order of the ids.
func (f fromBags) order(ctx context.Context, path string) iter.Seq2[[]uint32, error] {
	return func(yield func([]uint32, error) bool) {
		file, err := framed.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		in := bufio.NewReader(file)
		var rec [4]byte
		for left := f.source.Documents(); left > 0; {
			some := make([]uint32, min(left, orderBlock))
			for i := range some {
				if _, err = io.ReadFull(in, rec[:]); err != nil {
					break
				}
				some[i] = binary.BigEndian.Uint32(rec[:])
			}
			left -= len(some)
			if err = cmp.Or(err, ctx.Err()); !yield(some, err) || err != nil {
				return
			}
		}
	}
}

// writeEmpty writes the table of redirects, the ledger and the list of what was dropped, without rows.
func (f fromBags) writeEmpty(ctx context.Context) error {
	redirects, err := tables.CreateRedirects(f.dir.Temp(tables.RedirectsFile))
	if err != nil {
		return err
	}
	if err := redirects.Close(); err != nil {
		return err
	}
	dir, err := f.dir.TempDir("sort-dropped")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	dropped, err := run.NewDropList(dir, nil, f.memory/32, 1)
	if err != nil {
		return err
	}
	defer dropped.Close()
	return cmp.Or(dropped.Write(ctx, f.dir.Temp(run.DroppedList)), framed.WriteFile(f.dir.Temp(ledgerFile), []byte("[]")))
}

// bags writes the tables of bags and of terms. A term is numbered by the rank of its hash.
func (f fromBags) bags(ctx context.Context) (run.StageStats, error) {
	n := f.source.Documents()
	stats := run.StageStats{In: int64(n), Counts: map[string]int64{}}
	f.report.Stage("weigh", "documents", int64(n))
	terms, id := f.terms()
	df := make([]uint32, len(terms))
	w, err := tables.CreateBags(f.dir.Temp(tables.BagsFile))
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	origins, err := tables.CreateOrigins(f.dir.Temp(tables.OriginsFile))
	if err != nil {
		return stats, err
	}
	defer origins.Abort()
	makers := make([]bagMaker, f.workers)
	done := 0
	err = parallel.Stream(ctx, f.order(ctx, f.dir.Path(orderFile)), f.workers, f.memory/8, func(worker int, some []uint32, emit func(weighed, int) error) error {
		var out weighed
		for _, doc := range some {
			makers[worker].add(&out, f.source, int(doc), id)
		}
		return emit(out, out.size())
	}, func(some weighed) error {
		some.each(uint32(done), w.Add, origins.Add)
		for _, t := range some.terms {
			df[t]++
		}
		done += len(some.lens)
		stats.Out += some.nonempty
		stats.Counts["elements"] += some.elements
		f.report.At(int64(done))
		return nil
	})
	if err != nil {
		return stats, err
	}
	if err := cmp.Or(w.Close(), origins.Close()); err != nil {
		return stats, err
	}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	return stats, f.writeTerms(terms, df, uint64(stats.Out))
}

// bagMaker makes bags on one worker.
type bagMaker struct {
	bag   bags.Bag // with the numbers that the source gives to terms
	order []uint64 // terms with their counts
}

// add makes the bag of a document and adds it to some others. id holds the numbers of the terms.
func (m *bagMaker) add(to *weighed, source BagSource, doc int, id []uint32) {
	source.Bag(doc, &m.bag)
	m.order = m.order[:0]
	for i, t := range m.bag.Terms {
		m.order = append(m.order, uint64(id[t])<<16|uint64(m.bag.Counts[i]))
	}
	slices.Sort(m.order)
	for _, x := range m.order {
		to.terms, to.counts = append(to.terms, uint32(x>>16)), append(to.counts, uint16(x))
	}
	to.lens, to.own = append(to.lens, int32(m.bag.Len())), append(to.own, 0)
	to.elements += int64(m.bag.Sum())
	if m.bag.Len() > 0 {
		to.nonempty++
	}
}

// sourceTerm is a term with its hash and the number that the source gives it.
type sourceTerm struct {
	hash   uint64
	number uint32
}

// terms returns the terms in the order of their hashes, and the place of each in that order.
func (f fromBags) terms() (terms []sourceTerm, id []uint32) {
	terms, id = make([]sourceTerm, f.source.Terms()), make([]uint32, f.source.Terms())
	for i := range terms {
		terms[i] = sourceTerm{xxh3.HashString(f.source.Word(i)), uint32(i)}
	}
	slices.SortFunc(terms, func(a, b sourceTerm) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.number, b.number)) })
	for i, t := range terms {
		id[t.number] = uint32(i)
	}
	return terms, id
}

// writeTerms writes the table of terms of n bags.
func (f fromBags) writeTerms(terms []sourceTerm, df []uint32, n uint64) error {
	w, err := tables.CreateTerms(f.dir.Temp(tables.TermsFile), n)
	if err != nil {
		return err
	}
	defer w.Abort()
	for i, t := range terms {
		w.Add(t.hash, df[i], f.source.Word(int(t.number)))
	}
	return w.Close()
}
