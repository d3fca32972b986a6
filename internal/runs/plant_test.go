package runs_test

import (
	"cmp"
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// plantDocuments writes the documents again in the order of put.
func plantDocuments(t *testing.T, r *runs.Run, dir string, put func([]anchors.Group) []anchors.Group) {
	var all []anchors.Group
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		all = append(all, anchors.Group{Hash: tables.Hash(d.URL), URL: []byte(d.URL), Crawled: d.Crawled})
	}
	w := tables.CreateDocuments(filepath.Join(dir, tables.DocumentsFile), filepath.Join(t.TempDir(), "evidence"))
	for _, g := range put(all) {
		w.Add(&g)
	}
	runtest.Must(t, w.Close())
}

// plantCaptures writes captures.lsh again with other inputs and with the captures of add.
func plantCaptures(t *testing.T, r *runs.Run, dir string, input func(id uint32) uint32, add func(w *tables.CapturesWriter)) {
	w := tables.CreateCaptures(filepath.Join(dir, tables.CapturesFile))
	for id := range uint32(r.Len()) {
		w.Add(input(id))
	}
	add(w)
	runtest.Must(t, w.Close())
}

// plantPairs writes the pairs again with the changes of change, without those for which it returns false.
func plantPairs(t *testing.T, r *runs.Run, dir string, change func(i int, e *center.Edge) bool) {
	w := tables.CreatePairs(filepath.Join(dir, tables.PairsFile), r.Config.Sum)
	block, i := tables.NewPairsBlock(r.Config.Sum), 0
	for u := range uint32(r.Pairs.Len()) {
		var list []center.Edge
		for _, e := range r.Pairs.Neighbours(u) {
			if change(i, &e) {
				list = append(list, e)
			}
			i++
		}
		block.Add(u, list)
	}
	w.AddBlock(block)
	runtest.Must(t, w.Close(r.Pairs.Len()))
}

// plantClusters writes the clusters again with the changes of change.
func plantClusters(t *testing.T, r *runs.Run, dir string, change func(centers []uint32, similarity []float32)) {
	centers, similarity := slices.Clone(r.Clusters.Centers()), make([]float32, r.Len())
	for id := range similarity {
		_, similarity[id] = r.Clusters.Center(uint32(id))
	}
	change(centers, similarity)
	w := tables.CreateClusters(filepath.Join(dir, tables.ClustersFile), centers, similarity)
	runtest.Must(t, w.Close())
}

// plantBag writes the bags again with the changes of change to the first bag whose parts both have two terms or more.
func plantBag(t *testing.T, r *runs.Run, dir string, change func(b *bags.Bag)) {
	w := tables.CreateBags(filepath.Join(dir, tables.BagsFile))
	done := false
	for id := range uint32(r.Len()) {
		b := r.Bags.At(id)
		own := bags.Bag{Terms: slices.Clone(b.Terms), Counts: slices.Clone(b.Counts)}
		if links, content := own.Split(r.Content); !done && min(links.Len(), content.Len()) > 1 {
			change(&own)
			done = true
		}
		w.Add(own)
	}
	runtest.Must(t, w.Close())
}

// plantSources writes sources.lsh again with the changes of change.
func plantSources(t *testing.T, r *runs.Run, dir string, change func(id uint32, list []uint64) []uint64) {
	w := tables.CreateSources(filepath.Join(dir, tables.SourcesFile))
	for id := range uint32(r.Len()) {
		list := change(id, slices.Clone(r.Sources.Of(id)))
		w.Add(uint64(len(list)))
		for _, hash := range list {
			w.Sources(binary.LittleEndian.AppendUint64(nil, hash))
		}
	}
	runtest.Must(t, w.Close())
}

// plantPostings writes the index again with the changes of change, without the postings for which it returns false.
func plantPostings(t *testing.T, r *runs.Run, dir string, pages int, change func(i int, value *uint64, page *uint32) bool) {
	type posting struct {
		value uint64
		page  uint32
	}
	var all []posting
	for page := range uint32(r.Pages.Len()) {
		for _, v := range r.Pages.Values(page) {
			all = append(all, posting{v, page})
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.page, b.page)) })
	w, err := tables.CreatePostings(filepath.Join(dir, tables.PostingsFile),
		tables.PostingsForm{Modulus: r.Posts.Modulus(), Bits: r.Config.Bits, Pages: pages, Expected: int64(len(all))})
	runtest.Must(t, err)
	for i, p := range all {
		if change(i, &p.value, &p.page) {
			w.Add(p.value, p.page)
		}
	}
	runtest.Must(t, w.Close())
}
