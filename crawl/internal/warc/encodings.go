package warc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// undoEncodings undoes the transfer encoding and the content encodings of a body. If the body does not have the
// encoding that its header names, it ignores the header, because many crawlers decode the body and keep the header, and
// some servers name the wrong one. Data that begins like gzip or zstd is decoded whatever the header says, other data that
// is no text if HTML comes out. If the encoded data breaks off, or if it grows beyond maxRatio, undoEncodings keeps the
// part before that point with a warning.
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
		if payload.SniffHTML(body) {
			break
		}
		limit := r.DecodedLimit(body)
		out, err := decodeContent(r, coding, body, limit)
		if int64(len(out)) >= limit && limit <= r.Opts.MaxPage {
			p.Warn(r.Skip(record.ReasonRatio, p.URL, fmt.Errorf("%.20q: %d bytes decode to %d or more", coding, len(body), limit)))
		}
		switch {
		case err == nil:
		case len(out) > 0:
			p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, fmt.Errorf("%.20q: %w", coding, err)))
		default:
			return nil, r.Skip(record.ReasonBadEncoding, p.URL, fmt.Errorf("%.20q: %w", coding, err))
		}
		body = out
	}
	return r.Unpack(body), nil
}

// decodeContent undoes a content encoding, by the first bytes of the body if they show another one than the header. A body
// that is text and does not decode is decoded already.
func decodeContent(r *record.Record, coding string, body []byte, limit int64) ([]byte, error) {
	if data := bytes.TrimLeft(body[:min(len(body), 8)], "\r\n"); payload.Coding(data) != "" && coding != "" {
		coding, body = payload.Coding(data), bytes.TrimLeft(body, "\r\n")
	}
	out, err := r.Room.DecodeContent(coding, body, limit)
	if err != nil && payload.NotText(body) == "" && utf8.Valid(body) {
		return body, nil
	}
	return out, err
}
