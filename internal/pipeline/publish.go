package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// published is a Parquet table of the run.
type published struct {
	view  string // that has it; "" for both
	name  string
	count string // name of the count of its rows
	write func(p *publishing, ctx context.Context, to share) (rows int64, err error)
	join  func(ctx context.Context, to string, shares []string) error // of a table that is divided if it is large; otherwise nil
}

// step returns the name of the step that writes the shares of a table.
func (t published) step() string { return "publish-" + t.count }

// published returns the Parquet tables of the run. Divided tables come first, largest first, because their shares
// need disk space until they are joined.
func (b *build) published() []published {
	return slices.DeleteFunc([]published{
		{"", run.PagesTable, "pages", (*publishing).pageRows, run.JoinTables[run.PageRow]},
		{config.Topical, run.TopicalTreeTable, "topical_tree", (*publishing).treeRows, nil},
		{"", run.RedirectsTable, "redirects", (*publishing).redirectRows, nil},
		{config.Syntactic, run.SyntacticClustersTable, "syntactic_clusters", (*publishing).unionRows, nil},
		{config.Syntactic, run.SyntacticPairsTable, "syntactic_pairs", (*publishing).similarRows, nil},
	}, func(t published) bool { return t.view != "" && !b.config.Has(t.view) })
}

// endPublish adds up the rows of the tables.
func (b publishStage) endPublish(context.Context, *opened) (run.StageStats, error) {
	group, _ := b.dir.Stats("group")
	stats := run.StageStats{In: group.Out, Counts: map[string]int64{}}
	whole, err := b.recorded("publish", "publish")
	for _, t := range b.published() {
		var parts []counts
		if err == nil && b.sharesOf(t) > 0 {
			parts, err = b.recorded("publish", t.step())
		} else if len(whole) > 0 {
			parts, whole = whole[:1], whole[1:]
		}
		for _, n := range parts {
			stats.Counts[t.count] += n["rows"]
			stats.Out += n["rows"]
		}
	}
	return stats, err
}

// publishing holds the tables to publish. A view that the run lacks is nil.
type publishing struct {
	b         publishStage
	docs      *tables.Documents
	evidence  *tables.Evidence
	redirects *tables.Redirects
	captures  *tables.Captures
	clusters  *tables.Clusters
	tree      *tables.Tree
	syntactic *syntacticTables
}

func (b publishStage) openPublishing(from *opened) (*publishing, error) {
	p := &publishing{b: b, docs: table(from, tables.DocumentsFile, tables.OpenDocuments),
		evidence: table(from, tables.EvidenceFile, tables.OpenEvidence)}
	p.redirects, p.captures = table(from, tables.RedirectsFile, tables.OpenRedirects), table(from, tables.CapturesFile, tables.OpenCaptures)
	if b.config.Has(config.Topical) {
		p.clusters, p.tree = table(from, tables.ClustersFile, tables.OpenClusters), table(from, tables.TreeFile, tables.OpenTree)
	}
	if b.config.Has(config.Syntactic) {
		p.syntactic = openSyntactic(from)
	}
	return p, from.Ready()
}

// reported is the number of rows after which the progress of a table is reported.
const reported = 8192

