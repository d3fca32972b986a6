package pipeline

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// The parts of the stage publish are tables and shares of large tables, so that a stopped run repeats little of the
// stage. A large table has a step of its own. When its shares are done, their row groups are copied into the table, and
// the shares are removed before the next table is written. A row group ends where a share ends, so unlike those of other
// steps the sizes of these parts decide bytes: they belong to the run format.

// split says how a large table is divided.
type split struct {
	step  string // that writes the shares
	stage string // whose results are the rows of the table, or nearly
	table string // that the shares divide
	from  func(p *publishing, row int) uint32
	join  func(ctx context.Context, to string, shares []string) error
}

// The tables that are divided. A document or node belongs to the share in which its first row would be if the table had
// no rows for documents with equal bags.
var (
	byPairs             = split{"publish-pairs", "pair", tables.PairsFile, func(p *publishing, row int) uint32 { return p.topical.pairs.NodeOf(2 * row) }, run.JoinTables[run.TopicalPairRow]}
	pagesByDocuments    = split{"publish-pages", "group", tables.DocumentsFile, documentOf, run.JoinTables[run.PageRow]}
	clustersByDocuments = split{"publish-clusters", "group", tables.DocumentsFile, documentOf, run.JoinTables[run.TopicalClusterRow]}
)

func documentOf(p *publishing, row int) uint32 { return uint32(min(row, p.docs.Len())) }

// share is what a part writes: the rows of some documents or nodes, or all rows of a table that is not divided.
type share struct {
	path     string
	from, to uint32
}

// sharesOf returns the number of shares of a table, 0 if it is not divided.
func (b *build) sharesOf(t published) int {
	if t.split == nil {
		return 0
	}
	s, _ := b.dir.Stats(t.split.stage)
	if n := partsOf(int(s.Out), b.sizes.shareRows(int(s.Out))); n > 1 {
		return n
	}
	return 0
}

// publishSteps returns the steps of the stage: one for each table that may be divided, and one for the others.
func (b *build) publishSteps() (out []stepOf) {
	for _, t := range b.published() {
		if t.split == nil {
			continue
		}
		out = append(out, stepOf{t.split.step, func(name string) (*step, error) {
			n := b.sharesOf(t)
			return &step{
				name: name, parts: n, together: true, joins: t.name, join: t.split.join, several: b.severalOf(n, 0, t.split.table),
				open: func(context.Context, int) (parter, error) {
					p, err := b.openPublishing()
					return sharesParter{p, t, n}, err
				},
			}, nil
		}})
	}
	return append(out, stepOf{"publish", b.publishStep})
}

// publishStep writes the tables that are not divided, each as a part. All workers encode the rows of one table.
func (b *build) publishStep(name string) (*step, error) {
	var whole []published
	for _, t := range b.published() {
		if b.sharesOf(t) == 0 {
			whole = append(whole, t)
		}
	}
	return &step{name: name, parts: len(whole), together: true, open: func(context.Context, int) (parter, error) {
		p, err := b.openPublishing()
		return tablesParter{p, whole}, err
	}}, nil
}

// tablesParter writes whole tables.
type tablesParter struct {
	*publishing
	tables []published
}

func (p tablesParter) part(ctx context.Context, _, i int, out *partFiles) (counts, error) {
	t := p.tables[i]
	to := share{path: out.named(t.name), to: uint32(p.docs.Len())}
	if t.split == &byPairs {
		to.to = uint32(p.topical.pairs.Len())
	}
	return p.write(ctx, t, to)
}

// sharesParter writes shares of a table.
type sharesParter struct {
	*publishing
	table  published
	shares int
}

func (p sharesParter) part(ctx context.Context, _, i int, out *partFiles) (counts, error) {
	rows, _ := p.table.of(p.publishing)
	size, from := p.b.sizes.shareRows(rows), p.table.split.from
	to := share{out.path(""), from(p.publishing, i*size), from(p.publishing, (i+1)*size)}
	return p.write(ctx, p.table, to)
}

// write writes a table or a share of it.
func (p *publishing) write(ctx context.Context, t published, to share) (counts, error) {
	_, write := t.of(p)
	n, err := write(ctx, to)
	return counts{"documents": int64(p.docs.Len()), "rows": n}, cmp.Or(err, p.set.Err())
}

// join puts the files of all parts of a step together to a table, as a part of its own. If an earlier process has done
// that, it verifies the table.
func (b *build) join(ctx context.Context, stage string, s *step) error {
	if s.joins == "" || s.parts == 0 {
		return nil
	}
	if b.joined(stage, s.name) {
		return b.verifyPart(ctx, s.joins)
	}
	var paths []string
	for _, name := range b.filesOf(stage, s.name) {
		if err := b.verifyPart(ctx, name); err != nil {
			return err
		}
		paths = append(paths, b.dir.Path(name))
	}
	if err := s.join(ctx, b.dir.Temp(s.joins), paths); err != nil {
		return err
	}
	return b.dir.FinishPart(stage, b.partNumber(stage, s.name, joinedPart), counts{}, s.joins)
}

// verifyPart compares the digest of a file with that of the recorded part that wrote it.
func (b *build) verifyPart(ctx context.Context, name string) error {
	path := b.dir.Path(name)
	is, err := run.DigestFile(ctx, path)
	if err != nil {
		return err
	}
	if f, _ := b.dir.Recorded(name); f.Digest != is.Digest {
		return &framed.Error{File: path, What: "it has another digest than when it was written"}
	}
	return nil
}

// joined reports whether the files of a step were put together.
func (b *build) joined(stage, step string) bool {
	number := b.partNumber(stage, step, joinedPart)
	for _, p := range b.dir.Parts(stage) {
		if p.Number == number {
			return true
		}
	}
	return false
}
