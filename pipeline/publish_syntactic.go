package pipeline

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/run"
)

type syntacticTables struct {
	pages   *tables.Shingles
	similar *tables.Similar
	joined  *tables.Joined
	equal   *resemble.Equal
}

func openSyntactic(b *build) (*syntacticTables, error) {
	s := &syntacticTables{}
	var errs [4]error
	s.pages, errs[0] = verified(b, b.dir.Path(tables.ShinglesFile), tables.OpenShingles)
	s.similar, errs[1] = verified(b, b.dir.Path(tables.SimilarFile), tables.OpenSimilar)
	s.joined, errs[2] = verified(b, b.dir.Path(tables.JoinedFile), tables.OpenJoined)
	s.equal, _, errs[3] = b.readEqual()
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	return s, nil
}

// pageURL is the URL of a page by its number among the pages.
func (p *publishing) pageURL(page uint32) string { return p.docs.URL(p.syntactic.pages.Document(page)) }

// joinedRows writes the place of every page in its syntactic cluster.
func (p *publishing) joinedRows(ctx context.Context) (int64, error) {
	s := p.syntactic
	return table(ctx, p, run.SyntacticClustersTable, func(add func(run.SyntacticClusterRow) error) error {
		for page := range uint32(s.joined.Len()) {
			m, size := s.joined.Member(page), 1
			if g, ok := s.joined.GroupOf(page); ok {
				group, _ := s.joined.Group(g)
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

// relationName is the name of a relation in tables, empty for a page that is tied to no other.
func relationName(r resemble.Relation) string {
	if r == resemble.Alone {
		return ""
	}
	return r.String()
}

// similarRows writes every pair once: first the pages that equal another one, with that one, then the pairs of pages
// that were compared. A page that equals another one is in no other row.
func (p *publishing) similarRows(ctx context.Context) (int64, error) {
	if p.b.config.Sketched() {
		return p.estimateRows(ctx)
	}
	return table(ctx, p, run.SyntacticPairsTable, func(add func(run.SyntacticPairRow) error) error {
		if err := p.equalRows(add); err != nil {
			return err
		}
		for pair, err := range p.syntactic.similar.All() {
			if err != nil {
				return err
			}
			row := run.SyntacticPairRow{
				URLA: p.pageURL(pair.A), URLB: p.pageURL(pair.B), Resemblance: float32(pair.Resemblance()),
				ContainmentAB: float32(pair.ContainmentAB()), ContainmentBA: float32(pair.ContainmentBA()), Relation: pair.Relation(p.b.config.Resemblance),
			}
			if err := add(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *publishing) equalRows(add func(run.SyntacticPairRow) error) error {
	parents := p.syntactic.equal.Parents()
	for page, parent := range parents {
		if uint32(page) == parent {
			continue
		}
		err := add(run.SyntacticPairRow{
			URLA: p.pageURL(parent), URLB: p.pageURL(uint32(page)), Resemblance: 1, ContainmentAB: 1, ContainmentBA: 1,
			Relation: relationName(p.syntactic.equal.Relation(uint32(page))),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
