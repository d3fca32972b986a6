package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// capturesTable writes captures.lsh: the input of each document in the order of the ids, and if all captures are
// documents, also the documents of each URL, which it sorts on disk.
type capturesTable struct {
	w   *tables.CapturesWriter
	of  *extsort.Sorter // nil if only the newest captures are documents
	to  *extsort.Appender
	id  uint32
	key []byte
}

// ofSize is the size in bytes of a record of of: hash of a URL (8) and id of a document (4), big-endian.
const ofSize = 12

func (b groupStage) createCaptures(dir string) (*capturesTable, error) {
	w, err := tables.CreateCaptures(b.dir.Temp(tables.CapturesFile))
	if err != nil || b.config.Captures != config.CapturesAll {
		return &capturesTable{w: w}, err
	}
	of, err := extsort.New(extsort.Config{Size: ofSize, Memory: b.memory / 16, Dir: dir, Workers: b.workers})
	if err != nil {
		w.Abort()
		return nil, err
	}
	return &capturesTable{w: w, of: of, to: of.Appender()}, nil
}

// add appends the next document, in the order of the ids.
func (t *capturesTable) add(g *anchors.Group) error {
	id, input := t.id, tables.NoInput
	t.id++
	if g.Crawled {
		input = capture.Number(g.Capture).Input()
	}
	t.w.Add(input)
	if t.of == nil || !g.Crawled && g.Page.Time == 0 {
		return nil
	}
	url, _, ok := capture.Cut(string(g.URL))
	if !ok {
		return nil
	}
	t.key = binary.BigEndian.AppendUint64(t.key[:0], tables.Hash(url))
	return t.to.Append(binary.BigEndian.AppendUint32(t.key, id))
}

// close finishes the table and counts the URLs with several captures.
func (t *capturesTable) close(ctx context.Context, counts map[string]int64) error {
	if t.of == nil {
		return t.w.Close()
	}
	if err := t.to.Close(); err != nil {
		return err
	}
	last, n := uint64(0), 0
	err := records(ctx, t.of, func(r []byte) error {
		url := binary.BigEndian.Uint64(r)
		if n > 0 && url == last {
			n++
		} else {
			last, n = url, 1
		}
		if n == 2 {
			counts["urls_with_several_documents"]++
		}
		t.w.AddCapture(url, binary.BigEndian.Uint32(r[8:]))
		return nil
	})
	if err != nil {
		return err
	}
	return t.w.Close()
}

func (t *capturesTable) abort() {
	t.w.Abort()
	if t.of != nil {
		t.of.Close()
	}
}
