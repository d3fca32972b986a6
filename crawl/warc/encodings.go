package warc

import (
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// undoEncodings undoes the transfer encoding and the content encodings of a body. If the body does not have the
// encoding that its header names, it ignores the header, because many crawlers decode the body and keep the header. It
// decodes a body that begins like gzip even without a header. If the encoded data breaks off, or if it grows beyond
// maxRatio, it keeps the part before that point with a warning.
func undoEncodings(r *record.Record, p *record.Page, h httpHead, body []byte) ([]byte, error) {
	if strings.Contains(h.transferEncoding, "chunked") {
		var err error
		if body, err = r.Room.Dechunk(body); err != nil {
			p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, err))
		}
	}
	codings := strings.Split(h.contentEncoding, ",")
	if te := strings.TrimSpace(h.transferEncoding); te == "gzip" || te == "deflate" || strings.HasPrefix(te, "gzip,") {
		codings = append(codings, strings.TrimSpace(strings.TrimSuffix(te, "chunked")))
	}
	for i := len(codings) - 1; i >= 0 && i >= len(codings)-4; i-- {
		coding := strings.Trim(codings[i], " \t,")
		limit := decodedLimit(r, body)
		out, err := r.Room.DecodeContent(coding, body, limit)
		if int64(len(out)) >= limit && limit <= r.Opts.MaxPage {
			p.Warn(r.Skip(record.ReasonRatio, p.URL, fmt.Errorf("%.20q: %d bytes decode to %d or more", coding, len(body), limit)))
		}
		switch {
		case err == nil:
		case len(out) > 0:
			p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, fmt.Errorf("%.20q: %w", coding, err)))
		case payload.SniffHTML(body[:min(len(body), payload.SniffLen)]):
			out = body
		default:
			return nil, r.Skip(record.ReasonBadEncoding, p.URL, fmt.Errorf("%.20q: %w", coding, err))
		}
		body = out
	}
	if payload.IsGzip(body) {
		if out, err := r.Room.Gunzip(body, decodedLimit(r, body)); err == nil {
			body = out
		}
	}
	return body, nil
}

// decodedLimit returns the number of bytes to which an encoded body may grow.
func decodedLimit(r *record.Record, body []byte) int64 {
	return min(r.Opts.MaxPage+1, max(payload.MaxRatio*int64(len(body)), payload.RatioFree))
}
