package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/rice"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
	"github.com/zeebo/xxh3"
)

// pageShingler turns the text of pages into records of their shingles, in partitions by the hash of their URL.
type pageShingler struct {
	shingler *shingles.Shingler
	set      *shingles.Set
	body     []byte          // the record
	sketch   shingles.Sketch // sketch of the set; nil if the whole set is kept
	out      partitionWriter
}

func newPageShingler(c config.Config, out partitionWriter) (*pageShingler, error) {
	s, err := shingles.New(c.Shingles())
	if err != nil {
		return nil, err
	}
	out.put = (*framed.Streams).AppendPacked
	p := &pageShingler{shingler: s, set: shingles.NewSet(), out: out}
	if c.Sketched() {
		p.sketch = c.Sketcher().New()
	}
	return p, nil
}

// page writes the record of a page: the hash of its URL, its capture, and the digests of its content, its canonical words
// and its set of shingles (8 bytes each); as uvarints the number of shingles and, of a sketch, that of different ones; the
// URL; and the stored values as shingles.lsh has them.
func (s *pageShingler) page(r *anchors.Record, p *crawl.Page, content, text []byte) error {
	s.set.Reset()
	var n int
	var words uint64
	url := p.Canonical
	if p.Features != nil {
		n, words = s.shingler.FromFeatures(s.set, p.Features...), xxh3.Hash(content)
	} else {
		n = s.shingler.Sketch(s.set, text)
		words = s.shingler.Digest()
	}
	values := s.set.Values()
	digest, distinct := resemble.Digest(values), 0
	if s.sketch != nil {
		distinct = len(values)
		s.sketch.Reset()
		s.sketch.AddAll(values)
		values = s.sketch.Values()
	}
	body := scratch.Grow(s.out.room, s.body[:0], 128+len(url)+9*len(values))
	for _, v := range []uint64{r.Source, r.Capture, r.Page.Digest, words, digest} {
		body = binary.LittleEndian.AppendUint64(body, v)
	}
	for _, v := range []int{n, distinct, len(url)} {
		body = binary.AppendUvarint(body, uint64(v))
	}
	s.body = rice.AppendGaps(append(body, url...), values)
	return s.out.add(r.Source, binary.MaxVarintLen64+len(s.body), func(dst []byte) []byte {
		return append(binary.AppendUvarint(dst, uint64(len(s.body))), s.body...)
	})
}

// shingledCapture returns the number of the capture of a record.
func shingledCapture(body []byte) capture.Number {
	return capture.Number(binary.LittleEndian.Uint64(body[8:]))
}

// shingled is a decoded record of a page.
type shingled struct {
	hash uint64
	url  string
	page tables.ShinglePage
}

func decodeShingled(body []byte) (shingled, error) {
	d := codec.Decoder{B: body}
	s := shingled{hash: d.U64()}
	_ = d.U64() // the capture
	s.page.Bytes, s.page.Lexical, s.page.Digest = d.U64(), d.U64(), d.U64()
	s.page.Shingles, s.page.Distinct = uint32(min(d.Uvarint(), math.MaxUint32)), uint32(min(d.Uvarint(), math.MaxUint32))
	s.url = string(d.Bytes())
	if d.Err != nil {
		return s, d.Err
	}
	s.page.Packed = slices.Clone(d.B)
	return s, nil
}

// use makes the shingler take its large buffers from room.
func (s *pageShingler) use(room *scratch.Pool) {
	s.out.room = room
	s.set.Use(room)
	s.shingler.Use(room)
}

// release drops the buffers taken from the room. It must be called before the room is freed.
func (s *pageShingler) release() {
	s.set.Release()
	s.shingler.Release()
	if s.out.room.Large() {
		s.body = nil
	}
}

