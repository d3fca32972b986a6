package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/record"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/text"
)

// Where URLs lead is found out while reading. If captures of one URL say different things, the capture that wins by
// captureOrder decides: a page that came back overrules a redirect, and a redirect overrules the page that was there before
// it moved. So pages say that they are there, too.

// redirectPartitions is the number of files in which this is sorted; they are few, since a process may open few files.
const redirectPartitions = 16

// redirects collects from all workers. A crawl without redirects writes what pages say and reads it never.
type redirects struct {
	dir        string
	partitions *partitions
	any        atomic.Bool
}

func (d *redirects) file(i int) string { return filepath.Join(d.dir, fmt.Sprintf("redirects-%02d", i)) }

func (d *redirects) create() (err error) {
	d.partitions, err = createPartitions(redirectPartitions, d.file)
	return err
}

// claim is what one capture says of where its URL leads. In a bucket it is a uvarint of the length of the rest, the hash of
// the URL (8 bytes, little-endian as in all buckets), the order of the capture (16), what says so (1: a page that is there
// is 0), and unless it is 0 the URL and where it leads, led by uvarints of their lengths.
type claim struct {
	hash     uint64
	order    captureOrder
	by       tables.RedirectBy
	from, to []byte
}

const isThere tables.RedirectBy = 0

func (c *claim) append(dst []byte) []byte {
	body := binary.LittleEndian.AppendUint64(make([]byte, 0, 64), c.hash)
	body = append(c.order.append(body), byte(c.by))
	if c.by != isThere {
		for _, url := range [...][]byte{c.from, c.to} {
			body = append(binary.AppendUvarint(body, uint64(len(url))), url...)
		}
	}
	return append(binary.AppendUvarint(dst, uint64(len(body))), body...)
}

func decodeClaim(body []byte) (claim, error) {
	d := record.Decoder{B: body}
	c := claim{hash: d.U64(), order: decodeCaptureOrder(d.Take(captureOrderSize)), by: tables.RedirectBy(d.U8())}
	if c.by != isThere {
		c.from, c.to = d.Bytes(), d.Bytes()
	}
	return c, d.Err
}

func (r *pageReader) claim(c *claim) error {
	return r.claims.add(c.hash, 64+len(c.from)+len(c.to), c.append)
}

// redirect notes that a URL leads to another one.
func (r *pageReader) redirect(to crawl.Redirect, by tables.RedirectBy, record recordNumber) error {
	r.moves.any.Store(true)
	return r.claim(&claim{tables.Hash(to.From), captureOrder{millis(to.Time), record}, by, []byte(to.From), []byte(to.To)})
}

// leads notes where a page leads, mostly nowhere.
func (r *pageReader) leads(p *crawl.Page, doc *text.Doc, record recordNumber) error {
	ways := [...]struct {
		location string
		by       tables.RedirectBy
	}{{cmp.Or(text.Refresh(p.Refresh), doc.Meta.Refresh), tables.ByRefresh}, {r.trusted(doc), tables.ByCanonical}}
	for _, w := range ways {
		if w.location == "" {
			continue
		}
		if to, err := r.rules.Redirect(p.URL, doc.Base, w.location, p.Time); err == nil {
			return r.redirect(to, w.by, record)
		}
	}
	return r.claim(&claim{hash: tables.Hash(p.Canonical), order: captureOrder{millis(p.Time), record}})
}

// trusted is what a page names as its canonical URL, if that is to be followed.
func (r *pageReader) trusted(doc *text.Doc) string {
	if r.config.Canonical != config.CanonicalTrust {
		return ""
	}
	return doc.Meta.Canonical
}

// redirectsFile holds the redirects step by step.
const redirectsFile = "work/redirects.lsh"

// writeRedirects keeps what the winning capture says of each URL, in the order of the hashes.
func (b *build) writeRedirects(ctx context.Context, d *redirects) (n int64, err error) {
	if err := d.partitions.close(); err != nil {
		return 0, err
	}
	w, err := tables.CreateRedirects(b.dir.Temp(redirectsFile))
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	for i := 0; i < redirectPartitions && d.any.Load(); i++ {
		if err := b.keepNewest(ctx, d.file(i), i, w); err != nil {
			return 0, err
		}
	}
	return int64(w.Len()), w.Close()
}

// keepNewest writes the redirects among what the captures that win say of their URLs, of one bucket. A URL takes about twice
// the memory that a record takes in the file.
func (b *build) keepNewest(ctx context.Context, path string, partition int, w *tables.RedirectsWriter) error {
	paths := []string{path}
	spans, err := splitPartition(ctx, paths, partition, redirectPartitions, b.memory/16, func([]byte) bool { return true })
	if err != nil {
		return err
	}
	for _, s := range spans {
		newest := map[uint64]captureOrder{}
		if err := eachClaim(ctx, path, s, func(c claim) {
			if order, ok := newest[c.hash]; !ok || c.order.compare(order) < 0 {
				newest[c.hash] = c.order
			}
		}); err != nil {
			return err
		}
		var redirects []claim
		if err := eachClaim(ctx, path, s, func(c claim) {
			if c.by != isThere && newest[c.hash] == c.order {
				c.from, c.to = bytes.Clone(c.from), bytes.Clone(c.to)
				redirects = append(redirects, c)
			}
		}); err != nil {
			return err
		}
		slices.SortFunc(redirects, func(a, b claim) int { return cmp.Compare(a.hash, b.hash) })
		for _, c := range redirects {
			w.Add(tables.Redirect{From: string(c.from), To: string(c.to), By: c.by, Hops: 1, Time: c.order.millis})
		}
	}
	return nil
}

// eachClaim calls do with the claims of a part of a bucket. Their URLs are valid until the next one.
func eachClaim(ctx context.Context, path string, s span, do func(c claim)) error {
	return eachRecord(ctx, path, func(body []byte) error {
		if !s.has(anchors.TargetHash(body)) {
			return nil
		}
		c, err := decodeClaim(body)
		if err == nil {
			do(c)
		}
		return err
	})
}

// maxHops is the number of redirects that are followed in a row: as many as search engines follow.
const maxHops = 10

// Why a redirect is not followed. Links to its URL count for that one.
const (
	reasonLoop    = "redirect-loop"     // its way comes back
	reasonTooLong = "redirect-too-long" // or does not end within maxHops
)

// destination follows row i of the single steps to where its way ends, or tells why it does not.
func destination(steps *tables.Redirects, i int) (to string, hops uint8, reason string) {
	way := []int{i}
	for {
		to = steps.At(way[len(way)-1]).To
		next, more := steps.Find(to)
		switch {
		case !more:
			return to, uint8(len(way)), ""
		case slices.Contains(way, next):
			return "", 0, reasonLoop
		case len(way) == maxHops:
			return "", 0, reasonTooLong
		}
		way = append(way, next)
	}
}
