package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// jsonlSource reads lines that are JSON objects: pages, or links (see fieldNames for the members that are known).
// Other members are passed over. Positions are offsets into the uncompressed stream.
type jsonlSource struct {
	lines
	names *names
	lists lists // of a line that holds many links
	first bool  // the first object was looked at
}

func openJSONL(m *members, o *Options) Source {
	s := &jsonlSource{lines: lines{members: m, opts: o}, names: knownNames}
	if len(o.Map) > 0 {
		s.names = namesFor(o.Map)
	}
	return s
}

func (s *jsonlSource) Format() string { return "jsonl" }

// Records implements Source.
func (s *jsonlSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			rec, err := s.line()
			if isEOF(err) {
				return
			}
			if rec == nil && err == nil {
				continue // an empty line
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// line reads one line: a record, nothing (a blank line), a *Skip, or io.EOF.
func (s *jsonlSource) line() (*Record, error) {
	if rec, ok := s.lists.next(); ok {
		return rec, nil
	}
	m := s.opts.room()
	pos, line, err := s.nextLine(&m)
	if err != nil || len(bytes.TrimLeft(line, " \t")) == 0 {
		m.free()
		return nil, err
	}
	rec := &Record{Pos: pos, data: line, opts: s.opts, decode: s.decode, room: m}
	if !s.first {
		s.first = true
		s.lists.on = isLists(line)
	}
	if s.lists.on {
		return nil, s.lists.open(rec)
	}
	return rec, nil
}

// decode makes the page of a line.
func (s *jsonlSource) decode(r *Record) (Page, error) {
	v, err := parseLine(r.data, s.names, &r.room)
	if err != nil {
		return Page{}, r.skip(ReasonBadJSON, "", err)
	}
	return r.pageOf(&v, means(v.has))
}

// identifyAny is identify for inputs whose documents need not be pages of the web: what is no http URL names the
// document as it stands (npm:left-pad@1.3.0/LICENSE, urn:isbn:…, 17).
func (r *Record) identifyAny(p Page) (Page, error) {
	if _, err := r.opts.Rules.Canonical(p.URL); err == nil || p.URL == "" || len(p.URL) > MaxURL || hasScheme(p.URL) {
		return r.identify(p)
	}
	p.Canonical = p.URL
	return p, nil
}

// hasScheme tells whether a URL that is not canonical claims to be one of the web all the same.
func hasScheme(url string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(url)), ":")
	return scheme == "http" || scheme == "https" || scheme == "javascript" || scheme == "data" || scheme == "mailto"
}

// parseFeatures reads a set of features given as strings or numbers; a number is known by how it is written.
func parseFeatures(raw []byte) ([]string, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	out := make([]string, len(list))
	for i, v := range list {
		switch {
		case len(v) > 0 && v[0] == '"':
			if err := json.Unmarshal(v, &out[i]); err != nil {
				return nil, fmt.Errorf("features: %w", err)
			}
		case len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9'):
			out[i] = string(v)
		default:
			return nil, fmt.Errorf("features: %.20s is neither string nor number", v)
		}
	}
	return out, nil
}

func validUTF8(b []byte) []byte { return new(room).valid(b, math.MaxInt64) }

// identify makes the canonical URL, without which there is no page.
func (r *Record) identify(p Page) (Page, error) {
	if p.URL == "" {
		return Page{}, r.skip(ReasonNoURL, "", nil)
	}
	c, err := r.opts.Rules.Canonical(p.URL)
	if err != nil {
		reason := ReasonBadURL
		errors.As(err, &reason)
		if reason == ReasonJavaScript || reason == ReasonMailTo || reason == ReasonDataURL {
			reason = ReasonNotHTTPURL
		}
		return Page{}, r.skip(reason, p.URL, nil)
	}
	p.Canonical = c
	return p, nil
}

// cut keeps MaxPage bytes of a page, and says so.
func (r *Record) cut(p *Page, b []byte) []byte {
	limit := int(r.opts.MaxPage)
	if len(b) <= limit {
		return b
	}
	if !slices.ContainsFunc(p.Warnings, func(w *Skip) bool { return w.Reason == ReasonPageTooBig }) { // its record was cut
		p.warn(r.skip(ReasonPageTooBig, p.URL, fmt.Errorf("cut to %d bytes", limit)))
	}
	for i := 0; i < utf8.UTFMax && limit > 0 && !utf8.RuneStart(b[limit]); i++ {
		limit--
	}
	if r.room.large(len(b)) {
		return b[:limit:limit]
	}
	return bytes.Clone(b[:limit])
}

func (p *Page) warn(s *Skip) { p.Warnings = append(p.Warnings[:len(p.Warnings):len(p.Warnings)], s) }

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15Z07:00", "2006-01-02", "2006-01", "2006"}

// parseTime reads RFC 3339, what WARC 1.1 allows of it (a part of a date), or 4 to 14 digits of
// yyyymmddhhmmss. Anything else is no time.
func parseTime(s string) time.Time {
	if len(s) < 4 || len(s) > 40 {
		return time.Time{}
	}
	if isDigits(s) {
		if len(s) > 14 || len(s)%2 != 0 {
			return time.Time{}
		}
		return parsed("20060102150405"[:len(s)], s)
	}
	for _, layout := range timeLayouts {
		if t := parsed(layout, s); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

func parsed(layout, s string) time.Time {
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t.UTC()
}
