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
		if body, err = dechunk(body); err != nil {
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
		out, err := decodeContent(coding, body, limit)
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
		if out, err := gunzip(body, r.decodedLimit(body)); err == nil {
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
func decodeContent(coding string, b []byte, limit int64) ([]byte, error) {
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(b, gzipMagic) {
			return b, nil
		}
		return gunzip(b, limit)
	case "deflate":
		return undeflate(b, limit)
	case "br":
		return readUpTo(brotli.NewReader(bytes.NewReader(b)), limit, len(b))
	case "zstd":
		if !bytes.HasPrefix(b, zstdMagic) {
			return b, nil
		}
		return unzstd(b, limit)
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
func gunzip(b []byte, limit int64) ([]byte, error) {
	g, _ := gzips.Get().(*gzipBuffers)
	if g == nil {
		g = &gzipBuffers{src: bufio.NewReaderSize(nil, 32<<10)}
	}
	defer gzips.Put(g)
	g.src.Reset(bytes.NewReader(b))
	if err := g.z.Reset(g.src); err != nil {
		return nil, err
	}
	out, err := readUpTo(&g.z, limit, len(b))
	for err == nil && int64(len(out)) < limit && g.z.Reset(g.src) == nil {
		var more []byte
		more, err = readUpTo(&g.z, limit-int64(len(out)), g.src.Buffered())
		out = append(out, more...)
	}
	return out, err
}

// undeflate reads zlib, and the bare deflate that some servers send under the same name.
func undeflate(b []byte, limit int64) ([]byte, error) {
	if z, err := zlib.NewReader(bytes.NewReader(b)); err == nil {
		return readUpTo(z, limit, len(b))
	}
	return readUpTo(flate.NewReader(bytes.NewReader(b)), limit, len(b))
}

func unzstd(b []byte, limit int64) ([]byte, error) {
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
	return readUpTo(z, limit, len(b))
}

// readUpTo reads at most limit bytes. What came before an error is kept.
func readUpTo(r io.Reader, limit int64, encoded int) ([]byte, error) {
	out := make([]byte, 0, min(limit, int64(4*encoded)+512))
	for int64(len(out)) < limit {
		if len(out) == cap(out) {
			out = append(out, 0)[:len(out)]
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
