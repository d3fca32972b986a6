package crawl

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// htmlFileSource reads a single file of HTML or MHTML like a folder with one file.
type htmlFileSource struct {
	*stream.Members
	opts   *record.Options
	format string
}

func openHTMLFile(m *stream.Members, o *record.Options) record.Source {
	return &htmlFileSource{Members: m, opts: o, format: "html"}
}

func (s *htmlFileSource) Format() string { return s.format }

// Records implements record.Source.
func (s *htmlFileSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		yield(s.record())
	}
}

func (s *htmlFileSource) record() (*record.Record, error) {
	var site site
	if err := site.place(s.opts, "", ""); err != nil {
		return nil, &record.Skip{Pos: record.Position{File: s.Name()}, Reason: record.ReasonBadURL, URL: s.opts.Base, Err: err}
	}
	name := filepath.Base(s.Name())
	if s.Name() == "-" {
		name = "stdin.html"
	}
	site.hosts = false
	rec := &record.Record{Pos: record.Position{File: s.Name(), Record: 1}, URL: site.url(name), Opts: s.opts,
		Decode: func(r *record.Record) (record.Page, error) { return site.page(r, r.Data, name) }, Room: s.opts.NewRoom()}
	if s.format == "mhtml" {
		rec.Decode = mhtmlPage
	}
	var err error
	if rec.Data, err = rec.Room.ReadUpTo(s.All(), s.opts.MaxRecord(), stream.BufferSize/4); err != nil {
		rec.Notes = append(rec.Notes, s.Damaged(err))
	}
	return rec, nil
}
