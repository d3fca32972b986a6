package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// folderSource reads a folder as a static site; Open describes how file names become URLs. It lists the files in the
// order of their names, and Record.Page reads them. It follows links to files but not to folders, so there can be no
// loops. It leaves out run directories.
type folderSource struct {
	root  string
	base  string               // ends with a slash
	hosts bool                 // a top-level folder may be a host
	times map[string]time.Time // modification times from the sitemap, by canonical URL
	wrong []error              // errors in the sitemap
	opts  *record.Options
	files int64
	read  atomic.Int64
}

// localBase is the base URL of a site whose URL is unknown.
const localBase = "https://localhost/"

func openFolder(root string, o *record.Options) (record.Source, error) {
	s := &folderSource{root: root, opts: o}
	site := readSitemaps(root, o)
	if site.little != nil {
		return nil, site.little
	}
	s.times, s.wrong = site.lastmod, site.problems
	s.base, s.hosts = o.Base, o.Base == ""
	if s.hosts {
		s.base = localBase
		if base := site.base(); base != "" {
			s.base, s.hosts = base, false
		} else if abs, err := filepath.Abs(root); err == nil && urls.IsHostName(filepath.Base(abs)) {
			s.base, s.hosts = "https://"+filepath.Base(abs)+"/", false
		}
	}
	base, err := siteBase(s.base)
	if err != nil {
		return nil, &record.Skip{Pos: record.Position{File: root}, Reason: record.ReasonBadURL, URL: s.base, Err: fmt.Errorf("base URL: %w", err)}
	}
	s.base = base
	return s, nil
}

func siteBase(base string) (string, error) {
	u, err := urls.Base(base, "")
	if err != nil {
		return "", err
	}
	return strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/") + "/", nil
}

// Name, Format, Size, Offset and Close implement record.Source. The size is not known without walking the folder.

func (s *folderSource) Name() string   { return s.root }
func (s *folderSource) Format() string { return "html" }
func (s *folderSource) Size() int64    { return -1 }
func (s *folderSource) Offset() int64  { return s.read.Load() }
func (s *folderSource) Close() error   { return nil }

var errStop = errors.New("stop")

// Records implements record.Source.
func (s *folderSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for _, err := range s.wrong {
			if !yield(nil, err) {
				return
			}
		}
		err := fs.WalkDir(os.DirFS(s.root), ".", func(name string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			rec, err := s.entry(name, d, err)
			if (rec != nil || err != nil && !errors.Is(err, fs.SkipDir)) && !yield(rec, err) {
				return errStop
			}
			if rec == nil && d != nil && d.IsDir() && err != nil {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, err)
		}
	}
}

// entry examines one name in the folder. It returns a record, neither a record nor an error for a folder, or a *Skip.
func (s *folderSource) entry(name string, d fs.DirEntry, err error) (*record.Record, error) {
	pos := record.Position{File: filepath.Join(s.root, filepath.FromSlash(name))}
	if err != nil {
		return nil, &record.Skip{Pos: pos, Reason: record.ReasonUnreadableFile, Err: err}
	}
	if d.IsDir() {
		if name != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".well-known" {
			return nil, &record.Skip{Pos: pos, Reason: record.ReasonNotHTML, Err: errors.New("hidden folder")}
		}
		if name != "." && IsRun(pos.File) {
			return nil, runSkip(pos.File)
		}
		return nil, nil
	}
	s.files++
	pos.Record = s.files
	if skip := notRegular(pos, d); skip != nil {
		return nil, skip
	}
	if !mayBeHTML(d.Name()) {
		return nil, &record.Skip{Pos: pos, Reason: record.ReasonNotHTML, Err: fmt.Errorf("extension %.20q", path.Ext(name))}
	}
	rec := &record.Record{Pos: pos, URL: s.url(name), Opts: s.opts, Decode: s.decodeFile, Room: s.opts.NewRoom()}
	if c, err := s.opts.Rules.Canonical(rec.URL); err == nil {
		rec.Time = s.times[c]
	}
	return rec, nil
}

