package tables

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/anchors"
)

// TestSearchDocuments checks that documents are found by their hashes, wherever these are, and that other hashes are
// not found.
func TestSearchDocuments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs")
	for _, hashes := range [][]uint64{{}, {0}, {math.MaxUint64}, {5, 5, 5, 6, 7}, {0, 1 << 63, math.MaxUint64, math.MaxUint64}, {1 << 62, 1<<62 + 1, 1<<62 + 9, 3 << 62}} {
		w := CreateDocuments(path, path+".evidence")
		for _, h := range hashes {
			w.Add(&anchors.Group{Hash: h, URL: []byte("u")})
		}
		must(t, w.Close())
		docs, err := OpenDocuments(path)
		must(t, err)
		for _, h := range slices.Concat(hashes, []uint64{0, 1, 4, 5, 6, 8, 1 << 62, 1<<62 + 5, 1 << 63, 1<<63 + 1, math.MaxUint64}) {
			want := slices.Index(hashes, h)
			if got, ok := docs.ByHash(h); ok != (want >= 0) || ok && int(got) != want {
				t.Errorf("%x among %x: %d, %v", h, hashes, got, ok)
			}
		}
		must(t, docs.Close())
	}
}
