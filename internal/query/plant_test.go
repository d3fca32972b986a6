package query

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
)

// plantBags writes the bags again with the changes of change.
func plantBags(t *testing.T, r *Run, dir string, change func(id uint32, b *bags.Bag)) {
	w := tables.CreateBags(filepath.Join(dir, tables.BagsFile))
	for id := range uint32(r.Len()) {
		b := r.bags.At(id)
		own := bags.Bag{Terms: slices.Clone(b.Terms), Counts: slices.Clone(b.Counts)}
		change(id, &own)
		w.Add(own)
	}
	must(t, w.Close())
}

// plantOrigins writes the origins again with the changes of change, and origins of more documents.
func plantOrigins(t *testing.T, r *Run, dir string, change func(id uint32, of *bags.Origins), more ...uint32) {
	w := tables.CreateOrigins(filepath.Join(dir, tables.OriginsFile))
	for id := range uint32(r.Len()) {
		of := r.origins.At(id)
		own := bags.Origins{Terms: slices.Clone(of.Terms), Title: slices.Clone(of.Title), Content: slices.Clone(of.Content)}
		change(id, &own)
		w.Add(id, own)
	}
	for _, id := range more {
		w.Add(id, bags.Origins{Terms: []uint32{0}, Title: []uint16{1}, Content: []uint16{0}})
	}
	must(t, w.Close())
}