func notRegular(pos record.Position, d fs.DirEntry) error {
	if d.Type().IsRegular() {
		return nil
	}
	info, err := os.Stat(pos.File)
	switch {
	case err != nil:
		return &record.Skip{Pos: pos, Reason: record.ReasonUnreadableFile, Err: err}
	case info.IsDir():
		return &record.Skip{Pos: pos, Reason: record.ReasonNotHTML, Err: errors.New("link to a folder")}
	case !info.Mode().IsRegular():
		return &record.Skip{Pos: pos, Reason: record.ReasonNotHTML, Err: errors.New("not a regular file")}
	}
	return nil
}

// mayBeHTML decides by the name. It accepts the extensions of HTML, and names without an extension, which are later
// judged by their content. wget leaves queries in names, so that "page.html?v=1" and "view?id=1.html" are both HTML.
func mayBeHTML(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	before, _, _ := strings.Cut(name, "?")
	return isHTMLName(name) || isHTMLName(before) || !strings.Contains(before, ".")
}

func isHTMLName(lower string) bool {
	switch path.Ext(lower) {
	case ".html", ".htm", ".xhtml", ".xht", ".shtml":
		return true
	}
	return false
}

// url returns the URL of a file. It escapes the name, and an index file gets the URL of its folder.
func (s *folderSource) url(name string) string {
	base, query := s.base, ""
	if s.hosts {
		if host, rest, ok := strings.Cut(name, "/"); ok && urls.IsHostName(host) {
			base, name = "https://"+host+"/", rest
			name, query, _ = strings.Cut(name, "?")
		}
	}
	name = strings.TrimSuffix(name, ".gz")
	dir, file := path.Split(name)
	if file == "index.html" || file == "index.htm" || file == "index.xhtml" {
		file = ""
	}
	if query != "" {
		query = "?" + query
	}
	return base + escapeName(dir+file) + query
}

func escapeName(name string) string {
	segments := strings.Split(name, "/")
	for i := range segments {
		segments[i] = url.PathEscape(segments[i])
	}
	return strings.Join(segments, "/")
}

// decodeFile reads one file of the folder.
func (s *folderSource) decodeFile(r *record.Record) (record.Page, error) {
	f, err := os.Open(r.Pos.File)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	raw, err := r.Room.ReadUpTo(f, r.Opts.MaxRecord(), int(min(info.Size(), 1<<20)/4))
	s.read.Add(int64(len(raw)))
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	return htmlPage(r, raw)
}

// htmlPage decodes the page of a file, which may be compressed.
func htmlPage(r *record.Record, raw []byte) (record.Page, error) {
	p := record.Page{Pos: r.Pos, URL: r.URL, Time: r.Time, Warnings: r.Notes}
	if payload.IsGzip(raw) {
		body, err := r.Room.Gunzip(raw, r.Opts.MaxPage+1)
		if err != nil {
			skip := r.Skip(record.ReasonBadGzip, r.URL, err)
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				skip.Reason = record.ReasonTruncatedGzip
			}
			if len(body) == 0 {
				return record.Page{}, skip
			}
			p.Warn(skip)
		}
		raw = body
	}
	if len(strings.TrimSpace(string(raw[:min(len(raw), 64)]))) == 0 && len(raw) <= 64 {
		return record.Page{}, r.Skip(record.ReasonEmptyPage, r.URL, nil)
	}
	before, _, _ := strings.Cut(path.Base(filepath.ToSlash(r.Pos.File)), "?")
	if !strings.Contains(before, ".") && !payload.SniffHTML(raw[:min(len(raw), payload.SniffLen)]) {
		return record.Page{}, r.Skip(record.ReasonNotHTML, r.URL, errors.New("neither an extension nor HTML"))
	}
	if err := r.CheckText(raw, ""); err != nil {
		return record.Page{}, err
	}
	p.HTML = r.DecodeText(&p, raw, "")
	return r.Identify(p)
}
