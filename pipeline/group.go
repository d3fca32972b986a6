package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/text"
)

func rawFile(i int) string { return fmt.Sprintf("work/bags-%03d", i) }

func (b *build) grouping() stage {
	outputs := []string{tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.TermsFile, tables.CapturesFile}
	for i := range b.partitions {
		outputs = append(outputs, rawFile(i))
	}
	return stage{name: "group", outputs: outputs, work: b.group}
}

// group adds up the fragments of each document to its raw bag, and counts the bags that contain each term.
func (b *build) group(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	dir, err := b.dir.TempDir("sort-group")
	if err != nil {
		return stats, err
	}
	defer os.RemoveAll(dir)
	frequencies, err := extsort.New(extsort.Config{Size: frequencySize, Memory: b.memory / 8, Dir: dir, Workers: b.workers})
	if err != nil {
		return stats, err
	}
	defer frequencies.Close()
	docs, err := tables.CreateDocuments(b.dir.Temp(tables.DocumentsFile), b.dir.Temp(tables.EvidenceFile))
	if err != nil {
		return stats, err
	}
	defer docs.Abort()
	sources, err := tables.CreateSources(b.dir.Temp(tables.SourcesFile))
	if err != nil {
		return stats, err
	}
	defer sources.Abort()
	captures, err := b.createCaptures(dir)
	if err != nil {
		return stats, err
	}
	defer captures.abort()
	kinds := map[string]int64{}
	bags, err := b.groupPartitions(ctx, dir, frequencies, func(g *anchors.Group) error {
		docs.Add(g)
		sources.Add(g.InLinks)
		countKinds(kinds, g)
		return captures.add(g)
	}, &stats)
	if err != nil {
		return stats, err
	}
	stats.Out = int64(docs.Len())
	if err := b.gatherSources(dir, sources); err != nil {
		return stats, err
	}
	if err := cmp.Or(docs.Close(), sources.Close(), captures.close(ctx, kinds)); err != nil {
		return stats, err
	}
	if err := b.writeTerms(ctx, frequencies, uint64(bags), &stats); err != nil {
		return stats, err
	}
	maps.Copy(stats.Counts, kinds)
	return stats, nil
}

// countKinds counts the crawled pages by their labels, their languages and what they ask of search engines.
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
	count("canonical_elsewhere", len(p.Canonical) > 0)
	count("label_"+p.Label.String(), p.Label != anchors.Content)
	count("language_"+text.LanguageName(p.Language), p.Language != 0)
}

// groupPartitions groups all partitions, passes the documents to document in the order of the ids, and returns the
// number of bags that are not empty.
func (b *build) groupPartitions(ctx context.Context, dir string, frequencies *extsort.Sorter, document func(*anchors.Group) error, stats *run.StageStats) (bags int64, err error) {
	superseded, err := verified(b, b.dir.Path(supersededFile), tables.OpenCaptureSet)
	if err != nil {
		return 0, err
	}
	defer superseded.Close()
	repeated, err := verified(b, b.dir.Path(repeatedFile), tables.OpenCaptureSet)
	if err != nil {
		return 0, err
	}
	defer repeated.Close()
	redirects, err := verified(b, b.dir.Path(tables.RedirectsFile), tables.OpenRedirects)
	if err != nil {
		return 0, err
	}
	defer redirects.Close()
	b.report.Stage("group", "partitions", int64(b.partitions))
	groupers := make([]partitionGrouper, b.workers)
	one := make(chan struct{}, 1)
	for i := range groupers {
		groupers[i] = partitionGrouper{
			ctx: ctx, b: b, dir: dir, superseded: superseded, repeated: repeated, redirects: redirects, largest: one,
			frequencies: frequencyCounter{to: frequencies.Appender()},
		}
	}
	err = parallel.Ordered(ctx, b.partitions, b.workers, b.memory/8,
		func(w, i int, emit func(grouped, int) error) error { return groupers[w].partition(i, emit) },
		func(i int, g grouped) error {
			for j := range g.groups {
				if err := document(&g.groups[j]); err != nil {
					return err
				}
			}
			bags += g.bags
			stats.In += g.terms
			b.report.At(int64(i + 1))
			return nil
		})
	for i := range groupers {
		err = cmp.Or(err, groupers[i].frequencies.to.Close())
	}
	return bags, err
}