// writeTable writes one Parquet table, row by row.
func writeTable[T run.Row](ctx context.Context, to share, rows func(add func(T) error) error) (int64, error) {
	w, err := run.CreateTable[T](to.path)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	err = rows(func(row T) error {
		if (w.Rows()+1)%reported == 0 {
			to.rows(reported)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return w.Write(row)
	})
	if err != nil {
		return w.Rows(), err
	}
	to.rows(w.Rows() % reported)
	return w.Rows(), w.Close()
}

// pageRows writes pages.parquet.
func (p *publishing) pageRows(ctx context.Context, to share) (int64, error) {
	return writeTable(ctx, to, func(add func(run.PageRow) error) error {
		naming := tables.Naming{Documents: p.docs, Evidence: p.evidence}
		for id := to.from; id < to.to; id++ {
			d := p.docs.At(id)
			row := run.PageRow{
				Name: naming.Of(id), ID: int64(id), URL: d.URL, SeenURL: d.Seen, URLSurtkey: urls.SURT(d.URL), URLHostName: urls.Host(d.URL), FetchTime: d.Time, Title: d.Title,
				NTokens: int32(min(d.Tokens, math.MaxInt32)), NInlinks: int32(min(d.InLinks, math.MaxInt32)), NInlinkHosts: int32(min(d.InHosts, math.MaxInt32)),
			}
			row.Language, row.PageLabel, row.NoIndex, row.CanonicalURL = text.LanguageName(d.Language), d.Label.String(), d.NoIndex, d.Canonical
			if d.Languages != "" {
				row.Hreflang = strings.Split(d.Languages, "\n")
			}
			p.clusterIDs(id, &row)
			row.Crawled = d.Crawled
			if d.Crawled {
				row.Input = p.input(id)
				row.ContentDigest = fmt.Sprintf("%016x", d.Digest)
			}
			if err := add(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// input returns the path of the input that contains the page of a document.
func (p *publishing) input(id uint32) string {
	if n, inputs := p.captures.Input(id), p.b.dir.Inputs; int64(n) < int64(len(inputs)) {
		return inputs[n].Path
	}
	return ""
}

// clusterIDs fills in the clusters of a document in both views.
func (p *publishing) clusterIDs(id uint32, row *run.PageRow) {
	if p.clusters != nil {
		c, _ := p.clusters.Center(id)
		row.TopicalClusterID = tables.ClusterID(p.docs.URL(c))
	}
	if s := p.syntactic; s != nil {
		if page, ok := s.pages.Page(id); ok {
			row.NShingles = int32(min(s.pages.Count(page), math.MaxInt32))
			row.SyntacticClusterID = tables.ClusterID(p.pageURL(s.union.Member(page).Representative))
		}
	}
}

// redirectRows writes redirects.parquet.
func (p *publishing) redirectRows(ctx context.Context, to share) (int64, error) {
	return writeTable(ctx, to, func(add func(run.RedirectRow) error) error {
		for i := range p.redirects.Len() {
			r := p.redirects.At(i)
			if err := add(run.RedirectRow{URL: r.From, TargetURL: r.To, Hops: int32(r.Hops), Kind: r.By.String(), FetchTime: r.Time}); err != nil {
				return err
			}
		}
		return nil
	})
}

// manifest writes the manifest and finishes the run.
func (b publishStage) manifest(ctx context.Context, version string) (*run.Manifest, error) {
	var tallies []crawl.Tally
	if err := readJSON(b.dir.Path(ledgerFile), &tallies); err != nil {
		return nil, err
	}
	b.dropped.SetTallies(tallies)
	m := &run.Manifest{ToolVersion: version, Seed: b.config.Seed, Warnings: b.warnings(), Counts: b.totals(), WindowSource: b.windowSource()}
	for _, t := range tallies {
		d := run.Dropped{Reason: string(t.Reason), Damage: t.Damage, Count: t.Count, Passed: t.Passed}
		for _, e := range t.Examples {
			d.Examples = append(d.Examples, exampleLine(e))
		}
		m.Dropped = append(m.Dropped, d)
	}
	if b.config.Has(config.Syntactic) {
		var common run.Dropped
		if err := readJSON(b.dir.Path(commonFile), &common); err != nil {
			return nil, err
		}
		if common.Count > 0 {
			m.Dropped = append(m.Dropped, common)
		}
	}
	return m, b.dir.Publish(ctx, m)
}

func exampleLine(e crawl.Example) string {
	s := e.Pos.String()
	for _, more := range []string{e.URL, e.Detail} {
		if more != "" {
			s += ": " + more
		}
	}
	return s
}

// totals returns the figures that the command info shows first.
func (b publishStage) totals() map[string]int64 {
	stat := func(stage string) run.StageStats { s, _ := b.dir.Stats(stage); return s }
	n := map[string]int64{
		"pages": stat("read").Out, "links": stat("read").Counts["links"], "redirects": stat("redirect").Out, "documents": stat("group").Out, "terms": stat("group").Counts["terms"],
	}
	b.captureTotals(n)
	if reordered := stat("group").Counts[countReordered]; reordered > 0 {
		n[countReordered] = reordered
	}
	if b.config.Has(config.Topical) {
		n["bags"], n["distinct_bags"] = stat("weigh").Out, stat("sign").Out
		n["topical_pairs"], n["topical_clusters"] = stat("pair").Out, stat("cluster").Out
		n["topical_clusters_of_two_or_more"] = stat("cluster").Counts["clusters_of_two_or_more"]
		n["topical_tree_nodes"], n["topics"] = stat("tree").Out, stat("tree").Counts["leaves_of_two_or_more"]
	}
	if b.config.Has(config.Syntactic) {
		n["distinct_pages"], n["syntactic_pairs"], n["syntactic_clusters"] = stat("equal").Out, stat("resemble").Out, stat("union").Out
		n["syntactic_clusters_of_two_or_more"] = stat("union").Counts["clusters_of_two_or_more"]
	}
	return n
}

// captureTotals adds the number of URLs that were captured more than once, and how the winning capture was chosen.
func (b publishStage) captureTotals(n map[string]int64) {
	read, _ := b.dir.Stats("read")
	several, byOrder := read.Counts["urls_with_several_captures"], read.Counts["urls_decided_by_order"]
	n["captures_superseded"], n["urls_decided_by_time"], n["urls_decided_by_order"] = read.Counts["captures_superseded"], several-byOrder, byOrder
	n["urls_with_several_captures"] = several
	for name, count := range read.Counts {
		if strings.HasPrefix(name, otherText) {
			n["other_texts_superseded"] += count
		}
	}
	if b.config.Captures == config.CapturesAll {
		group, _ := b.dir.Stats("group")
		n["urls_with_several_captures"] = group.Counts["urls_with_several_documents"]
	}
}
