package workload

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// bagRun writes the first tables of a run from bags.
type bagRun struct {
	*Bags
	order   []document // in the order of the ids of the run
	workers int
	memory  int64
}

// document is a document with the hash of its URL.
type document struct {
	hash   uint64
	number int
}

// Cluster builds the run directory out from the bags. A stopped run of the same bags is continued. Its only input is a file
// beside out that names the bags.
func (s *Bags) Cluster(ctx context.Context, out string, c config.Config, o pipeline.Options) error {
	r := &bagRun{Bags: s, workers: max(1, o.Workers), memory: max(64<<20, o.Memory/8), order: make([]document, s.Documents())}
	for i := range r.order {
		r.order[i] = document{tables.Hash(s.URL(i)), i}
	}
	slices.SortFunc(r.order, func(a, b document) int { return cmp.Compare(a.hash, b.hash) })
	input, err := filepath.Abs(out + ".txt")
	if err != nil {
		return err
	}
	if err := os.WriteFile(input, []byte(s.Name()), 0o666); err != nil {
		return err
	}
	if err := r.begin(ctx, out, input, c); err != nil {
		return err
	}
	_, err = pipeline.Cluster(ctx, out, []string{input}, c, o)
	return err
}

// begin does the stages whose work the bags replace, unless they are done.
func (r *bagRun) begin(ctx context.Context, out, input string, c config.Config) error {
	of, err := run.DigestFile(ctx, input)
	if err != nil {
		return err
	}
	dir, err := run.Create(out, c, []run.Input{of})
	if finished := (*run.FinishedError)(nil); errors.As(err, &finished) {
		return nil // Cluster compares it
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, s := range []struct {
		name   string
		writes []string
		work   func(ctx context.Context, dir *run.Dir) (run.StageStats, error)
	}{
		{"read", []string{ledgerFile, run.DroppedList}, writeEmpty},
		{"redirect", []string{tables.RedirectsFile}, writeRedirects},
		{"group", []string{tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.CapturesFile}, r.group},
		{"weigh", []string{tables.TermsFile, tables.BagsFile}, r.weigh},
	} {
		if dir.Done(s.name) {
			continue
		}
		stats, err := s.work(ctx, dir)
		if err != nil {
			return err
		}
		if err := dir.Finish(s.name, stats, s.writes...); err != nil {
			return err
		}
	}
	return nil
}

// ledgerFile is where the stage read writes what it left out.
const ledgerFile = "work/ledger.json"

// blocks yields the documents in their order, some at a time.
func (r *bagRun) blocks() iter.Seq2[[]document, error] {
	return func(yield func([]document, error) bool) {
		for some := range slices.Chunk(r.order, 1024) {
			if !yield(some, nil) {
				return
			}
		}
	}
}

// group writes the tables of documents, and empty ones of what only pages have.
func (r *bagRun) group(ctx context.Context, dir *run.Dir) (run.StageStats, error) {
	n := int64(r.Documents())
	stats := run.StageStats{In: n, Out: n, Counts: map[string]int64{"bags": n, "terms": int64(r.Terms())}}
	docs := tables.CreateDocuments(dir.Temp(tables.DocumentsFile), dir.Temp(tables.EvidenceFile))
	defer docs.Abort()
	captures := tables.CreateCaptures(dir.Temp(tables.CapturesFile))
	defer captures.Abort()
	sources := tables.CreateSources(dir.Temp(tables.SourcesFile))
	defer sources.Abort()
	var linking []byte // the hashes of the documents; the first ones link to each
	for _, d := range r.order {
		linking = binary.LittleEndian.AppendUint64(linking, d.hash)
	}
	err := parallel.Stream(ctx, r.blocks(), r.workers, r.memory, func(_ int, some []document, emit func([]anchors.Group, int) error) error {
		groups, size := make([]anchors.Group, len(some)), 0
		for i, d := range some {
			r.Document(d.number, &groups[i])
			groups[i].Hash, groups[i].InLinks = d.hash, min(groups[i].InLinks, uint64(len(r.order)))
			groups[i].Evidence[0].Source = r.order[0].hash
			size += 512 + len(groups[i].URL)
		}
		return emit(groups, size)
	}, func(groups []anchors.Group) error {
		for i := range groups {
			docs.Add(&groups[i])
			captures.Add(tables.NoInput)
			sources.Add(groups[i].InLinks)
			sources.Sources(linking[:8*groups[i].InLinks])
		}
		return nil
	})
	if err != nil {
		return stats, err
	}
	return stats, errors.Join(docs.Close(), captures.Close(), sources.Close())
}

// writeRedirects writes a table without rows.
func writeRedirects(_ context.Context, dir *run.Dir) (run.StageStats, error) {
	return run.StageStats{}, tables.CreateRedirects(dir.Temp(tables.RedirectsFile)).Close()
}

// writeEmpty writes that nothing was left out.
func writeEmpty(ctx context.Context, dir *run.Dir) (stats run.StageStats, err error) {
	ledger := mapped.Create(dir.Temp(ledgerFile), "work", 1) // as package pipeline writes it
	defer ledger.Abort()
	if _, err := ledger.Section("data", 1).Write([]byte("[]")); err != nil {
		return stats, err
	}
	if err := ledger.Close(); err != nil {
		return stats, err
	}
	temp, err := dir.TempDir("sort-dropped")
	if err != nil {
		return stats, err
	}
	defer os.RemoveAll(temp)
	dropped, err := run.NewDropList(temp, nil, 1<<20, 1)
	if err != nil {
		return stats, err
	}
	defer dropped.Close()
	return stats, dropped.Write(ctx, dir.Temp(run.DroppedList))
}

// weigh writes the tables of bags and of terms. A term is numbered by the rank of its hash.
func (r *bagRun) weigh(ctx context.Context, dir *run.Dir) (run.StageStats, error) {
	stats := run.StageStats{In: int64(r.Documents()), Counts: map[string]int64{}}
	terms, id := r.terms()
	df := make([]uint32, len(terms))
	w := tables.CreateBags(dir.Temp(tables.BagsFile))
	defer w.Abort()
	err := parallel.Stream(ctx, r.blocks(), r.workers, r.memory, func(_ int, some []document, emit func([]bags.Bag, int) error) error {
		made, size := make([]bags.Bag, len(some)), 0
		for i, d := range some {
			r.Bag(d.number, &made[i])
			for j, t := range made[i].Terms {
				made[i].Terms[j] = id[t]
			}
			sortBag(&made[i])
			size += 48 + 6*made[i].Len()
		}
		return emit(made, size)
	}, func(some []bags.Bag) error {
		for _, b := range some {
			w.Add(b)
			if b.Len() > 0 {
				stats.Out++
			}
			stats.Counts["elements"] += int64(b.Sum())
			for _, t := range b.Terms {
				df[t]++
			}
		}
		return nil
	})
	if err != nil {
		return stats, err
	}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	if err := w.Close(); err != nil {
		return stats, err
	}
	return stats, r.writeTerms(dir.Temp(tables.TermsFile), terms, df, uint64(stats.Out))
}

// hashedTerm is a term with its hash.
type hashedTerm struct {
	hash   uint64
	number int
}

// terms returns the terms in the order of their hashes, and the place of each in that order.
func (r *bagRun) terms() (terms []hashedTerm, id []uint32) {
	terms, id = make([]hashedTerm, r.Terms()), make([]uint32, r.Terms())
	for i := range terms {
		terms[i] = hashedTerm{uint64(bags.TermOf(xxh3.HashString(r.Word(i)))), i}
	}
	slices.SortFunc(terms, func(a, b hashedTerm) int { return cmp.Compare(a.hash, b.hash) })
	for i, t := range terms {
		id[t.number] = uint32(i)
	}
	return terms, id
}

// writeTerms writes the table of terms of n bags.
func (r *bagRun) writeTerms(path string, terms []hashedTerm, df []uint32, n uint64) error {
	w := tables.CreateTerms(path, bags.Corpus{Links: n})
	defer w.Abort()
	for i, t := range terms {
		w.Add(t.hash, df[i], r.Word(t.number))
	}
	return w.Close()
}
