package query

import (
	"encoding/binary"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// plantSources writes sources.lsh again with the changes of change.
func plantSources(t *testing.T, r *Run, dir string, change func(id uint32, list []uint64) []uint64) {
	w := tables.CreateSources(filepath.Join(dir, tables.SourcesFile))
	for id := range uint32(r.Len()) {
		list := change(id, slices.Clone(r.sources.Of(id)))
		w.Add(uint64(len(list)))
		for _, hash := range list {
			w.Sources(binary.LittleEndian.AppendUint64(nil, hash))
		}
	}
	must(t, w.Close())
}

// TestPlantedSources is TestPlantedDamage for the table of linking pages.
func TestPlantedSources(t *testing.T) {
	whole := build(t, preset(t, "web"), samplePages(t, 60))
	for _, c := range []struct {
		name  string
		plant func(r *Run, dir string)
		want  string // part of what is said
	}{
		{"linking pages out of order", func(r *Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 { slices.Reverse(list); return list })
		}, "linking pages in order: document"},
		{"a linking page less", func(r *Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 { return list[:max(0, len(list)-1)] })
		}, "linking pages, but its row says"},
		{"a linking page that is no document", func(r *Run, dir string) {
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 {
				if len(list) > 0 {
					list[len(list)-1]++
				}
				return list
			})
		}, "is not a document"},
		{"linking pages that another document has", func(r *Run, dir string) {
			strange := tables.Hash(r.Document(0).URL)
			plantSources(t, r, dir, func(id uint32, list []uint64) []uint64 {
				if len(list) == 1 {
					list[0] = strange
				}
				return list
			})
		}, "which does not link to it"},
		{"linking pages of fewer documents", func(r *Run, dir string) {
			w := tables.CreateSources(filepath.Join(dir, tables.SourcesFile))
			must(t, w.Close())
		}, "do not belong together"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyRun(t, whole)
			r, err := Open(dir)
			must(t, err)
			defer r.Close()
			c.plant(r, dir)
			if b := broken(t, dir); !strings.Contains(b, c.want) || (b == "") != (c.want == "") {
				t.Errorf("the rules say %q, want %q", b, c.want)
			}
		})
	}
}
