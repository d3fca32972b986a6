package crawl

import (
	"context"
	"io"
	"iter"
	"path/filepath"
)

// htmlFileSource reads a single file of HTML: a folder with one file in it.
type htmlFileSource struct {
	*members
	opts *Options
}

func openHTMLFile(m *members, o *Options) Source { return &htmlFileSource{members: m, opts: o} }

func (s *htmlFileSource) Format() string { return "html" }

// Records implements Source.
func (s *htmlFileSource) Records(ctx context.Context) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		yield(s.record())
	}
}

func (s *htmlFileSource) record() (*Record, error) {
	base := s.opts.Base
	if base == "" {
		base = localBase
	}
	base, err := siteBase(base)
	if err != nil {
		return nil, &Skip{Pos: Position{File: s.name}, Reason: ReasonBadURL, URL: s.opts.Base, Err: err}
	}
	name := filepath.Base(s.name)
	if s.name == "-" {
		name = "stdin.html"
	}
	site := folderSource{base: base}
	rec := &Record{Pos: Position{File: s.name, Record: 1}, url: site.url(name), opts: s.opts,
		decode: func(r *Record) (Page, error) { return r.htmlPage(r.data) }, room: s.opts.room()}
	data := make([]byte, 0, memberBuffer)
	for err == nil {
		data, err = rec.room.readOn(data, s.buf, s.opts.maxRecord())
		if err == nil && int64(len(data)) < s.opts.maxRecord() {
			err = s.next()
		} else if err == nil {
			err = io.EOF
		}
	}
	if !isEOF(err) {
		rec.notes = append(rec.notes, s.damaged(err))
	}
	rec.data = data
	return rec, nil
}
