package pages

import (
	"context"
	"encoding/binary"
	"strconv"
	"sync/atomic"

	"github.com/lshclust/lshclust/serve/api"
	"github.com/zeebo/xxh3"
)

// surprises counts the surprises of a server, so that each is another one.
var surprises atomic.Uint64

// surprisePage leads to a page that was chosen by a number: the parameter n or, without it, the next one.
func surprisePage() *Page {
	return &Page{
		Name: "surprise", Path: "/surprise",
		Params: []api.Param{{Name: "n", Doc: "number of the surprise", Kind: api.Whole, Least: 0, Most: 1e9}},
		Show: func(_ context.Context, q *Question) (*View, error) {
			n := surprises.Add(1)
			if q.Args.Has("n") {
				n = uint64(q.Args.Int("n"))
			}
			return nil, &Redirect{q.Page(surprise(q.Run, n))}
		},
	}
}

// surprise returns the URL of a document. It tries some that a hash of the digest of the run and the number name, and
// prefers one that was crawled, has a title and is in a cluster with a label.
func surprise(r *api.Run, n uint64) string {
	const tries = 64
	best, most := uint32(0), -1
	for i := range tries {
		seed := binary.LittleEndian.AppendUint64([]byte(r.Manifest.Digest+strconv.Itoa(i)), n)
		id := uint32(xxh3.Hash(seed) % uint64(max(1, r.Len())))
		if s := appeal(r, id); s > most {
			best, most = id, s
		}
	}
	return r.Document(best).URL
}

// appeal tells how much there is to see of a document.
func appeal(r *api.Run, id uint32) (points int) {
	d := r.Document(id)
	if d.Title != "" {
		points++
	}
	if d.Crawled && d.Label == "" {
		points += 2
	}
	points += min(int(d.InLinks), 3)
	if r.Need("topical") == nil && len(r.TopicalMembership(id).Label) > 0 {
		points += 3
	}
	return points
}
