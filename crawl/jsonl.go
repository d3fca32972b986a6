package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"
)

// jsonlSource reads lines that are JSON objects: "url", and "html" or "text", and optionally "time" (also
// "date", "fetch_time" or "timestamp"; RFC 3339 or up to 14 digits). Other members are passed over.
// Positions are offsets into the uncompressed stream.
type jsonlSource struct {
	*members
	opts  *Options
	lines int64
	pos   int64 // of the next byte in the uncompressed stream
}

func openJSONL(m *members, o *Options) Source { return &jsonlSource{members: m, opts: o} }

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
	pos := Position{File: s.name, Offset: s.pos, Record: s.lines + 1}
	line, long, err := s.readLine()
	switch {
	case err != nil && !isEOF(err):
		return nil, s.damage(err, pos)
	case long:
		s.lines++
		return nil, &Skip{Pos: pos, Reason: ReasonLineTooLong, Err: fmt.Errorf("%d bytes, limit %d", s.pos-pos.Offset, s.opts.MaxLine)}
	case len(line) == 0 && err != nil:
		return nil, err
	}
	s.lines++
	line = bytes.TrimRight(line, "\r\n")
	if pos.Offset == 0 {
		line = bytes.TrimPrefix(line, utf8BOM)
	}
	if len(bytes.TrimLeft(line, " \t")) == 0 {
		return nil, nil
	}
	return &Record{Pos: pos, data: line, opts: s.opts, decode: decodeJSON}, nil
}

// readLine gives the next line with its end, in memory of its own. A line that is too long is read over.
func (s *jsonlSource) readLine() (line []byte, long bool, err error) {
	for {
		part, err := s.buf.ReadSlice('\n')
		s.pos += int64(len(part))
		if int64(len(line)+len(part)) > s.opts.MaxLine {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return line, long, nil
		case isEOF(err): // a line may go on in the next member
			if err := s.next(); err != nil {
				return line, long, err
			}
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// damage reports broken compression, with what could be read of a last line given up, and moves on.
func (s *jsonlSource) damage(err error, pos Position) *Skip {
	skip := s.damaged(err)
	lost := s.pos - pos.Offset
	passed, rerr := s.resync(isText)
	if rerr != nil && !isEOF(rerr) {
		err = fmt.Errorf("%w; then %w", err, rerr)
	}
	skip.Err = fmt.Errorf("member at compressed byte %d: %w; %d compressed bytes passed over, with %d of an unfinished line", skip.Pos.Offset, err, passed, lost)
	skip.Pos, skip.Passed = pos, passed
	if lost > 0 {
		s.lines++
	}
	return skip
}

// isText accepts the start of any text: after damage, a member may begin in the middle of a line.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// jsonPage is what a line may say.
type jsonPage struct {
	url, html, text, when []byte
	id                    []byte // instead of a URL
	features              []byte // raw JSON
}

func decodeJSON(r *Record) (Page, error) {
	j, err := parseLine(r.data)
	if err != nil {
		return Page{}, r.skip(ReasonBadJSON, "", err)
	}
	p := Page{Pos: r.Pos, URL: cmp.Or(string(j.url), string(j.id)), Charset: "utf-8", Time: parseTime(string(j.when)), Warnings: r.notes}
	switch {
	case len(j.html) > 0:
		p.HTML = r.cut(&p, validUTF8(j.html))
	case len(j.text) > 0:
		p.Text = r.cut(&p, validUTF8(j.text))
	case len(j.features) > 0:
		if p.Features, err = parseFeatures(j.features); err != nil {
			return Page{}, r.skip(ReasonBadJSON, p.URL, err)
		}
	default:
		return Page{}, r.skip(ReasonEmptyPage, p.URL, nil)
	}
	return r.identifyAny(p)
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

func validUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}

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
	p.warn(r.skip(ReasonPageTooBig, p.URL, fmt.Errorf("cut to %d bytes", limit)))
	for i := 0; i < utf8.UTFMax && limit > 0 && !utf8.RuneStart(b[limit]); i++ {
		limit--
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