// shingle writes the table of shingles: the pages in order of ids, without superseded captures.
func (b syntacticStages) shingle(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	lost, docs := table(from, supersededFile, tables.OpenCaptureSet), table(from, tables.DocumentsFile, tables.OpenDocuments)
	if err := from.Ready(); err != nil {
		return stats, err
	}
	w := b.createShingles(out.named(tables.ShinglesFile))
	defer w.Abort()
	b.report.Stage("shingle", "partitions", int64(b.partitions))
	hosts := map[uint64]uint32{} // number of each host, by the hash of its name
	var rendered atomic.Int64
	var words wordCounts
	err := parallel.Ordered(ctx, b.partitions, b.workers, b.memory/8,
		func(_, i int, emit func([]shingled, int) error) error {
			return b.shingledPartition(ctx, i, lost, &rendered, emit)
		},
		func(i int, pages []shingled) error {
			for _, s := range pages {
				id, ok := docs.Find(s.url)
				if !ok {
					return fmt.Errorf("%s: no document %q", b.dir.Path(tables.DocumentsFile), s.url)
				}
				s.page.Document, s.page.Host = id, number(hosts, xxh3.HashString(urls.Host(s.url)))
				if s.page.Notice = docs.Labelled(id); s.page.Notice {
					stats.Counts["labelled"]++
				} else {
					words.add(docs.Tokens(id))
				}
				w.Add(s.page)
				stats.Out++
				stats.Counts["shingles"] += int64(s.page.Shingles)
				b.countKept(stats.Counts, s.page)
			}
			b.report.At(int64(i + 1))
			return nil
		})
	if err != nil {
		return stats, err
	}
	stats.Counts["rendered_texts"], stats.Counts["median_words"] = rendered.Load(), words.median()
	stats.In, stats.Counts["hosts"] = stats.Out+int64(lost.Len()), int64(len(hosts))
	return stats, w.Close()
}

// number returns the number of a name. It assigns ascending numbers to new names.
func number(names map[uint64]uint32, name uint64) uint32 {
	n, ok := names[name]
	if !ok {
		n = uint32(len(names))
		names[name] = n
	}
	return n
}

// emitAtOnce is the number of bytes of pages to collect before passing them on.
const emitAtOnce = 256 << 10

// shingledPartition emits the pages of one partition in order of ids, without superseded captures.
func (b syntacticStages) shingledPartition(ctx context.Context, i int, lost *tables.CaptureSet, rendered *atomic.Int64, emit func([]shingled, int) error) error {
	pieces := b.fromRead().shingled(i)
	counts := func(body []byte) bool { return !lost.Has(shingledCapture(body)) }
	parts, err := splitPartition(ctx, pieces, i, b.partitions, b.memory/int64(8*b.workers), counts)
	if err != nil {
		return err
	}
	for _, part := range parts {
		pages, used, err := shingledSpan(ctx, pieces, part, lost)
		if err != nil {
			return err
		}
		rendered.Add(used)
		slices.SortFunc(pages, func(a, b shingled) int { return compareIDs(a.hash, a.url, b.hash, b.url) })
		for len(pages) > 0 {
			n, size := 0, 0
			for n < len(pages) && size < emitAtOnce {
				size += len(pages[n].page.Packed) + len(pages[n].url)
				n++
			}
			if err := emit(slices.Clone(pages[:n]), size); err != nil {
				return err
			}
			clear(pages[:n]) // lets the garbage collector free emitted pages
			pages = pages[n:]
		}
	}
	return nil
}

// shingledSpan reads the pages in a span of a partition. If a browser rendered the text of a page, it takes the shingles
// of that text.
func shingledSpan(ctx context.Context, pieces []piece, part span, lost *tables.CaptureSet) (pages []shingled, used int64, err error) {
	var texts []shingled
	err = eachRecord(ctx, pieces, func(body []byte) error {
		number := shingledCapture(body)
		if !part.has(anchors.TargetHash(body)) || lost.Has(number) {
			return nil
		}
		s, err := decodeShingled(body)
		if lost.IsText(number) {
			texts = append(texts, s)
		} else {
			pages = append(pages, s)
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		return pages, 0, err
	}
	of := map[string]*tables.ShinglePage{}
	for i := range texts {
		of[texts[i].url] = &texts[i].page
	}
	for i := range pages {
		if text := of[pages[i].url]; text != nil {
			pages[i].page = *text
			used++
		}
	}
	return pages, used, nil
}
