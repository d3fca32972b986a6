package crawl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl/inflate"
)

// payload undoes transfer and content encoding. A header that claims an encoding which the body does not
// have is overruled: many crawlers decode the body and keep the header; and a body of gzip needs no header. What breaks
// off in the middle is kept up to there, with a warning, and so is what swells beyond maxRatio.
func (r *Record) payload(p *Page, h httpHead, body []byte) ([]byte, error) {
	if strings.Contains(h.transferEncoding, "chunked") {
		var err error
		if body, err = r.room.dechunk(body); err != nil {
			p.warn(r.skip(ReasonTruncatedPayload, p.URL, err))
		}
	}
	codings := strings.Split(h.contentEncoding, ",")
	if te := strings.TrimSpace(h.transferEncoding); te == "gzip" || te == "deflate" || strings.HasPrefix(te, "gzip,") {
		codings = append(codings, strings.TrimSpace(strings.TrimSuffix(te, "chunked")))
	}
	for i := len(codings) - 1; i >= 0 && i >= len(codings)-4; i-- {
		coding := strings.Trim(codings[i], " \t,")
		limit := r.decodedLimit(body)
		out, err := r.room.decodeContent(coding, body, limit)
		if int64(len(out)) >= limit && limit <= r.opts.MaxPage {
			p.warn(r.skip(ReasonRatio, p.URL, fmt.Errorf("%.20q: %d bytes make %d and more", coding, len(body), limit)))
		}
		switch {
		case err == nil:
		case len(out) > 0:
			p.warn(r.skip(ReasonTruncatedPayload, p.URL, fmt.Errorf("%.20q: %w", coding, err)))
		case sniffHTML(body[:min(len(body), sniffLen)]):
			out = body
		default:
			return nil, r.skip(ReasonBadEncoding, p.URL, fmt.Errorf("%.20q: %w", coding, err))
		}
		body = out
	}
	if hasMagic(body) {
		if out, err := r.room.gunzip(body, r.decodedLimit(body)); err == nil {
			body = out
		}
	}
	return body, nil
}

// Text of the web that takes so little room when compressed is made to fill memory. Small bodies may.
const (
	maxRatio  = 200
	ratioFree = 1 << 20 // bytes that no ratio cuts
)

// decodedLimit is the number of bytes to which an encoded body may swell.
func (r *Record) decodedLimit(body []byte) int64 {
	return min(r.opts.MaxPage+1, max(maxRatio*int64(len(body)), ratioFree))
}

var (
	errNotEncoded = errors.New("unknown content encoding")
	gzips         sync.Pool // of *gzipBuffers
	zstds         sync.Pool // of *zstd.Decoder
)

// decodeContent undoes one content encoding, up to limit bytes.
func (m *room) decodeContent(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(b, gzipMagic) {
			return b, nil
		}
		return m.gunzip(b, limit)
	case "deflate":
		return m.undeflate(b, limit)
	case "br":
		return m.readUpTo(brotli.NewReader(bytes.NewReader(b)), limit, len(b))
	case "zstd":
		if !bytes.HasPrefix(b, zstdMagic) {
			return b, nil
		}
		return m.unzstd(b, limit)
	case "", "identity", "none", "utf-8", "utf8", "binary", "8bit", "7bit", "text/html", "chunked":
		return b, nil
	}
	return nil, errNotEncoded
}

// gzipBuffers is what it takes to undo gzip in memory.
type gzipBuffers struct {
	src *bufio.Reader
	z   inflate.Reader
}

// gunzip inflates the members of b one after another. What follows the first and is no member is dropped.
func (m *room) gunzip(b []byte, limit int64) ([]byte, error) {
	g, _ := gzips.Get().(*gzipBuffers)
	if g == nil {
		g = &gzipBuffers{src: bufio.NewReaderSize(nil, 32<<10)}
	}
	defer gzips.Put(g)
	g.src.Reset(bytes.NewReader(b))
	if err := g.z.Reset(g.src); err != nil {
		return nil, err
	}
	out, err := m.readUpTo(&g.z, limit, len(b))
	for err == nil && int64(len(out)) < limit && g.z.Reset(g.src) == nil {
		out, err = m.readOn(out, &g.z, limit)
	}
	return out, err
}

// undeflate reads zlib, and the bare deflate that some servers send under the same name.
func (m *room) undeflate(b []byte, limit int64) ([]byte, error) {
	if z, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
		return m.readUpTo(z, limit, len(b))
	}
	return m.readUpTo(flate.NewReader(bytes.NewReader(b)), limit, len(b))
}

func (m *room) unzstd(b []byte, limit int64) ([]byte, error) {
	z, _ := zstds.Get().(*zstd.Decoder)
	if z == nil {
		var err error
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20)); err != nil {
			return nil, err
		}
	}
	defer zstds.Put(z)
	if err := z.Reset(bytes.NewReader(b)); err != nil {
		return nil, err
	}
	return m.readUpTo(z, limit, len(b))
}

// readUpTo reads at most limit bytes. What came before an error is kept.
func (m *room) readUpTo(r io.Reader, limit int64, encoded int) ([]byte, error) {
	return m.readOn(m.grow(nil, int(min(limit, 4*int64(encoded)+512))), r, limit)
}

// readOn reads behind out, up to limit bytes in all.
func (m *room) readOn(out []byte, r io.Reader, limit int64) ([]byte, error) {
	for int64(len(out)) < limit {
		if len(out) == cap(out) {
			out = m.grow(out, 1)
		}
		n, err := r.Read(out[len(out):min(int64(cap(out)), limit)])
		out = out[:len(out)+n]
		if isEOF(err) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}
