package crawl

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// folderSource reads a folder as a static site; Open describes how file names become URLs. It lists the files in the
// order of their names, and Record.Page reads them. It follows links to files but not to folders, so there can be no
// loops. It leaves out run directories and companions.
type folderSource struct {
	site
	root  string
	wrong []error // errors in the sitemap
	texts bool    // there is no HTML, so texts are pages
	opts  *record.Options
	count int64
	read  atomic.Int64
}

func openFolder(root string, o *record.Options) (record.Source, error) {
	s := &folderSource{root: root, opts: o}
	known := readSitemaps(os.DirFS(root), func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }, o)
	if known.little != nil {
		return nil, known.little
	}
	s.wrong = known.problems
	folder := ""
	if abs, err := filepath.Abs(root); err == nil {
		folder = filepath.Base(abs)
	}
	if err := s.place(o, known.base(), folder); err != nil {
		return nil, &record.Skip{Pos: record.Position{File: root}, Reason: record.ReasonBadURL, URL: o.Base, Err: err}
	}
	found := survey{root: root}
	if err := found.walk(func() bool { return found.found[pageKind] > 0 }); err == nil {
		s.texts = found.found.reads(textKind)
	}
	if !s.texts && !o.Literal {
		s.evidence(os.DirFS(root))
	}
	s.times = known.lastmod
	return s, nil
}

// Name, Format, Size, Offset and Close implement record.Source. The size is not known without walking the folder.

func (s *folderSource) Name() string { return s.root }
func (s *folderSource) Format() string {
	if s.texts {
		return "text"
	}
	return "html"
}
func (s *folderSource) Size() int64   { return -1 }
func (s *folderSource) Offset() int64 { return s.read.Load() }
func (s *folderSource) Close() error  { return nil }

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
			if (rec != nil || err != nil) && !yield(rec, err) {
				return fs.SkipAll
			}
			if d != nil && d.IsDir() && (rec != nil || err != nil) {
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// entry examines one name in the folder. It returns a record or a *Skip, or neither for a folder to walk.
func (s *folderSource) entry(name string, d fs.DirEntry, err error) (*record.Record, error) {
	pos := record.Position{File: filepath.Join(s.root, filepath.FromSlash(name))}
	switch {
	case err != nil:
		return nil, &record.Skip{Pos: pos, Reason: record.ReasonUnreadableFile, Err: err}
	case d.IsDir() && name == ".":
		return nil, nil
	case d.IsDir():
		return s.folder(name, pos)
	}
	s.count++
	pos.Record = s.count
	if skip := notRegular(pos, d); skip != nil {
		return nil, skip
	}
	k := kindOf(d.Name())
	switch {
	case k == pageKind && !s.texts || k == unknownKind, k == textKind && s.texts:
		return s.file(name, pos), nil
	case k == archiveKind && s.opts.Expanded:
		return nil, nil // an input of its own
	case k == tableKind && !holdsPages(pos.File, s.opts.Map):
		k = otherKind
	}
	return nil, leftOut(pos, k, name, func() []byte { return readHead(os.DirFS(s.root), name, headLen) })
}

// file returns the record of a file.
func (s *folderSource) file(name string, pos record.Position) *record.Record {
	decode := func(r *record.Record) (record.Page, error) { return s.decodeFile(r, name) }
	rec := &record.Record{Pos: pos, URL: s.url(name), Opts: s.opts, Decode: decode, Room: s.opts.NewRoom()}
	described(rec, os.DirFS(s.root), name)
	return rec
}

// folder examines a folder in the folder.
func (s *folderSource) folder(name string, pos record.Position) (*record.Record, error) {
	base := path.Base(name)
	skip := &record.Skip{Pos: pos, Reason: record.ReasonNotHTML}
	files := os.DirFS(s.root)
	switch {
	case isCompanion(strings.ToLower(base)), belongsToPage(files, name):
		skip.Reason = record.ReasonCompanion
	case strings.HasPrefix(base, ".") && base != ".well-known":
		skip.Err = errors.New("hidden folder")
	case IsRun(pos.File):
		return nil, runSkip(pos.File)
	case isPackage(files, name) && s.opts.Expanded:
		skip.Reason, skip.Err = record.ReasonCompanion, errors.New("beside the archives of an unpacked WACZ")
	case isPackage(files, name):
		skip.Reason = record.ReasonArchiveLeft
	default:
		return s.snapshot(files, name, pos), nil
	}
	return nil, skip
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

// decodeFile reads one file of the folder.
func (s *folderSource) decodeFile(r *record.Record, name string) (record.Page, error) {
	f, err := os.Open(r.Pos.File)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	if kindOf(path.Base(name)) == unknownKind && info.Size() > payload.SniffLen { // most are not pages
		head := make([]byte, payload.SniffLen)
		if _, err := io.ReadFull(f, head); err == nil && !payload.IsGzip(head) {
			if skip := notPage(r, head); skip != nil {
				return record.Page{}, skip
			}
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
		}
	}
	raw, err := r.Room.ReadUpTo(f, r.Opts.MaxRecord(), int(min(info.Size(), 1<<20)/4))
	s.read.Add(int64(len(raw)))
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonUnreadableFile, r.URL, err)
	}
	if s.texts {
		return s.textPage(r, raw, name)
	}
	return s.page(r, raw, name)
}
