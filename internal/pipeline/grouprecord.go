package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/codec"
)

// A part of the stage group writes a record for each document with the contents of the tables of documents: all of a
// group except its raw bag and its linking pages, which have files of their own.

// groupCrawled is a bit of the first byte; the others are those of anchors.Page.Flags.
const groupCrawled = 1 << 7

func appendGroup(dst []byte, g *anchors.Group) []byte {
	p := &g.Page
	flags := p.Flags()
	if g.Crawled {
		flags |= groupCrawled
	}
	dst = append(dst, flags, p.Language, byte(p.Label))
	for _, x := range [...]uint64{g.Hash, g.Capture, p.Digest, uint64(p.Time)} {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	for _, x := range [...]uint64{g.InLinks, g.InHosts, p.Tokens} {
		dst = binary.AppendUvarint(dst, x)
	}
	for _, s := range [...][]byte{g.URL, p.Title, p.Seen, p.Canonical, p.Languages, p.Opening, p.Heads} {
		dst = codec.AppendBytes(dst, s)
	}
	for i := range g.Evidence {
		q := &g.Evidence[i]
		dst = binary.LittleEndian.AppendUint64(dst, q.Source)
		dst = codec.AppendBytes(codec.AppendBytes(codec.AppendBytes(dst, q.Before), q.Anchor), q.After)
		dst = binary.AppendUvarint(dst, uint64(q.Head))
	}
	return dst
}

// decodeGroup reads a group that appendGroup wrote. Its strings point into body.
func decodeGroup(body []byte, g *anchors.Group) error {
	d := codec.Decoder{B: body}
	flags, p := d.U8(), &g.Page
	g.Crawled = flags&groupCrawled != 0
	p.SetFlags(flags)
	p.Language, p.Label = d.U8(), anchors.Label(d.U8())
	g.Hash, g.Capture, p.Digest, p.Time = d.U64(), d.U64(), d.U64(), int64(d.U64())
	g.InLinks, g.InHosts, p.Tokens = d.Uvarint(), d.Uvarint(), d.Uvarint()
	g.URL, p.Title, p.Seen = d.Bytes(), d.Bytes(), d.Bytes()
	p.Canonical, p.Languages, p.Opening, p.Heads = d.Bytes(), d.Bytes(), d.Bytes(), d.Bytes()
	for g.Evidence = g.Evidence[:0]; len(d.B) > 0 && d.Err == nil; {
		g.Evidence = append(g.Evidence, anchors.Quote{Source: d.U64(), Before: d.Bytes(), Anchor: d.Bytes(), After: d.Bytes(), Head: int(d.Uvarint())})
	}
	return d.Err
}
