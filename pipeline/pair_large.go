package pipeline

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/lsh"
)

// bucketsStep finds the nodes in large buckets.
func (b *build) bucketsStep(name string) (*step, error) {
	return b.keysStep(name, "", func(p *pairing) (parter, error) {
		k, err := openKeys(p)
		return &bucketsParter{k}, err
	})
}

type bucketsParter struct{ keyParter }

const (
	bucketsKind    = "large"
	bucketsVersion = 1
)

// part writes the nodes in large buckets of some keys, as lsh.LargeBuckets returns them, and where those of each key
// begin.
func (p *bucketsParter) part(ctx context.Context, _, i int, out *partFiles) (counts, error) {
	w, err := mapped.Create(out.path(""), bucketsKind, bucketsVersion)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	first, row := w.Side("first", 8), w.Section("row", 8)
	n := uint64(0)
	first.U64(n)
	err = p.index.LargeBuckets(ctx, p.sigs.All(), p.lshConfig(), p.keys(i), func(_ int, rows []uint64) error {
		for _, r := range rows {
			row.U64(r)
		}
		n += uint64(len(rows))
		first.U64(n)
		return nil
	})
	if err := cmp.Or(err, p.set.Err()); err != nil {
		return nil, err
	}
	return nil, w.Close()
}

// largeStep puts together what bucketsStep has found of a node at all keys.
func (b *build) largeStep(name string) (*step, error) {
	nodes, err := b.countNodes()
	if err != nil {
		return nil, err
	}
	parts := partsOf(nodes, largeNodes(b.sizes, nodes))
	return &step{
		name: name, parts: parts, several: b.severalOf(parts, 0, b.filesOf("pair", pairBuckets)...),
		open: func(context.Context, int) (parter, error) { return b.openLargeParter(name) },
	}, nil
}

// largeParts is the number of parts of the step above which parts grow. The files of all parts are open at a time.
const largeParts = 32

// largeNodes returns the number of nodes of each of its parts.
func largeNodes(s sizes, nodes int) int { return max(s.nodes, (nodes+largeParts-1)/largeParts) }

// largeParter does parts of the step.
type largeParter struct {
	keyParter
	files []*mapped.File
	large [][]uint64 // by key
}

func (b *build) openLargeParter(name string) (parter, error) {
	p, err := openChosen(b, name)
	if err != nil {
		return nil, err
	}
	k, err := openKeys(p)
	if err != nil {
		return nil, err
	}
	of := &largeParter{keyParter: k}
	for i := range partsOf(k.config.Keys, k.b.sizes.partKeys(k.nodes.Len(), k.config.Keys)) {
		if err := of.open(b.dir.Path(stepFile(pairBuckets, "", i))); err != nil {
			of.close()
			return nil, err
		}
	}
	return of, nil
}

func (p *largeParter) open(path string) error {
	f, err := mapped.Open(path, bucketsKind, bucketsVersion)
	if err != nil {
		return err
	}
	p.files = append(p.files, f)
	first, errFirst := f.U64("first")
	row, errRow := f.U64("row")
	if err := cmp.Or(errFirst, errRow); err != nil {
		return err
	}
	for i := range first.Len() - 1 {
		p.large = append(p.large, row.Slice(int(first.At(i)), int(first.At(i+1))))
	}
	return f.Err()
}

func (p *largeParter) close() {
	for _, f := range p.files {
		f.Close()
	}
	p.pairing.close()
}

const (
	largeKind    = "places"
	largeVersion = 1
)

// part writes the lsh.Places of some nodes.
func (p *largeParter) part(_ context.Context, _, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, largeNodes(p.b.sizes, p.nodes.Len()), p.nodes.Len())
	w, err := mapped.Create(out.path(""), largeKind, largeVersion)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	heads, place := w.Side("heads", 8), w.Section("place", 4)
	err = p.index.EachPlaces(p.large, from, to, func(head []uint64, places []uint32) {
		for _, word := range head {
			heads.U64(word)
		}
		for _, at := range places {
			place.U32(at)
		}
	})
	for _, f := range p.files {
		err = cmp.Or(err, f.Err())
	}
	return nil, cmp.Or(err, p.set.Err(), w.Close())
}

// largeFiles are what all parts of largeStep have written.
type largeFiles struct {
	nodes int // of each part, except the last
	all   []lsh.Places
	files []*mapped.File
}

// openLarge maps the files and verifies all of them, since a search takes what is in them without checks.
func (b *build) openLarge() (p largeFiles, err error) {
	nodes, err := b.countNodes()
	if err != nil {
		return p, err
	}
	p.nodes = largeNodes(b.sizes, nodes)
	for i := range partsOf(nodes, p.nodes) {
		if err := p.open(b.dir.Path(stepFile(pairLarge, "", i))); err != nil {
			p.close()
			return largeFiles{}, err
		}
	}
	return p, nil
}

func (p *largeFiles) open(path string) error {
	f, err := mapped.Open(path, largeKind, largeVersion)
	if err != nil {
		return err
	}
	p.files = append(p.files, f)
	heads, errHeads := f.U64("heads")
	place, errPlace := f.U32("place")
	p.all = append(p.all, lsh.Places{Heads: heads.All(), Place: place.All()})
	return cmp.Or(errHeads, errPlace, f.Verify())
}

func (p *largeFiles) close() {
	for _, f := range p.files {
		f.Close()
	}
}
