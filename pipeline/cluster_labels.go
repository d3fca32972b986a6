package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/label"
	"github.com/lshclust/lshclust/text"
	"golang.org/x/sync/errgroup"
)

// labelBatch is the number of clusters whose labels are held until they are written.
const labelBatch = 4096

// labels writes the label of every cluster of two documents or more, in the order of the centers.
func (c *clustering) labels(ctx context.Context, centers []uint32, workers int, how text.Analysis, w *tables.ClustersWriter) error {
	labellers := make([]*label.Labeller, workers)
	for i := range labellers {
		var err error
		if labellers[i], err = label.New(label.Crawl{Hash: c.terms.Hashes(), DF: c.terms.DFs(), Bags: c.terms.Bags, Word: c.terms.Word}, how); err != nil {
			return err
		}
	}
	clusters := c.several(centers)
	for len(clusters) > 0 {
		some := clusters[:min(len(clusters), labelBatch)]
		clusters = clusters[len(some):]
		found := make([][]string, len(some))
		g, ctx := errgroup.WithContext(ctx)
		for i, l := range labellers {
			g.Go(func() error {
				for j := i; j < len(some); j += workers {
					if err := ctx.Err(); err != nil {
						return err
					}
					found[j] = l.Label(c.members(some[j]))
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i, nodes := range some {
			w.Label(c.nodes.First(centers[nodes[0]]), found[i])
		}
	}
	return ctx.Err()
}

// several returns the nodes of each cluster of two documents or more, the clusters in the order of their centers.
func (c *clustering) several(centers []uint32) [][]uint32 {
	byCenter := make([]uint32, len(centers))
	for i := range byCenter {
		byCenter[i] = uint32(i)
	}
	slices.SortFunc(byCenter, func(a, b uint32) int { return cmp.Or(cmp.Compare(centers[a], centers[b]), cmp.Compare(a, b)) })
	var out [][]uint32
	for i := 0; i < len(byCenter); {
		of, j := centers[byCenter[i]], i+1
		for j < len(byCenter) && centers[byCenter[j]] == of {
			j++
		}
		if j-i > 1 || len(c.nodes.Members(of)) > 1 {
			out = append(out, byCenter[i:j])
		}
		i = j
	}
	return out
}

// members returns what the label of a cluster is made from: what is said of its documents, or of a sample of them, every
// so many in the order of the ids, which is a random order.
func (c *clustering) members(nodes []uint32) []label.Member {
	var ids []uint32
	for _, n := range nodes {
		ids = append(ids, c.nodes.Members(n)...)
	}
	slices.Sort(ids)
	n := min(len(ids), label.MaxMembers)
	out := make([]label.Member, n)
	for i := range out {
		out[i] = c.member(ids[i*len(ids)/n])
	}
	return out
}

func (c *clustering) member(id uint32) label.Member {
	d := c.docs.At(id)
	m := label.Member{URL: d.URL, Bag: c.bag.At(id)}
	if d.Title != "" {
		m.Texts = append(m.Texts, label.Text{Source: tables.Hash(d.URL), Language: text.LanguageName(d.Language), Name: []byte(d.Title)})
	}
	for _, q := range c.said.Of(id) {
		t := label.Text{Source: q.Source, Before: q.Before, Name: q.Anchor, After: q.After}
		if from, ok := c.docs.ByHash(q.Source); ok {
			t.Language = text.LanguageName(c.docs.Language(from))
		}
		m.Texts = append(m.Texts, t)
	}
	return m
}
