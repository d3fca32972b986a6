package pipeline

import (
	"context"
	"math"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

type syntacticTables struct {
	pages   *tables.Shingles
	similar *tables.Similar
	union   *tables.Union
	equal   *resemble.Equal
}

func openSyntactic(from *opened) *syntacticTables {
	s := &syntacticTables{pages: table(from, tables.ShinglesFile, tables.OpenShingles)}
	s.similar, s.union = table(from, tables.SimilarFile, tables.OpenSimilar), table(from, tables.UnionFile, tables.OpenUnion)
	from.Do(func() (err error) {
		s.equal, _, err = from.b.readEqual()
		return err
	})
	return s
}

// pageURL returns the URL of a page, given its number among the pages.
func (p *publishing) pageURL(page uint32) string { return p.docs.URL(p.syntactic.pages.Document(page)) }

// unionRows writes syntactic_clusters.parquet: the place of every page in its cluster.
func (p *publishing) unionRows(ctx context.Context, to share) (int64, error) {
	s := p.syntactic
	return writeTable(ctx, to, func(add func(run.SyntacticClusterRow) error) error {
		for page := range uint32(s.union.Len()) {
			m, size := s.union.Member(page), 1
			if g, ok := s.union.GroupOf(page); ok {
				group, _ := s.union.Group(g)
				size = group.Documents
			}
			err := add(run.SyntacticClusterRow{
				URL: p.pageURL(page), ClusterID: tables.ClusterID(p.pageURL(m.Representative)), ClusterSize: int32(size),
				IsRepresentative: m.Representative == page, Relation: relationName(m.Relation),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// relationName returns the name of a relation in tables. It is empty for a page without a relation to another one.
func relationName(r resemble.Relation) string {
	if r == resemble.Alone {
		return ""
	}
	return r.String()
}

// similarRows writes syntactic_pairs.parquet, each pair once: first each page that equals another one, paired with
// that one, then the pairs of pages that were compared. A page that equals another one is in no other row.
func (p *publishing) similarRows(ctx context.Context, to share) (int64, error) {
	if p.b.config.Sketched() {
		return pairRows(ctx, p, to, func(a, b, relation string) run.SyntacticEstimateRow {
			return run.SyntacticEstimateRow{URLA: a, URLB: b, Resemblance: 1, AInB: 1, BInA: 1, Relation: relation}
		}, p.estimateRow)
	}
	return pairRows(ctx, p, to, func(a, b, relation string) run.SyntacticPairRow {
		return run.SyntacticPairRow{URLA: a, URLB: b, Resemblance: 1, AInB: 1, BInA: 1, Relation: relation}
	}, func(pair resemble.Pair) run.SyntacticPairRow {
		return run.SyntacticPairRow{
			URLA: p.pageURL(pair.A), URLB: p.pageURL(pair.B), Resemblance: float32(pair.Resemblance()),
			AInB: float32(pair.ContainmentAB()), BInA: float32(pair.ContainmentBA()), Relation: pair.Relation(p.b.config.Resemblance),
		}
	})
}

// pairRows writes rows of one kind, for pages that are equal and for pairs that were compared.
func pairRows[R run.Row](ctx context.Context, p *publishing, to share, equal func(a, b, relation string) R, compared func(resemble.Pair) R) (int64, error) {
	return writeTable(ctx, to, func(add func(R) error) error {
		for page, parent := range p.syntactic.equal.Parents() {
			if page := uint32(page); page != parent {
				if err := add(equal(p.pageURL(parent), p.pageURL(page), relationName(p.syntactic.equal.Relation(page)))); err != nil {
					return err
				}
			}
		}
		for pair, err := range p.syntactic.similar.All() {
			if err != nil {
				return err
			}
			if err := add(compared(pair)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *publishing) estimateRow(pair resemble.Pair) run.SyntacticEstimateRow {
	row := run.SyntacticEstimateRow{
		URLA: p.pageURL(pair.A), URLB: p.pageURL(pair.B), Resemblance: float32(pair.Resemblance()),
		Relation: pair.Relation(p.b.config.Resemblance), Estimated: pair.Estimated(), Samples: int32(min(pair.Sample.Union(), math.MaxInt32)),
	}
	if row.Estimated {
		row.StdError = float32(pair.Sample.StdErr())
	}
	if !row.Estimated || p.b.config.Sketcher().Kind.Containment() {
		row.AInB, row.BInA = float32(pair.ContainmentAB()), float32(pair.ContainmentBA())
	}
	return row
}

// treeRows writes topical_tree.parquet, one row for each node in the order of the tree.
func (p *publishing) treeRows(ctx context.Context, to share) (int64, error) {
	t := p.tree
	children := make([]int32, t.Len())
	for i := range uint32(t.Len()) {
		if up := t.At(i).Parent; up != tables.None {
			children[up]++
		}
	}
	return writeTable(ctx, to, func(add func(run.TopicalTreeRow) error) error {
		var path []string // ids from the root to the node
		var open []uint32 // numbers of these nodes
		for i := range uint32(t.Len()) {
			n := t.At(i)
			for len(open) > 0 && open[len(open)-1] != n.Parent {
				open, path = open[:len(open)-1], path[:len(path)-1]
			}
			row := run.TopicalTreeRow{
				Level: int32(n.Level), Depth: int32(len(path)), LabelTerms: n.Label, Size: int32(n.Size),
				Topics: int32(n.Leaves), Children: children[i], CenterURL: p.docs.URL(n.Center),
			}
			row.ID = tables.TreeID(row.CenterURL, n.Level)
			if len(path) > 0 {
				row.ParentID = path[len(path)-1]
			}
			open, path = append(open, i), append(path, row.ID)
			row.Path = append([]string(nil), path...)
			if err := add(row); err != nil {
				return err
			}
		}
		return t.Err()
	})
}
