package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/text"
)

func rawFile(i int) string { return fmt.Sprintf("work/bags-%03d", i) }

// The kinds of files of a part of the stage group, apart from that of the raw bags.
const (
	groupDocuments = "documents" // records of the documents
	groupSources   = "sources"   // hashes of the linking pages of each document
	groupTerms     = "terms"     // terms with their document frequencies
)

func (b *build) grouping() stage {
	outputs := []string{tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.TermsFile, tables.CapturesFile}
	for i := range b.partitions {
		outputs = append(outputs, rawFile(i))
	}
	return stage{name: "group", outputs: outputs, work: b.inSteps("group", b.joinGroups)}
}

// groupStep adds up the fragments of each document to its raw bag, partition by partition, and counts the bags that
// contain each term.
func (b *build) groupStep(name string) (*step, error) {
	return &step{name: name, unit: "partitions", total: int64(b.partitions), parts: b.partitions, several: b.severalOf(b.partitions, 0, b.partFiles()...), open: b.openGrouping}, nil
}

// groupParter groups partitions.
type groupParter struct {
	dir      string
	set      tables.Set
	groupers []partitionGrouper // by worker
}

func (b *build) openGrouping(_ context.Context, workers int) (parter, error) {
	p := &groupParter{set: b.tables()}
	superseded := tables.Open(&p.set, b.dir.Path(supersededFile), tables.OpenCaptureSet)
	repeated := tables.Open(&p.set, b.dir.Path(repeatedFile), tables.OpenCaptureSet)
	redirects := tables.Open(&p.set, b.dir.Path(tables.RedirectsFile), tables.OpenRedirects)
	p.set.Do(func() (err error) {
		p.dir, err = b.dir.TempDir("sort-group")
		return err
	})
	if err := p.set.Ready(); err != nil {
		return nil, err
	}
	one := make(chan struct{}, 1)
	for range workers {
		p.groupers = append(p.groupers, partitionGrouper{
			b: b, dir: p.dir, superseded: superseded, repeated: repeated, redirects: redirects, largest: one,
		})
	}
	return p, nil
}

func (p *groupParter) close() {
	p.set.Close()
	os.RemoveAll(p.dir)
}

func (p *groupParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	g := &p.groupers[worker]
	g.ctx, g.n = ctx, counts{}
	err := g.partition(i, out)
	out.meter.did(1)
	return g.n, err
}

// joinGroups writes the tables from the files of all partitions.
func (b *build) joinGroups(ctx context.Context) (run.StageStats, error) {
	n, err := b.summed("group", "group")
	if err != nil {
		return run.StageStats{}, err
	}
	dir, err := b.dir.TempDir("join-group")
	if err != nil {
		return run.StageStats{}, err
	}
	defer os.RemoveAll(dir)
	stats, kinds := run.StageStats{In: n["occurrences"]}, map[string]int64{}
	joins := []func() error{
		func() error { return b.writeTerms(ctx, dir, uint64(n["bags"]), &stats) },
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

// eachDocument calls do with the record of each document in the order of the ids. It is valid until the next one.
func (b *build) eachDocument(ctx context.Context, do func(*anchors.Group) error) error {
	var g anchors.Group
	for i := range b.partitions {
		err := eachOfSize(ctx, b.dir.Path(stepFile("group", groupDocuments, i)), 1, func(body []byte) error {
			if err := decodeGroup(body, &g); err != nil {
				return err
			}
			return do(&g)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// joinDocuments writes the tables of the documents, and counts the crawled pages by kind.
func (b *build) joinDocuments(ctx context.Context, dir string, kinds map[string]int64) (n int64, err error) {
	docs, err := tables.CreateDocuments(b.dir.Temp(tables.DocumentsFile), b.dir.Temp(tables.EvidenceFile))
	if err != nil {
		return 0, err
	}
	defer docs.Abort()
	sources, err := tables.CreateSources(b.dir.Temp(tables.SourcesFile))
	if err != nil {
		return 0, err
	}
	defer sources.Abort()
	captures, err := b.createCaptures(dir)
	if err != nil {
		return 0, err
	}
	defer captures.abort()
	err = b.eachDocument(ctx, func(g *anchors.Group) error {
		docs.Add(g)
		sources.Add(g.InLinks)
		countKinds(kinds, g)
		return captures.add(g)
	})
	if err != nil {
		return 0, err
	}
	if err := b.gatherSources(sources); err != nil {
		return 0, err
	}
	return int64(docs.Len()), cmp.Or(docs.Close(), sources.Close(), captures.close(ctx, kinds))
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
